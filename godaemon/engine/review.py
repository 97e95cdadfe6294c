"""The review of a game: who led when, the moves that mattered most, and what was done well.

Every position is evaluated once. For the moves that seem to lose or gain most, the positions before
and after are searched, because a single evaluation is too rough to blame or praise anybody. Loads
numpy, so only the player's process imports this module.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from statistics import fmean
from typing import NamedTuple

from godaemon.engine.evaluation import evaluate, likely_moves
from godaemon.engine.network import Network
from godaemon.engine.review_result import LookBack, Mistake
from godaemon.engine.search import Node, Search
from godaemon.rules.points import Color, Point
from godaemon.rules.position import Position
from godaemon.rules.scoring import chains

SMALL = 1.0
"""A loss of fewer points is no mistake, because estimates are not that precise."""
FOLLOWED, NAMED = 16, 6
"""The most moves that are searched, and the most mistakes that are named."""
_SHARE = 0.3
"""The share of the greatest mistake below which others are not worth a reader's time."""
_PRAISED = 2
"""The moves of each colour that seem good and are searched as well."""
_LOOKS, _AHEAD = 24, 4
"""The positions of a search, and the reported moves of a continuation."""
_FIRST = 3
"""A move among this many first candidates was expected."""
_FLIPPED = 1.0
"""The change of ownership, at most 2, that means life after one move and death after the other."""


class _View(NamedTuple):
    """A position at a glance: Black's lead and chance, and the first candidates."""

    lead: float
    chance: float
    likely: Sequence[Point | None] = ()


def review_game(network: Network, position: Position, komi: float) -> LookBack:
    """The review of the game that has led to a position, which is not changed.

    `komi` is White's, without compensation for handicap stones.
    """
    views = _view_positions(network, position, komi)
    changes = list(_changes(position, views))
    lost = sorted((one for one in changes if one.lost >= SMALL), key=lambda one: -one.weight)
    won = list(_surprises(changes, views))
    searched = {
        one.number: one for one in _search_moves(network, position, komi, [*lost[:FOLLOWED], *won])
    }
    worst = _worst([searched[one.number] for one in lost[:FOLLOWED]])
    good = {one.number: one.move for one in won if searched[one.number].lost <= 0}
    leads, chances = [one.lead for one in views], [one.chance for one in views]
    return LookBack(leads, chances, worst, good, _hits(changes, views))


def _view_positions(network: Network, position: Position, komi: float) -> list[_View]:
    twin, color, views = position.copy(), position.to_move, list[_View]()
    for move in (*reversed(position.moves), None):
        evaluation = evaluate(network, twin, color, komi)
        likely = tuple(islice(likely_moves(twin, color, evaluation), _FIRST))
        views.append(_View(color * evaluation.lead, _black_chance(color, evaluation.won), likely))
        if move is not None:
            twin.undo()
            color = move.color
    return views[::-1]


def _black_chance(color: Color, won: float) -> float:
    return 0.5 + color * (won - 0.5)


def _changes(position: Position, views: Sequence[_View]) -> Iterator[Mistake]:
    """The apparent loss of each move, without passes that end the game."""
    passes = 0
    for number, move in enumerate(position.moves, start=1):
        passes = passes + 1 if move.point is None else 0
        before, after = views[number - 1 : number + 1]
        if passes < position.ruleset.passes:
            lost, chance = before.lead - after.lead, before.chance - after.chance
            yield Mistake(number, move, move.color * lost, move.color * chance, ())


def _hits(moves: Sequence[Mistake], views: Sequence[_View]) -> dict[Color, tuple[int, int]]:
    """How many of each colour's moves were first candidates, and of how many."""
    found = {}
    for color in Color:
        mine = [one for one in moves if one.move.color is color]
        hits = sum(one.move.point in views[one.number - 1].likely for one in mine)
        found[color] = (hits, len(mine))
    return found


def _surprises(moves: Sequence[Mistake], views: Sequence[_View]) -> Iterator[Mistake]:
    """The best moves that were not the first candidate."""
    for color in Color:
        mine = (
            one
            for one in moves
            if one.move.color is color
            and one.lost <= -SMALL
            and one.move.point != views[one.number - 1].likely[0]
        )
        yield from sorted(mine, key=lambda one: one.weight)[:_PRAISED]


def _worst(mistakes: Sequence[Mistake]) -> list[Mistake]:
    """The mistakes that mattered, in order; only one for each better move that was overlooked."""
    named: dict[Point | None, Mistake] = {}
    for one in sorted(mistakes, key=lambda one: -one.weight):
        if one.lost >= SMALL and one.better:
            named.setdefault(one.better[0], one)
    least = _SHARE * max((one.weight for one in named.values()), default=0)
    return sorted([one for one in named.values() if one.weight >= least][:NAMED])


def _search_moves(
    network: Network, position: Position, komi: float, moves: Sequence[Mistake]
) -> Iterator[Mistake]:
    """The moves, each compared with the best that a search finds."""
    twin, by_number = position.copy(), {one.number: one for one in moves}
    for number in range(position.move_number, 0, -1):
        twin.undo()
        if number in by_number:
            yield _compare(network, twin, komi, by_number[number])


def _compare(network: Network, position: Position, komi: float, mistake: Mistake) -> Mistake:
    color, point = mistake.move
    search = Search(network, position, color, komi)
    search.look(_LOOKS)
    at = search.root.best()
    better = search.expected_line(at, _AHEAD)
    if better[0] == point:
        return mistake._replace(lost=0.0, chance=0.0)
    after = position.copy()
    after.play_all([mistake.move])
    answers = Search(network, after, color.opponent, komi)
    answers.look(_LOOKS // 2)
    best, kept = search.after(at), answers.root
    (best_lead, best_chance), (lead, chance) = _mean_of_tree(best), _mean_of_tree(kept)
    return mistake._replace(
        lost=color * (best_lead - lead),
        chance=color * (best_chance - chance),
        better=better,
        group=_decided_group(position, best, kept),
    )


def _mean_of_tree(node: Node) -> tuple[float, float]:
    """Black's lead and chance, over all that was searched from a position on."""
    nodes = [node]
    for one in nodes:
        nodes.extend(one.kids.values())
    leads = [one.color * one.evaluation.lead for one in nodes]
    return fmean(leads), fmean(_black_chance(one.color, one.evaluation.won) for one in nodes)


def _decided_group(position: Position, best: Node, kept: Node) -> Point | None:
    """A stone of the largest chain that lives after one of two moves, and dies after the other."""
    board = position.board
    change = best.color * (best.evaluation.owned - kept.evaluation.owned)
    stones = (board.point(at) for at, cell in enumerate(board.cells) if cell)
    fell = [
        chain
        for chain in chains(board, stones)
        if abs(fmean(float(change[board.index(point)]) for point in chain)) >= _FLIPPED
    ]
    largest = max(fell, key=len, default=frozenset[Point]())
    return min(largest, default=None)
