"""Clocks: time settings, time left, when reminders are due and a flag falls, and days off.

Pure but for time zones; all moments are UTC arguments. A clock keeps what a side had at the
beginning of its turn, so that a pause moves that beginning and nothing else. Weekends are Saturday
and Sunday of a time zone. Raises `ValueError` for a text that is no time setting.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import NamedTuple
from zoneinfo import ZoneInfo

from godaemon.games.quick_changes import with_changes
from godaemon.rules.points import Color

Span = tuple[datetime, datetime]
"""A beginning and an end."""


@dataclass(frozen=True, slots=True)
class DaysOff:
    """When a player's clock stands."""

    vacations: tuple[Span, ...] = ()
    """In order, without overlaps."""
    weekends: str = ""
    """The time zone whose weekends are off; "" for none."""

    def after(self, moment: datetime) -> DaysOff:
        kept = ((max(begin, moment), end) for begin, end in self.vacations if end > moment)
        return DaysOff(tuple(kept), self.weekends)

    def running_time(self, since: datetime, until: datetime) -> timedelta:
        at, ran = self.skip_time_off(since), timedelta()
        while at < until:
            stop = min(self._next_beginning(at) or until, until)
            at, ran = self.skip_time_off(stop), ran + (stop - at)
        return ran

    def moment_after(self, since: datetime, ran: timedelta) -> datetime:
        """The moment at which the clock will have run that long; never within days off."""
        at = self.skip_time_off(since)
        while (stop := self._next_beginning(at)) is not None and stop - at <= ran:
            at, ran = self.skip_time_off(stop), ran - (stop - at)
        return at + ran

    def skip_time_off(self, moment: datetime) -> datetime:
        """The first moment from `moment` on when the clock runs."""
        while end := next(
            (end for begin, end in self._spans_near(moment) if begin <= moment), None
        ):
            moment = end
        return moment

    def _next_beginning(self, moment: datetime) -> datetime | None:
        return min((begin for begin, _ in self._spans_near(moment) if begin > moment), default=None)

    def _spans_near(self, moment: datetime) -> list[Span]:
        """The vacations that end after a moment, and that week's weekend if weekends are off."""
        found = [one for one in self.vacations if one[1] > moment]
        if self.weekends:
            zone = ZoneInfo(self.weekends)
            day = moment.astimezone(zone).date()
            monday = day + timedelta(days=7 - day.weekday())
            found.append((midnight(monday - timedelta(days=2), zone), midnight(monday, zone)))
        return found


def midnight(day: date, zone: tzinfo) -> datetime:
    return datetime.combine(day, time(), zone).astimezone(UTC)


NONE = timedelta()
UNREAD = timedelta(days=7)
"""How long a clock waits for the email that tells of the turn."""
RESTS = timedelta(days=30)
"""The most vacation of a player in one game, weekends apart."""
WRONG = timedelta(days=31)
"""A clock that starts later than this was set while our clock was wrong."""
ALWAYS = DaysOff()
LAST_DAY = timedelta(days=1)
REMINDED_FROM = timedelta(hours=12)
"""The shortest time that has reminders."""
LATE = timedelta(hours=1)
"""The time left to a player who overstepped the limit, but answered before we noticed."""
_UNITS = {"d": 86_400, "h": 3_600, "m": 60, "s": 1}


class TimeLeft(NamedTuple):
    """A side's time at the beginning of its turn: main time, and then overtime.

    `overtime` is the length of each of `number` periods, or (Canadian) the time for as many stones.
    """

    main: timedelta
    overtime: timedelta = NONE
    number: int = 0


