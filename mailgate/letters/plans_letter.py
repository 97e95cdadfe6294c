"""The letter of what its reader has planned, and of planned moves that were played. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from godaemon.games import events as ev
from godaemon.games.plans import Line, after, tree
from godaemon.rules.points import Color
from godaemon.texts.catalogue import say
from mailgate.letters.blocks import Block, Choices, LetterBlocks, Quote, Words
from mailgate.letters.letter_view import LetterView
from mailgate.letters.phrases import move
from mailgate.letters.playing import what_happened
from mailgate.letters.shared_blocks import drawn, in_play

DRAWN = 3
"""So many branches are drawn, too."""


def ifs(view: LetterView) -> LetterBlocks:
    """The reader's plans as they are now."""
    lines = view.game.plans.get(view.color or Color.BLACK, ())
    gone = "plans-gone" if any(view.happened(ev.Planned)) else "plans-none"
    news = say("plans-kept" if lines else gone, game=view.game.id)
    return in_play(view, what_happened(view) if view.moves else news, *_plan(view, lines))


def _plan(view: LetterView, lines: tuple[Line, ...]) -> Iterator[Block]:
    if not lines:
        return
    yield Words(say("plans-how", who=view.other))
    yield Quote(say("plans-yours"), tuple(_branch(one) for one in tree(lines)))
    yield Choices((("cancel ifs", say("plans-cancel")),))
    for line in lines[:DRAWN]:
        yield Words(say("plans-board", moves=tuple(map(move, line))))
        yield drawn(after(view.game.position, view.game.position.to_move, line))
    yield Words(say("plans-now"))


def _branch(line: str) -> str:
    """A line of the tree, for one who reads it without the others above."""
    deeper = line.count("... ")
    return f"{'– ' * deeper}{say('plan-deeper', line=line[4 * deeper :])}" if deeper else line
