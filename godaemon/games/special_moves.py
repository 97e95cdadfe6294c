"""Free handicap stones, and takebacks. Raises a `Refusal`.

Chinese, New Zealand and Ing rules let Black choose where the handicap stones go. One command places
all of them, before White's first move.
"""

from godaemon.errors import NotAllowed, NotYourTurn, WrongPhase
from godaemon.games import commands as cmd
from godaemon.games.model import Game, Phase, Seat
from godaemon.rules import handicap
from godaemon.rules.board import points_of
from godaemon.rules.points import Color, Point
from godaemon.texts.catalogue import sentence


def check_placed(game: Game) -> None:
    """Raise `WrongPhase` if Black must place the handicap stones first."""
    if game.to_place:
        stars = ("place stars",) if has_star_points(game) else ()
        why = sentence("place-handicap-first", count=game.to_place)
        raise WrongPhase(why, hints=(example_line(game), *stars))


def chosen_points(game: Game, command: cmd.Place) -> tuple[Point, ...]:
    """The points of the handicap stones; raises a `Refusal` if none are due or they are invalid."""
    if not game.to_place:
        raise WrongPhase(sentence("no-handicap-due"), hints=("show",))
    spec = game.spec
    return handicap.handicap_stones(spec.size, spec.ruleset, spec.handicap, command.points)


def has_star_points(game: Game) -> bool:
    """True if the board has star points for all handicap stones."""
    return game.to_place <= handicap.max_fixed(game.spec.size)


def example_line(game: Game) -> str:
    """A `place` line with valid points for all handicap stones."""
    size = game.spec.size
    fixed = handicap.fixed_points(size, game.to_place) if has_star_points(game) else points_of(size)
    return f"place {' '.join(map(str, fixed[: game.to_place]))}"


def check_undo(game: Game, color: Color) -> tuple[str, ...]:
    """The moves that `color` may take back, as in `Undone`: the last move of `color`.

    Against a program, also the program's reply. In a teaching game, the last move of either colour.
    """
    if game.phase is Phase.SCORING:
        raise WrongPhase(sentence("no-undo-in-count"), hints=("resume",))
    other = game.player(Seat.of(color.opponent))
    moves = game.position.moves[game.since[0] :]
    if game.spec.teaching and moves:
        return last_moves(game, 1)
    count = next((back for back, move in enumerate(reversed(moves), 1) if move.color is color), 0)
    placed = color is Color.BLACK and game.spec.free and not game.to_place and not game.since[0]
    if not count and not (placed and (not moves or other.engine)):
        raise WrongPhase(sentence("no-undo"))
    if count > 1 and not other.engine:
        raise NotYourTurn(sentence("moved-since", who=other.name))
    if game.undo_refused:
        raise NotAllowed(sentence("undo-refused", who=other.name))
    return last_moves(game, count)


def last_moves(game: Game, count: int) -> tuple[str, ...]:
    """The last `count` moves as in `Undone`; none if only handicap stones were placed."""
    moves = game.position.moves
    last = moves[len(moves) - count :]
    return tuple("pass" if move.point is None else str(move.point) for move in last)
