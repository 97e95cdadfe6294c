"""The clocks of a game: the time left to each side, and the moments of reminders and flags.

All moments are in UTC. A clock stores each side's time at the beginning of its turn, so that a
pause only moves that beginning.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from godaemon.games.days_off import DaysOff, Span
from godaemon.games.time_systems import NONE, TimeLeft, TimeSettings
from godaemon.rules.points import Color

MAX_EMAIL_WAIT = timedelta(days=7)
"""The longest time that a clock waits for the email about the turn to be sent."""
MAX_PAUSE = timedelta(days=30)
"""The limit on a player's vacation in one game, and on the time that a quarantined email adds."""
MAX_AHEAD = timedelta(days=31)
"""Starts and alarms further ahead than this were set while the machine's clock was wrong."""
NO_DAYS_OFF = DaysOff()
"""No days off: the clock always runs."""
TIME_AFTER_FLAG = timedelta(hours=1)
"""The most time left to a player whose move came after the flag fell, but before we noticed."""
TURN_SHARE_AFTER_FLAG = 60
"""That player gets no more than the longest turn divided by this, so that nobody gains by it."""
LAST_DAY = timedelta(days=1)
MIN_REMINDED_TURN = timedelta(hours=12)
"""The shortest turn with reminders."""


@dataclass(frozen=True, slots=True)
class GameClock:
    """The clocks of a game."""

    settings: TimeSettings
    left: Mapping[Color, TimeLeft]
    """The time of each side at the beginning of its turn."""
    turn: Color
    """The side to act."""
    log_length: int
    """The length of the log when the turn began; an email about a longer log shows the turn too."""
    since: datetime | None
    """When the clock of `turn` started or will start; None if it is stopped."""
    used_before: timedelta = NONE
    """The time used in this turn before `since`."""
    email_sent: bool = False
    """Whether the email about the turn is sent; until then `since` is the latest start."""
    readings: tuple[tuple[int, TimeLeft], ...] = ()
    """The number of each move, and the time left after it."""
    time_credited: timedelta = NONE
    """The time that was given back in this turn."""
    reminders: int = 0
    """The number of reminders of this turn."""
    days_off: Mapping[Color, DaysOff] = field(default_factory=dict)
    past_vacations: Mapping[Color, tuple[Span, ...]] = field(default_factory=dict)
    """The vacations that each side had already taken when its `days_off` last changed."""

    @property
    def waits(self) -> bool:
        """True until the email about the turn is sent."""
        return self.since is not None and not self.email_sent

    def used_at(self, now: datetime) -> timedelta:
        """The time used in this turn."""
        return self.used_before + (
            self.days_off_of(self.turn).running_time(self.since, now) if self.since else NONE
        )

    def days_off_of(self, color: Color) -> DaysOff:
        return self.days_off.get(color, NO_DAYS_OFF)

    def remaining(self, color: Color, now: datetime) -> timedelta:
        """The longest time that a colour may still take for its turn."""
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
        return latest - MAX_EMAIL_WAIT if latest and self.waits else latest

    def moments_with(self, *left: timedelta) -> Iterator[datetime]:
        """The moments when these times are left of the turn; none if the clock is stopped."""
        total = self.settings.longest_turn(self.left[self.turn]) - self.used_before
        if self.since is not None:
            for each in left:
                yield self.days_off_of(self.turn).moment_after(self.since, max(total - each, NONE))

    @property
    def reminder_moments(self) -> tuple[datetime, ...]:
        """The moments when half of the turn is left, and (in a long turn) when one day is left."""
        total = self.settings.longest_turn(self.left[self.turn])
        if total < MIN_REMINDED_TURN:
            return ()
        last = (LAST_DAY,) if total >= 4 * LAST_DAY else ()
        return tuple(self.moments_with(total / 2, *last))

    @property
    def next_alarm(self) -> datetime | None:
        """When to remind next, or else when the flag falls; None if the clock is stopped."""
        return next(iter(self.reminder_moments[self.reminders :]), self.deadline)

    def start_turn(self, turn: Color, log_length: int, now: datetime) -> "GameClock":
        """Begin a turn; its clock waits for the email about it."""
        return replace(
            self,
            turn=turn,
            log_length=log_length,
            since=now + MAX_EMAIL_WAIT,
            used_before=NONE,
            time_credited=NONE,
            email_sent=False,
            reminders=0,
        )

    def wait_for_email(self, log_length: int, now: datetime) -> "GameClock":
        """Let the clock wait for another email to the same player."""
        if self.since is None:
            return self
        new = self.start_turn(self.turn, log_length, now)
        return replace(
            new,
            used_before=self.used_at(now),
            time_credited=self.time_credited,
            reminders=self.reminders,
        )

    def start_waiting_clock(self, now: datetime) -> "GameClock":
        """Start the clock, because the email about the turn was sent."""
        return replace(self, since=min(self.since or now, now), email_sent=True)

    def vacation_left(self, color: Color, now: datetime) -> timedelta:
        """The vacation that a colour has left in this game."""
        spans = (until - begin for begin, until in self._vacations_taken(color, now))
        return MAX_PAUSE - sum(spans, NONE)

    def _vacations_taken(self, color: Color, now: datetime) -> tuple[Span, ...]:
        spans = (*self.past_vacations.get(color, ()), *self.days_off_of(color).vacations)
        return tuple((begin, min(until, now)) for begin, until in spans if begin < now)

    def set_days_off(self, color: Color, now: datetime, days_off: DaysOff) -> "GameClock":
        """Change a colour's days off; the time used until now stays used."""
        paused = replace(
            self,
            days_off={**self.days_off, color: days_off},
            past_vacations={**self.past_vacations, color: self._vacations_taken(color, now)},
        )
        if color is not self.turn or self.since is None or self.since > now:
            return paused
        return replace(paused, used_before=self.used_at(now), since=now)

    def credit(self, now: datetime, time: timedelta) -> "GameClock":
        """Give time back to the player to act, and let the clock run."""
        used_before = max(self.used_at(now) - time, NONE)
        return replace(
            self, used_before=used_before, since=now, time_credited=self.time_credited + time
        )

    def stop(self, now: datetime) -> "GameClock":
        """Stop the clock; it keeps the time used."""
        return replace(self, used_before=self.used_at(now), since=None)

    def end_turn(self, now: datetime, move: int | None, *, earns: bool = True) -> "GameClock":
        """End the turn, by move number `move` or (None) without one; a turn that `earns` adds time.

        A player whose time was up gets `TIME_AFTER_FLAG`, or a share of the longest turn.
        """
        settings = self.settings
        before = self.left[self.turn]
        used = self.used_at(now)
        left = settings.after_move(before, used) if earns else settings.after_no_move(before, used)
        if not settings.longest_turn(left):
            share = settings.longest_turn(settings.full) / TURN_SHARE_AFTER_FLAG
            left = left._replace(main=min(TIME_AFTER_FLAG, share))
        reading = ((move, left),) if move is not None else ()
        sides = {**self.left, self.turn: left}
        return replace(self, left=sides, readings=(*self.readings, *reading))
