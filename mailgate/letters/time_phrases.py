"""Time in letters: moments, how clocks work, and what is left of them. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from zoneinfo import ZoneInfo

from godaemon.games.days_off import DaysOff, Span
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


def explained(settings: TimeSettings | None) -> Iterator[Words]:
    """How the clocks of a game work, for who may not have met one."""
    if settings is not None:
        yield Words(
            f"Time: {settings_in_words(settings)}. Your clock runs from when I have written to you"
            " until your answer is here; who lets it run out loses the game."
        )


def stop_clocks(line: str) -> Iterator[Words]:
    """How who says that they will be away stops their clocks, by that line; nothing without one."""
    if line:
        yield Words(f"To stop your clocks while you are away, reply with: `{line}`")


def time_left(view: LetterView) -> tuple[Words, ...]:
    """How long the reader has, and until when; and when the other's clock stands."""
    clock, game, now = view.game.clock, view.game, view.data.clock_now
    if clock is None or game.phase.over:
        return ()
    found = [] if view.teaching or view.color is None else _standing(view, clock)
    if view.data.paused:
        since, latest, why = view.data.paused
        found.append(
            f"The clocks of all games stand since {moment(view, since)}{why and f' ({why})'}, until"
            f" {moment(view, latest)} at the latest."
        )
    if clock.given:
        mine = view.teaching or clock.turn is view.color
        who = "You have" if mine else f"{view.other} has"
        found.append(
            f"{who} been given {span(clock.given)} back: I could take no emails then, or all clocks"
            " stood."
        )
    if clock.since is None or not (view.teaching or clock.turn is view.color):
        return tuple(map(Words, found))
    left = clock.remaining(clock.turn, now)
    what = "your move" if game.phase is Phase.PLAYING else "your answer"
    off = clock.off(clock.turn)
    until = f": until {moment(view, off.later(now, left))}{_except(view, off, now)}"
    until = "" if view.data.paused else until
    if any(begin <= now for begin, _ in off.after(now).vacations):
        found.append("You may play while you are away. To end that sooner, reply with: `back`")
    return tuple(map(Words, (f"You have {span(left)} for {what}{until}.", *found)))


def _except(view: LetterView, off: DaysOff, now: datetime) -> str:
    """What of the time until a deadline does not count."""
    spans = [_away(view, one, now) for one in off.after(now).vacations]
    return "; ".join(["", *(f"you are {one}" for one in spans)]) + (
        "; weekends do not count" if off.weekends else ""
    )


def _away(view: LetterView, away: Span, now: datetime) -> str:
    begin, end = away
    since = f"from {moment(view, begin)} " if begin > now else ""
    return f"away {since}until {moment(view, end)}"


def _standing(view: LetterView, clock: GameClock) -> list[str]:
    """When the clock of the other player stands."""
    now, other = view.data.owed_at, view.other
    off = clock.off(view.color.opponent if view.color else clock.turn).after(now)
    said = [f"{other} is {_away(view, one, now)}; their clock stands." for one in off.vacations]
    return [*said, *([f"{other}'s clock stands on weekends."] if off.weekends else [])]


def clocks(view: LetterView, clock: GameClock) -> str:
    """What both players have left: `you have 9 days 4 hours left, Bob 10 days`."""
    now, sides = view.data.clock_now, []
    for color in sorted(Color, key=lambda color: color is not view.color):
        mine = color is view.color and not view.teaching
        who = "you have" if mine else view.named(color)
        sides.append(f"{who} {span(clock.remaining(color, now))}{' left' if mine else ''}")
    return ", ".join(sides)
