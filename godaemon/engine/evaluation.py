"""The network's opinion on a position: encodes positions for the network, and decodes its answer.

Loads numpy, so only the player's process imports this module. The sides of a board must be 7 to 19
points long, as in the network's training (`levels.is_network_size`).

The input is 22 planes and 19 numbers, from the view of the player to move (KataGo's inputs of
version 7). Planes: 0 the board; 1, 2 stones of the player and of the opponent; 3 to 5 stones with
one, two and three liberties; 6 the ko; 9 to 13 the last five moves; 14 to 16 stones in a ladder
now, and one and two moves ago; 17 the moves that catch the opponent's stones in a ladder; 18, 19
each player's area if the game ended now (area scoring). Numbers: 0 to 4 passes among the last
moves; 5, 18 the komi; 6 to 11 the rules; 14 whether a pass ends the game. The other inputs are for
rules that we do not have.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import cycle
from math import floor

from godaemon.engine.ladders import ladder_moves, weak_chains
from godaemon.engine.network import NUMBERS, PLANES, AnyArray, Array, Evaluation, Network, np
from godaemon.engine.results import ScoreEstimate
from godaemon.rules import benson
from godaemon.rules.board import Board, components, ko_after
from godaemon.rules.points import Color, Point, Size
from godaemon.rules.position import Position
from godaemon.rules.ruleset import Ko, Ruleset, Scoring, Tax

_HISTORY = 5
_EYES = 2
"""The eyes that unconditional life needs."""


def evaluate(
    network: Network, position: Position, color: Color, komi: float, turn: int = 0
) -> Evaluation:
    """The evaluation of a position with `color` to move; points are in the board's order.

    `komi` is White's, without compensation for handicap stones. `turn` is one of eight orientations
    of the board, with slightly different answers: flipped by rows (1), by columns (2), transposed
    (4), or a sum of these.
    """
    ruleset = position.ruleset
    unresolved = ruleset.ko is Ko.SIMPLE or ruleset.scoring is Scoring.TERRITORY
    planes, numbers = encode_position(position, color, komi)
    evaluation = network.evaluate(_turn_table(planes, turn), numbers, unresolved=unresolved)
    size = position.size
    points = np.arange(size.points).reshape(size.height, size.width)
    order = np.argsort(_turn_table(points, turn).ravel())
    policy = np.append(evaluation.policy[:-1][order], evaluation.policy[-1])
    return evaluation._replace(policy=policy, owners=evaluation.owners[order])


def _turn_table(table: AnyArray, turn: int) -> AnyArray:
    table = table[:: -1 if turn & 1 else 1, :: -1 if turn & 2 else 1]
    return table.swapaxes(0, 1) if turn & 4 else table


TURNS = range(8)


def point_of(position: Position, number: int) -> Point | None:
    """The point of a move by its number in the board's order; a pass (None) comes last."""
    return None if number == position.size.points else position.board.point(number)


def number_of(position: Position, point: Point | None) -> int:
    """The number of a move in the board's order; a pass (None) comes last."""
    return position.size.points if point is None else position.board.index(point)


def likely_moves(
    position: Position, color: Color, evaluation: Evaluation
) -> Iterator[Point | None]:
    """The legal moves, the most likely first; None is a pass."""
    for number in evaluation.policy.argsort()[::-1].tolist():
        point = point_of(position, number)
        if point is None or position.is_legal(color, point):
            yield point


def estimate(
    network: Network, position: Position, komi: float, colors: Sequence[Color] = tuple(Color)
) -> ScoreEstimate:
    """The mean estimate of all orientations, with each of the `colors` to move in turn."""
    results = [
        (color, evaluate(network, position, color, komi, turn))
        for turn, color in zip(TURNS, cycle(colors), strict=False)
    ]
    owners: list[float] = np.mean([color * one.owners for color, one in results], axis=0).tolist()
    lead = float(np.mean([color * one.lead for color, one in results]))
    return ScoreEstimate(lead, float(np.mean([one.spread for _, one in results])), owners)


def encode_position(position: Position, color: Color, komi: float) -> tuple[Array, Array]:
    """The planes, (height, width, 22), and the 19 numbers, for `color` to move.

    `komi` is White's, without compensation for handicap stones.
    """
    board, points = position.board, position.size.points
    planes, numbers = np.zeros((points, PLANES), np.float32), np.zeros(NUMBERS, np.float32)
    planes[:, 0] = 1
    cells = np.array(board.cells)
    planes[cells == color, 1] = planes[cells == -color, 2] = 1
    for stones, liberties in weak_chains(position.size, tuple(board.cells)):
        planes[stones, 2 + len(liberties)] = 1
    _mark_ladders(position, color, _mark_history(position, color, planes, numbers), planes)
    ruleset, own = position.ruleset, white_points(position, komi) * -color
    _set_rules(ruleset, numbers)
    limit = points + 20
    numbers[5] = min(max(own, -limit), limit) / 20
    numbers[14] = position.count_passes() + 1 >= ruleset.passes
    if _counts_area(ruleset):
        owners = _area(board.size, tuple(board.cells), ruleset.suicide, _tax(ruleset))
        planes[owners == color, 18] = planes[owners == -color, 19] = 1
        numbers[18] = _komi_wave(own, points)
    height, width = position.size.height, position.size.width
    return planes.reshape(height, width, PLANES), numbers


