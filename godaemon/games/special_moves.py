"""Free handicap stones, and moves taken back. Pure; raises a `Refusal`.

Chinese, New Zealand and Ing rules let Black choose where the handicap stones stand. All of them are
placed by one command, before White's first move.
"""

from __future__ import annotations

from godaemon.errors import NotAllowed, NotYourTurn, WrongPhase
from godaemon.games import commands as cmd
from godaemon.games.model import Game, Phase, Seat
from godaemon.rules import handicap
from godaemon.rules.board import points_of
from godaemon.rules.points import Color, Point
from godaemon.texts.catalogue import sentence


def check_placed(game: Game) -> None:
    """Raise `WrongPhase` while Black has yet to place the handicap stones."""
    if game.to_place:
        stars = ("place stars",) if has_star_points(game) else ()
        why = sentence("place-handicap-first", count=game.to_place)
        raise WrongPhase(why, hints=(example_line(game), *stars))


def chosen_points(game: Game, command: cmd.Place) -> tuple[Point, ...]:
    """The points of the handicap stones; raises if none are due or these do not fit."""
    if not game.to_place:
        raise WrongPhase(sentence("no-handicap-due"), hints=("show",))
    spec = game.spec
    return handicap.handicap_stones(spec.size, spec.ruleset, spec.handicap, command.points)


def has_star_points(game: Game) -> bool:
    """True if the board has star points for all handicap stones."""
    return game.to_place <= handicap.most_fixed(game.spec.size)


def example_line(game: Game) -> str:
    size = game.spec.size
    fixed = handicap.fixed_points(size, game.to_place) if has_star_points(game) else points_of(size)
    return f"place {' '.join(map(str, fixed[: game.to_place]))}"


def check_undo(game: Game, color: Color) -> tuple[str, ...]:
    """The moves that `color` may take back now, as in `Undone`: their last move.

    A program gives back its own answer too, and a teacher the last move of either colour.
    """
    if game.phase is Phase.SCORING:
        raise WrongPhase(sentence("no-undo-in-count"), hints=("resume",))
    other = game.player(Seat.of(color.opponent))
    made = game.position.moves[game.since[0] :]
    if game.spec.teaching and made:
        return last_moves(game, 1)
    mine = next((back for back, move in enumerate(reversed(made), 1) if move.color is color), 0)
    placed = color is Color.BLACK and game.spec.free and not game.to_place and not game.since[0]
    if not mine and not (placed and (not made or other.engine)):
        raise WrongPhase(sentence("no-undo"))
    if mine > 1 and not other.engine:
        raise NotYourTurn(sentence("moved-since", who=other.name))
    if game.undo_refused:
        raise NotAllowed(sentence("undo-refused", who=other.name))
    return last_moves(game, mine)


def last_moves(game: Game, count: int) -> tuple[str, ...]:
    """The last moves as in `Undone`; none if handicap stones come last."""
    moves = game.position.moves
    last = moves[len(moves) - count :]
    return tuple("pass" if move.point is None else str(move.point) for move in last)
