"""Times in words: moments, deadlines, pauses, and the time left."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from godaemon.games.days_off import DaysOff
from godaemon.games.game_clock import GameClock
from godaemon.games.views import span_text
from godaemon.rules.points import Color
from godaemon.texts import catalogue
from godaemon.texts.catalogue import say
from mailgate.letters.blocks import join_sentences
from mailgate.letters.letter_view import LetterView


def moment_in_words(view: LetterView, moment: datetime) -> str:
    """A moment in the reader's zone: `Tue 8 Dec, 05:19`; with the zone if it was not chosen."""
    reader = view.data.reader
    moment = moment.astimezone(reader.local_zone)
    is_this_year = moment.year == view.data.queued_at.year
    pattern = say("pattern-of-moment" if is_this_year else "pattern-with-year")
    text = catalogue.format_moment(moment, pattern)
    return text if reader.zone or reader.utc_offset else say("moment-utc", moment=text)


def _is_on_vacation(clock: GameClock, color: Color, now: datetime) -> bool:
    return any(begin <= now for begin, _ in clock.days_off_of(color).after(now).vacations)


def is_away(view: LetterView) -> bool:
    """True while the reader is on a vacation, in a game with clocks."""
    clock = view.game.clock
    return bool(clock and view.color and _is_on_vacation(clock, view.color, view.data.clock_now))


def time_left(view: LetterView) -> list[str]:
    """The reader's time and deadline, and the pauses of the other player's clock."""
    clock, now = view.game.clock, view.data.clock_now
    if clock is None or view.game.phase.over:
        return []
    found = list[str]()
    if not view.teaching and view.color is not None:
        off = clock.days_off_of(view.color.opponent)
        found += _absences(view, "they", off, view.data.queued_at)
    if view.data.paused:
        since, latest, why = view.data.paused
        times = {"since": moment_in_words(view, since), "latest": moment_in_words(view, latest)}
        found.append(say("paused-why" if why else "paused", why=why, **times))
    if given := clock.time_credited:
        found.append(view.say_who(clock.turn.word, "given-time", span=span_text(given)))
    if clock.since is not None and view.is_mine(clock.turn.word):
        found.insert(0, _deadline_in_words(view, clock, clock.remaining(clock.turn, now)))
        found += [say("play-while-away")] if _is_on_vacation(clock, clock.turn, now) else []
    return found


def deadline(view: LetterView) -> datetime | None:
    """The time by which the reader has to answer; None if their clock does not run."""
    clock, now = view.game.clock, view.data.clock_now
    if clock is None or clock.since is None or view.game.phase.over or view.data.paused:
        return None
    mine, left = view.is_mine(clock.turn.word), clock.remaining(clock.turn, now)
    return clock.days_off_of(clock.turn).moment_after(now, left) if mine else None


def _deadline_in_words(view: LetterView, clock: GameClock, left: timedelta) -> str:
    until = deadline(view)
    if until is None:
        return say("time-left", span=span_text(left))
    first = say("time-left-until", span=span_text(left), moment=moment_in_words(view, until))
    off = clock.days_off_of(clock.turn)
    return join_sentences(first, *_absences(view, "you", off, view.data.clock_now))


def _absences(view: LetterView, who: str, off: DaysOff, now: datetime) -> Iterator[str]:
    for begin, end in off.after(now).vacations:
        key = f"{who}-away-from" if begin > now else f"{who}-away"
        yield view.say(key, begin=moment_in_words(view, begin), end=moment_in_words(view, end))
    if off.weekends:
        yield view.say(f"{who}-weekends")


def clocks_in_words(view: LetterView, clock: GameClock) -> str:
    """The other player's time left: `Bob has 10 days.`; for spectators that of both."""
    now = view.data.clock_now
    colors = [*Color][:1] if view.teaching else [one for one in Color if one is not view.color]
    left = {color: span_text(clock.remaining(color, now)) for color in colors}
    return " ".join(say("they-have", who=view.name_of(color), span=left[color]) for color in left)
