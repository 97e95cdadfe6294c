"""The end of a game: which moves are still worth playing, and when to pass.

Once most of the board is settled, only moves that the network prefers to a pass are considered.
Under area scoring the network captures all dead stones, as it has learned. If players remove dead
stones by agreement, we choose from the network's moves under territory scoring, and from dame; so
we play neither in our own territory nor in the opponent's.
"""

from godaemon.engine.evaluation import white_points
from godaemon.engine.fallback import black_lead, sensible_moves
from godaemon.engine.network import Array, Evaluation, np
from godaemon.engine.search import Search
from godaemon.rules.position import Position
from godaemon.rules.ruleset import Scoring, Tax

_SETTLED = 0.8
"""The ownership, up to 1, above which a point is settled."""
_LATE_ENDGAME = 1 / 6
"""The share of unsettled points below which the endgame is nearly over."""
_MAX_TRIES, _MARGIN, _GAIN = 3, 2.5, 0.1
"""How much less likely than a pass a move may be (by e**2.5), and the chance that it must gain."""
_MAX_FILL_LOSS = 3.0
"""The limit on the loss in points when a player fills its own territory (stone scoring)."""


def useful_moves(search: Search, position: Position) -> set[int]:
    """The numbers of the moves to choose from; none if a pass is best."""
    board, last = position.board, position.last
    moves = {board.index(point) for point in sensible_moves(position, search.root.color)}
    is_after_pass = last is not None and last.point is None
    owners = search.root.evaluation.owners
    if not is_after_pass and (abs(owners) < _SETTLED).mean() > _LATE_ENDGAME:
        return moves
    if is_after_pass and _wins_by_passing(search, position):
        return set()
    ruleset = position.ruleset
    loses_by_pass = not ruleset.removal and position.count_passes() + 1 >= ruleset.passes
    urgent = _urgent_moves(
        search, moves, 0.0 if loses_by_pass else 1 - search.after(position.size.points).worth
    )
    preferred = _preferred_moves(search.root.evaluation, moves) | urgent
    if ruleset.scoring is Scoring.STONES:
        own = {move for move in moves if owners[move] > _SETTLED}
        return preferred or _harmless_moves(search, own)
    if ruleset.scoring is Scoring.AREA and ruleset.removal:
        quiet = _preferred_moves(_evaluate_as_territory(search, position), moves)
        return urgent | quiet | (preferred & _dame_points(position))
    return preferred


def _preferred_moves(evaluation: Evaluation, moves: set[int]) -> set[int]:
    policy: Array = evaluation.policy
    return {move for move in moves if policy[move] >= policy[-1]}


def _urgent_moves(search: Search, moves: set[int], pass_worth: float) -> set[int]:
    """Unlikely moves that save or win the game; `pass_worth` is the worth of a pass."""
    policy = search.root.evaluation.policy
    candidates = sorted(moves, key=lambda move: -float(policy[move]))[:_MAX_TRIES]
    return {
        move
        for move in candidates
        if policy[move] > policy[-1] - _MARGIN and 1 - search.after(move).worth > pass_worth + _GAIN
    }


def _evaluate_as_territory(search: Search, position: Position) -> Evaluation:
    """The evaluation with territory scoring, and a komi that keeps the lead."""
    twin = position.copy()
    twin.ruleset = position.ruleset.replace(scoring=Scoring.TERRITORY, tax=Tax.SEKI)
    komi = white_points(position, search.komi) - white_points(twin, 0)
    return search.evaluate(twin, search.root.color, komi)


def _dame_points(position: Position) -> set[int]:
    cells, near = position.board.cells, position.board.neighbours
    return {
        index
        for index, cell in enumerate(cells)
        if not cell and {-1, 1} <= {cells[neighbour] for neighbour in near[index]}
    }


def _harmless_moves(search: Search, moves: set[int]) -> set[int]:
    """The moves that lose at most `_MAX_FILL_LOSS` points."""
    lead = search.root.evaluation.lead - _MAX_FILL_LOSS
    return {move for move in moves if -search.after(move).evaluation.lead > lead}


def _wins_by_passing(search: Search, position: Position) -> bool:
    """True if a pass ends play, and the player wins by the network's dead stones."""
    if position.count_passes() + 1 < position.ruleset.passes:
        return False
    board, color = position.board, search.root.color
    dead_mask = np.array(board.cells) * search.root.evaluation.owners * color < 0
    dead = frozenset(board.point(int(index)) for index in dead_mask.nonzero()[0])
    return black_lead(position, dead, search.komi) * color > 0
