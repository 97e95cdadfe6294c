"""Time systems: main time, increment and overtime, and the time left after a turn."""

import re
from datetime import timedelta
from typing import NamedTuple

NONE = timedelta()
_UNITS = {"d": 86_400, "h": 3_600, "m": 60, "s": 1}


class TimeLeft(NamedTuple):
    """A side's time: main time, and then overtime.

    `overtime` is the length of each of `number` periods; Canadian: the time for `number` stones.
    """

    main: timedelta
    overtime: timedelta = NONE
    number: int = 0


class TimeSettings(NamedTuple):
    """A time system: main time, with an increment after each turn, or with overtime.

    >>> TimeSettings.parse("10d+36h").increment
    datetime.timedelta(days=1, seconds=43200)
    >>> str(TimeSettings(timedelta(hours=1), overtime=timedelta(seconds=30), number=5))
    '1h+5x30s'
    """

    main: timedelta = NONE
    increment: timedelta = NONE
    cap: timedelta = NONE
    """Increments do not raise the main time above this."""
    overtime: timedelta = NONE
    number: int = 0
    """The number of byo-yomi periods, or of stones; 0 without overtime."""
    canadian: bool = False
    """Whether `number` stones must be played within `overtime`."""

    @classmethod
    def parse(cls, text: str) -> "TimeSettings":
        """The settings from a text that `__str__` wrote; raises `ValueError`."""
        match = _WRITTEN.fullmatch(text)
        if match is None:
            raise ValueError(f"no time settings: {text!r}")
        parts = match.groupdict("")
        return cls(
            main=_parse_duration(parts["main"] or parts["bank"]),
            increment=_parse_duration(parts["increment"]),
            cap=_parse_duration(parts["cap"] or (parts["increment"] and parts["main"])),
            overtime=_parse_duration(parts["overtime"] or parts["move"]),
            number=1 if parts["move"] else int(parts["periods"] or parts["stones"] or 0),
            canadian=bool(parts["stones"]),
        )

    def __str__(self) -> str:
        """The settings as stored and written: `10d+36h`, `3d/move`, `1h+5x30s`, `9d each`."""
        main = format_duration(self.main)
        if self.increment:
            cap = f" max {format_duration(self.cap)}" if self.cap != self.main else ""
            return f"{main}+{format_duration(self.increment)}{cap}"
        if not self.number:
            return f"{main} each"
        if not self.main and self.number == 1 and not self.canadian:
            return f"{format_duration(self.overtime)}/move"
        overtime = f"{self.number}{'/' if self.canadian else 'x'}{format_duration(self.overtime)}"
        return f"{main}+{overtime}" if self.main else overtime

    @property
    def full(self) -> TimeLeft:
        return TimeLeft(self.main, self.overtime, self.number)

    def longest_turn(self, left: TimeLeft) -> timedelta:
        """The longest time that a turn may take if it begins with `left`."""
        return left.main + left.overtime * (1 if self.canadian else left.number)

    def after_move(self, left: TimeLeft, used: timedelta) -> TimeLeft:
        """The time left after a turn that ended with a move."""
        after = self.after_no_move(left, used)
        if not self.number:
            return TimeLeft(max(after.main, min(after.main + self.increment, self.cap)))
        if not self.canadian or used < left.main:
            return after
        if left.number == 1:
            return TimeLeft(NONE, self.overtime, self.number)
        return after._replace(number=left.number - 1)

    def after_no_move(self, left: TimeLeft, used: timedelta) -> TimeLeft:
        """The time left after a turn that ended without a move."""
        after = self.within_turn(left, used)
        return after if self.canadian or not self.number else after._replace(overtime=self.overtime)

    def within_turn(self, left: TimeLeft, used: timedelta) -> TimeLeft:
        """The time left within a turn; `overtime` is then the rest of the running period."""
        over = used - left.main
        if over < NONE or not self.number:
            return left._replace(main=max(left.main - used, NONE))
        if self.canadian:
            return TimeLeft(NONE, max(left.overtime - over, NONE), left.number)
        periods = min(over // self.overtime, left.number - 1)
        rest = max(self.overtime * (periods + 1) - over, NONE)
        return TimeLeft(NONE, rest, left.number - periods)

    @property
    def sgf_overtime(self) -> str:
        """The overtime for SGF's OT, as other servers write it: `5x30 byo-yomi`."""
        seconds = int(self.overtime.total_seconds())
        if self.increment:
            return f"{int(self.increment.total_seconds())} fischer"
        if not self.number:
            return ""
        if self.canadian:
            return f"{self.number}/{seconds} canadian"
        return f"{self.number}x{seconds} byo-yomi"


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


USUAL_TIME = TimeSettings.parse("10d+36h")
"""The default time settings of a game between two people."""
