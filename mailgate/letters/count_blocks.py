"""Blocks that tell the count of a game: its items, and what is missing from it, and why. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from godaemon.games.model import Game, Phase
from godaemon.rules import scoring
from godaemon.rules.points import Point
from godaemon.rules.rulesets import Scoring, Tax
from mailgate.letters.blocks import Block, Table, Words
from mailgate.letters.phrases import listed, plural, points, title

SHOWN = 6
"""How many captured stones, or groups in seki, are named."""


def score(game: Game) -> Iterator[Block]:
    """The count of a game that is being counted, or was; nothing of any other."""
    if game.phase is Phase.SCORING or game.by_count:
        yield _count(game)
        yield from _uncounted(game)


def _count(game: Game) -> Table:
    """The count, item by item."""
    score, spec = game.score(), game.spec
    sides = (score.black, score.white)
    rows: list[tuple[str, ...]] = []
    if game.ruleset.scoring is not Scoring.TERRITORY:
        bonus = game.ruleset.handicap_points(spec.handicap)
        if game.ruleset.scoring is Scoring.AREA:
            rows.append(("Points surrounded", *(f"{side.territory}" for side in sides)))
        rows.append(("Stones alive", *(f"{side.stones}" for side in sides)))
        if bonus:
            rows.append(("Handicap", "", str(bonus)))
    else:
        rows.append(("Territory", *(f"{side.territory}" for side in sides)))
        rows.append(("Captures and dead stones", *(f"{side.prisoners}" for side in sides)))
    if any(side.tax for side in sides):
        rows.append(("Group tax", *(f"-{side.tax}" if side.tax else "0" for side in sides)))
    rows.append(("Komi", "", f"{spec.komi:g}"))
    rows.append(("Total", *(f"{side.total:g}" for side in sides)))
    return Table(("The score", "Black", "White"), tuple(rows), total=True)


def _uncounted(game: Game) -> Iterator[Words]:
    """What is missing from the count, and why: what is open, and what the rules leave out."""
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
    named = listed([f"{len(area)} points around {middle(area)}" for area in areas[:SHOWN]])
    where = f"Live stones of both colours border on {named}, so they are nobody's."
    if not (score.black.territory or score.white.territory):
        where = "No area on the board is closed yet, so nobody has one."
    mend = "Mark the stones that are dead, or go on playing with: `resume`"
    yield Words(f"{where} {mend}")


def _neutral(game: Game) -> Iterator[Words]:
    """Which dame are open while a game is counted, and what they are worth by its rules."""
    dame = scoring.dame(game.position.board, game.dead)
    still = f"Still open: {plural(len(dame), 'neutral point')} ({points(dame, SHOWN)})."
    if dame and game.ruleset.scoring is Scoring.TERRITORY:
        yield Words(f"{still} The score is what it comes to when both fill by turns.", small=True)
    elif dame:
        yield Words(f"{still} By these rules each is a point for who fills it: `resume`")


def middle(area: Collection[Point]) -> Point:
    """The point of an area that is nearest to all the others."""
    column, row = (sum(along) / len(area) for along in zip(*area, strict=True))
    return min(sorted(area), key=lambda at: (at.column - column) ** 2 + (at.row - row) ** 2)


def _left_out(game: Game) -> Iterator[Words]:
    """Why surrounded points are missing from the count, where the rules leave any out."""
    ruleset, grid = game.ruleset, game.position.board
    if ruleset.tax is Tax.NONE or ruleset.scoring is Scoring.STONES:
        return
    seki, false = list[str](), list[Point]()
    for family in scoring.living(grid, game.dead):
        if family.seki and family.points | family.filled:
            seki.append(f"{title(family.color)} at {grid.point(min(family.stones))}")
        elif ruleset.scoring is Scoring.TERRITORY:
            false += map(grid.point, family.filled)
    why = []
    if seki:
        why.append(f"the points of groups in seki ({listed(seki[:SHOWN])})")
    if false:
        why.append(f"false eyes, which have to be filled in the end ({points(false)})")
    mend = " If a group beside them is dead, mark it, and they may count after all." if seki else ""
    if why:
        yield Words(f"Not counted by these rules: {', and '.join(why)}.{mend}", small=True)
