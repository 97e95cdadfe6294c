"""Handicap stones that Black places where they like, before White's first move.

Pure; raises `WrongPhase` and `Unreadable`. Chinese, New Zealand and Ing rules have it so; where
the stones stand on the star points, nobody is asked. All of them are placed at once: nobody wants
to send a letter for each.
"""

from __future__ import annotations

from godaemon.errors import WrongPhase
from godaemon.games import commands as cmd
from godaemon.games.model import Game
from godaemon.rules import handicap
from godaemon.rules.board import points_of
from godaemon.rules.points import Point
from godaemon.texts.catalogue import told


def check_placed(game: Game) -> None:
    """Raise `WrongPhase` while Black has yet to place the handicap stones."""
    if game.placing:
        raise WrongPhase(
            told("place-handicap-first", count=game.placing),
            hints=(line(game), "place stars") if stars(game) else (line(game),),
        )


def chosen(game: Game, command: cmd.Place) -> tuple[Point, ...]:
    """Where the stones are placed; raises where none are due, or these cannot stand so."""
    if not game.placing:
        raise WrongPhase(told("no-handicap-due"), hints=("show",))
    spec = game.spec
    return handicap.placed(spec.size, spec.ruleset, spec.handicap, command.points)


def stars(game: Game) -> bool:
    """True where the board has star points for so many stones."""
    return game.placing <= handicap.most_fixed(game.spec.size)


def line(game: Game) -> str:
    """A line that would place the stones, as an example."""
    size = game.spec.size
    fixed = handicap.fixed_points(size, game.placing) if stars(game) else points_of(size)
    return f"place {' '.join(map(str, fixed[: game.placing]))}"
