"""The end of a game: which moves are still worth playing, and when to pass.

Once most of the board is settled, only moves that the network prefers to a pass are considered.
With area scoring it has learned that all dead stones must be captured in the end. If players
remove dead stones by agreement, we take the moves it would play with territory scoring, and fill
the dame; so it plays neither in its own territory nor in its opponent's.
"""

from __future__ import annotations

from godaemon.engine.evaluation import white_points
from godaemon.engine.fallback import black_lead, sensible_moves
from godaemon.engine.network import Array, Evaluation, np
from godaemon.engine.search import Search
from godaemon.rules.position import Position
from godaemon.rules.ruleset import Scoring, Tax

_SETTLED = 0.8
"""The ownership, up to 1, from which a point needs no move."""
_LATE = 1 / 6
"""With fewer unsettled points than this share, the endgame is nearly over."""
_LOOKED_AT, _BESIDE, _GAIN = 3, 2.5, 0.1
"""How many moves with a twelfth of a pass's likelihood are tried, and what one must gain."""
_FILLED = 3.0
"""With stone scoring, the most points that filling its own territory may cost."""


def useful_moves(search: Search, position: Position) -> set[int]:
    """The numbers of the moves to choose from; empty if a pass is best."""
    board, last = position.board, position.last
    moves = {board.index(point) for point in sensible_moves(position, search.root.color)}
    passed = last is not None and last.point is None
    owned = search.root.evaluation.owned
    if not passed and (abs(owned) < _SETTLED).mean() > _LATE:
        return moves
    if passed and _wins_by_passing(search, position):
        return set()
    ruleset = position.ruleset
    lost = not ruleset.removal and position.count_passes() + 1 >= ruleset.passes
    urgent = _urgent_moves(
        search, moves, 0.0 if lost else 1 - search.after(position.size.points).worth
    )
    liked = _preferred_moves(search.root.evaluation, moves) | urgent
    if ruleset.scoring is Scoring.STONES:
        return liked or _harmless_moves(search, {at for at in moves if owned[at] > _SETTLED})
    if ruleset.scoring is Scoring.AREA and ruleset.removal:
        quiet = _preferred_moves(_evaluate_as_territory(search, position), moves)
        return urgent | quiet | (liked & _dame_points(position))
    return liked


def _preferred_moves(evaluation: Evaluation, moves: set[int]) -> set[int]:
    policy: Array = evaluation.policy
    return {at for at in moves if policy[at] >= policy[-1]}


def _urgent_moves(search: Search, moves: set[int], passed: float) -> set[int]:
    """Moves close to a pass that save or win the game; `passed` is the worth of a pass."""
    policy = search.root.evaluation.policy
    thought = sorted(moves, key=lambda at: -float(policy[at]))[:_LOOKED_AT]
    return {
        at
        for at in thought
        if policy[at] > policy[-1] - _BESIDE and 1 - search.after(at).worth > passed + _GAIN
    }


def _evaluate_as_territory(search: Search, position: Position) -> Evaluation:
    """The evaluation of the same position and lead with territory scoring."""
    twin = position.copy()
    twin.ruleset = position.ruleset.replace(scoring=Scoring.TERRITORY, tax=Tax.SEKI)
    komi = white_points(position, search.komi) - white_points(twin, 0)
    return search.evaluate(twin, search.root.color, komi)


def _dame_points(position: Position) -> set[int]:
    cells, near = position.board.cells, position.board.neighbours
    return {
        at
        for at, cell in enumerate(cells)
        if not cell and {-1, 1} <= {cells[beside] for beside in near[at]}
    }


def _harmless_moves(search: Search, moves: set[int]) -> set[int]:
    """The moves that cost no group of ours."""
    lead = search.root.evaluation.lead - _FILLED
    return {at for at in moves if -search.after(at).evaluation.lead > lead}


def _wins_by_passing(search: Search, position: Position) -> bool:
    """True if a pass ends play, and the network counts a win."""
    if position.count_passes() + 1 < position.ruleset.passes:
        return False
    board, color = position.board, search.root.color
    lost = np.array(board.cells) * search.root.evaluation.owned * color < 0
    dead = frozenset(board.point(int(at)) for at in lost.nonzero()[0])
    return black_lead(position, dead, search.komi) * color > 0
