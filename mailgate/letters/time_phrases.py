"""Time in words: settings, spans, moments, and what is left of a player's clock. Pure."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from godaemon.games.game_clock import GameClock, TimeSettings
from godaemon.games.model import Phase
from godaemon.rules.points import Color
from mailgate.letters.blocks import Words
from mailgate.letters.letter_view import LetterView
from mailgate.letters.phrases import plural

_UNITS = (("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1))


def span(time: timedelta) -> str:
    """A span in its two largest units: `9 days 4 hours`; in hours where it is less than two days.

    >>> span(timedelta(hours=36)), span(timedelta(days=1))
    ('36 hours', '1 day')
    """
    seconds, parts = int(time.total_seconds()), list[tuple[int, str]]()
    for name, length in _UNITS[int(86_400 < seconds < 2 * 86_400) :]:
        number, seconds = divmod(seconds, length)
        if number or parts:
            parts.append((number, name))
    return " ".join(plural(*part) for part in parts[:2] if part[0]) or "0 seconds"


def moment(view: LetterView, at: datetime) -> str:
    """A moment in the reader's zone: `Thursday 3 December 2026, 04:00 Europe/Berlin`."""
    zone = view.data.zone or "UTC"
    at = at.astimezone(ZoneInfo(zone))
    return f"{at:%A} {at.day} {at:%B %Y, %H:%M} {zone}"


def settings_in_words(settings: TimeSettings | None) -> str:
    """Time settings in words: `3 days for each move`."""
    if settings is None:
        return "no time limit"
    each, main = span(settings.overtime), f"{span(settings.main)} each"
    if settings.increment:
        return (
            f"{main}, {span(settings.increment)} more with every move, {span(settings.cap)} at most"
        )
    if not settings.count:
        return f"{main} for the whole game"
    if settings.canadian:
        overtime = f"{each} for every {plural(settings.count, 'move')}"
    elif settings.count == 1:
        overtime = f"{each} for each move"
    else:
        overtime = f"{settings.count} times {each} (byo-yomi)"
    return f"{main}, then {overtime}" if settings.main else overtime


def explained(settings: TimeSettings | None) -> tuple[Words, ...]:
    """How the clocks of a game work, for who may not have met one."""
    if settings is None:
        return ()
    words = (
        f"Time: {settings_in_words(settings)}. Your clock runs from when my email about your turn"
        " has gone out until your answer is here; who lets it run out loses the game."
    )
    return (Words(words),)


def time_left(view: LetterView) -> tuple[Words, ...]:
    """How long the reader has, and until when, where it is them whom the game awaits."""
    clock, game = view.game.clock, view.game
    if clock is None or game.phase.over or clock.since is None:
        return ()
    if not view.teaching and clock.turn is not view.color:
        return ()
    now = view.data.owed_at
    left = clock.remaining(clock.turn, now)
    what = "your move" if game.phase is Phase.PLAYING else "your answer"
    begins = max(now, clock.away.get(clock.turn, now))
    away = f"; you are away until {moment(view, begins)}" if begins > now else ""
    return (Words(f"You have {span(left)} for {what}: until {moment(view, begins + left)}{away}."),)


def clocks(view: LetterView, clock: GameClock) -> str:
    """What both players have left: `you have 9 days 4 hours left, Bob 10 days`."""
    now, sides = view.data.owed_at, []
    for color in sorted(Color, key=lambda color: color is not view.color):
        mine = color is view.color and not view.teaching
        who = "you have" if mine else view.named(color)
        back = clock.away.get(color, now)
        away = f" (away until {moment(view, back)})" if back > now else ""
        sides.append(f"{who} {span(clock.remaining(color, now))}{' left' if mine else ''}{away}")
    return ", ".join(sides)
