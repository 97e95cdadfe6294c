"""The letter of what its reader has planned, and of planned moves that were played. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from godaemon.games import events as ev
from godaemon.games.plans import Line, after, tree
from godaemon.rules.points import Color
from mailgate.letters.blocks import Block, Choices, LetterBlocks, Quote, Words
from mailgate.letters.letter_view import LetterView
from mailgate.letters.playing import what_happened
from mailgate.letters.shared_blocks import drawn, in_play

DRAWN = 3
"""So many branches are drawn, too."""


def ifs(view: LetterView) -> LetterBlocks:
    """The reader's plans as they are now."""
    color = view.color or Color.BLACK
    lines = view.game.plans.get(color, ())
    return in_play(view, _news(view, planned=bool(lines)), *_plan(view, lines))


def _news(view: LetterView, *, planned: bool) -> str:
    if view.moves:
        return what_happened(view)
    number = view.game.id
    if planned:
        return f"Your plans for game {number} are kept, and only you see them."
    forgotten = any(view.happened(ev.Planned))
    return f"You have {'no plans any more' if forgotten else 'planned nothing'} in game {number}."


def _told(line: str) -> str:
    """A line of the tree, for one who reads it without the others above."""
    deeper = line.count("... ")
    return f"{'– ' * deeper}after that: {line[4 * deeper :]}" if deeper else line


def _plan(view: LetterView, lines: tuple[Line, ...]) -> Iterator[Block]:
    if not lines:
        return
    yield Words(
        f"When {view.other} plays one of these moves, I play your answer at once and tell you"
        " both. When the game goes another way, they are forgotten."
    )
    yield Quote("You have planned:", tuple(_told(one) for one in tree(lines)))
    yield Choices((("cancel ifs", "forget all of them"),))
    for line in lines[:DRAWN]:
        there = after(view.game.position, view.game.position.to_move, line)
        yield Words(f"The board after {', '.join(line)}:")
        yield drawn(there)
    yield Words("The board as it is now:")
