"""Clocks: time settings, what each side has left, when a flag falls, and days off.

Pure but for time zones; all moments are UTC arguments. A clock keeps what a side had at the
beginning of its turn, so that a pause moves that beginning and nothing else. Weekends are Saturday
and Sunday of a time zone. Raises `ValueError` for a text that is no time setting.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from godaemon.games.frozen import changed
from godaemon.rules.points import Color

Span = tuple[datetime, datetime]
"""From a moment until another."""


@dataclass(frozen=True, slots=True)
class DaysOff:
    """When a player's clock stands."""

    vacations: tuple[Span, ...] = ()
    """In their order; none meets another."""
    weekends: str = ""
    """The time zone whose weekends are off; "" where they count."""

    def after(self, at: datetime) -> DaysOff:
        """The same from a moment on."""
        kept = ((max(begin, at), end) for begin, end in self.vacations if end > at)
        return DaysOff(tuple(kept), self.weekends)

    def elapsed(self, since: datetime, until: datetime) -> timedelta:
        """How much of a time the clock runs."""
        at, ran = self.skipped(since), timedelta()
        while at < until:
            stop = min(self._next(at) or until, until)
            at, ran = self.skipped(stop), ran + (stop - at)
        return ran

    def later(self, since: datetime, ran: timedelta) -> datetime:
        """The moment by which the clock will have run for so long, never within a time off."""
        at = self.skipped(since)
        while (stop := self._next(at)) is not None and stop - at <= ran:
            at, ran = self.skipped(stop), ran - (stop - at)
        return at + ran

    def skipped(self, at: datetime) -> datetime:
        """The first moment from `at` on at which the clock runs."""
        while (end := next((end for begin, end in self._near(at) if begin <= at), at)) > at:
            at = end
        return at

    def _next(self, at: datetime) -> datetime | None:
        """When the next time off begins."""
        return min((begin for begin, _ in self._near(at) if begin > at), default=None)

    def _near(self, at: datetime) -> list[Span]:
        """The vacations that end after a moment, and the weekend that does, if they are off."""
        found = [one for one in self.vacations if one[1] > at]
        if self.weekends:
            zone = ZoneInfo(self.weekends)
            day = at.astimezone(zone).date()
            monday = day + timedelta(days=7 - day.weekday())
            found.append((midnight(monday - timedelta(days=2), zone), midnight(monday, zone)))
        return found


def midnight(day: date, zone: ZoneInfo) -> datetime:
    """The beginning of a day in a zone."""
    return datetime.combine(day, time(), zone).astimezone(UTC)


NONE = timedelta()
UNREAD = timedelta(days=7)
"""For how long at most a clock waits for the letter that tells its player of their turn."""
RESTS = timedelta(days=30)
"""For so long in all a player may be on vacation in one game, weekends apart."""
WRONG = timedelta(days=31)
"""What begins to run later than in so long was set by a clock that went wrong."""
ALWAYS = DaysOff()
LAST_DAY = timedelta(days=1)
REMINDED_FROM = timedelta(hours=12)
"""Of shorter times nobody is reminded."""
LATE = timedelta(hours=1)
"""What is left at least to who was heard after their time, before the flag had fallen."""
_UNITS = {"d": 86_400, "h": 3_600, "m": 60, "s": 1}


class TimeLeft(NamedTuple):
    """The time a side has at the beginning of its turn: main time, and then overtime.

    `overtime` is the length of each of `number` periods; or what is left for as many stones.
    """

    main: timedelta
    overtime: timedelta = NONE
    number: int = 0


