"""Lines that are offered, and whether the game would do or refuse them now. Pure."""

from __future__ import annotations

from godaemon.errors import Refusal
from godaemon.games import commands as cmd
from godaemon.games.decisions import check_counting, decide
from godaemon.games.model import Game, Seat
from godaemon.rules.points import Color
from mailgate.language.parser import parse_text


def is_possible(game: Game, seat: Seat, line: str) -> bool:
    """False for what is refused as the game is: an occupied point, a mark where no stone stands."""
    try:
        for one in parse_text([line]).commands:
            if isinstance(one.command, cmd.Action):
                decide(game, seat, one.command, lambda: Color.BLACK)
            elif isinstance(one.command, cmd.Estimate):
                check_counting(game, seat)
    except Refusal:
        return False
    return True
