"""Blocks that tell the count of a game: its items, and what is missing from it, and why. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from godaemon.games.model import Game, Phase
from godaemon.rules import scoring
from godaemon.rules.points import Color, Point, board_order
from godaemon.rules.rulesets import Scoring, Tax
from godaemon.texts.catalogue import listed, number, say
from mailgate.letters.blocks import Block, Table, Words
from mailgate.letters.phrases import points, title

SHOWN = 6
"""How many stones or groups are named."""


def score(game: Game) -> Iterator[Block]:
    """The count of a game that is being counted, or was; nothing of any other."""
    if game.phase is Phase.SCORING or game.by_count:
        yield _count(game)
        yield from _uncounted(game)


def _count(game: Game) -> Table:
    score, spec = game.score(), game.spec
    sides = (score.black, score.white)
    rows: list[tuple[str, ...]] = []
    if game.ruleset.scoring is not Scoring.TERRITORY:
        bonus = game.ruleset.handicap_points(spec.handicap)
        if game.ruleset.scoring is Scoring.AREA:
            rows.append((say("count-territory"), *(f"{side.territory}" for side in sides)))
        rows.append((say("count-stones"), *(f"{side.stones}" for side in sides)))
        if bonus:
            rows.append((say("count-handicap"), "", str(bonus)))
    else:
        rows.append((say("count-territory"), *(f"{side.territory}" for side in sides)))
        rows.append((say("count-captures"), *(f"{side.prisoners}" for side in sides)))
    if any(side.tax for side in sides):
        rows.append((say("count-tax"), *(f"-{side.tax}" if side.tax else "0" for side in sides)))
    rows.append((say("count-komi"), "", number(spec.komi)))
    rows.append((say("count-total"), *(number(side.total) for side in sides)))
    return Table((say("count-score"), say("black"), say("white")), tuple(rows), total=True)


def _uncounted(game: Game) -> Iterator[Words]:
    if game.phase is Phase.SCORING and game.ruleset.scoring is not Scoring.STONES:
        yield from _open(game)
        yield from _neutral(game)
    yield from _left_out(game)


def _open(game: Game) -> Iterator[Words]:
    """Which areas are nobody's while a game is counted, as their borders are open."""
    areas = scoring.open_regions(game.position.board, game.dead)
    if not areas:
        return
    score = game.score()
    if not (score.black.territory or score.white.territory):
        yield Words(say("none-closed"))
        return
    named = [say("points-around", count=len(one), point=middle(one)) for one in areas[:SHOWN]]
    yield Words(say("areas-open", areas=listed(named)))


def _neutral(game: Game) -> Iterator[Words]:
    """Which dame are open while a game is counted, where the rules make them worth a point."""
    dame = scoring.dame(game.position.board, game.dead)
    if dame and game.ruleset.scoring is Scoring.AREA:
        yield Words(say("dame-in-area", count=len(dame), points=points(dame, SHOWN)))


def middle(area: Collection[Point]) -> Point:
    """The point of an area that is nearest to all the others."""
    column, row = (sum(along) / len(area) for along in zip(*area, strict=True))
    return min(sorted(area), key=lambda at: (at.column - column) ** 2 + (at.row - row) ** 2)


def groups(game: Game, stones: Collection[Point]) -> list[frozenset[Point]]:
    """The stones by what lives or dies together, the largest group first."""
    board, left, found = game.position.board, set(stones), set[frozenset[Point]]()
    while left:
        seen = scoring.group(board, game.dead | {*stones}, min(left, key=board_order))
        group = seen & {*stones}
        found.add(group)
        left -= group
    return sorted(found, key=lambda group: (-len(group), board_order(min(group, key=board_order))))


def stones_named(game: Game, stones: Collection[Point]) -> str:
    """Stones by their groups: `the 6 black stones at C1 and the white stone at E3`."""
    named, board = list[str](), game.position.board
    for group in groups(game, stones):
        point = min(group, key=board_order)
        color = Color(board.cells[board.index(point)])
        named.append(say(f"stones-{color.word}", point=point, count=len(group)))
    more = len(named) - SHOWN
    return listed([*named[:SHOWN], *([say("more-chains", count=more)] if more > 0 else [])])


def _left_out(game: Game) -> Iterator[Words]:
    """Why surrounded points are missing from the count, where the rules leave any out."""
    ruleset, grid = game.ruleset, game.position.board
    if ruleset.tax is Tax.NONE or ruleset.scoring is Scoring.STONES:
        return
    seki, false = list[str](), list[Point]()
    for family in scoring.living(grid, game.dead):
        if family.seki and family.points | family.filled:
            point = grid.point(min(family.stones))
            seki.append(say("colour-at", color=title(family.color), point=point))
        elif ruleset.scoring is Scoring.TERRITORY:
            false += map(grid.point, family.filled)
    if seki:
        yield Words(say("seki-left-out", groups=listed(seki[:SHOWN])), small=True)
    if false:
        yield Words(say("false-eyes-left-out", points=points(false)), small=True)
