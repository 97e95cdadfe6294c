"""Proposals, each part checked, as a first event. Pure; raises `Unreadable` and `Unknown`."""

from __future__ import annotations

from dataclasses import replace

from godaemon.errors import Unreadable
from godaemon.games.commands import Propose
from godaemon.games.events import Proposed
from godaemon.games.model import ENGINE, Player, bare
from godaemon.rules import handicap
from godaemon.rules.points import Color
from godaemon.rules.rulesets import DEFAULT, Placing, Ruleset, format_ruleset, parse_ruleset


def proposed(wanted: Propose, proposer: Player, invited_name: str, nonce: str) -> Proposed:
    """The first event of the game that is wanted; what was left open gets its usual value."""
    ruleset = parse_ruleset(wanted.rules or DEFAULT)
    _check_handicap(wanted, ruleset)
    # Whoever plays both sides is written to by one spelling of their address.
    own = wanted.opponent.casefold() == proposer.address.casefold()
    return Proposed(
        width=wanted.size.width,
        height=wanted.size.height,
        rules=format_ruleset(ruleset),
        komi=_komi(wanted, ruleset),
        handicap=wanted.handicap,
        color=wanted.color.word if wanted.color else None,
        proposer=proposer.address,
        proposer_name=proposer.name,
        invited=proposer.address if own else wanted.opponent,
        invited_name=invited_name,
        nonce=nonce,
        free=_chosen(wanted, ruleset),
        words=wanted.words,
    )


def _chosen(wanted: Propose, ruleset: Ruleset) -> bool:
    """Whether Black is to place the stones: a person is, where the rules let Black choose."""
    person = not wanted.opponent.startswith(ENGINE) or wanted.color is Color.BLACK
    return ruleset.placing is Placing.FREE and wanted.handicap > 0 and person


def _check_handicap(wanted: Propose, ruleset: Ruleset) -> None:
    if not wanted.handicap:
        return
    if wanted.handicap == 1:  # Sensei's Library, "Handicap": Black begins, and pays no komi for it
        even = replace(wanted, handicap=0, komi=ruleset.komi_for(wanted.size, 1))
        message = "A handicap of one stone is Black's first move for almost no komi."
        raise Unreadable(message, hints=(_words(even),))
    placing = Placing.FREE if _chosen(wanted, ruleset) else Placing.FIXED
    try:
        handicap.check(wanted.size, placing, wanted.handicap)
    except Unreadable as fault:
        most = handicap.most(wanted.size, placing)
        numbers = (2, most) if most else (0,)
        hints = tuple(_words(replace(wanted, handicap=number)) for number in numbers)
        raise Unreadable(fault.public, hints=hints) from fault


def _komi(wanted: Propose, ruleset: Ruleset) -> float:
    if wanted.komi is None:
        return ruleset.komi_for(wanted.size, wanted.handicap)
    if abs(wanted.komi) > wanted.size.points or not (wanted.komi * 2).is_integer():
        raise Unreadable(
            "The komi is a number of points in halves, such as 6.5, and at most as many as the"
            f" board has; {wanted.komi:g} is not.",
            hints=(_words(replace(wanted, komi=None)),),
        )
    return wanted.komi


def _words(wanted: Propose) -> str:
    """A proposal as one would write it."""
    terms = ["new", str(wanted.size)]
    if wanted.rules:
        terms += ["rules", wanted.rules]
    if wanted.komi is not None:
        terms += ["komi", f"{wanted.komi:g}"]
    if wanted.handicap:
        terms += ["handicap", str(wanted.handicap)]
    if wanted.color is not None:
        terms += ["as", wanted.color.word]
    return " ".join([*terms, "vs", bare(wanted.opponent)])
