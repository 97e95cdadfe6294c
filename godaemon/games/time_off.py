"""Time that does not count: what is given back to a player, and when their clock stands.

Within one transaction; raises nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from godaemon.games import events as ev
from godaemon.games import vacation_days
from godaemon.games.days_off import DaysOff, Span
from godaemon.games.game_clock import NONE, RESTS
from godaemon.games.model import Game, Seat
from godaemon.games.store_protocols import Unit

Lost = Callable[[datetime, datetime, Callable[[datetime, datetime], timedelta]], timedelta]
"""How much of a time, as a clock counts it, nobody's answer could be taken, or all clocks stood."""


def credit_due(
    unit: Unit, lost: Lost, game: Game, now: datetime, began: datetime | None = None
) -> ev.Credited | None:
    """The time that is to be given back to who is awaited, if any."""
    clock = game.clock
    if clock is None or clock.since is None:
        return None
    runs, began = clock.off(clock.turn).elapsed, began or unread_since(unit, game)
    gone = lost(clock.since, now, runs)
    if began is not None:
        gone = max(gone, runs(max(began, clock.since), min(now, began + RESTS)))
    return ev.Credited(clock.turn.word, gone.total_seconds()) if gone > NONE else None


def unread_since(unit: Unit, game: Game) -> datetime | None:
    """Since when an email of who is awaited waits for the operator, by a fault of ours."""
    if game.clock is None:
        return None
    seat = Seat.of(game.clock.turn)
    known = {game.player(seat).address, *game.addresses.get(game.side(seat), ())}
    return unit.players.unread_since(known)


def paused(unit: Unit, game: Game, seat: Seat, now: datetime) -> ev.Paused | None:
    """When a seat's clock stands by what its player has said; None where it does already.

    No longer in one game than it has days for.
    """
    clock, color = game.clock, game.color_of(seat)
    if clock is None or color is None:
        return None
    profile = unit.players.profile(game.player(seat).address)
    spans, room = list[Span](), clock.rest_left(color, now)
    for first, end in DaysOff(vacation_days.planned(profile, now)).after(now).vacations:
        spans.append((first, min(end, first + room)))
        room -= spans[-1][1] - first
    off = DaysOff(
        tuple(one for one in spans if one[0] < one[1]),
        (profile.zone or "UTC") if profile.weekends_off else "",
    )
    if off == clock.off(color).after(now):
        return None
    away = tuple((first.isoformat(), end.isoformat()) for first, end in off.vacations)
    return ev.Paused(color.word, away=away, weekends=off.weekends)