@dataclass(frozen=True, slots=True)
class TimeSettings:
    """A time system: main time, with an increment after each turn, or with overtime.

    >>> TimeSettings.parse("10d+36h").increment
    datetime.timedelta(days=1, seconds=43200)
    >>> str(TimeSettings(timedelta(hours=1), overtime=timedelta(seconds=30), count=5))
    '1h+5x30s'
    """

    main: timedelta = NONE
    increment: timedelta = NONE
    cap: timedelta = NONE
    """The most main time that increments can fill up."""
    overtime: timedelta = NONE
    count: int = 0
    """The number of byo-yomi periods of `overtime`, or of stones."""
    canadian: bool = False
    """Whether `count` stones are to be played within `overtime`."""

    @classmethod
    def parse(cls, text: str) -> TimeSettings:
        """The settings of a text that `str` has written; raises `ValueError`."""
        found = _WRITTEN.fullmatch(text)
        if found is None:
            raise ValueError(f"no time settings: {text!r}")
        said = found.groupdict("")
        return cls(
            main=_parse_duration(said["main"] or said["bank"]),
            increment=_parse_duration(said["increment"]),
            cap=_parse_duration(said["cap"] or (said["increment"] and said["main"])),
            overtime=_parse_duration(said["overtime"] or said["move"]),
            count=1 if said["move"] else int(said["periods"] or said["stones"] or 0),
            canadian=bool(said["stones"]),
        )

    def __str__(self) -> str:
        """The settings as stored and written: `10d+36h`, `3d/move`, `1h+5x30s`, `9d each`."""
        main = format_duration(self.main)
        if self.increment:
            most = f" max {format_duration(self.cap)}" if self.cap != self.main else ""
            return f"{main}+{format_duration(self.increment)}{most}"
        if not self.count:
            return f"{main} each"
        if not self.main and self.count == 1 and not self.canadian:
            return f"{format_duration(self.overtime)}/move"
        overtime = f"{self.count}{'/' if self.canadian else 'x'}{format_duration(self.overtime)}"
        return f"{main}+{overtime}" if self.main else overtime

    @property
    def full(self) -> TimeLeft:
        return TimeLeft(self.main, self.overtime, self.count)

    def longest_turn(self, left: TimeLeft) -> timedelta:
        """The longest time that a turn may take if it begins with `left`."""
        return left.main + left.overtime * (1 if self.canadian else left.number)

    def after_move(self, left: TimeLeft, took: timedelta) -> TimeLeft:
        found = self.after_no_move(left, took)
        if not self.count:
            return TimeLeft(max(found.main, min(found.main + self.increment, self.cap)))
        if not self.canadian or took < left.main:
            return found
        if left.number == 1:
            return TimeLeft(NONE, self.overtime, self.count)
        return found._replace(number=left.number - 1)

    def after_no_move(self, left: TimeLeft, took: timedelta) -> TimeLeft:
        """The time left after a turn that ended without a move."""
        found = self.within_turn(left, took)
        return found if self.canadian or not self.count else found._replace(overtime=self.overtime)

    def within_turn(self, left: TimeLeft, took: timedelta) -> TimeLeft:
        """The time on a clock within a turn; the first byo-yomi period is the one that runs."""
        over = took - left.main
        if over < NONE or not self.count:
            return left._replace(main=max(left.main - took, NONE))
        if self.canadian:
            return TimeLeft(NONE, max(left.overtime - over, NONE), left.number)
        used = min(over // self.overtime, left.number - 1)
        return TimeLeft(NONE, max(self.overtime * (used + 1) - over, NONE), left.number - used)

    @property
    def sgf_overtime(self) -> str:
        """The overtime as other servers write SGF's OT: `5x30 byo-yomi`."""
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


def format_duration(time: timedelta) -> str:
    """A time in the largest unit that divides it: `10d`, `36h`."""
    seconds = int(time.total_seconds())
    unit = next(unit for unit, length in _UNITS.items() if seconds % length == 0)
    return f"{seconds // _UNITS[unit]}{unit}"


def _parse_duration(text: str) -> timedelta:
    return timedelta(seconds=int(text[:-1]) * _UNITS[text[-1]]) if text else NONE


@dataclass(frozen=True, slots=True)
class GameClock:
    """The clocks of a game."""

    settings: TimeSettings
    black: TimeLeft
    white: TimeLeft
    turn: Color
    """The side to act."""
    asked: int
    """The length of the log when the turn began: emails of that length tell of it."""
    since: datetime | None
    """When the clock of `turn` began or begins to run; None if it stands."""
    spent: timedelta = NONE
    """What this turn has taken before `since`."""
    handed: bool = False
    """Whether its player has been told; until then `since` is when the clock starts at last."""
    readings: tuple[tuple[int, TimeLeft], ...] = ()
    """What was left after each move, with its number."""
    given: timedelta = NONE
    """The time of this turn that was given back."""
    reminded: int = 0
    """The number of reminders of this turn."""
    days_off: Mapping[Color, DaysOff] = field(default_factory=dict)
    rested: Mapping[Color, tuple[Span, ...]] = field(default_factory=dict)
    """The vacations of each side before `days_off` changed."""

    @property
    def waits(self) -> bool:
        """True until its player has been told of the turn."""
        return self.since is not None and not self.handed

    def left_before_turn(self, color: Color) -> TimeLeft:
        return self.black if color is Color.BLACK else self.white

    def used_at(self, now: datetime) -> timedelta:
        return self.spent + (
            self.days_off_of(self.turn).running_time(self.since, now) if self.since else NONE
        )

    def days_off_of(self, color: Color) -> DaysOff:
        return self.days_off.get(color, ALWAYS)

    def remaining(self, color: Color, now: datetime) -> timedelta:
        used = self.used_at(now) if color is self.turn else NONE
        return max(self.settings.longest_turn(self.left_before_turn(color)) - used, NONE)

    @property
    def deadline(self) -> datetime | None:
        """When the flag falls; None if the clock stands."""
        return next(self._moments(NONE), None)

    @property
    def soonest_deadline(self) -> datetime | None:
        """When the flag falls if the player is told of the turn at once; lists show this."""
        falls = self.deadline
        return falls - UNREAD if falls and self.waits else falls

    def _moments(self, *left: timedelta) -> Iterator[datetime]:
        """When these times will be left of the turn; nothing if the clock stands."""
        total = self.settings.longest_turn(self.left_before_turn(self.turn)) - self.spent
        if self.since is not None:
            for each in left:
                yield self.days_off_of(self.turn).moment_after(self.since, max(total - each, NONE))

    @property
    def reminders(self) -> tuple[datetime, ...]:
        """When the player is reminded: with half of a long time left, and on the last day."""
        total = self.settings.longest_turn(self.left_before_turn(self.turn))
        if total < REMINDED_FROM:
            return ()
        last = (LAST_DAY,) if total >= 4 * LAST_DAY else ()
        return tuple(self._moments(total / 2, *last))

    @property
    def alarm(self) -> datetime | None:
        """When the next reminder is due, or the flag falls."""
        return next(iter(self.reminders[self.reminded :]), self.deadline)

    def start_turn(self, turn: Color, asked: int, now: datetime) -> GameClock:
        """Begin a turn, whose clock waits for the email that tells of it."""
        return with_changes(
            self,
            turn=turn,
            asked=asked,
            since=now + UNREAD,
            spent=NONE,
            given=NONE,
            handed=False,
            reminded=0,
        )

    def ask_again(self, asked: int, now: datetime) -> GameClock:
        """Let the clock wait for an email about something new for the same player."""
        if self.since is None:
            return self
        new = self.start_turn(self.turn, asked, now)
        return with_changes(new, spent=self.used_at(now), given=self.given, reminded=self.reminded)

    def hand_over(self, now: datetime) -> GameClock:
        """Start the clock of the player who has been told of the turn."""
        return with_changes(self, since=min(self.since or now, now), handed=True)

    def vacation_left(self, color: Color, now: datetime) -> timedelta:
        rested = (until - begin for begin, until in self._vacations_taken(color, now))
        return RESTS - sum(rested, NONE)

    def _vacations_taken(self, color: Color, now: datetime) -> tuple[Span, ...]:
        spans = (*self.rested.get(color, ()), *self.days_off_of(color).vacations)
        return tuple((begin, min(until, now)) for begin, until in spans if begin < now)

    def set_days_off(self, color: Color, now: datetime, off: DaysOff) -> GameClock:
        paused = with_changes(
            self,
            days_off={**self.days_off, color: off},
            rested={**self.rested, color: self._vacations_taken(color, now)},
        )
        if color is not self.turn or self.since is None or self.since > now:
            return paused
        return with_changes(paused, spent=self.used_at(now), since=now)

    def credit(self, now: datetime, time: timedelta) -> GameClock:
        spent = max(self.used_at(now) - time, NONE)
        return with_changes(self, spent=spent, since=now, given=self.given + time)

    def stop(self, now: datetime) -> GameClock:
        return with_changes(self, spent=self.used_at(now), since=None)

    def end_turn(self, now: datetime, move: int | None, *, earns: bool = True) -> GameClock:
        """End the turn, by a move or not: take off what it took, and add what it `earns`.

        A player whose time was up has `LATE` for the next turn, or less if it began with less.
        """
        settings, before, took = self.settings, self.left_before_turn(self.turn), self.used_at(now)
        left = settings.after_move(before, took) if earns else settings.after_no_move(before, took)
        if not settings.longest_turn(left):
            left = left._replace(main=min(LATE, settings.longest_turn(settings.full)))
        black = left if self.turn is Color.BLACK else self.black
        white = left if self.turn is Color.WHITE else self.white
        read = ((move, left),) if move is not None else ()
        return with_changes(self, black=black, white=white, readings=(*self.readings, *read))


DEFAULT = TimeSettings.parse("10d+36h")
"""The usual time settings of a game between two people."""
