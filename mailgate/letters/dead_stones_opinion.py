"""The letter with an opinion on which stones are dead. Pure, and the same every time.

The opinion is an engine's, and in the notice: another program's, or by itself our own player's.
Where none answered it is formed here by a plainer reading, which costs a part of a second, while
the letter is written on a thread of its own. Groups of which our player is not sure are asked
about, with a line for either reading. No opinion marks anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from godaemon.diagrams.description import WHOSE
from godaemon.engine import Reading, fallback
from godaemon.games.commands import Extent, Mark
from godaemon.games.dead_stones import untakeable
from godaemon.games.engine_seats import sound
from godaemon.games.model import Game, Phase
from godaemon.rules import scoring
from godaemon.rules.points import Color, Point, board_order, parse_point
from mailgate.language.parser import MAX_COMMANDS
from mailgate.letters.blocks import Block, Choices, Diagram, LetterBlocks, Words
from mailgate.letters.count_blocks import score
from mailgate.letters.letter_view import LetterView
from mailgate.letters.phrases import lead, plural
from mailgate.letters.shared_blocks import board, facts, how_to_count, in_words, last_point

LINES = MAX_COMMANDS - 1
"""How many lines are proposed at once: a letter has room for them and for `done`."""
ASKED = 4
"""How many groups one letter asks about, the largest first."""


def estimate(view: LetterView) -> LetterBlocks:
    """What we would mark, the count by it, and the lines that would mark it."""
    game = view.game
    if game.phase is not Phase.SCORING:  # by the time of the log that the letter is written from
        return LetterBlocks(
            f"Game {game.id} is not being counted. {view.whose_turn()}", board(view)
        )
    read = _opinion(view)
    seen = replace(game, dead=read.dead)
    rows = tuple(_lines(game, read.dead - read.doubtful | game.dead & read.doubtful))
    asked = _groups(seen, read.doubtful)
    shown: tuple[Block, ...] = (
        in_words(view, seen),
        Diagram(
            seen.rows(),
            last_point(game.position),
            reply=None if rows or asked else how_to_count(view),
        ),
        *score(seen),
        facts(view),
        Words(view.awaited(), small=True),
    )
    if not rows and not asked:
        first = f"I would mark the stones just as they are marked: {lead(game.score().result)}."
        return LetterBlocks(first, (Words(_caution(view)), *shown))
    first = f"A proposal, by which {lead(seen.score().result)}. I have marked nothing."
    if asked:
        unsure = plural(len(asked), "group")
        first = f"A proposal, but I am not sure about {unsure}. I have marked nothing."
    more = (
        " There is more than one email may mark: when these are marked, ask me again."
        if len(rows) > LINES
        else ""
    )
    send = "this line" if len(rows) == 1 else "these lines"
    what = "I am sure of" if asked else "the board below shows"
    mark = f" To mark what {what}, send {send}; what you disagree with, leave out.{more}"
    return LetterBlocks(
        first,
        (
            Words(f"{_caution(view)}{mark if rows else ''}"),
            *((Choices(rows[:LINES]),) if rows else ()),
            *(block for group in asked[:ASKED] for block in _question(seen, group)),
            Words("The game as it is marked now comes in answer to: `show`", small=True),
            *shown,
        ),
        counted=False,
    )


def _groups(seen: Game, doubtful: frozenset[Point]) -> list[frozenset[Point]]:
    """The doubtful stones by what lives or dies together, the largest group first."""
    board, left, found = seen.position.board, set(doubtful), set[frozenset[Point]]()
    while left:
        group = scoring.group(board, seen.dead | doubtful, min(left, key=board_order)) & doubtful
        found.add(group)
        left -= group
    return sorted(found, key=lambda group: (-len(group), board_order(min(group, key=board_order))))


def _question(seen: Game, group: frozenset[Point]) -> tuple[Block, ...]:
    """The words about one group that may be dead or alive, and a line for either."""
    named = tuple(_named(seen, group))
    name = named[0]
    whose = WHOSE[Color(seen.position.board.cells[seen.position.board.index(name)])]
    shown = "dead" if group <= seen.dead else "partly dead" if group & seen.dead else "alive"
    counts = {
        verb: replace(seen, dead=dead).score().result
        for verb, dead in (("dead", seen.dead | group), ("alive", seen.dead - group))
    }
    return (
        Words(
            f"I am not sure about {whose} group at {name} ({plural(len(group), 'stone')}): one way"
            " of reading the board takes it for dead, another for alive. The board below shows it"
            f" {shown}. Which is it? If you two cannot agree, play it out: `resume`"
        ),
        Choices(
            tuple(
                (str(part), f"then {lead(result)}")
                for verb, result in counts.items()
                for part in Mark(named, verb == "dead", Extent.CHAIN).parts
            )
        ),
    )


_CAUTION = (
    "This is what I make of the board. I err at times: look at each group, above all where one move"
    " decides and where neither side can attack."
)


def _caution(view: LetterView) -> str:
    """Whose opinion it is, and how far to trust it."""
    engine = view.about.get("engine")
    if not engine:
        return _CAUTION
    return (
        f"This is what {engine} makes of the board, a program that plays here. Programs err too:"
        " look at each group."
    )


def _opinion(view: LetterView) -> Reading:
    """The stones that the engine takes for dead, or we do, but for those nobody can ever take."""
    game, about = view.game, view.about
    if "dead" not in about:
        read, sure = fallback.read(game.position), untakeable(game)
        return Reading(read.dead - sure, read.doubtful - sure)
    dead, doubtful = (
        sound(game, map(parse_point, about.get(name, ()))) for name in ("dead", "doubtful")
    )
    return Reading(dead, doubtful)


def _lines(game: Game, dead: frozenset[Point]) -> Iterator[tuple[str, str]]:
    """What to send so that the marks become these, and what each line does."""
    for verb, stones in (("dead", dead - game.dead), ("alive", game.dead - dead)):
        named = _named(game, stones)
        for part in Mark(tuple(named), verb == "dead", Extent.CHAIN).parts:
            size = sum(named[point] for point in part.points)
            yield str(part), f"marks {plural(size, 'stone')} {verb}"


def _named(game: Game, stones: Iterable[Point]) -> dict[Point, int]:
    """The size of each chain by the stone that names it: its lowest, and of these the leftmost."""
    chains = scoring.chains(game.position.board, stones)
    return {min(chain, key=board_order): len(chain) for chain in chains}
