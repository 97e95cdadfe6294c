"""Events of clocks: reminders, a fallen flag, time given back, days off. Raises `Unreadable`.

Reads the store within one transaction, and writes nothing.
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
from godaemon.games.store_protocols import Unit
from godaemon.rules.points import Color


def clock_event(game: Game, clock: GameClock, now: datetime) -> ev.Event | None:
    """What happens to a game by its clock alone; None where its alarm has not come.

    Who has not made their first move is not held to the game: it is cancelled, and nobody loses.
    """
    if clock.alarm is None or now < clock.alarm:
        latest = now if clock.handed else now + WRONG  # or it was set by a clock that was ahead
        ahead = clock.since is not None and clock.since > latest
        return ev.Credited(clock.turn.word, 0) if ahead else None  # it runs from now on
    if clock.deadline is not None and now < clock.deadline:
        due = sum(moment <= now for moment in clock.reminders)
        return ev.Reminded(clock.turn.word, due)
    if not game.begun:
        return ev.Finished("Void", why="cancelled")
    winner = "W" if clock.turn is Color.BLACK else "B"
    return ev.Finished(f"{winner}+T", why="time")


def adjudged(words: str) -> str:
    """An operator's result in SGF's form; raises `Unreadable`.

    >>> adjudged("b+3.5"), adjudged("void")
    ('B+3.5', 'Void')
    """
    found = re.fullmatch(
        r"(?i)([bw])\+(?:[1-9]\d{0,2}(?:\.5)?|0\.5|[rtf])|(0|draw|jigo)|void", words
    )
    if found is None:
        raise Unreadable("A result is such as B+3.5, W+R, B+T, 0 (or draw) or void.")
    return found[0].upper() if found[1] else "0" if found[2] else "Void"


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
    for first, end in DaysOff(player_calendar.planned(profile, now)).after(now).vacations:
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
