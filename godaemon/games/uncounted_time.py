"""Time that counts for nobody: outages, emails that we could not read, and days off.

Reads the store within one transaction, and writes nothing; `running_clocks` does.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from godaemon.games import events as ev
from godaemon.games import vacations
from godaemon.games.days_off import DaysOff, Span
from godaemon.games.game_clock import RESTS
from godaemon.games.model import Game, Seat
from godaemon.games.stored_values import Unit
from godaemon.games.time_systems import NONE

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
    for first, end in DaysOff(vacations.planned_vacations(profile, now)).after(now).vacations:
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
