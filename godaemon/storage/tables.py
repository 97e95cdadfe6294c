"""The tables about games and players; `mail_tables` has those about emails.

Only this room uses the tables; they do not validate, but have CHECKs. The `event` table is the
truth about games; `game` and `game_address` are summaries for lists. Addresses for lookups are
stored casefolded, if necessary beside the original spelling. `migrations` creates the tables; a
change needs a migration for existing stores.
"""

from datetime import datetime
from typing import Any, ClassVar

import sqlalchemy as sa
from sqlmodel import Field

from godaemon.games.commands import EmailLevel
from godaemon.games.model import Phase
from godaemon.storage.columns import (
    DOUBLE,
    NUMBERED,
    STRICT,
    Row,
    moment_column,
    not_negative,
    number_key,
    one_of,
    text_column,
    yes_or_no,
)

SCHEMA = "0031"
"""The revision of all tables, the last of `migrations.STEPS`."""


class GameRow(Row, table=True):
    """A game's number, its summary (NULL until it is first written), and the end of its log.

    `events` and `digest` are the length of the log and the last event's digest. `damaged` says why
    a game was set aside.
    """

    __table_args__: ClassVar[Any] = (
        one_of("phase", *Phase),
        one_of("to_move", "black", "white"),
        not_negative("move_number"),
        sa.CheckConstraint(
            "phase IS NULL OR (size IS NOT NULL AND rules IS NOT NULL AND black IS NOT NULL"
            " AND white IS NOT NULL AND move_number IS NOT NULL AND updated IS NOT NULL)",
            name="headline",
        ),
        not_negative("events"),
        sa.Index(None, "phase", "updated"),
        sa.Index(None, "alarm", sqlite_where=sa.text("alarm IS NOT NULL")),
        sa.Index(None, "damaged", sqlite_where=sa.text("damaged IS NOT NULL")),
        NUMBERED,
    )

    id: int | None = Field(default=None, primary_key=True)
    phase: str | None = text_column(default=None)
    size: str | None = text_column(default=None)
    rules: str | None = text_column(default=None)
    black: str | None = text_column(default=None)
    white: str | None = text_column(default=None)
    black_name: str | None = text_column(default=None)
    white_name: str | None = text_column(default=None)
    move_number: int | None = None
    to_move: str | None = text_column(default=None)
    result: str | None = text_column(default=None)
    updated: datetime | None = moment_column(default=None)
    deadline: datetime | None = moment_column(default=None)
    alarm: datetime | None = moment_column(default=None)
    events: int = 0
    digest: str = text_column(default="")
    damaged: str | None = text_column(default=None)


class GameAddressRow(Row, table=True):
    """A casefolded address whose lists show a game."""

    address: str = text_column(primary_key=True)
    game: int = Field(primary_key=True, foreign_key="game.id", index=True)


class EventRow(Row, table=True):
    """One event of a game's log; `number` counts from 0 without gaps (`event_log`).

    `at` is read as text, because the digest covers that text.
    """

    __table_args__: ClassVar[Any] = (
        not_negative("number"),
        sa.CheckConstraint("version >= 1", name="version"),
        STRICT,
    )

    game: int = Field(primary_key=True, foreign_key="game.id")
    number: int = number_key()
    kind: str = text_column()
    version: int
    payload: str = text_column()
    cause: str = text_column()
    at: str = text_column()
    digest: str = text_column()


class OldLogRow(Row, table=True):
    """The log of an old game, packed (`packed_logs`)."""

    game: int = number_key(foreign_key="game.id")
    events: bytes


class IdentityRow(Row, table=True):
    """The one row with the store's id and the fingerprint of its signing key."""

    id: str = text_column(primary_key=True)
    key: str = text_column()


class PlayerRow(Row, table=True):
    """A player's preferences in one game or (0) in all, by casefolded address."""

    __table_args__: ClassVar[Any] = (
        yes_or_no("receipts"),
        not_negative("receipts_sent"),
        one_of("emails", *EmailLevel),
        yes_or_no("reviews"),
        STRICT,
    )

    address: str = text_column(primary_key=True)
    game: int = number_key()
    receipts: int | None = None
    receipts_sent: int
    emails: str | None = text_column(default=None)
    reviews: int | None = None