def white_points(position: Position, komi: float) -> float:
    """White's points besides area: komi and compensation, or komi, prisoners and Black's stones."""
    ruleset = position.ruleset
    if _counts_area(ruleset):
        return komi + ruleset.handicap_points(position.handicap_count)
    prisoners = position.prisoners[Color.WHITE] - position.prisoners[Color.BLACK]
    pass_points = position.pass_stones[Color.WHITE] - position.pass_stones[Color.BLACK]
    return komi + sum(position.board.cells) + prisoners + pass_points


def _counts_area(ruleset: Ruleset) -> bool:
    return ruleset.scoring is not Scoring.TERRITORY


def _tax(ruleset: Ruleset) -> Tax:
    """The tax; stone scoring is area scoring with a group tax."""
    return Tax.ALL if ruleset.scoring is Scoring.STONES else ruleset.tax


def _mark_history(position: Position, color: Color, planes: Array, numbers: Array) -> int:
    """Mark the last moves, up to one out of turn; returns their number."""
    moves, mover = position.moves[: -_HISTORY - 1 : -1], color
    for number, move in enumerate(moves):
        mover = mover.opponent
        if move.color is not mover:
            return number
        if move.point is None:
            numbers[number] = 1
        else:
            planes[position.board.index(move.point), 9 + number] = 1
    return len(moves)


def _mark_ladders(position: Position, color: Color, marked: int, planes: Array) -> None:
    """Mark the ko, the ladders now, and those one and two moves ago (at most `marked` moves)."""
    twin, board = position.copy(), position.board
    for number in range(3):
        if 0 < number <= marked:
            twin.undo()
        cells = tuple(twin.board.cells)
        last = twin.last
        ko = -1
        if last is not None and last.point is not None:
            captures = [board.index(point) for point in twin.captured]
            ko = ko_after(cells, board.neighbours, board.index(last.point), captures)
        ladders = ladder_moves(board.size, cells, ko)
        planes[list(ladders), 14 + number] = 1
        if number == 0:
            planes[[ko] if ko >= 0 else [], 6] = 1
            for stone, moves in ladders.items():
                planes[list(moves) if cells[stone] == -color else [], 17] = 1


def _set_rules(ruleset: Ruleset, numbers: Array) -> None:
    if ruleset.ko is not Ko.SIMPLE:
        numbers[6], numbers[7] = 1, 0.5 if ruleset.ko is Ko.POSITIONAL else -0.5
    numbers[8] = ruleset.suicide
    numbers[9] = not _counts_area(ruleset)
    numbers[10] = _tax(ruleset) is not Tax.NONE
    numbers[11] = _tax(ruleset) is Tax.ALL


def _komi_wave(player_points: float, points: int) -> float:
    """The value of slightly more komi, a wave that rises near possible ties.

    The difference in area has the parity of the board, so possible ties are two points apart.
    """
    excess = player_points - points % 2
    phase = excess - 2 * floor(excess / 2)
    if phase < 0.5:
        return phase
    return 1 - phase if phase < 1.5 else phase - 2


@lru_cache(maxsize=1024)
def _area(size: Size, cells: tuple[int, ...], suicide: bool, tax: Tax) -> AnyArray:  # noqa: FBT001 - a rule
    """The owner of each point if the game ended now without removal of stones that may live."""
    board = Board(size)
    board.cells = list(cells)
    owners, near = np.array(cells), board.neighbours
    touched = {c: {point for stone in board.stones(c) for point in near[stone]} for c in Color}
    empty = components([index for index, cell in enumerate(cells) if not cell], near)
    for region in empty:
        colors = [color for color in Color if not region.isdisjoint(touched[color])]
        if len(colors) == 1:
            owners[list(region)] = colors[0]
    for color in Color:
        if sum(region <= touched[color] for region in empty) < _EYES:
            continue
        alive = {board.index(point) for point in benson.alive_stones(board, color, suicide=suicide)}
        others = [index for index, cell in enumerate(cells) if cell != color]
        for region in components(others, near):
            fence = {neighbour for index in region for neighbour in near[index]} - region
            if fence and fence <= alive and len(region - touched[color]) <= 1:
                owners[list(region)] = color
    return owners if tax is Tax.NONE else _clear_seki(board, owners)


def _clear_seki(board: Board, owners: AnyArray) -> AnyArray:
    """The owners, without empty points of regions that touch dame or have stones in atari."""
    near, stones = board.neighbours, np.array(board.cells)
    for color in Color:
        for group in components((owners == color).nonzero()[0].tolist(), near):
            own = [index for index in group if stones[index] == color]
            dame = any(not owners[neighbour] for index in group for neighbour in near[index])
            if dame or any(len(board.liberties(board.chain(index))) == 1 for index in own):
                owners[list(group)] = 0
                owners[own] = color
    return owners
