"""Games without a clock: after a long silence both players are warned, after a year it is void."""

from datetime import datetime, timedelta

from godaemon.games import events as ev
from godaemon.games.awaited_decisions import last_activity
from godaemon.games.game_clock import NO_DAYS_OFF
from godaemon.games.model import Game, Seat
from godaemon.games.service import GameService
from godaemon.games.service_calls import Caller
from godaemon.games.views import next_look

ABANDONED = timedelta(days=365)
"""The longest time that a game without a clock waits for a player."""
WARNED = timedelta(days=28)
"""The time between the warning to both players and the end of the game."""


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
    """The time since `since` in which we were down, or the machine's clock was uncertain."""
    return games.lost(since, games.now, NO_DAYS_OFF.running_time)
