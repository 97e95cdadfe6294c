"""The clocks of a game: the time left to each side, and the moment when a flag falls.

Pure; all moments are in UTC. A clock stores each side's time at the beginning of its turn, so that
a pause only moves that beginning.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from godaemon.games.days_off import DaysOff, Span
from godaemon.games.fast_replace import with_changes
from godaemon.games.time_systems import NONE, TimeLeft, TimeSettings
from godaemon.rules.points import Color

UNREAD = timedelta(days=7)
"""The longest time that a clock waits for the email about the turn to be sent."""
LONGEST_PAUSE = timedelta(days=30)
"""The limit on a player's vacation in one game, and on the time that a quarantined email adds."""
MOST_AHEAD = timedelta(days=31)
"""Starts and alarms further ahead than this were set while the machine's clock was wrong."""
ALWAYS = DaysOff()
"""No days off: the clock always runs."""
LATE = timedelta(hours=1)
"""The time left to a player whose move came after the flag fell, but before we noticed."""


@dataclass(frozen=True, slots=True)
class GameClock:
    """The clocks of a game."""

    settings: TimeSettings
    left: Mapping[Color, TimeLeft]
    """The time of each side at the beginning of its turn."""
    turn: Color
    """The side to act."""
    asked: int
    """The length of the log when the turn began; an email about a log this long shows the turn."""
    since: datetime | None
    """When the clock of `turn` started or will start; None if it is stopped."""
    spent: timedelta = NONE
    """The time used in this turn before `since`."""
    handed: bool = False
    """Whether the email about the turn was sent; until then `since` is the latest start."""
    readings: tuple[tuple[int, TimeLeft], ...] = ()
    """The number of each move, and the time left after it."""
    given: timedelta = NONE
    """The time given back in this turn."""
    reminded: int = 0
    """The number of reminders of this turn."""
    days_off: Mapping[Color, DaysOff] = field(default_factory=dict)
    rested: Mapping[Color, tuple[Span, ...]] = field(default_factory=dict)
    """The vacations that each side had taken when its `days_off` last changed."""

    @property
    def waits(self) -> bool:
        """True until the email about the turn was sent."""
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
        """When the flag falls; None if the clock is stopped."""
        return next(self.moments_with(NONE), None)

    @property
    def soonest_deadline(self) -> datetime | None:
        """When the flag falls if the email about the turn is sent at once; shown in lists."""
        latest = self.deadline
        return latest - UNREAD if latest and self.waits else latest

    def moments_with(self, *left: timedelta) -> Iterator[datetime]:
        """The moments when these times are left of the turn; none if the clock is stopped."""
        total = self.settings.longest_turn(self.left[self.turn]) - self.spent
        if self.since is not None:
            for each in left:
                yield self.days_off_of(self.turn).moment_after(self.since, max(total - each, NONE))

    def start_turn(self, turn: Color, asked: int, now: datetime) -> "GameClock":
        """Begin a turn; its clock waits for the email about it."""
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

    def ask_again(self, asked: int, now: datetime) -> "GameClock":
        """Let the clock wait for another email to the same player."""
        if self.since is None:
            return self
        new = self.start_turn(self.turn, asked, now)
        return with_changes(new, spent=self.used_at(now), given=self.given, reminded=self.reminded)

    def hand_over(self, now: datetime) -> "GameClock":
        """Start the clock, because the email about the turn was sent."""
        return with_changes(self, since=min(self.since or now, now), handed=True)

    def vacation_left(self, color: Color, now: datetime) -> timedelta:
        spans = (until - begin for begin, until in self._vacations_taken(color, now))
        return LONGEST_PAUSE - sum(spans, NONE)

    def _vacations_taken(self, color: Color, now: datetime) -> tuple[Span, ...]:
        spans = (*self.rested.get(color, ()), *self.days_off_of(color).vacations)
        return tuple((begin, min(until, now)) for begin, until in spans if begin < now)

    def set_days_off(self, color: Color, now: datetime, off: DaysOff) -> "GameClock":
        paused = with_changes(
            self,
            days_off={**self.days_off, color: off},
            rested={**self.rested, color: self._vacations_taken(color, now)},
        )
        if color is not self.turn or self.since is None or self.since > now:
            return paused
        return with_changes(paused, spent=self.used_at(now), since=now)

    def credit(self, now: datetime, time: timedelta) -> "GameClock":
        spent = max(self.used_at(now) - time, NONE)
        return with_changes(self, spent=spent, since=now, given=self.given + time)

    def stop(self, now: datetime) -> "GameClock":
        return with_changes(self, spent=self.used_at(now), since=None)

    def end_turn(self, now: datetime, move: int | None, *, earns: bool = True) -> "GameClock":
        """End the turn, by move number `move` or (None) without one; a turn that `earns` adds time.

        A player whose time was up gets `LATE`, or the settings' longest turn if that is shorter.
        """
        settings, before, used = self.settings, self.left[self.turn], self.used_at(now)
        left = settings.after_move(before, used) if earns else settings.after_no_move(before, used)
        if not settings.longest_turn(left):
            left = left._replace(main=min(LATE, settings.longest_turn(settings.full)))
        reading = ((move, left),) if move is not None else ()
        sides = {**self.left, self.turn: left}
        return with_changes(self, left=sides, readings=(*self.readings, *reading))
