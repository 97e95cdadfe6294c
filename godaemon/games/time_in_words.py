"""Times and time settings in words. Pure."""

from __future__ import annotations

from datetime import timedelta

from godaemon.games.game_clock import TimeSettings
from godaemon.texts.catalogue import say

_UNITS = (("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1))
_ROUNDED = ((2 * 86_400, 3_600), (3_600, 60))
"""From how many seconds on a span is rounded to how many."""


def units(time: timedelta) -> list[tuple[int, str]]:
    """A span rounded to its two largest units; in hours below two days.

    >>> units(timedelta(days=9, hours=4)), units(timedelta(hours=36))
    ([(9, 'day'), (4, 'hour')], [(36, 'hour')])
    """
    seconds, parts = round(time.total_seconds()), list[tuple[int, str]]()
    last = next((length for whole, length in _ROUNDED if seconds >= whole), 1)
    seconds = (seconds + last // 2) // last * last
    for name, length in _UNITS[int(86_400 < seconds < 2 * 86_400) :]:
        number, seconds = divmod(seconds, length)
        if number or parts:
            parts.append((number, name))
    return [part for part in parts[:2] if part[0]] or [(0, "second")]


def span(time: timedelta) -> str:
    """A span of time in words.

    >>> span(timedelta(hours=36)), span(timedelta(days=1)), span(timedelta(days=10, seconds=-1))
    ('36 hours', '1 day', '10 days')
    """
    parts = [say(f"span-{unit}", count=number) for number, unit in units(time)]
    return say("span-of-two", larger=parts[0], smaller=parts[1]) if len(parts) > 1 else parts[0]


def settings_in_words(settings: TimeSettings | None) -> str:
    """Time settings in words: `3 days a move`."""
    if settings is None:
        return say("time-none")
    main, each = span(settings.main), span(settings.overtime)
    if settings.increment:
        bonus, cap = span(settings.increment), span(settings.cap)
        return say("time-fischer", main=main, bonus=bonus, cap=cap)
    if not settings.count:
        return say("time-absolute", main=main)
    kind = "each-move" if settings.count == 1 else "byo-yomi"
    kind = "canadian" if settings.canadian else kind
    overtime = say(f"time-{kind}", each=each, count=settings.count)
    return say("time-then", main=main, overtime=overtime) if settings.main else overtime
