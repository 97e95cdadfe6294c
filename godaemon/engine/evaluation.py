"""The network's opinion on a position: encodes positions for the network, and decodes its answer.

Loads numpy, so only the player's process imports this module. The sides of a board must be 7 to 19
points long, as in the network's training: on others its opinion is worthless (`levels.can_judge`).

The input is 22 planes and 19 numbers, from the view of the player to move. Planes: 0 the board; 1,
2 stones of the player and of the opponent; 3 to 5 stones with one, two and three liberties; 6 the
ko; 9 to 13 the last five moves; 14 to 16 stones in a ladder now, and one and two moves ago; 17 the
moves that catch the opponent's stones in a ladder; 18, 19 each player's area if the game ended now
(area scoring). Numbers: 0 to 4 passes among the last moves; 5, 18 the komi; 6 to 11 the rules; 14
whether a pass ends the game. The other inputs are for rules that we do not have.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import cycle
from math import floor

from godaemon.engine.estimate import ScoreEstimate
from godaemon.engine.ladders import ladder_moves, weak_chains
from godaemon.engine.network import NUMBERS, PLANES, AnyArray, Array, Evaluation, Network, np
from godaemon.rules import benson
from godaemon.rules.board import Board, components, ko_after
from godaemon.rules.pass_stones import pass_stones
from godaemon.rules.points import Color, Point, Size
from godaemon.rules.position import Position
from godaemon.rules.ruleset import Ko, Ruleset, Scoring, Tax

_HISTORY = 5
_EYES = 2
"""The eyes without which nothing is surely alive."""


def evaluate(
    network: Network, position: Position, color: Color, komi: float, turn: int = 0
) -> Evaluation:
    """The evaluation of a position with `color` to move, points in the board's order.

    `komi` is White's, without compensation for handicap stones. `turn` is one of eight orientations
    of the board, with slightly different answers: flipped by rows (1), by columns (2), transposed
    (4), or a sum of these.
    """
    ruleset = position.ruleset
    unresolved = ruleset.ko is Ko.SIMPLE or ruleset.scoring is Scoring.TERRITORY
    planes, numbers = inputs(position, color, komi)
    evaluation = network.evaluate(_turn_table(planes, turn), numbers, unresolved=unresolved)
    size = position.size
    points = np.arange(size.points).reshape(size.height, size.width)
    order = np.argsort(_turn_table(points, turn).ravel())
    policy = np.append(evaluation.policy[:-1][order], evaluation.policy[-1])
    return evaluation._replace(policy=policy, owned=evaluation.owned[order])


def _turn_table(table: AnyArray, turn: int) -> AnyArray:
    table = table[:: -1 if turn & 1 else 1, :: -1 if turn & 2 else 1]
    return table.swapaxes(0, 1) if turn & 4 else table


TURNS = range(8)


def point_of(position: Position, at: int) -> Point | None:
    """The point of a move's number in the board's order; the pass comes last."""
    return None if at == position.size.points else position.board.point(at)


def number_of(position: Position, point: Point | None) -> int:
    """The number of a move: its point's in the board's order; the pass comes last."""
    return position.size.points if point is None else position.board.index(point)


def likely_moves(
    position: Position, color: Color, evaluation: Evaluation
) -> Iterator[Point | None]:
    """The legal moves, the most likely first; None is a pass."""
    for point in (point_of(position, at) for at in evaluation.policy.argsort()[::-1].tolist()):
        if point is None or position.is_legal(color, point):
            yield point


def estimate(
    network: Network, position: Position, komi: float, colors: Sequence[Color] = tuple(Color)
) -> ScoreEstimate:
    """The mean estimate over all orientations, with `colors` to move by turns."""
    evaluations = [
        (color, evaluate(network, position, color, komi, turn))
        for turn, color in zip(TURNS, cycle(colors), strict=False)
    ]
    owned: list[float] = np.mean([color * one.owned for color, one in evaluations], axis=0).tolist()
    lead = float(np.mean([color * one.lead for color, one in evaluations]))
    return ScoreEstimate(lead, float(np.mean([one.spread for _, one in evaluations])), owned)


def inputs(position: Position, color: Color, komi: float) -> tuple[Array, Array]:
    """The planes, (height, width, 22), and the 19 numbers, for `color` to move.

    `komi` is White's, without compensation for handicap stones.
    """
    board, points = position.board, position.size.points
    planes, numbers = np.zeros((points, PLANES), np.float32), np.zeros(NUMBERS, np.float32)
    planes[:, 0] = 1
    cells = np.array(board.cells)
    planes[cells == color, 1] = planes[cells == -color, 2] = 1
    for stones, free in weak_chains(position.size, tuple(board.cells)):
        planes[stones, 2 + len(free)] = 1
    _mark_ladders(position, color, _mark_history(position, color, planes, numbers), planes)
    ruleset, own = position.ruleset, white_points(position, komi) * -color
    _set_rules(ruleset, numbers)
    most = points + 20
    numbers[5] = min(max(own, -most), most) / 20
    numbers[14] = position.count_passes() + 1 >= ruleset.passes
    if _counts_area(ruleset):
        owners = _area(board.size, tuple(board.cells), ruleset.suicide, _tax(ruleset))
        planes[owners == color, 18] = planes[owners == -color, 19] = 1
        numbers[18] = _komi_wave(own, points)
    height, width = position.size.height, position.size.width
    return planes.reshape(height, width, PLANES), numbers


def white_points(position: Position, komi: float) -> float:
    """White's points beside the area: komi, and with territory scoring each stone played."""
    ruleset = position.ruleset
    if _counts_area(ruleset):
        return komi + ruleset.handicap_points(position.handicap_count)
    taken = position.prisoners[Color.WHITE] - position.prisoners[Color.BLACK]
    handed = pass_stones(position.moves, ruleset)
    given = handed[Color.WHITE] - handed[Color.BLACK]
    return komi + sum(position.board.cells) + taken + given