@dataclass(frozen=True, slots=True)
class TimeSettings:
    """A time system: a main time, and what is added after each turn, or follows when it is used up.

    >>> TimeSettings.parse("10d+36h").increment
    datetime.timedelta(days=1, seconds=43200)
    >>> str(TimeSettings(timedelta(hours=1), overtime=timedelta(seconds=30), count=5))
    '1h+5x30s'
    """

    main: timedelta = NONE
    increment: timedelta = NONE
    cap: timedelta = NONE
    """What increments never lift the main time above."""
    overtime: timedelta = NONE
    count: int = 0
    """So many periods of `overtime` (byo-yomi: one is kept by who moves within it); or stones."""
    canadian: bool = False
    """Whether `count` are the stones to be played within `overtime`."""

    @classmethod
    def parse(cls, text: str) -> TimeSettings:
        """The settings that `str` has written; raises `ValueError`."""
        found = _WRITTEN.fullmatch(text)
        if found is None:
            raise ValueError(f"no time settings: {text!r}")
        said = found.groupdict("")
        return cls(
            main=_duration(said["main"] or said["bank"]),
            increment=_duration(said["increment"]),
            cap=_duration(said["cap"] or (said["increment"] and said["main"])),
            overtime=_duration(said["overtime"] or said["move"]),
            count=1 if said["move"] else int(said["periods"] or said["stones"] or 0),
            canadian=bool(said["stones"]),
        )

    def __str__(self) -> str:
        """As it is kept, and can be written: `10d+36h`, `3d/move`, `1h+5x30s`, `9d each`."""
        main = duration(self.main)
        if self.increment:
            most = f" max {duration(self.cap)}" if self.cap != self.main else ""
            return f"{main}+{duration(self.increment)}{most}"
        if not self.count:
            return f"{main} each"
        if not self.main and self.count == 1 and not self.canadian:
            return f"{duration(self.overtime)}/move"
        overtime = f"{self.count}{'/' if self.canadian else 'x'}{duration(self.overtime)}"
        return f"{main}+{overtime}" if self.main else overtime

    @property
    def full(self) -> TimeLeft:
        """What each side has to begin with."""
        return TimeLeft(self.main, self.overtime, self.count)

    def total(self, left: TimeLeft) -> timedelta:
        """How long a turn may take that begins with so much."""
        return left.main + left.overtime * (1 if self.canadian else left.number)

    def after(self, left: TimeLeft, took: timedelta) -> TimeLeft:
        """What is left of it after a turn; none takes more than there was."""
        found = self.unearned(left, took)
        if not self.count:
            return TimeLeft(max(found.main, min(found.main + self.increment, self.cap)))
        if not self.canadian or took < left.main:
            return found
        if left.number == 1:
            return TimeLeft(NONE, self.overtime, self.count)
        return found._replace(number=left.number - 1)

    def unearned(self, left: TimeLeft, took: timedelta) -> TimeLeft:
        """What is left of it after a turn in which nothing was played."""
        found = self.shown(left, took)
        return found if self.canadian or not self.count else found._replace(overtime=self.overtime)

    def shown(self, left: TimeLeft, took: timedelta) -> TimeLeft:
        """What is left of it in the middle of a turn that has taken so long, as a clock shows it.

        Of byo-yomi's periods the first is then the one that runs.
        """
        over = took - left.main
        if over < NONE or not self.count:
            return left._replace(main=max(left.main - took, NONE))
        if self.canadian:
            return TimeLeft(NONE, max(left.overtime - over, NONE), left.number)
        used = min(over // self.overtime, left.number - 1)
        return TimeLeft(NONE, max(self.overtime * (used + 1) - over, NONE), left.number - used)

    @property
    def sgf_overtime(self) -> str:
        """The overtime as SGF's OT has it on other servers: `5x30 byo-yomi`."""
        seconds = int(self.overtime.total_seconds())
        if self.increment:
            return f"{int(self.increment.total_seconds())} fischer"
        if not self.count:
            return ""
        if self.canadian:
            return f"{self.count}/{seconds} canadian"
        return f"{self.count}x{seconds} byo-yomi"


_TIME = r"[1-9]\d{0,7}[dhms]"
_WRITTEN = re.compile(
    rf"(?P<move>{_TIME})/move"
    rf"|(?P<main>{_TIME})(?: each|\+(?P<increment>{_TIME})(?: max (?P<cap>{_TIME}))?)"
    rf"|(?:(?P<bank>{_TIME})\+)?(?:(?P<periods>[1-9]\d?)x|(?P<stones>[1-9]\d?)/)"
    rf"(?P<overtime>{_TIME})"
)


def duration(time: timedelta) -> str:
    """A time in the largest unit of which it is so many: `10d`, `36h`."""
    seconds = int(time.total_seconds())
    unit = next(unit for unit, length in _UNITS.items() if seconds % length == 0)
    return f"{seconds // _UNITS[unit]}{unit}"


def _duration(text: str) -> timedelta:
    return timedelta(seconds=int(text[:-1]) * _UNITS[text[-1]]) if text else NONE


@dataclass(frozen=True, slots=True)
class GameClock:
    """The clocks of a game: what each side has, whose turn it is, and since when its clock runs."""

    settings: TimeSettings
    black: TimeLeft
    white: TimeLeft
    turn: Color
    """Whose decision is awaited."""
    asked: int
    """How long the game's log was when it came to be: letters of no less tell of it."""
    since: datetime | None
    """From when on the clock of `turn` runs; None where it stands."""
    spent: timedelta = NONE
    """What this turn has taken before that."""
    handed: bool = False
    """Whether its player has been told; else `since` is when the clock waits for that no longer."""
    readings: tuple[tuple[int, TimeLeft], ...] = ()
    """What each move has left its player with, by the move's number."""
    given: timedelta = NONE
    """What of this turn was given back, as nobody could be heard then."""
    reminded: int = 0
    """How many reminders of this turn were owed."""
    days_off: Mapping[Color, DaysOff] = field(default_factory=dict)
    """When the clocks of the sides stand, since that was said last."""
    rested: Mapping[Color, tuple[Span, ...]] = field(default_factory=dict)
    """When the sides had been on vacation before that."""

    @property
    def waits(self) -> bool:
        """Whether its player has yet to be told of their turn."""
        return self.since is not None and not self.handed

    def left(self, color: Color) -> TimeLeft:
        """What a side had at the beginning of its turn."""
        return self.black if color is Color.BLACK else self.white

    def used(self, now: datetime) -> timedelta:
        """How much of the turn's time has run down."""
        return self.spent + (self.off(self.turn).elapsed(self.since, now) if self.since else NONE)

    def off(self, color: Color) -> DaysOff:
        """When a side's clock stands."""
        return self.days_off.get(color, ALWAYS)

    def remaining(self, color: Color, now: datetime) -> timedelta:
        """How long a side has until its flag falls, if its clock runs from now on."""
        used = self.used(now) if color is self.turn else NONE
        return max(self.settings.total(self.left(color)) - used, NONE)

    @property
    def deadline(self) -> datetime | None:
        """When the flag of `turn` falls; None where no clock runs."""
        return next(self._moments(NONE), None)

    @property
    def soonest(self) -> datetime | None:
        """The same where its player is told of the turn at once: what a list says is left."""
        falls = self.deadline
        return falls - UNREAD if falls and self.waits else falls

    def _moments(self, *left: timedelta) -> Iterator[datetime]:
        """When so much of the turn's time will be left; nothing where its clock stands."""
        total = self.settings.total(self.left(self.turn)) - self.spent
        if self.since is not None:
            for each in left:
                yield self.off(self.turn).later(self.since, max(total - each, NONE))

    @property
    def reminders(self) -> tuple[datetime, ...]:
        """When the player is reminded: when half of a long time is left, and on the last day."""
        total = self.settings.total(self.left(self.turn))
        if total < REMINDED_FROM:
            return ()
        last = (LAST_DAY,) if total >= 4 * LAST_DAY else ()
        return tuple(self._moments(total / 2, *last))

    @property
    def alarm(self) -> datetime | None:
        """When something is to happen by itself: a reminder, or the end."""
        return next(iter(self.reminders[self.reminded :]), self.deadline)

    def start(self, turn: Color, asked: int, at: datetime) -> GameClock:
        """A new turn, whose clock waits for the letter that tells of it."""
        return changed(
            self,
            turn=turn,
            asked=asked,
            since=at + UNREAD,
            spent=NONE,
            given=NONE,
            handed=False,
            reminded=0,
        )

    def ask_again(self, asked: int, at: datetime) -> GameClock:
        """The same player has something new to decide: their clock waits for its letter, too."""
        if self.since is None:
            return self
        again = self.start(self.turn, asked, at)
        return changed(again, spent=self.used(at), given=self.given, reminded=self.reminded)

    def hand_over(self, at: datetime) -> GameClock:
        """The player whose turn it is has been told: their clock runs, if it did not."""
        return changed(self, since=min(self.since or at, at), handed=True)

    def rest_left(self, color: Color, at: datetime) -> timedelta:
        """For how long a side may be on vacation from now on, so that no game is without end."""
        rested = (until - begin for begin, until in self._rested(color, at))
        return RESTS - sum(rested, NONE)

    def _rested(self, color: Color, at: datetime) -> tuple[Span, ...]:
        """When a side was on vacation until a moment; what a clock was ahead by has never been."""
        spans = (*self.rested.get(color, ()), *self.off(color).vacations)
        return tuple((begin, min(until, at)) for begin, until in spans if begin < at)

    def pause(self, color: Color, at: datetime, off: DaysOff) -> GameClock:
        """From now on a side's clock stands at other times than before."""
        paused = changed(
            self,
            days_off={**self.days_off, color: off},
            rested={**self.rested, color: self._rested(color, at)},
        )
        if color is not self.turn or self.since is None or self.since > at:
            return paused
        return changed(paused, spent=self.used(at), since=at)

    def credit(self, at: datetime, time: timedelta) -> GameClock:
        """So much of what the turn has used so far is given back."""
        spent = max(self.used(at) - time, NONE)
        return changed(self, spent=spent, since=at, given=self.given + time)

    def stop(self, at: datetime) -> GameClock:
        """The turn's clock stands; what it has used so far, it has used."""
        return changed(self, spent=self.used(at), since=None)

    def end_turn(self, at: datetime, move: int | None, *, earns: bool = True) -> GameClock:
        """The turn is over, by a move or not: what it took is taken off, what it earns is added.

        Who was late, and was heard all the same, has `LATE` for the next turn, or the whole time
        that a side has at first where that is less.
        """
        before, took = self.left(self.turn), self.used(at)
        left = self.settings.after(before, took) if earns else self.settings.unearned(before, took)
        if not self.settings.total(left):
            left = left._replace(main=min(LATE, self.settings.total(self.settings.full)))
        black = left if self.turn is Color.BLACK else self.black
        white = left if self.turn is Color.WHITE else self.white
        read = ((move, left),) if move is not None else ()
        return changed(self, black=black, white=white, readings=(*self.readings, *read))


DEFAULT = TimeSettings.parse("10d+36h")
"""For games between two people who have said nothing of time."""