class ProfileRow(Row, table=True):
    """A player's profile, by casefolded address."""

    __table_args__: ClassVar[Any] = (
        sa.CheckConstraint("digest_at BETWEEN 0 AND 1439", name="digest_at"),
        *map(yes_or_no, ("plain", "weekends_off", "away_by_itself", "sends_words", "calendar")),
        STRICT,
    )

    address: str = text_column(primary_key=True)
    zone: str = text_column()
    digest_at: int | None = None
    digest_due: datetime | None = moment_column(default=None, index=True)
    name: str | None = text_column(default=None)
    plain: int
    vacations: str = text_column(default="")
    weekends_off: int
    away_by_itself: int
    sends_words: int = 0
    line: str | None = text_column(default=None)
    listed: str | None = text_column(default=None)
    boards: str | None = text_column(default=None)
    language: str = text_column(default="")
    utc_offset: int = 0
    calendar: int = 0


class RatedGameRow(Row, table=True):
    """A player's rating after a rated game, by casefolded address."""

    __table_args__: ClassVar[Any] = (sa.Index(None, "at", "game"), STRICT)

    address: str = text_column(primary_key=True)
    game: int = Field(primary_key=True, foreign_key="game.id")
    at: datetime = moment_column()
    value: float = Field(sa_type=DOUBLE)
    deviation: float = Field(sa_type=DOUBLE)
    volatility: float = Field(sa_type=DOUBLE)


class PendingMoveRow(Row, table=True):
    """A seat's pending move."""

    __tablename__ = "pencil"
    __table_args__: ClassVar[Any] = (one_of("color", "black", "white"), STRICT)

    game: int = Field(primary_key=True, foreign_key="game.id")
    color: str = text_column(primary_key=True)
    move: str = text_column()
    position_rev: int
    holder: int | None = None


class KeptNoticeRow(Row, table=True):
    """A notice to be queued when the program leaves its seat, if the game has not changed."""

    __tablename__ = "kept"
    __table_args__: ClassVar[Any] = (one_of("color", "black", "white"), STRICT)

    game: int = Field(primary_key=True, foreign_key="game.id")
    color: str = text_column(primary_key=True)
    kind: str = text_column()
    since: int
    until: int
    digest: str = text_column()
    holder: int | None = None


class SeatKeyRow(Row, table=True):
    """The generation of a seat's last key; the key itself is not stored."""

    __tablename__ = "gui_key"
    __table_args__: ClassVar[Any] = (
        one_of("color", "black", "white"),
        sa.CheckConstraint("generation >= 1", name="generation"),
        yes_or_no("enabled"),
        STRICT,
    )

    game: int = Field(primary_key=True, foreign_key="game.id")
    color: str = text_column(primary_key=True)
    generation: int
    enabled: int


class BoardRow(Row, table=True):
    """A free board that a program has played on, as SGF."""

    __table_args__: ClassVar[Any] = (
        not_negative("move_number"),
        sa.Index(None, "updated"),
        NUMBERED,
    )

    id: int | None = Field(default=None, primary_key=True)
    sgf: str = text_column()
    size: str = text_column()
    move_number: int
    opened: datetime = moment_column()
    updated: datetime = moment_column()


class WatcherRow(Row, table=True):
    """A spectator of a game; `key` is the casefolded address.

    The next email reports the events from `since` on.
    """

    __table_args__: ClassVar[Any] = (not_negative("since"), STRICT)

    game: int = Field(primary_key=True, foreign_key="game.id")
    key: str = text_column(primary_key=True, index=True)
    address: str = text_column()
    told: datetime = moment_column()
    since: int
    due: datetime | None = moment_column(default=None, index=True)


class BlockRow(Row, table=True):
    """A player's `address` that `other`, or ("") anybody, may not invite."""

    address: str = text_column(primary_key=True)
    other: str = text_column(primary_key=True)


class TransferRow(Row, table=True):
    """A request to move a seat, or all of a player's seats (no `game`), to another address."""

    __table_args__: ClassVar[Any] = (yes_or_no("old_agreed"), yes_or_no("new_agreed"), NUMBERED)

    id: int | None = Field(default=None, primary_key=True)
    game: int | None = Field(default=None, foreign_key="game.id")
    old: str = text_column()
    new: str = text_column()
    nonce: str = text_column()
    old_agreed: int
    new_agreed: int
    begun_at: datetime | None = moment_column(default=None)