def _counts_area(ruleset: Ruleset) -> bool:
    return ruleset.scoring is not Scoring.TERRITORY


def _tax(ruleset: Ruleset) -> Tax:
    """The group tax; where stones alone count, each group lacks its two last eyes."""
    return Tax.ALL if ruleset.scoring is Scoring.STONES else ruleset.tax


def _mark_history(position: Position, color: Color, planes: Array, numbers: Array) -> int:
    """Mark the last moves, as far as the players took turns; returns their number."""
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


def _mark_ladders(position: Position, color: Color, seen: int, planes: Array) -> None:
    """Mark the ko, and ladders now and, if these moves are `seen`, one and two moves ago."""
    twin, board = position.copy(), position.board
    for back in range(3):
        if 0 < back <= seen:
            twin.undo()
        cells, last, ko = tuple(twin.board.cells), twin.last, -1
        if last is not None and last.point is not None:
            taken = [board.index(point) for point in twin.captured]
            ko = ko_after(cells, board.neighbours, board.index(last.point), taken)
        found = ladder_moves(board.size, cells, ko)
        planes[list(found), 14 + back] = 1
        if back == 0:
            planes[[ko] if ko >= 0 else [], 6] = 1
            for stone, moves in found.items():
                planes[list(moves) if cells[stone] == -color else [], 17] = 1


def _set_rules(ruleset: Ruleset, numbers: Array) -> None:
    if ruleset.ko is not Ko.SIMPLE:
        numbers[6], numbers[7] = 1, 0.5 if ruleset.ko is Ko.POSITIONAL else -0.5
    numbers[8] = ruleset.suicide
    numbers[9] = not _counts_area(ruleset)
    numbers[10] = _tax(ruleset) is not Tax.NONE
    numbers[11] = _tax(ruleset) is Tax.ALL


def _komi_wave(own: float, points: int) -> float:
    """The value of slightly more komi: it rises near a possible tie, and falls in between.

    The difference in area is odd or even like the board, so possible ties are two points apart.
    """
    above = own - points % 2
    rest = above - 2 * floor(above / 2)
    return rest if rest < 0.5 else 1 - rest if rest < 1.5 else rest - 2


@lru_cache(maxsize=1024)
def _area(size: Size, cells: tuple[int, ...], suicide: bool, tax: Tax) -> AnyArray:  # noqa: FBT001 - a rule
    """The owner of each point if the game ended now, and only surely dead stones came off."""
    board = Board(size)
    board.cells = list(cells)
    owners, near = np.array(cells), board.neighbours
    touched = {
        color: {beside for at, cell in enumerate(cells) if cell == color for beside in near[at]}
        for color in Color
    }
    empty = components([at for at, cell in enumerate(cells) if not cell], near)
    for region in empty:
        around = [color for color in Color if not region.isdisjoint(touched[color])]
        if len(around) == 1:
            owners[list(region)] = around[0]
    for color in Color:
        if sum(region <= touched[color] for region in empty) < _EYES:
            continue
        alive = {board.index(point) for point in benson.alive_stones(board, color, suicide=suicide)}
        for region in components([at for at, cell in enumerate(cells) if cell != color], near):
            fence = {beside for at in region for beside in near[at]} - region
            if fence and fence <= alive and len(region - touched[color]) <= 1:
                owners[list(region)] = color
    return owners if tax is Tax.NONE else _clear_seki(board, owners)


def _clear_seki(board: Board, owners: AnyArray) -> AnyArray:
    """The owners, but no owner for empty points of regions that touch dame or have atari."""
    near, stones = board.neighbours, np.array(board.cells)
    for color in Color:
        for group in components((owners == color).nonzero()[0].tolist(), near):
            own = [at for at in group if stones[at] == color]
            dame = any(not owners[beside] for at in group for beside in near[at])
            if dame or any(len(board.liberties(board.chain(at))) == 1 for at in own):
                owners[list(group)] = 0
                owners[own] = color
    return owners
