"""The letter with our own opinion on which stones are dead. Pure, and the same every time.

The opinion costs a part of a second, which is why it is formed here, while the letter is written
on a thread of its own, and not where commands are decided. It marks nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from godaemon.engine import dead_stones
from godaemon.games.marking import untakeable
from godaemon.games.model import Game, Phase
from godaemon.rules import scoring
from godaemon.rules.points import Point
from mailgate.language import MAX_COMMANDS
from mailgate.letters.blocks import Block, Choices, Diagram, Letter, Words
from mailgate.letters.phrases import lead, plural
from mailgate.letters.pieces import board, count, facts, how_to_count, last_point, uncounted
from mailgate.letters.view import View

NAMED = 12
"""How many chains one line marks, so that no mail program breaks it."""
LINES = MAX_COMMANDS - 1
"""How many lines are proposed at once: a letter has room for them and for `done`."""


def estimate(view: View) -> Letter:
    """What we would mark, the count by it, and the lines that would mark it."""
    game = view.game
    if game.phase is not Phase.SCORING:  # by the time of the log that the letter is written from
        return Letter(f"Game {game.id} is not being counted. {view.standing()}", board(view))
    seen = replace(game, dead=_opinion(game))
    rows = tuple(_lines(game, seen.dead))
    shown: tuple[Block, ...] = (
        Diagram(seen.rows(), last_point(game)),
        count(seen),
        *uncounted(seen),
        facts(view),
    )
    if not rows:
        first = f"I would mark the stones just as they are marked: {lead(game.score().result)}."
        return Letter(first, (Words(_CAUTION), how_to_count(view), *shown))
    first = f"A proposal, by which {lead(seen.score().result)}. I have marked nothing."
    more = (
        " There is more than one letter may mark: when these are marked, ask me again."
        if len(rows) > LINES
        else ""
    )
    send = "this line" if len(rows) == 1 else "these lines"
    return Letter(
        first,
        (
            Words(
                f"{_CAUTION} To mark what the board below shows, send {send};"
                f" what you disagree with, leave out.{more}"
            ),
            Choices(rows[:LINES]),
            Words("The game as it is marked now comes in answer to: `show`", small=True),
            *shown,
        ),
    )


_CAUTION = (
    "This is what I make of the board by playing it out many times at random. I am not strong:"
    " look at each group, above all where one move decides and where neither side can attack."
)


def _opinion(game: Game) -> frozenset[Point]:
    """The stones we take for dead, but for those that can never be taken."""
    return dead_stones(game.position) - untakeable(game)


def _lines(game: Game, dead: frozenset[Point]) -> Iterator[tuple[str, str]]:
    """What to send so that the marks become these, and what each line does."""
    for verb, stones in (("dead", dead - game.dead), ("alive", game.dead - dead)):
        named = _named(game, stones)
        for at in range(0, len(named), NAMED):
            some = named[at : at + NAMED]
            size = sum(len(chain) for _, chain in some)
            names = " ".join(str(name) for name, _ in some)
            yield f"{verb} {names} only", f"marks {plural(size, 'stone')} {verb}"


def _named(game: Game, stones: Iterable[Point]) -> list[tuple[Point, frozenset[Point]]]:
    """Each chain with the stone that names it: its lowest, and of these the leftmost."""
    chains = scoring.chains(game.position.board, stones)
    return [(min(chain, key=lambda one: (one.row, one.column)), chain) for chain in chains]
