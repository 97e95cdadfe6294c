"""The review of a game: the lead at each move, the worst mistakes, and good moves.

Every position is evaluated once. The positions before and after the moves that seem worst and best
are searched, because a single evaluation is too imprecise. Loads numpy, so only the player's
process imports this module.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from statistics import fmean
from typing import NamedTuple

from godaemon.engine.evaluation import evaluate, likely_moves
from godaemon.engine.network import Network
from godaemon.engine.results import GameReview, Mistake
from godaemon.engine.search import Node, Search
from godaemon.rules.points import Color, Point
from godaemon.rules.position import Position
from godaemon.rules.scoring import chains

MIN_LOSS = 1.0
"""The loss in points below which a move is no mistake; estimates are not more precise."""
MAX_SEARCHED, MAX_MISTAKES = 16, 6
"""The limits on mistakes that are searched, and on mistakes in the review."""
_SHARE = 0.3
"""The weight of a mistake in the review, at least, as a share of the worst one's."""
_MAX_PRAISED = 2
"""The limit on good moves of each colour that are searched."""
_VISITS, _MAX_LINE = 24, 4
"""The visits of a search, and the limit on the moves of a continuation."""
_EXPECTED_CANDIDATES = 3
"""The candidates of the network that count as expected."""
_MIN_OWNERSHIP_CHANGE = 1.0
"""The change of ownership, up to 2, of a group that lives after one move and dies after another."""


class _View(NamedTuple):
    """An evaluated position: Black's lead and chance of winning, and the first candidates."""

    lead: float
    chance: float
    likely: Sequence[Point | None] = ()


def review_game(
    network: Network, position: Position, komi: float, between: Callable[[], object] = lambda: None
) -> GameReview:
    """The review of the game that led to a position, which is not changed.

    `komi` is White's, without compensation for handicap stones. `between` is called between the
    positions of the game.
    """
    views = _view_positions(network, position, komi, between)
    moves = list(_changes(position, views))
    losses = sorted(
        (move for move in moves if move.lost >= MIN_LOSS), key=lambda move: -move.weight
    )
    losses, gains = losses[:MAX_SEARCHED], list(_surprises(moves, views))
    results = {
        move.number: move for move in _search_moves(network, position, komi, [*losses, *gains])
    }
    worst = _worst([results[move.number] for move in losses])
    praised = {move.number: move.move for move in gains if results[move.number].lost <= 0}
    leads, chances = [view.lead for view in views], [view.chance for view in views]
    return GameReview(leads, chances, worst, praised, _hits(moves, views))


def _view_positions(
    network: Network, position: Position, komi: float, between: Callable[[], object]
) -> list[_View]:
    twin = position.copy()
    color = position.to_move
    views = list[_View]()
    for move in (*reversed(position.moves), None):
        between()
        evaluation = evaluate(network, twin, color, komi)
        likely = tuple(islice(likely_moves(twin, color, evaluation), _EXPECTED_CANDIDATES))
        chance = _black_chance(color, evaluation.winrate)
        views.append(_View(color * evaluation.lead, chance, likely))
        if move is not None:
            twin.undo()
            color = move.color
    return views[::-1]


def _black_chance(color: Color, won: float) -> float:
    return 0.5 + color * (won - 0.5)


def _changes(position: Position, views: Sequence[_View]) -> Iterator[Mistake]:
    """Each move with its apparent loss, except passes that end the game."""
    passes = 0
    for number, move in enumerate(position.moves, start=1):
        passes = passes + 1 if move.point is None else 0
        before, after = views[number - 1 : number + 1]
        if passes < position.ruleset.passes:
            points, chance = before.lead - after.lead, before.chance - after.chance
            yield Mistake(number, move, move.color * points, move.color * chance, ())


def _hits(moves: Sequence[Mistake], views: Sequence[_View]) -> dict[Color, tuple[int, int]]:
    """The number of each colour's moves that were expected, and of all its moves."""
    counts = {}
    for color in Color:
        own = [mistake for mistake in moves if mistake.move.color is color]
        hits = sum(mistake.move.point in views[mistake.number - 1].likely for mistake in own)
        counts[color] = (hits, len(own))
    return counts


def _surprises(moves: Sequence[Mistake], views: Sequence[_View]) -> Iterator[Mistake]:
    """The moves that seem to gain most, if they were not the network's first candidate."""
    for color in Color:
        own = (
            mistake
            for mistake in moves
            if mistake.move.color is color
            and mistake.lost <= -MIN_LOSS
            and mistake.move.point != views[mistake.number - 1].likely[0]
        )
        yield from sorted(own, key=lambda mistake: mistake.weight)[:_MAX_PRAISED]


def _worst(mistakes: Sequence[Mistake]) -> list[Mistake]:
    """The worst mistakes, in order; only one for each better move."""
    by_better: dict[Point | None, Mistake] = {}
    for mistake in sorted(mistakes, key=lambda mistake: -mistake.weight):
        if mistake.lost >= MIN_LOSS and mistake.better:
            by_better.setdefault(mistake.better[0], mistake)
    limit = _SHARE * max((mistake.weight for mistake in by_better.values()), default=0)
    return sorted(
        [mistake for mistake in by_better.values() if mistake.weight >= limit][:MAX_MISTAKES]
    )


def _search_moves(
    network: Network, position: Position, komi: float, moves: Sequence[Mistake]
) -> Iterator[Mistake]:
    """The moves, each compared with the best move that a search finds."""
    twin, by_number = position.copy(), {move.number: move for move in moves}
    for number in range(position.move_number, 0, -1):
        twin.undo()
        if number in by_number:
            yield _compare(network, twin, komi, by_number[number])


def _compare(network: Network, position: Position, komi: float, mistake: Mistake) -> Mistake:
    color, point = mistake.move
    search = Search(network, position, color, komi)
    search.visit(_VISITS)
    move = search.root.best_move()
    better = tuple(point for point, _ in search.expected_line(move)[:_MAX_LINE])
    if better[0] == point:
        return mistake._replace(lost=0.0, chance=0.0)
    twin = position.copy()
    twin.play_all([mistake.move])
    answers = Search(network, twin, color.opponent, komi)
    answers.visit(_VISITS // 2)
    best_node, actual = search.after(move), answers.root
    (best_lead, best_chance), (lead, chance) = _mean_of_tree(best_node), _mean_of_tree(actual)
    return mistake._replace(
        lost=color * (best_lead - lead),
        chance=color * (best_chance - chance),
        better=better,
        group=_decided_group(position, best_node, actual),
    )


def _mean_of_tree(node: Node) -> tuple[float, float]:
    """The mean of Black's lead and chance in a tree."""
    nodes = [node]
    for child in nodes:
        nodes.extend(child.children.values())
    leads = [child.color * child.evaluation.lead for child in nodes]
    chances = (_black_chance(child.color, child.evaluation.winrate) for child in nodes)
    return fmean(leads), fmean(chances)


def _decided_group(position: Position, best: Node, actual: Node) -> Point | None:
    """A stone of the largest chain that lives after one of two moves and dies after the other."""
    board = position.board
    change = best.color * (best.evaluation.owners - actual.evaluation.owners)
    stones = (board.point(index) for index, cell in enumerate(board.cells) if cell)
    flipped = [
        chain
        for chain in chains(board, stones)
        if abs(fmean(float(change[board.index(point)]) for point in chain)) >= _MIN_OWNERSHIP_CHANGE
    ]
    largest = max(flipped, key=len, default=frozenset[Point]())
    return min(largest, default=None)
