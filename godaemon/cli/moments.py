"""Moments as people read them: in their own time zone, or as the time that has gone by."""

from __future__ import annotations

from datetime import datetime

_UNITS = {"day": 86400, "hour": 3600, "minute": 60}


def local(moment: str) -> str:
    """A moment in ISO 8601, as a clock and a calendar here have it: 2026-11-22 20:15 CET."""
    return f"{datetime.fromisoformat(moment).astimezone():%Y-%m-%d %H:%M %Z}"


def relative(moment: str) -> str:
    """How long ago that was, or how long it is until then: 3 hours ago, in 5 minutes, now."""
    from godaemon.system.clock import SystemClock

    seconds = (datetime.fromisoformat(moment) - SystemClock().now()).total_seconds()
    for unit, length in _UNITS.items():
        if count := int(abs(seconds) // length):
            said = f"{count} {unit}{'s' * (count > 1)}"
            return f"in {said}" if seconds > 0 else f"{said} ago"
    return "now" if seconds > 0 else "just now"
