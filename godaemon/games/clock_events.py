"""Events of clocks: reminders, a fallen flag, time given back, days off. Raises `Unreadable`.

Reads the store within one transaction, and writes nothing. `timed_changes` decides when each
happens, and when an automatic vacation begins. When a reminder is due is said by
`GameClock.reminders`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timedelta

from godaemon.errors import Unreadable
from godaemon.games import events as ev
from godaemon.games import player_calendar
from godaemon.games.game_clock import NONE, RESTS, WRONG, DaysOff, GameClock, Span
from godaemon.games.model import Game, Seat
from godaemon.games.stored_values import Unit
from godaemon.rules.points import Color


def clock_event(game: Game, clock: GameClock, now: datetime) -> ev.Event | None:
    """The event that a clock causes now; None before its alarm.

    Before both players have moved, nobody loses by time: the game is cancelled.
    """
    if clock.alarm is None or now < clock.alarm:
        latest = now if clock.handed else now + WRONG
        ahead = clock.since is not None and clock.since > latest  # set while our clock was wrong
        return ev.Credited(clock.turn.word, 0) if ahead else None  # makes it run from now on
    if clock.deadline is not None and now < clock.deadline:
        due = sum(moment <= now for moment in clock.reminders)
        return ev.Reminded(clock.turn.word, due)
    if not game.begun:
        return ev.Finished("Void", why="cancelled")
    winner = "W" if clock.turn is Color.BLACK else "B"
    return ev.Finished(f"{winner}+T", why="time")


def parse_result(words: str) -> str:
    """An operator's result in SGF's form; raises `Unreadable`.

    >>> parse_result("b+3.5"), parse_result("void")
    ('B+3.5', 'Void')
    """
    found = re.fullmatch(
        r"(?i)([bw])\+(?:[1-9]\d{0,2}(?:\.5)?|0\.5|[rtf])|(0|draw|jigo)|void", words
    )
    if found is None:
        raise Unreadable("A result is such as B+3.5, W+R, B+T, 0 (or draw) or void.")
    return found[0].upper() if found[1] else "0" if found[2] else "Void"


Lost = Callable[[datetime, datetime, Callable[[datetime, datetime], timedelta]], timedelta]
"""How much of a period, as a clock counts it, we were down or all clocks stood."""


def credit_due(
    unit: Unit, lost: Lost, game: Game, now: datetime, began: datetime | None = None
) -> ev.Credited | None:
    """The time to give back to the player to act, if any."""
    clock = game.clock
    if clock is None or clock.since is None:
        return None
    runs, began = clock.days_off_of(clock.turn).running_time, began or oldest_unread(unit, game)
    gone = lost(clock.since, now, runs)
    if began is not None:
        gone = max(gone, runs(max(began, clock.since), min(now, began + RESTS)))
    return ev.Credited(clock.turn.word, gone.total_seconds()) if gone > NONE else None


def oldest_unread(unit: Unit, game: Game) -> datetime | None:
    """The arrival of the oldest email in quarantine from the player to act."""
    if game.clock is None:
        return None
    seat = Seat.of(game.clock.turn)
    known = {game.player(seat).address, *game.addresses.get(game.side(seat), ())}
    return unit.players.oldest_unread(known)


def days_off_event(unit: Unit, game: Game, seat: Seat, now: datetime) -> ev.Paused | None:
    """A seat's days off, if its player has changed them, cut to the vacation left in this game."""
    clock, color = game.clock, game.color_of(seat)
    if clock is None or color is None:
        return None
    profile = unit.players.profile(game.player(seat).address)
    spans, room = list[Span](), clock.vacation_left(color, now)
    for first, end in DaysOff(player_calendar.planned_vacations(profile, now)).after(now).vacations:
        spans.append((first, min(end, first + room)))
        room -= spans[-1][1] - first
    off = DaysOff(
        tuple(one for one in spans if one[0] < one[1]),
        (profile.zone or "UTC") if profile.weekends_off else "",
    )
    if off == clock.days_off_of(color).after(now):
        return None
    away = tuple((first.isoformat(), end.isoformat()) for first, end in off.vacations)
    return ev.Paused(color.word, away=away, weekends=off.weekends)
