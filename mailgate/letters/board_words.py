"""Words about boards: legends, and what is heard of a board or a part of one. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from godaemon.diagrams.html_board import GLYPHS
from godaemon.diagrams.part import Part
from godaemon.diagrams.symbols import size_of, used
from godaemon.diagrams.text import SIGNS, SYMBOLS
from godaemon.rules.points import Point
from godaemon.texts.catalogue import say

_NAMES = {
    "b": "black",
    "w": "white",
    "c": "dead-black",
    "x": "dead-white",
    "B": "black-points",
    "W": "white-points",
}


def legend(rows: Sequence[str], last: Point | None, *, fancy: bool = False) -> str:
    """One line that explains the symbols that occur on a board in text, and only these."""
    signs = SIGNS if fancy else SYMBOLS
    words = [say(f"legend-{_NAMES[state]}", sign=signs[state]) for state in used(rows)]
    return say("comma").join([*words, say("last-move-sign")] if last else words)


def html_legend(rows: Sequence[str]) -> str:
    """What else than stones is shown on a board in HTML; "" where nothing is."""
    shown = "".join(rows)
    words = [say(f"legend-{_NAMES[state]}", sign=GLYPHS[state]) for state in "cx" if state in shown]
    words += [say("legend-squares")] if "B" in shown or "W" in shown else []
    words += [say("legend-taken", sign=GLYPHS["t"])] if "t" in shown else []
    return say("comma").join(words)


def heard(rows: Sequence[str], last: Point | None) -> str:
    """What is heard before the rows and columns of a board."""
    stones = "".join(rows)
    black, white = (sum(map(stones.count, states)) for states in ("bc", "wx"))
    key = "board-heard-last" if last else "board-heard"
    return say(key, size=size_of(rows), black=black, white=white, point=last)


def part_heard(part: Part) -> str:
    """What is heard of a part of a board: what is marked on it."""
    marks = [say("part-played", point=part.last)] if part.last else []
    marks += [say("part-sign", sign=sign, point=point) for point, sign in part.signs.items()]
    return say("part-heard", marks=say("comma").join(marks))
