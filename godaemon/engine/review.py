"""A look back on a game: who led when, and the moves that lost most, each with what was better.

Every position is evaluated once. Where the lead falls most by a move, that move and a few others
are followed for some moves more, because one evaluation alone is too rough to blame anybody. Loads
numpy, and so is imported by the player's process alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from godaemon.engine.look_back import Line, LookBack, Mistake
from godaemon.engine.network import Network
from godaemon.engine.opinion import evaluate, expected
from godaemon.rules.points import Point
from godaemon.rules.position import Move, Position

SMALL = 3.0
"""What loses fewer points is no mistake: the network knows a lead no better."""
FOLLOWED, NAMED = 32, 10
"""So many moves are followed at most, and so many of these given with what was better."""
_OTHERS, _AHEAD = 3, 4
"""Each is compared with so many others, for so many moves."""


def review(network: Network, position: Position, komi: float) -> LookBack:
    """What became of the game that has led to a position, which is left as it is.

    `komi` is White's, without compensation for handicap stones.
    """
    twin, moves = position.copy(), position.moves
    leads, color = [], position.to_move
    for move in (*reversed(moves), None):
        leads.append(color * evaluate(network, twin, color, komi).lead)
        if move is not None:
            twin.undo()
            color = move.color
    leads.reverse()
    rough = list(_losses(position, leads))
    worst = sorted(rough, key=lambda one: -one.lost)[:FOLLOWED]
    closer = sorted(_followed(network, position, komi, worst), key=lambda one: -one.lost)
    named: dict[Point | None, Mistake] = {}
    for one in closer:  # a point that both sides overlook for long is told of where it was largest
        named.setdefault(one.better[0], one)
    told = list(named.values())[:NAMED]
    small = [one._replace(better=()) for one in closer if one not in told]
    return LookBack(leads, sorted([*told, *small, *(one for one in rough if one not in worst)]))


def _losses(position: Position, leads: Sequence[float]) -> Iterator[Mistake]:
    """The moves after which the lead is smaller; not passes that end a game, which end all."""
    passes = 0
    for number, move in enumerate(position.moves, start=1):
        passes = passes + 1 if move.point is None else 0
        lost = move.color * (leads[number - 1] - leads[number])
        if lost >= SMALL and passes < position.ruleset.passes:
            yield Mistake(number, move, lost)


def _followed(
    network: Network, position: Position, komi: float, mistakes: Sequence[Mistake]
) -> Iterator[Mistake]:
    """Those that still are mistakes where each is compared with other moves."""
    twin = position.copy()
    by_number = {one.number: one for one in mistakes}
    for number in range(position.move_number, 0, -1):
        twin.undo()
        if number in by_number:
            mistake = by_number[number]
            color, played = mistake.move
            kept, _ = _worth(network, twin, komi, mistake.move)
            likely = expected(twin, color, evaluate(network, twin, color, komi))
            others = islice((point for point in likely if point != played), _OTHERS)
            tried = [_worth(network, twin, komi, Move(color, point)) for point in others]
            best, line = max(tried, key=lambda one: one[0])
            if best - kept >= SMALL:
                yield mistake._replace(lost=best - kept, better=line)


def _worth(network: Network, position: Position, komi: float, move: Move) -> tuple[float, Line]:
    """The lead that a move leads to for its player, and with it what may follow."""
    twin, color, point = position.copy(), move.color, move.point
    line: list[Point | None] = []
    leads: list[float] = []
    while len(line) < _AHEAD:
        twin.play_all([Move(color, point)])
        line.append(point)
        color = color.opponent
        said = evaluate(network, twin, color, komi)
        leads.append(said.lead * color * move.color)
        if twin.passes() > 1:
            break
        point = next(expected(twin, color, said))
    return sum(leads) / len(leads), tuple(line)
