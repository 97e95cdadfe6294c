"""Games without a clock in which nobody acts: both players are warned, and a year ends the game."""

from __future__ import annotations

from datetime import datetime, timedelta

from godaemon.games import events as ev
from godaemon.games.awaited_decisions import last_activity
from godaemon.games.game_clock import ALWAYS
from godaemon.games.model import Game, Seat
from godaemon.games.service import GameService
from godaemon.games.service_calls import Caller
from godaemon.games.views import next_look

ABANDONED = timedelta(days=365)
"""How long a game without a clock waits for the player to act."""
WARNED = timedelta(days=28)
"""How long before that both players are warned."""


def check_silence(games: GameService, game: Game) -> None:
    """Warn both players after a long silence, and later end the game."""
    since, warned = last_activity(game, games.unit.games.log(game.id))
    end = since + ABANDONED - WARNED
    if warned is not None:
        end = warned + WARNED + time_lost(games, warned)
    if games.now < end:
        alarm = min(end, next_look(game.id, games.now))
        games.unit.games.set_alarm(game.id, None, alarm)
        return
    event = ev.Finished("Void", why="abandoned") if warned else ev.Reminded("", 1)
    games.add_event(game, event, Seat.PROPOSER, Caller("timer"))


def time_lost(games: GameService, since: datetime) -> timedelta:
    """How long the service was down or its clock unsure since then."""
    return games.lost(since, games.now, ALWAYS.running_time)
