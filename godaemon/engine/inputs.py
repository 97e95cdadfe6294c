"""A position as KataGo's networks see it: 22 planes and 19 numbers, for whoever is to move. Pure.

Planes: 0 the board; 1, 2 stones of the player and the other; 3 to 5 those of one, two and three
liberties; 6 the ko; 9 to 13 the last five moves; 14 to 16 stones in a ladder now, and one and two
moves ago; 17 the moves that catch the other's; 18, 19 what counts for either if the game ends now,
where area counts. Numbers: 0 to 4 passes among the last moves; 5, 18 the komi; 6 to 11 the rules;
14 whether a pass ends the game. The others belong to ways of playing that there are not here.
"""

from __future__ import annotations

from functools import lru_cache
from math import floor
from typing import NamedTuple

from godaemon.engine.ladders import caught
from godaemon.engine.matrices import AnyArray, Array, np
from godaemon.engine.network import NUMBERS, PLANES
from godaemon.rules import benson, scoring
from godaemon.rules.board import Board, components, ko_after
from godaemon.rules.inseparable_chains import chains_of
from godaemon.rules.points import Color, Size
from godaemon.rules.position import Position
from godaemon.rules.ruleset import Ko, Ruleset, Scoring, Tax

_HISTORY = 5


class Past(NamedTuple):
    """The board as it was at one moment: its cells, and the point of a ko or -1."""

    cells: tuple[int, ...]
    ko: int


def inputs(position: Position, color: Color, komi: float) -> tuple[Array, Array]:
    """The planes, (height, width, 22), and the 19 numbers, for `color` to move.

    `komi` is White's, without compensation for handicap stones.
    """
    board, points = position.board, position.size.points
    planes, numbers = np.zeros((points, PLANES), np.float32), np.zeros(NUMBERS, np.float32)
    planes[:, 0] = 1
    cells = np.array(board.cells)
    planes[cells == color, 1] = planes[cells == -color, 2] = 1
    for side in Color:
        for chain in chains_of(board.cells, board.neighbours, side):
            liberties = len(board.liberties(chain))
            if liberties <= 3:
                planes[list(chain), 2 + liberties] = 1
    seen = _history(position, color, planes, numbers)
    now, *before = _pasts(position, seen)
    if now.ko >= 0:
        planes[now.ko, 6] = 1
    _ladders(position.size, color, [now, *before], planes)
    ruleset = position.ruleset
    if _counts_area(ruleset):
        owners = _area(board.size, now.cells, ruleset.suicide, _tax(ruleset))
        planes[owners == color, 18] = planes[owners == -color, 19] = 1
    own = white_points(position, komi) * -color
    _rules(ruleset, numbers)
    most = points + 20
    numbers[5] = min(max(own, -most), most) / 20
    numbers[14] = position.passes() + 1 >= ruleset.passes
    if _counts_area(ruleset):
        numbers[18] = _wave(own, points)
    height, width = position.size.height, position.size.width
    return planes.reshape(height, width, PLANES), numbers


def white_points(position: Position, komi: float) -> float:
    """The points White has beside the area: komi, and where territory counts each stone played."""
    ruleset = position.ruleset
    if _counts_area(ruleset):
        return komi + ruleset.handicap_points(position.handicap_count)
    taken = position.prisoners[Color.WHITE] - position.prisoners[Color.BLACK]
    handed = scoring.handed_over(position.moves, ruleset) if ruleset.pass_stones else {}
    given = handed.get(Color.WHITE, 0) - handed.get(Color.BLACK, 0)
    return komi + sum(position.board.cells) + taken + given


def _counts_area(ruleset: Ruleset) -> bool:
    return ruleset.scoring is not Scoring.TERRITORY


def _tax(ruleset: Ruleset) -> Tax:
    """Where stones alone count, each group lacks the two eyes that it cannot fill."""
    return Tax.ALL if ruleset.scoring is Scoring.STONES else ruleset.tax


