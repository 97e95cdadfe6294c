"""The letter of what its reader has planned, and of planned moves that were played. Pure."""

from __future__ import annotations

from godaemon.games import events as ev
from godaemon.games.plans import Line, after, tree
from godaemon.rules.points import Color
from godaemon.rules.scoring import board_rows
from mailgate.letters.blocks import Block, Choices, Diagram, LetterBlocks, Quote, Words
from mailgate.letters.letter_view import LetterView
from mailgate.letters.playing import what_happened
from mailgate.letters.shared_blocks import in_play

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


def _plan(view: LetterView, lines: tuple[Line, ...]) -> tuple[Block, ...]:
    if not lines:
        return ()
    boards: list[Block] = []
    mover = view.game.position.to_move
    for line in lines[:DRAWN]:
        there = after(view.game.position, mover, line)
        last = there.last.point if there.last else None
        rows = board_rows(there.board, None)
        boards += [Words(f"The board after {', '.join(line)}:"), Diagram(rows, last)]
    return (
        Words(
            f"When {view.other} plays one of these moves, I play your answer at once and tell you"
            " both. When the game goes another way, they are forgotten."
        ),
        Quote("You have planned:", tuple(_told(one) for one in tree(lines))),
        Choices((("cancel ifs", "forget all of them"),)),
        *boards,
        Words("The board as it is now:"),
    )
