"""Proposals: the checked terms of a game, which become its first event.

Raises `Unreadable` and `Unknown`.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from godaemon.errors import Unreadable
from godaemon.games.commands import Propose
from godaemon.games.events import Proposed
from godaemon.games.model import ENGINE_PREFIX, OPEN, Player, Seat, Spec, shown_address
from godaemon.games.opening import check_opening, opening_of_record, opening_to_words
from godaemon.games.people import person
from godaemon.games.time_systems import USUAL_TIME
from godaemon.records.record import Record
from godaemon.rules import handicap
from godaemon.rules.named_rulesets import DEFAULT, format_ruleset, parse_ruleset
from godaemon.rules.points import Color
from godaemon.rules.ruleset import Placing, Ruleset
from godaemon.texts.catalogue import join_sentences, sentence


def build_proposal(proposal: Propose, proposer: Player, invited_name: str, nonce: str) -> Proposed:
    """The first event of a game, with defaults for terms that were not given."""
    ruleset = parse_ruleset(proposal.rules or DEFAULT)
    if proposal.opening is None:
        _check_handicap(proposal, ruleset)
    else:
        check_opening(proposal.opening, proposal.size, ruleset)
    # In a teaching game both seats have the same spelling of the address.
    own = proposal.opponent.casefold() == proposer.address.casefold()
    alone = own or proposal.opponent.startswith(ENGINE_PREFIX)
    usual_time = "" if alone else str(USUAL_TIME)
    return Proposed(
        width=proposal.size.width,
        height=proposal.size.height,
        rules=format_ruleset(ruleset),
        komi=_checked_komi(proposal, ruleset),
        handicap=proposal.handicap,
        color=proposal.color.word if proposal.color else None,
        proposer=proposer.address,
        proposer_name=proposer.name,
        invited=proposer.address if own else proposal.opponent,
        invited_name=invited_name,
        nonce=nonce,
        free=_black_places(proposal, ruleset),
        words=proposal.words,
        opening=opening_to_words(proposal.opening) if proposal.opening else (),
        time=usual_time if proposal.time is None else proposal.time,
        named=bool(proposal.called),
        rated=_is_rated(proposal, proposer.address),
        estimates=proposal.estimates,
        public=proposal.public,
    )


def original_proposal(spec: Spec) -> Propose:
    """The proposal that leads to these terms."""
    names = {*Propose.__match_args__} & {*Spec.__slots__} - {"time"}
    terms = {name: getattr(spec, name) for name in names}
    called = spec.invited.name if spec.named else ""
    return Propose(spec.invited.address, time=str(spec.time or ""), called=called, **terms)


def counter_proposal(spec: Spec, terms: Mapping[str, Any], side: Seat) -> Proposed:
    """The proposal with terms that a side changed; a default komi is adapted to them.

    Raises `Unreadable` for impossible terms, and if nothing changes.
    """
    before, after = _before_and_after(spec, terms, side)
    if before == after:
        raise Unreadable(sentence("terms-same"), hints=_ANSWERS)
    if terms.get("handicap") and after.color is None:
        lines = colored_lines(Propose(spec.invited.address, **{"size": spec.size, **terms}))
        offered = (line.removeprefix("new ").rpartition(" vs ")[0] for line in lines)
        hints = tuple(f"accept but {one}" for one in offered)
        raise Unreadable(sentence("whose-stones"), hints=hints)
    return after


def repeats_terms(spec: Spec, terms: Mapping[str, Any], side: Seat) -> bool:
    """True if the terms of a side change nothing."""
    with suppress(Unreadable):
        before, after = _before_and_after(spec, terms, side)
        return before == after
    return False


def _before_and_after(spec: Spec, terms: Mapping[str, Any], side: Seat) -> list[Proposed]:
    now, changed = original_proposal(spec), dict(terms)
    if side is Seat.INVITED and (color := changed.get("color")) is not None:
        changed["color"] = color.opponent
    if spec.komi == spec.ruleset.komi_for(spec.size, spec.handicap):
        changed.setdefault("komi", None)
    try:
        return [
            build_proposal(proposal, spec.proposer, spec.invited.name, spec.nonce)
            for proposal in (now, replace(now, **changed))
        ]
    except Unreadable as fault:
        why = join_sentences(fault.public, sentence("try-another"))
        raise Unreadable(why, hints=_ANSWERS) from fault


_ANSWERS = ("accept", "decline")


def _is_rated(proposal: Propose, proposer: str) -> bool:
    """True if the game is to be rated; raises `Unreadable` if it cannot be."""
    if not proposal.rated:
        return False
    alone = person(proposal.opponent) == person(proposer) or proposal.opponent.startswith(
        ENGINE_PREFIX
    )
    if alone or proposal.opening is not None or not set(proposal.size) <= set(RATED_SIDES):
        hints = () if proposal.opening else (proposal_line(replace(proposal, rated=False)),)
        raise Unreadable(sentence("unrated"), hints=hints)
    return True


RATED_SIDES = range(9, 20)
"""The board sides of rated games."""


def continue_record(proposal: Propose, record: Record) -> Propose:
    """The proposal of a game that continues a record, with the record's terms unless given.

    Raises `Unreadable`.
    """
    if proposal.size not in (Propose("").size, record.size):
        raise Unreadable(sentence("record-of-size", record=record.size, size=proposal.size))
    stones = 0 if record.setup_white else record.handicap
    if proposal.handicap not in (0, stones):
        raise Unreadable(sentence("record-has-handicap"))
    rules = proposal.rules or (record.ruleset.name if record.ruleset else None)
    return replace(
        proposal,
        size=record.size,
        rules=rules,
        komi=record.komi if proposal.komi is None and record.has_komi else proposal.komi,
        handicap=stones,
        opening=opening_of_record(record),
        left_out=record.left_out,
    )


def _black_places(proposal: Propose, ruleset: Ruleset) -> bool:
    """True if Black chooses where the handicap stones go; an engine does not."""
    human = not proposal.opponent.startswith(ENGINE_PREFIX) or proposal.color is Color.BLACK
    free = ruleset.placing is Placing.FREE and proposal.opening is None
    return free and proposal.handicap > 0 and human


def _check_handicap(proposal: Propose, ruleset: Ruleset) -> None:
    if not proposal.handicap:
        return
    if proposal.handicap == 1:
        # Black begins, and pays no komi for it (Sensei's Library, "Handicap").
        even = replace(proposal, handicap=0, komi=ruleset.komi_for(proposal.size, 1))
        raise Unreadable(sentence("handicap-of-one"), hints=(proposal_line(even),))
    placing = Placing.FREE if _black_places(proposal, ruleset) else Placing.FIXED
    try:
        handicap.check_handicap(proposal.size, placing, proposal.handicap)
    except Unreadable as fault:
        limit = handicap.max_stones(proposal.size, placing)
        numbers = (2, limit) if limit else (0,)
        hints = tuple(proposal_line(replace(proposal, handicap=number)) for number in numbers)
        raise Unreadable(fault.public, hints=hints) from fault


def _checked_komi(proposal: Propose, ruleset: Ruleset) -> float:
    if proposal.komi is None:
        return ruleset.komi_for(proposal.size, proposal.handicap)
    if abs(proposal.komi) > proposal.size.points or not (proposal.komi * 2).is_integer():
        raise Unreadable(
            sentence("no-such-komi", komi=f"{proposal.komi:g}"),
            hints=(proposal_line(replace(proposal, komi=None)),),
        )
    return proposal.komi


def colored_lines(proposal: Propose) -> tuple[str, ...]:
    """The lines of a proposal with either colour for its sender."""
    return tuple(proposal_line(replace(proposal, color=color)) for color in Color)


def proposal_line(proposal: Propose) -> str:
    """A proposal as a line of an email: `new 9x9 komi 6.5 vs bob@example.org`."""
    komi = None if proposal.komi is None else f"{proposal.komi:g}"
    time = None if proposal.time is None else proposal.time or "none"
    values = {"rules": proposal.rules, "komi": komi, "handicap": proposal.handicap}
    values |= {"as": proposal.color and proposal.color.word, "time": time}
    terms = [f"{word} {value}" for word, value in values.items() if value]
    terms += [word for word in ("rated", "estimates", "public") if getattr(proposal, word)]
    against = [] if proposal.opponent == OPEN else ["vs"]
    return " ".join(["new", str(proposal.size), *terms, *against, shown_address(proposal.opponent)])
