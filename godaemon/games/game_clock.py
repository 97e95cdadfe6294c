"""The clocks of a game: the time left to each side, and when a flag falls.

Pure; all moments are UTC arguments. A clock keeps what a side had at the beginning of its turn, so
that a pause moves that beginning and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from godaemon.games.days_off import DaysOff, Span
from godaemon.games.quick_changes import with_changes
from godaemon.games.time_systems import NONE, TimeLeft, TimeSettings
from godaemon.rules.points import Color

UNREAD = timedelta(days=7)
"""How long a clock waits for the email that tells of the turn."""
RESTS = timedelta(days=30)
"""The most vacation of a player in one game, weekends apart."""
WRONG = timedelta(days=31)
"""A clock that starts later than this was set while our clock was wrong."""
ALWAYS = DaysOff()
LATE = timedelta(hours=1)
"""The time left to a player who overstepped the limit, but answered before we noticed."""


@dataclass(frozen=True, slots=True)
class GameClock:
    """The clocks of a game."""

    settings: TimeSettings
    left: Mapping[Color, TimeLeft]
    """What each side had at the beginning of its turn."""
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

    def used_at(self, now: datetime) -> timedelta:
        return self.spent + (
            self.days_off_of(self.turn).running_time(self.since, now) if self.since else NONE
        )

    def days_off_of(self, color: Color) -> DaysOff:
        return self.days_off.get(color, ALWAYS)

    def remaining(self, color: Color, now: datetime) -> timedelta:
        used = self.used_at(now) if color is self.turn else NONE
        return max(self.settings.longest_turn(self.left[color]) - used, NONE)

    @property
    def deadline(self) -> datetime | None:
        """When the flag falls; None if the clock stands."""
        return next(self.moments_with(NONE), None)

    @property
    def soonest_deadline(self) -> datetime | None:
        """When the flag falls if the player is told of the turn at once; lists show this."""
        falls = self.deadline
        return falls - UNREAD if falls and self.waits else falls

    def moments_with(self, *left: timedelta) -> Iterator[datetime]:
        """When these times will be left of the turn; nothing if the clock stands."""
        total = self.settings.longest_turn(self.left[self.turn]) - self.spent
        if self.since is not None:
            for each in left:
                yield self.days_off_of(self.turn).moment_after(self.since, max(total - each, NONE))

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
        settings, before, took = self.settings, self.left[self.turn], self.used_at(now)
        left = settings.after_move(before, took) if earns else settings.after_no_move(before, took)
        if not settings.longest_turn(left):
            left = left._replace(main=min(LATE, settings.longest_turn(settings.full)))
        read = ((move, left),) if move is not None else ()
        sides = {**self.left, self.turn: left}
        return with_changes(self, left=sides, readings=(*self.readings, *read))
