"""The game's clocks in words, for people at a seat. Pure.

They are the game's own, whatever clock a controller runs (godaemon/README.md, "The cursor").
"""

from __future__ import annotations

from godaemon.games.game_clock import GameClock
from godaemon.games.time_in_words import settings_in_words, span
from godaemon.rules.points import Color
from gtp.seat.seat_view import SeatView


def clocks(view: SeatView) -> str:
    """What both sides have left, in a clause; "" where no clock counts any more."""
    clock = view.game.clock
    if clock is None or view.game.phase.over:
        return ""
    return ", ".join(f"{color.word} {_left(view, clock, color)}" for color in Color)


def clock_lines(view: SeatView) -> str:
    """The time settings, and what each side has left; one thing a line."""
    clock, settings = view.game.clock, view.game.spec.time
    lines = [f"Time: {settings_in_words(settings)}"]
    if clock is not None:
        lines += [
            f"{one.word.capitalize()}: {_left(view, clock, one, exact=True)}" for one in Color
        ]
        if clock.deadline and clock.handed and not (view.game.phase.over or view.paused):
            lines.append(f"Until: {clock.deadline:%Y-%m-%d %H:%M} UTC")
    return "\n".join(lines)


def _left(view: SeatView, clock: GameClock, color: Color, *, exact: bool = False) -> str:
    time, state = clock.remaining(color, view.now), _state(view, clock, color)
    if not exact:
        return span(time) + (state and f" ({state})")
    return f"{span(time)} ({int(time.total_seconds())} seconds)" + (state and f", {state}")


def _state(view: SeatView, clock: GameClock, color: Color) -> str:
    """The state of a side's clock; "" for that of a side that is not awaited, or no more."""
    if view.game.phase.over:
        return ""
    if view.paused:
        return f"stands, as all clocks do: {view.paused}"
    back = clock.off(color).skipped(view.now)
    if back > view.now:
        return f"stands until {back:%Y-%m-%d %H:%M} UTC"
    if color is not clock.turn:
        return ""
    if clock.since is not None and clock.since > view.now:
        return "stands until the email about this turn has gone out"
    return "running" if clock.since else "stands"