def _history(position: Position, color: Color, planes: Array, numbers: Array) -> int:
    """Mark the last moves, as long as the players took turns; how many those are."""
    moves, mover = position.moves[: -_HISTORY - 1 : -1], color
    for back, move in enumerate(moves):
        mover = mover.opponent
        if move.color is not mover:
            return back
        if move.point is None:
            numbers[back] = 1
        else:
            planes[position.board.index(move.point), 9 + back] = 1
    return len(moves)


def _pasts(position: Position, seen: int) -> list[Past]:
    """The board now, and one and two moves ago where the network is told of these moves."""
    twin, pasts = position.copy(), []
    for back in range(3):
        if 0 < back <= seen:
            twin.undo()
        pasts.append(_past(twin))
    return pasts


def _past(position: Position) -> Past:
    board, last = position.board, position.last
    ko = -1
    if last is not None and last.point is not None:
        taken = [board.index(point) for point in position.captured]
        ko = ko_after(board.cells, board.neighbours, board.index(last.point), taken)
    return Past(tuple(board.cells), ko)


def _ladders(size: Size, color: Color, pasts: list[Past], planes: Array) -> None:
    for plane, past in enumerate(pasts, start=14):
        found = caught(size, *past)
        planes[list(found), plane] = 1
        for stone, moves in found.items():
            if plane == 14 and past.cells[stone] == -color:
                planes[list(moves), 17] = 1


def _rules(ruleset: Ruleset, numbers: Array) -> None:
    if ruleset.ko is not Ko.SIMPLE:
        numbers[6], numbers[7] = 1, 0.5 if ruleset.ko is Ko.POSITIONAL else -0.5
    numbers[8] = ruleset.suicide
    numbers[9] = not _counts_area(ruleset)
    numbers[10] = _tax(ruleset) is not Tax.NONE
    numbers[11] = _tax(ruleset) is Tax.ALL


def _wave(own: float, points: int) -> float:
    """How much a little more komi is worth: it rises where a tie is possible, and falls between.

    Area is odd or even as the board is, so that ties are two points apart.
    """
    above = own - points % 2
    rest = above - 2 * floor(above / 2)
    return rest if rest < 0.5 else 1 - rest if rest < 1.5 else rest - 2


@lru_cache(maxsize=1024)
def _area(size: Size, cells: tuple[int, ...], suicide: bool, tax: Tax) -> AnyArray:  # noqa: FBT001 - a rule
    """Whose each point would be if the game ended now and nothing but the surely dead came off."""
    board = Board(size)
    for index, cell in enumerate(cells):
        if cell:
            board.put(index, cell)
    owners = np.array(cells)
    near = board.neighbours
    for region in components([at for at, cell in enumerate(cells) if not cell], near):
        around = {cells[beside] for at in region for beside in near[at]} - {0}
        if len(around) == 1:
            owners[list(region)] = around.pop()
    for color in Color:
        alive = {board.index(point) for point in benson.alive(board, color, suicide=suicide)}
        if alive:
            for region in components([at for at, c in enumerate(cells) if c != color], near):
                fence = {beside for at in region for beside in near[at]} - region
                inner = sum(not any(beside in fence for beside in near[at]) for at in region)
                if fence <= alive and inner <= 1:
                    owners[list(region)] = color
    return owners if tax is Tax.NONE else _without_seki(board, owners)


def _without_seki(board: Board, owners: AnyArray) -> AnyArray:
    """The same less what touches dame, or has a stone in atari, in which stones alone count."""
    cells, near = board.cells, board.neighbours
    for color in Color:
        for group in components((owners == color).nonzero()[0].tolist(), near):
            dame = any(not owners[beside] for at in group for beside in near[at])
            atari = any(
                cells[at] == color and len(board.liberties(board.chain(at))) == 1 for at in group
            )
            if dame or atari:
                for at in group:
                    owners[at] *= cells[at] == color
    return owners
