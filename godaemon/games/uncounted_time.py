"""Time that no clock counts: outages, quarantined emails, and days off.

Reads the store within one transaction, and writes nothing.
"""

from collections.abc import Callable
from datetime import datetime, timedelta

from godaemon.games import events as ev
from godaemon.games import vacations
from godaemon.games.days_off import DaysOff, Span
from godaemon.games.game_clock import MAX_PAUSE
from godaemon.games.model import Game, Seat
from godaemon.games.stored_values import Unit
from godaemon.games.time_systems import NONE

LostTime = Callable[[datetime, datetime, Callable[[datetime, datetime], timedelta]], timedelta]
"""Returns for how long no clock could run between two moments; the third argument measures it."""


def credit_due(
    unit: Unit, lost: LostTime, game: Game, now: datetime, began: datetime | None = None
) -> ev.Credited | None:
    """The event that gives time back to the player to act; None if none is due.

    `began` is when their oldest email went into quarantine; by default it is looked up.
    """
    clock = game.clock
    if clock is None or clock.since is None:
        return None
    runs, began = clock.days_off_of(clock.turn).running_time, began or oldest_unread(unit, game)
    time = lost(clock.since, now, runs)
    if began is not None:
        time = max(time, runs(max(began, clock.since), min(now, began + MAX_PAUSE)))
    return ev.Credited(clock.turn.word, time.total_seconds()) if time > NONE else None


def oldest_unread(unit: Unit, game: Game) -> datetime | None:
    """The arrival of the oldest email in quarantine from the player to act."""
    if game.clock is None:
        return None
    seat = Seat.of(game.clock.turn)
    addresses = {game.player(seat).address, *game.addresses.get(game.side(seat), ())}
    return unit.players.oldest_unread(addresses)


def days_off_event(unit: Unit, game: Game, seat: Seat, now: datetime) -> ev.Paused | None:
    """The event that sets a seat's days off, cut to the vacation left; None if nothing changed."""
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
