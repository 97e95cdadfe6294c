"""Time in letters: moments, how clocks work, and what is left of them. Pure."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from godaemon.games.game_clock import GameClock, TimeSettings
from godaemon.games.model import Phase
from godaemon.games.time_in_words import settings_in_words, span
from godaemon.rules.points import Color
from mailgate.letters.blocks import Words
from mailgate.letters.letter_view import LetterView


def moment(view: LetterView, at: datetime) -> str:
    """A moment in the reader's zone: `Thursday 3 December 2026, 04:00 Europe/Berlin`."""
    zone = view.data.zone or "UTC"
    at = at.astimezone(ZoneInfo(zone))
    return f"{at:%A} {at.day} {at:%B %Y, %H:%M} {zone}"


def explained(settings: TimeSettings | None) -> tuple[Words, ...]:
    """How the clocks of a game work, for who may not have met one."""
    if settings is None:
        return ()
    words = (
        f"Time: {settings_in_words(settings)}. Your clock runs from when I have written to you"
        " until your answer is here; who lets it run out loses the game."
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
