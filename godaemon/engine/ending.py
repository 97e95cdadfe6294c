"""How our own player ends a game: what is still worth playing, and when it passes. Pure.

A point is settled where nearly all games played out from here end with the same owner. Once most
of the board is settled, only moves at what is not are looked at; where none of these is better
than passing, it passes. So it fills dame, and neither its own territory nor its opponent's.
"""

from __future__ import annotations

from collections.abc import Callable

from godaemon.engine.arena import NOWHERE
from godaemon.engine.estimate import dead_stones
from godaemon.engine.search import Search
from godaemon.engine.tree import Node
from godaemon.rules import scoring
from godaemon.rules.points import Color
from godaemon.rules.position import Position
from godaemon.rules.ruleset import Scoring

_SETTLED = 0.8
"""From 0 to 1: so surely is a point owned that nobody needs to play there."""

_LATE = 1 / 5
"""The share of the board that may be open when the end is thought of."""

_SLACK = 0.03
"""So much of the games won may a last useful move cost by the playouts, which err."""

_EACH, _PASSES = 24, 60
"""Games begun with each useful move and with a pass before they are compared."""


def target(position: Position, color: Color, komi: float) -> float:
    """The lead in area that Black must exceed to win, with `color` to move.

    Where territory is counted it is as good as area less the stones each side has played: those
    on the board and those taken. The one to move plays the last dame half of the time.
    """
    ruleset = position.ruleset
    if ruleset.scoring is not Scoring.TERRITORY:
        return komi + ruleset.handicap_points(len(position.handicap))
    taken = position.prisoners[Color.WHITE] - position.prisoners[Color.BLACK]
    handed = scoring.handed_over(position.moves, ruleset)
    given = handed[Color.WHITE] - handed[Color.BLACK]
    return komi + sum(position.board.cells) + taken + given + 0.5 * color


def lead(position: Position, color: Color, komi: float) -> float:
    """By how much `color` leads if the game ends here, by our opinion of what is dead."""
    ruleset = position.ruleset
    margin = scoring.count(
        position.board,
        dead_stones(position) if ruleset.removal else (),
        ruleset,
        prisoners=position.prisoners,
        komi=komi,
        handicap=len(position.handicap),
        handed=scoring.handed_over(position.moves, ruleset),
    ).margin
    return margin * color


def ends(position: Position) -> bool:
    """Whether one more pass would stop play."""
    return position.passes() + 1 >= position.ruleset.passes


def decide(search: Search, position: Position, komi: float, halt: Callable[[], bool]) -> int:
    """The place in the root of the move to make, which may be the pass, always the last place."""
    root = search.root
    best = root.most_tried()
    if halt() or len(root.moves) == 1:
        return best
    owned = search.owned()
    loose = {at for at, share in enumerate(owned) if abs(share) < _SETTLED}
    if len(loose) > len(owned) * _LATE and not ends(position):
        return best if root.moves[best] != NOWHERE else _second(root)
    return _late(search, position, komi, loose, halt)


def _second(root: Node) -> int:
    """The best move that is no pass."""
    return max(range(len(root.moves) - 1), key=root.tried)


def _late(
    search: Search, position: Position, komi: float, loose: set[int], halt: Callable[[], bool]
) -> int:
    root = search.root
    color, last = Color(root.color), len(root.moves) - 1
    useful = _useful(search, position, loose)
    for at in (*useful, last):
        wanted = _PASSES if at == last else _EACH
        while root.tried(at) < wanted and not halt():
            search.game(at)
    if ends(position) and root.worth(last) > 0.5 and lead(position, color, komi) > 0:
        return last
    best = _second(root)
    if len(loose) > len(search.owned()) * _LATE:
        return best
    least = max(root.worth(best), root.worth(last)) - _SLACK
    good = [at for at in useful if root.worth(at) >= least]
    if good:
        return max(good, key=root.tried)
    return last if root.worth(last) >= least else best


def _useful(search: Search, position: Position, loose: set[int]) -> list[int]:
    """The places of the moves at or beside what is open, and of those the rules make us play."""
    near = position.board.table
    wanted = {at for one in loose for at in (one, *near[one])}
    if position.ruleset.scoring is Scoring.STONES:
        wanted = set(range(len(near)))
    elif not position.ruleset.removal:
        wanted |= _around_dead(search, position)
    return [at for at, move in enumerate(search.root.moves) if move != NOWHERE and move in wanted]


def _around_dead(search: Search, position: Position) -> set[int]:
    """The liberties of the opponent's stones that are lost, where nobody takes them off for us."""
    color, board = search.root.color, position.board
    owned = search.owned()
    gone = (
        at for at, cell in enumerate(board.cells) if cell == -color and owned[at] * color > _SETTLED
    )
    return {liberty for at in gone for liberty in board.liberties(board.chain(at))}
