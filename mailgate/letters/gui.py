"""The letter that seats a Go program: the one line to paste, and where to paste it. Pure.

What each program's menus are called was read in their own sources: GoGui 1.6, Sabaki 0.52 and
q5Go 2.1. How this server is reached comes in from outside, and the keys with it.
"""

from __future__ import annotations

from collections.abc import Iterator

from godaemon.rules.points import Color
from godaemon.texts.catalogue import say
from mailgate.letters.blocks import Block, Choices, Items, LetterBlocks, Paste, Words, words
from mailgate.letters.letter_view import CLIENT, LetterView
from mailgate.letters.phrases import title


def gui(view: LetterView) -> LetterBlocks:
    """How a Go program sits down for the reader; or that none may any more."""
    access = view.access
    if not view.about.get("on"):
        again = Choices.of({"gui": "gui-new"})
        return LetterBlocks(view.say("gui-off"), (Words(say("gui-off-more")), again))
    colors = [color for color in Color if color.word in access.keys]
    lines, both = [access.line(view.game.id, color) for color in colors], len(colors) > 1
    first = view.say("gui-lines" if both else "gui-line", color=title(colors[0]))
    pasted: list[Block] = []
    for color, line in zip(colors, lines, strict=True):
        pasted += [*words(say("gui-as", color=title(color)) if both else ""), Paste(line)]
    blocks = (*pasted, *_steps(view, colors[0].opponent, lines[0]), *_playing(view, colors[0]))
    return LetterBlocks(first, blocks, record=True, client=bool(access.tcp))


def _steps(view: LetterView, other: Color, line: str) -> Iterator[Block]:
    access, record = view.access, f"game-{view.game.id}.sgf"
    yield Words(say("gui-secret" if access.tcp else "gui-account"))
    if access.tcp:
        yield Words(say("gui-three-steps"))
        steps = (say("gui-python"), say("gui-save", client=CLIENT), say("gui-enter", record=record))
        yield Items(steps)
    else:
        yield Words(say("gui-start", record=record))
        yield Words(say("gui-path", program=line.partition(" ")[0]))
    gogui = say("gui-gogui", color=other.word.capitalize())  # as its menu has it
    others = (say(f"gui-{one}", color=title(other)) for one in ("sabaki", "q5go"))
    yield Items((gogui, *others))
    if not access.tcp:
        yield Words(say("gui-ssh" if access.ssh else "gui-installed"), small=True)


def _playing(view: LetterView, mine: Color) -> Iterator[Block]:
    color, placing = title(mine.opponent), view.game.placing
    then = "gui-then-both" if view.teaching else "gui-then"
    yield Words(f"{view.say(then, color=color)} {say('gui-sent')}")
    if placing and view.color is not Color.WHITE:
        yield Words(say("gui-place", count=placing))
    yield Words(say("gui-careful"))
    missed = say("gui-pass", color=color, mine=mine.word)
    yield Items((say("gui-resign"), missed, say("gui-count"), say("gui-other-game")))
