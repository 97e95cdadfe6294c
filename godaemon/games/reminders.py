"""Reminders of a turn, and the events of a clock whose alarm is due. Pure."""

from datetime import datetime, timedelta

from godaemon.games import events as ev
from godaemon.games.game_clock import MOST_AHEAD, GameClock
from godaemon.games.model import Game
from godaemon.rules.points import Color

LAST_DAY = timedelta(days=1)
REMINDED_FROM = timedelta(hours=12)
"""The shortest turn with reminders."""


def reminder_moments(clock: GameClock) -> tuple[datetime, ...]:
    """The moments when half of the turn is left, and (in a long turn) when one day is left."""
    total = clock.settings.longest_turn(clock.left[clock.turn])
    if total < REMINDED_FROM:
        return ()
    last = (LAST_DAY,) if total >= 4 * LAST_DAY else ()
    return tuple(clock.moments_with(total / 2, *last))


def next_alarm(clock: GameClock) -> datetime | None:
    """The moment of the next reminder, else of the flag's fall; None if the clock is stopped."""
    return next(iter(reminder_moments(clock)[clock.reminders :]), clock.deadline)


def clock_event(game: Game, clock: GameClock, now: datetime) -> ev.Event | None:
    """The event that a clock causes now; None before its alarm.

    Before both players have moved, nobody loses by time: the game is cancelled.
    """
    alarm = next_alarm(clock)
    if alarm is None or now < alarm:
        latest = now if clock.email_sent else now + MOST_AHEAD
        ahead = clock.since is not None and clock.since > latest  # by a wrong machine clock
        return ev.Credited(clock.turn.word, 0) if ahead else None  # starts the clock now
    if clock.deadline is not None and now < clock.deadline:
        due = sum(moment <= now for moment in reminder_moments(clock))
        return ev.Reminded(clock.turn.word, due)
    if not game.begun:
        return ev.Finished("Void", why="cancelled")
    winner = "W" if clock.turn is Color.BLACK else "B"
    return ev.Finished(f"{winner}+T", why="time")
