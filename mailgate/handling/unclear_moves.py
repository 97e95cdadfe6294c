"""Moves that a letter may mean and does not write: asked back, with the points that they may be.

Pure; raises a `Refusal` alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from godaemon.errors import NotYourTurn, Unreadable
from godaemon.games.awaited import Awaited
from godaemon.games.model import Phase
from godaemon.rules.points import Color
from mailgate.address import clean_quote
from mailgate.handling.seated import Seated
from mailgate.language.near_moves import NO_POINT
from mailgate.language.parser import ParsedText
from mailgate.language.reserved_words import PLAN_AHEAD
from mailgate.language.talk import LONGEST, vertices
from mailgate.language.told_places import told_places
from mailgate.language.written_moves import normalize


def offer_stones(message: str, at: Seated) -> None:
    """Raise the line that places Black's handicap stones where as many points are named."""
    placing = at.game.placing
    if not placing or at.color is not Color.BLACK:
        return
    named = [vertex.upper() for vertex in vertices(message)]
    if len(named) == placing > 1:
        raise Unreadable(
            f"You begin by placing your {placing} handicap stones, on one line. Nothing was done.",
            hints=(f"place {' '.join(named)}",),
        )


def unsure(quoted: str, hints: Sequence[str]) -> Unreadable:
    """What to ask back for words of which nothing tells what they are to do."""
    return Unreadable(
        f"I am not sure what “{quoted}” is to do, so I have done nothing and told nobody.",
        hints=tuple(hints),
    )


def ask_where(message: str, quoted: str, at: Seated) -> None:
    """Raise the points that are meant by a place that is told in words: `the upper left corner`."""
    size = at.game.spec.size
    told = told_places(at.with_last_moves(normalize(message[:LONGEST])), size)
    if told is not None:
        sentences = re.split(r"(?<=[.!?])\s+", message[:LONGEST])
        plain = [at.with_last_moves(normalize(one)) for one in sentences]
        which = [one for one, said in zip(sentences, plain, strict=True) if told_places(said, size)]
        quoted = clean_quote(which[0]) if which else quoted
        raise Unreadable(
            f"I am not sure which point “{quoted}” is, so I have done nothing and told nobody."
            " A point is a letter and a number.",
            hints=tuple(name for name in told if not at.stands(name)),
        )


def ask_place(text: ParsedText, lines: Sequence[str], at: Seated) -> None:
    """Raise the points of a place that is told in words in which a question was seen."""
    said = " ".join(lines)
    moves = at.awaits is Awaited.TURN and bool(text.held) and "?" not in said
    if moves and told_places(at.with_last_moves(normalize(said[:LONGEST])), at.game.spec.size):
        ask_where(said, clean_quote(said), at)


def ask_told_place(fault: Unreadable, said: str, at: Seated) -> None:
    """Raise the points of a place beside stones that a line alone cannot name."""
    if at.awaits is Awaited.TURN and NO_POINT in fault.public and not fault.hints:
        ask_where(said, clean_quote(said), at)


def speaks_of_stones(fault: Unreadable, words: str, at: Seated) -> bool:
    """True where all that looks like a move in some words is a point with a stone on it."""
    named = {vertex.upper() for vertex in vertices(words)}
    standing = {name for name in named if at.stands(name)}
    return at.game.phase is Phase.PLAYING and bool(fault.hints) and {*fault.hints} <= standing


def as_move(fault: Unreadable, words: str, at: Seated) -> Unreadable:
    """The moves that words name in place of a plan; who is to move plans no answer to a stone."""
    named, free = [vertex.upper() for vertex in vertices(words)], at.moves_named(words)
    if PLAN_AHEAD not in fault.public or not free or not any(map(at.stands, named)):
        return fault
    return unsure(clean_quote(words), free)


def check_turn(hints: Sequence[str], at: Seated, said: str = "") -> None:
    """Raise for what would be a move where the other player is to move, however it is written."""
    points = hints and all([*map(str.upper, vertices(hint))] == [hint] for hint in hints)
    points = points or NO_POINT in said
    if at.game.phase is Phase.PLAYING and at.awaits is None and points:
        other = at.opponent.name
        raise NotYourTurn(
            f"It is not your turn: {other} is to move, so I have done nothing. An answer to a move"
            " is planned so: `if D4 then E5`"
        )
