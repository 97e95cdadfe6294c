"""The letter with an opinion on which stones are dead. Pure, and the same every time.

The opinion is an engine's, and in the notice: another program's, or by itself our own player's.
Where none answered it is formed here by a plainer reading, which costs a part of a second, while
the letter is written on a thread of its own. Groups of which our player is not sure are asked
about, with a line for either reading. No opinion marks anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from godaemon.engine import Reading, fallback
from godaemon.games.commands import Extent, Mark
from godaemon.games.dead_stones import untakeable
from godaemon.games.engine_seats import sound
from godaemon.games.model import Game, Phase
from godaemon.rules import scoring
from godaemon.rules.points import Color, Point, board_order, parse_point
from godaemon.texts.catalogue import say
from mailgate.language.parser import MAX_COMMANDS
from mailgate.letters.blocks import Block, Choices, Diagram, LetterBlocks, Words
from mailgate.letters.count_blocks import score
from mailgate.letters.letter_view import LetterView
from mailgate.letters.phrases import group_at, lead
from mailgate.letters.shared_blocks import board, facts, how_to_count, in_words, last_point

LINES = MAX_COMMANDS - 1
"""How many lines are proposed at once: a letter has room for them and for `done`."""
ASKED = 4
"""How many groups one letter asks about, the largest first."""


def estimate(view: LetterView) -> LetterBlocks:
    """What we would mark, the count by it, and the lines that would mark it."""
    game = view.game
    if game.phase is not Phase.SCORING:  # by the time of the log that the letter is written from
        first = f"{say('not-counting', game=game.id)} {view.whose_turn()}".strip()
        return LetterBlocks(first, board(view))
    read = _opinion(view)
    seen = replace(game, dead=read.dead)
    rows = tuple(_lines(game, read.dead - read.doubtful | game.dead & read.doubtful))
    asked = _groups(seen, read.doubtful)
    reply = None if rows or asked else how_to_count(view)
    shown: tuple[Block, ...] = (
        *in_words(view, seen),
        Diagram(seen.rows(), last_point(game.position), reply=reply),
        *score(seen),
        Words(f"{facts(view)} {view.awaited()}", small=True),
    )
    now = lead(seen.score().result)
    if reply is not None:
        return LetterBlocks(say("opinion-same", count_says=now), (Words(_caution(view)), *shown))
    first = say("opinion-unsure", count=len(asked)) if asked else say("opinion", count_says=now)
    told = [_caution(view), *([say("mark-sure" if asked else "mark-shown")] if rows else [])]
    told += [say("mark-more")] if len(rows) > LINES else []
    return LetterBlocks(
        first,
        (
            Words(" ".join(told)),
            *((Choices(rows[:LINES]),) if rows else ()),
            *(block for group in asked[:ASKED] for block in _question(seen, group)),
            Words(say("see-marked"), small=True),
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
    board = seen.position.board
    name = group_at(Color(board.cells[board.index(named[0])]), named[0])
    shown = "dead" if group <= seen.dead else "partly" if group & seen.dead else "alive"
    words = say("unsure-group", group=name, count=len(group), shown=say(f"shown-{shown}"))
    counts = {
        verb: replace(seen, dead=dead).score().result
        for verb, dead in (("dead", seen.dead | group), ("alive", seen.dead - group))
    }
    rows = tuple(
        (str(part), say("then-lead", count_says=lead(result)))
        for verb, result in counts.items()
        for part in Mark(named, verb == "dead", Extent.CHAIN).parts
    )
    return Words(words), Choices(rows)


def _caution(view: LetterView) -> str:
    """Whose opinion it is, and how far to trust it."""
    engine = view.about.get("engine")
    return say("opinion-of", engine=engine) if engine else say("opinion-caution")


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
            yield str(part), say(f"marks-{verb}", count=size)


def _named(game: Game, stones: Iterable[Point]) -> dict[Point, int]:
    """The size of each chain by the stone that names it: its lowest, and of these the leftmost."""
    chains = scoring.chains(game.position.board, stones)
    return {min(chain, key=board_order): len(chain) for chain in chains}
