"""The letter with an opinion on which stones are dead. Pure, and the same every time.

Where an engine was asked, its opinion is in the notice. Ours costs a part of a second, which is why
it is formed here, while the letter is written on a thread of its own, and not where commands are
decided. Neither marks anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from godaemon.engine import dead_stones
from godaemon.games.dead_stones import untakeable
from godaemon.games.engine_seats import sound
from godaemon.games.model import Game, Phase
from godaemon.rules import scoring
from godaemon.rules.points import Point, board_order, parse_point
from mailgate.language.parser import MAX_COMMANDS
from mailgate.letters.blocks import Block, Choices, Diagram, LetterBlocks, Words
from mailgate.letters.letter_view import LetterView
from mailgate.letters.phrases import lead, plural
from mailgate.letters.shared_blocks import (
    board,
    facts,
    how_to_count,
    in_words,
    last_point,
    score,
)

NAMED = 12
"""How many chains one line marks, so that no mail program breaks it."""
LINES = MAX_COMMANDS - 1
"""How many lines are proposed at once: a letter has room for them and for `done`."""


def estimate(view: LetterView) -> LetterBlocks:
    """What we would mark, the count by it, and the lines that would mark it."""
    game = view.game
    if game.phase is not Phase.SCORING:  # by the time of the log that the letter is written from
        return LetterBlocks(
            f"Game {game.id} is not being counted. {view.whose_turn()}", board(view)
        )
    seen = replace(game, dead=_opinion(view))
    rows = tuple(_lines(game, seen.dead))
    shown: tuple[Block, ...] = (
        in_words(view, seen),
        Diagram(seen.rows(), last_point(game), reply=None if rows else how_to_count(view)),
        *score(seen),
        facts(view),
        Words(view.awaited(), small=True),
    )
    if not rows:
        first = f"I would mark the stones just as they are marked: {lead(game.score().result)}."
        return LetterBlocks(first, (Words(_caution(view)), *shown))
    first = f"A proposal, by which {lead(seen.score().result)}. I have marked nothing."
    more = (
        " There is more than one email may mark: when these are marked, ask me again."
        if len(rows) > LINES
        else ""
    )
    send = "this line" if len(rows) == 1 else "these lines"
    return LetterBlocks(
        first,
        (
            Words(
                f"{_caution(view)} To mark what the board below shows, send {send};"
                f" what you disagree with, leave out.{more}"
            ),
            Choices(rows[:LINES]),
            Words("The game as it is marked now comes in answer to: `show`", small=True),
            *shown,
        ),
        counted=False,
    )


_CAUTION = (
    "This is what I make of the board by playing it out many times at random. I am not strong:"
    " look at each group, above all where one move decides and where neither side can attack."
)


def _caution(view: LetterView) -> str:
    """Whose opinion it is, and how far to trust it."""
    engine = view.about.get("engine")
    if engine is None:
        return _CAUTION
    return (
        f"This is what {engine} makes of the board, a program that plays here. Programs err too:"
        " look at each group."
    )


def _opinion(view: LetterView) -> frozenset[Point]:
    """The stones that the engine takes for dead, or we do, but for those nobody can ever take."""
    game, named = view.game, view.about.get("dead")
    if named is None:
        return dead_stones(game.position) - untakeable(game)
    return sound(game, (parse_point(str(point)) for point in named))


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
    return [(min(chain, key=board_order), chain) for chain in chains]
