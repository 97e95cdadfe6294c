"""The settings of a player, in one game or in all."""

from dataclasses import dataclass
from datetime import datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

from godaemon.games.commands import EmailLevel
from godaemon.games.days_off import Span


@dataclass(frozen=True, slots=True)
class Preferences:
    """Which emails a player wants, in one game or in all; None if not set."""

    receipts: bool | None = None
    """Whether accepted moves are confirmed by email."""
    receipts_sent: int = 0
    """The number of receipts ever sent."""
    emails: EmailLevel | None = None
    reviews: bool | None = None
    """Whether a review follows the end of a game."""


@dataclass(frozen=True, slots=True)
class Profile:
    """A player's settings for all games; None or "" if not set."""

    zone: str = ""
    """The time zone's name in the tz database."""
    digest_at: int | None = None
    """The local time of the daily email, in minutes after midnight."""
    digest_due: datetime | None = None
    """When the next daily email is due; None if they want none."""
    name: str | None = None
    plain: bool = False
    """Whether emails are plain text alone."""
    vacations: tuple[Span, ...] = ()
    """The vacations of this year and last year."""
    weekends_off: bool = False
    away_by_itself: bool = False
    """Whether a vacation begins automatically when their time would run out."""
    sends_words: bool = False
    """Whether text that is no command is passed on without asking."""
    line: str | None = None
    """Their line about themselves, shown to opponents: `5 kyu, Berlin`."""
    listed: str | None = None
    """Their name on the list of players; None if they are not on it."""
    boards: str | None = None
    """The style of boards (`diagrams.board_style`)."""
    language: str = ""
    """The language of their emails, by its code."""
    utc_offset: int = 0
    """The UTC offset of their last email, in minutes."""
    calendar: bool = False
    """Whether emails include deadlines as calendar entries."""

    @property
    def shown_name(self) -> str:
        return self.name or self.listed or ""

    @property
    def local_zone(self) -> tzinfo:
        """The chosen zone, or else the offset of the last email."""
        return ZoneInfo(self.zone) if self.zone else timezone(timedelta(minutes=self.utc_offset))
