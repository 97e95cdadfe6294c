"""The end of a game: the lead that wins, what is still worth playing, and when to pass. Pure.

A point is settled where nearly all games played out from here end with the same owner. Once most
of the board is settled, only moves at what is not are looked at; where none of these is better
than passing, it passes. So it fills dame, and neither its own territory nor its opponent's.
"""

from __future__ import annotations

from collections.abc import Callable

from godaemon.engine.estimate import dead_stones
from godaemon.engine.search import Search
from godaemon.engine.tree import Node
from godaemon.rules import scoring
from godaemon.rules.points import Color
from godaemon.rules.position import Position
from godaemon.rules.ruleset import Scoring

_FAR = 0.12
"""From leads of such a share of the board on, the true goal is too far to tell moves apart."""

_BEHIND, _AHEAD = 0.7, 0.3
"""So much of the distance is given to the player behind, and asked of the one ahead."""

_ROOM = 1 / 3
"""While such a share of the board is empty there is time to catch up."""


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


def aim(position: Position, color: Color, lead: float) -> float:
    """The points to add to the target for a while, where games played out had Black that far ahead.

    Who is far behind, as White is in a handicap game, would see every game lost and so play
    anyhow; he aims at losing by less, and who is far ahead at winning by some of it.
    """
    points = position.size.points
    if abs(lead) < _FAR * points or position.board.cells.count(0) < _ROOM * points:
        return 0.0
    return lead * (_AHEAD if lead * color > 0 else _BEHIND)


_SETTLED = 0.8
"""From 0 to 1: so surely is a point owned that nobody needs to play there."""

_LATE = 1 / 10
"""The share of the board that may be empty and open when the end is thought of."""

_SLACK = 0.05
"""So much of the games won may a last useful move cost by the playouts, which err."""
_POINTS = 1.0
"""And so many points: less than anything that is given up for nothing."""
_DOUBT = 0.12
"""So much better than a pass must a move be that touches nothing open."""

_EACH, _ALL = 24, 400
"""Games begun with each useful move before they are compared, and with all of them together."""

_STUBBORN = 1.5
"""After so many moves a point where area counts, it fills its own, all but eyes, which costs
nothing and ends games against those who go on and on."""


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
    """True where one more pass would stop play."""
    return position.passes() + 1 >= position.ruleset.passes


def decide(search: Search, position: Position, komi: float, halt: Callable[[], bool]) -> int:
    """The place in the root of the move to make; the pass has the last place."""
    root = search.root
    if halt() or len(root.moves) == 1:
        return root.most_tried()
    last = len(root.moves) - 1
    loose = {at for at, share in enumerate(search.owned()) if abs(share) < _SETTLED}
    late = sum(not position.board.cells[at] for at in loose) <= position.size.points * _LATE
    if not late and not ends(position):
        return _best(root)
    wanted = _wanted(search, position, loose) if late else set()
    useful = _places(root, wanted | _between(position)) if late else []
    leads = _compare(search, [*useful, last], halt)
    if halt():
        return root.most_tried()
    ahead = ends(position) and root.worth(last) > 0.5
    if ahead and lead(position, Color(root.color), komi) > 0:
        return last
    useful = [
        at
        for at in useful
        if leads[at] > leads[last] + (-_POINTS if root.moves[at] in wanted else _POINTS / 2)
    ]
    return _last_move(root, useful) if late else _best(root)


def _best(root: Node) -> int:
    """The move that most games began with and that is no pass."""
    return max(range(len(root.moves) - 1), key=root.tried)


def _compare(search: Search, places: list[int], halt: Callable[[], bool]) -> dict[int, float]:
    """Begin games with each of these moves; by how much its player led on average afterwards."""
    color = search.root.color
    each = max(4, min(_EACH, _ALL // len(places)))
    leads = dict.fromkeys(places, 0.0)
    for at in places:
        games = max(2 * each, search.games // 6) if at == places[-1] else each
        margins: list[float] = []
        while len(margins) < games and not halt():
            margins.append(search.game(at))
        leads[at] = color * sum(margins) / max(len(margins), 1)
    return leads


def _last_move(root: Node, useful: list[int]) -> int:
    """The best of the useful moves, if it costs nothing; else a pass, if that costs little."""
    best, last = _best(root), len(root.moves) - 1
    most = max(root.worth(best), root.worth(last))
    good = [at for at in useful if root.worth(at) >= most - _SLACK]
    if good:
        return max(good, key=root.tried)
    return last if root.worth(last) >= most - _DOUBT else best


def _places(root: Node, wanted: set[int]) -> list[int]:
    return [at for at, move in enumerate(root.moves) if move in wanted]


def _wanted(search: Search, position: Position, loose: set[int]) -> set[int]:
    """The points at or beside what is open, and those that the rules make us play."""
    near = position.board.neighbours
    counts = position.ruleset.scoring
    endless = counts is Scoring.AREA and position.move_number > _STUBBORN * len(near)
    if endless or counts is Scoring.STONES:
        return set(range(len(near)))
    wanted = {at for one in loose for at in (one, *near[one])}
    return wanted if position.ruleset.removal else wanted | _around_dead(search, position)


def _between(position: Position) -> set[int]:
    """The empty points that touch both colours: the last dame looks settled to who may take it."""
    cells, near = position.board.cells, position.board.neighbours
    return {
        at
        for at, cell in enumerate(cells)
        if not cell and {-1, 1} <= {cells[beside] for beside in near[at]}
    }


def _around_dead(search: Search, position: Position) -> set[int]:
    """The liberties of the opponent's stones that are lost, where nobody takes them off for us."""
    color, board = search.root.color, position.board
    owned = search.owned()
    gone = (
        at for at, cell in enumerate(board.cells) if cell == -color and owned[at] * color > _SETTLED
    )
    return {liberty for at in gone for liberty in board.liberties(board.chain(at))}
