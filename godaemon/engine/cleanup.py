"""Captures dead stones, if play goes on because the players disagree on them."""

from collections.abc import Collection, Iterator

from godaemon.rules.points import Color, Point
from godaemon.rules.position import Position


def capturing_move(position: Position, color: Color, dead: Collection[Point]) -> Point | None:
    """A move that captures dead stones of the opponent, or helps to; None to pass."""
    board = position.board
    moves = {
        (move != point, len(free), move)
        for free in (position.liberties(one) for one in dead if board.color(one) is color.opponent)
        for point in free
        for move in _safe_moves(position, color, point)
    }
    return min(moves)[-1] if moves else None


def _safe_moves(
    position: Position, color: Color, point: Point, *, helps: bool = True
) -> Iterator[Point]:
    """The point, if a stone there captures something or is not in atari.

    Otherwise, if `helps`, the liberty that the stone would have, to be filled first.
    """
    if not position.is_legal(color, point):
        return
    trial = position.copy()
    taken, free = trial.play(color, point), trial.liberties(point)
    if len(free) > 1 or (taken and free):
        yield point
    elif helps:
        for one in free:
            yield from _safe_moves(position, color, one, helps=False)
