"""The settings of a player, in one game or in all. Pure values."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

from godaemon.games.commands import EmailLevel
from godaemon.games.days_off import Span


@dataclass(frozen=True, slots=True)
class Preferences:
    """Which emails a player wants, in one game or in all; None if they have not said."""

    receipts: bool | None = None
    """Whether accepted moves are acknowledged."""
    receipts_sent: int = 0
    """Number of receipts ever sent."""
    emails: EmailLevel | None = None
    reviews: bool | None = None
    """Whether a review follows the end of a game."""


@dataclass(frozen=True, slots=True)
class Profile:
    """A player's settings for all games; None and "" if they have not said."""

    zone: str = ""
    """Time zone, by its name in the tz database."""
    digest_at: int | None = None
    """When the daily email is due, in minutes after midnight."""
    digest_due: datetime | None = None
    """When the next daily email is due; None if they want none."""
    name: str | None = None
    plain: bool = False
    """Whether emails are plain text alone."""
    vacations: tuple[Span, ...] = ()
    """Those of this year and the last."""
    weekends_off: bool = False
    away_by_itself: bool = False
    """Whether a vacation begins by itself when their time would run out."""
    sends_words: bool = False
    """Whether words that are no command are passed on unasked."""
    line: str | None = None
    """What they tell opponents of themselves: `5 kyu, Berlin`."""
    listed: str | None = None
    """Their name on the list of players; None if they are not on it."""
    boards: str | None = None
    """How boards look (`diagrams.board_style`)."""
    language: str = ""
    """The language of their emails, by its code."""
    utc_offset: int = 0
    """Minutes from UTC to the clock of their last email."""
    calendar: bool = False
    """Whether emails bring deadlines as calendar entries."""

    @property
    def shown_name(self) -> str:
        return self.name or self.listed or ""

    @property
    def local_zone(self) -> tzinfo:
        """The zone that they chose, else the offset of their last email."""
        return ZoneInfo(self.zone) if self.zone else timezone(timedelta(minutes=self.utc_offset))
