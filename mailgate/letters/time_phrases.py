"""Time in letters: moments, spans, how clocks work, and what is left of them. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

from godaemon.games.game_clock import DaysOff, GameClock, Span, TimeSettings
from godaemon.games.time_in_words import settings_in_words, span
from godaemon.rules.points import Color
from godaemon.texts import catalogue
from godaemon.texts.catalogue import say
from mailgate.letters.blocks import Words
from mailgate.letters.letter_view import LetterView


def moment(view: LetterView, at: datetime) -> str:
    """A moment in the reader's zone: `Tue 8 Dec, 05:19`, with a zone they have not chosen."""
    zone, offset = view.data.reader.zone, view.data.reader.utc_offset
    at = at.astimezone(ZoneInfo(zone) if zone else timezone(timedelta(minutes=offset)))
    year = at.year != view.data.owed_at.year
    told = catalogue.moment(at, say("pattern-with-year" if year else "pattern-of-moment"))
    return told if zone or offset else say("moment-utc", moment=told)


def explained(settings: TimeSettings | None) -> Iterator[Words]:
    """How the clocks of a game work, for who may not have met one."""
    if settings is not None:
        yield Words(say("clock-explained", settings=settings_in_words(settings)))


def stop_clocks(line: str) -> Iterator[Words]:
    """How to pause one's clocks while away, by that line; nothing without one."""
    if line:
        yield Words(say("stop-clocks", line=line))


def is_away(view: LetterView) -> bool:
    """True while the reader is on a vacation, in a game with clocks."""
    clock, now = view.game.clock, view.data.clock_now
    if clock is None or view.color is None:
        return False
    return any(begin <= now for begin, _ in clock.off(view.color).after(now).vacations)


def time_left(view: LetterView) -> tuple[Words, ...]:
    """How long the reader has, and until when; and when the other's clock stands."""
    clock, game, now = view.game.clock, view.game, view.data.clock_now
    if clock is None or game.phase.over:
        return ()
    found = [] if view.teaching or view.color is None else _standing(view, clock)
    if view.data.paused:
        since, latest, why = view.data.paused
        times = {"since": moment(view, since), "latest": moment(view, latest)}
        found.append(say("paused-why", why=why, **times) if why else say("paused", **times))
    if clock.given:
        found.append(view.tell(clock.turn.word, "given-time", span=span(clock.given)))
    if clock.since is None or not view.mine(clock.turn.word):
        return tuple(map(Words, found))
    left = clock.remaining(clock.turn, now)
    if any(begin <= now for begin, _ in clock.off(clock.turn).after(now).vacations):
        found.append(say("play-while-away"))
    return tuple(map(Words, (_deadline(view, clock, left), *found)))


def deadline(view: LetterView) -> datetime | None:
    """Until when the reader has to answer; None where no clock of theirs runs."""
    clock, now = view.game.clock, view.data.clock_now
    if clock is None or clock.since is None or view.game.phase.over or view.data.paused:
        return None
    left = clock.remaining(clock.turn, now)
    return clock.off(clock.turn).later(now, left) if view.mine(clock.turn.word) else None


def _deadline(view: LetterView, clock: GameClock, left: timedelta) -> str:
    """Until when the reader has to answer, and what of the time does not count."""
    until = deadline(view)
    if until is None:
        return say("time-left", span=span(left))
    told = say("time-left-until", span=span(left), moment=moment(view, until))
    return " ".join([told, *_except(view, clock.off(clock.turn), view.data.clock_now)])


def _except(view: LetterView, off: DaysOff, now: datetime) -> Iterator[str]:
    for begin, end in off.after(now).vacations:
        key = "you-away-from" if begin > now else "you-away"
        yield say(key, begin=moment(view, begin), end=moment(view, end))
    if off.weekends:
        yield say("you-weekends")


def _standing(view: LetterView, clock: GameClock) -> list[str]:
    """When the clock of the other player stands."""
    now, other = view.data.owed_at, view.other
    off = clock.off(view.color.opponent if view.color else clock.turn).after(now)
    said = [_away(view, other, one, now) for one in off.vacations]
    return [*said, *([say("they-weekends", who=other)] if off.weekends else [])]


def _away(view: LetterView, who: str, away: Span, now: datetime) -> str:
    begin, end = away
    key = "they-away-from" if begin > now else "they-away"
    return say(key, who=who, begin=moment(view, begin), end=moment(view, end))


def clocks(view: LetterView, clock: GameClock) -> str:
    """What the other player has left: `Bob has 10 days.`; or both, for who only watches."""
    now = view.data.clock_now
    told = []
    for color in Color:
        if view.teaching or color is not view.color:
            left = span(clock.remaining(color, now))
            told.append(say("they-have", who=view.named(color), span=left))
    return " ".join(told[:1] if view.teaching else told)
