"""Proposals: the checked terms of a game, which become its first event.

Pure; raises `Unreadable` and `Unknown`.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from godaemon.errors import Unreadable
from godaemon.games.commands import Propose
from godaemon.games.events import Proposed
from godaemon.games.model import ENGINE_PREFIX, OPEN, Player, Seat, Spec, shown_address
from godaemon.games.opening import check_opening, opening_of_record
from godaemon.games.people import person
from godaemon.games.time_systems import USUAL_TIME
from godaemon.records.record import Record
from godaemon.rules import handicap
from godaemon.rules.named_rulesets import DEFAULT, format_ruleset, parse_ruleset
from godaemon.rules.points import Color
from godaemon.rules.ruleset import Placing, Ruleset
from godaemon.texts.catalogue import join_sentences, sentence


def build_proposal(wanted: Propose, proposer: Player, invited_name: str, nonce: str) -> Proposed:
    """The first event of a game, with defaults for terms that were not given."""
    ruleset = parse_ruleset(wanted.rules or DEFAULT)
    if wanted.opening is None:
        _check_handicap(wanted, ruleset)
    else:
        check_opening(wanted.opening, wanted.size, ruleset)
    # In a teaching game both seats have the same spelling of the address.
    own = wanted.opponent.casefold() == proposer.address.casefold()
    return Proposed(
        width=wanted.size.width,
        height=wanted.size.height,
        rules=format_ruleset(ruleset),
        komi=_checked_komi(wanted, ruleset),
        handicap=wanted.handicap,
        color=wanted.color.word if wanted.color else None,
        proposer=proposer.address,
        proposer_name=proposer.name,
        invited=proposer.address if own else wanted.opponent,
        invited_name=invited_name,
        nonce=nonce,
        free=_black_places(wanted, ruleset),
        words=wanted.words,
        opening=wanted.opening.to_words() if wanted.opening else (),
        time=_time_text(wanted, own=own),
        named=bool(wanted.called),
        rated=_is_rated(wanted, proposer.address),
        estimates=wanted.estimates,
        public=wanted.public,
    )


def original_proposal(spec: Spec) -> Propose:
    names = {*Propose.__match_args__} & {*Spec.__slots__} - {"time"}
    terms = {name: getattr(spec, name) for name in names}
    called = spec.invited.name if spec.named else ""
    return Propose(spec.invited.address, time=str(spec.time or ""), called=called, **terms)


def counter_proposal(spec: Spec, terms: Mapping[str, Any], by: Seat) -> Proposed:
    """The proposal with the changed terms of side `by`; a default komi is adapted to them.

    Raises `Unreadable` for impossible terms, and if nothing changes.
    """
    before, after = _before_and_after(spec, terms, by)
    if before == after:
        raise Unreadable(sentence("terms-same"), hints=_ANSWERS)
    return after


def repeats_terms(spec: Spec, terms: Mapping[str, Any], by: Seat) -> bool:
    with suppress(Unreadable):
        before, after = _before_and_after(spec, terms, by)
        return before == after
    return False


def _before_and_after(spec: Spec, terms: Mapping[str, Any], by: Seat) -> list[Proposed]:
    now, changed = original_proposal(spec), dict(terms)
    if by is Seat.INVITED and (color := changed.get("color")) is not None:
        changed["color"] = color.opponent
    if spec.komi == spec.ruleset.komi_for(spec.size, spec.handicap):
        changed.setdefault("komi", None)
    try:
        return [
            build_proposal(wanted, spec.proposer, spec.invited.name, spec.nonce)
            for wanted in (now, replace(now, **changed))
        ]
    except Unreadable as fault:
        why = join_sentences(fault.public, sentence("try-another"))
        raise Unreadable(why, hints=_ANSWERS) from fault


_ANSWERS = ("accept", "decline")


def _is_rated(wanted: Propose, proposer: str) -> bool:
    """True if the game is to be rated; raises `Unreadable` if it cannot be."""
    if not wanted.rated:
        return False
    alone = person(wanted.opponent) == person(proposer) or wanted.opponent.startswith(ENGINE_PREFIX)
    if alone or wanted.opening is not None or not set(wanted.size) <= set(RATED_SIDES):
        hints = () if wanted.opening else (proposal_line(replace(wanted, rated=False)),)
        raise Unreadable(sentence("unrated"), hints=hints)
    return True


RATED_SIDES = range(9, 20)
"""The board sides of rated games."""


def _time_text(wanted: Propose, *, own: bool) -> str:
    """The time settings as text; by default none against an engine or oneself."""
    if wanted.time is not None:
        return wanted.time
    alone = own or wanted.opponent.startswith(ENGINE_PREFIX)
    return "" if alone else str(USUAL_TIME)


def continue_record(wanted: Propose, record: Record) -> Propose:
    """The proposal of a game that continues a record, with the record's terms unless given.

    Raises `Unreadable`.
    """
    if wanted.size not in (Propose("").size, record.size):
        raise Unreadable(sentence("record-of-size", record=record.size, size=wanted.size))
    stones = 0 if record.setup_white else record.handicap
    if wanted.handicap not in (0, stones):
        raise Unreadable(sentence("record-has-handicap"))
    rules = wanted.rules or (record.ruleset.name if record.ruleset else None)
    return replace(
        wanted,
        size=record.size,
        rules=rules,
        komi=record.komi if wanted.komi is None and record.tells_komi else wanted.komi,
        handicap=stones,
        opening=opening_of_record(record),
        left_out=record.left_out,
    )


def _black_places(wanted: Propose, ruleset: Ruleset) -> bool:
    """True if Black chooses where the handicap stones go; an engine does not."""
    human = not wanted.opponent.startswith(ENGINE_PREFIX) or wanted.color is Color.BLACK
    free = ruleset.placing is Placing.FREE and wanted.opening is None
    return free and wanted.handicap > 0 and human


def _check_handicap(wanted: Propose, ruleset: Ruleset) -> None:
    if not wanted.handicap:
        return
    if wanted.handicap == 1:  # Sensei's Library, "Handicap": Black begins, and pays no komi for it
        even = replace(wanted, handicap=0, komi=ruleset.komi_for(wanted.size, 1))
        raise Unreadable(sentence("handicap-of-one"), hints=(proposal_line(even),))
    placing = Placing.FREE if _black_places(wanted, ruleset) else Placing.FIXED
    try:
        handicap.check_handicap(wanted.size, placing, wanted.handicap)
    except Unreadable as fault:
        limit = handicap.max_stones(wanted.size, placing)
        numbers = (2, limit) if limit else (0,)
        hints = tuple(proposal_line(replace(wanted, handicap=number)) for number in numbers)
        raise Unreadable(fault.public, hints=hints) from fault


def _checked_komi(wanted: Propose, ruleset: Ruleset) -> float:
    if wanted.komi is None:
        return ruleset.komi_for(wanted.size, wanted.handicap)
    if abs(wanted.komi) > wanted.size.points or not (wanted.komi * 2).is_integer():
        raise Unreadable(
            sentence("no-such-komi", komi=f"{wanted.komi:g}"),
            hints=(proposal_line(replace(wanted, komi=None)),),
        )
    return wanted.komi


def proposal_line(wanted: Propose) -> str:
    """A proposal as a line of an email: `new 9x9 komi 6.5 vs bob@example.org`."""
    komi = None if wanted.komi is None else f"{wanted.komi:g}"
    time = None if wanted.time is None else wanted.time or "none"
    values = {"rules": wanted.rules, "komi": komi, "handicap": wanted.handicap}
    values |= {"as": wanted.color and wanted.color.word, "time": time}
    terms = [f"{word} {value}" for word, value in values.items() if value]
    terms += [word for word in ("rated", "estimates", "public") if getattr(wanted, word)]
    against = [] if wanted.opponent == OPEN else ["vs"]
    return " ".join(["new", str(wanted.size), *terms, *against, shown_address(wanted.opponent)])
