"""The tables about emails: those to us, those from us, and what is known of their addresses.

`tables` has all others, and says what holds for both.
"""

from datetime import datetime
from typing import Any, ClassVar

import sqlalchemy as sa
from sqlmodel import Field

from godaemon.games.model import Seat
from godaemon.storage.columns import (
    NUMBERED,
    STRICT,
    Row,
    moment_column,
    not_negative,
    number_key,
    one_of,
    stored_as,
    text_column,
)
from mailgate.receiving.imap_responses import FetchState

_LARGE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
"""Signed 64 bits: IMAP's unsigned 32-bit numbers do not fit PostgreSQL's INTEGER."""


class OutboxRow(Row, table=True):
    """A notice, and its outcome.

    `due_at` is the moment of the next try; during a `lease` it is the lease's end. `letter` is the
    composed email, compressed by zlib. `holder` is the daemon with the last lease. The letter
    comes from `our_address`, or for "" and NULL from the main address.
    """

    __table_args__: ClassVar[Any] = (
        one_of("status", "waiting", "sent", "undeliverable"),
        one_of("seat", *Seat),
        not_negative("attempts"),
        sa.CheckConstraint("(letter IS NULL) OR (message_id IS NOT NULL)", name="letter"),
        sa.CheckConstraint("(status = 'waiting') OR (lease IS NULL)", name="lease"),
        sa.Index(None, "status", "due_at"),
        sa.Index(None, "recipient_key", "kind", "queued_at"),
        sa.Index(None, "behalf_key", "kind", "queued_at"),
        NUMBERED,
    )

    id: int | None = Field(default=None, primary_key=True)
    uid: str = text_column(unique=True)
    kind: str = text_column()
    recipient: str = text_column()
    recipient_key: str = text_column()
    behalf: str = text_column()
    behalf_key: str = text_column()
    game: int | None = Field(default=None, foreign_key="game.id")
    seat: str | None = text_column(default=None)
    since: int
    until: int
    answers: str = text_column()
    about: str = text_column()
    queued_at: datetime = moment_column(sa_column_kwargs=stored_as("owed_at", "queued_at"))
    due_at: datetime = moment_column()
    lease: datetime | None = moment_column(default=None)
    attempts: int = 0
    status: str = text_column(default="waiting")
    message_id: str | None = text_column(default=None)
    letter: bytes | None = None
    last_error: str | None = text_column(default=None)
    sent_at: datetime | None = moment_column(default=None)
    holder: int | None = None
    our_address: str | None = text_column(
        default=None, sa_column_kwargs=stored_as("ours", "our_address")
    )


class InboxRow(Row, table=True):
    """A letter that was handled."""

    __table_args__: ClassVar[Any] = (sa.Index(None, "at"), STRICT)

    fingerprint: str = text_column(primary_key=True)
    message_id: str = text_column()
    at: datetime = moment_column()


class OldInboxRow(Row, table=True):
    """A letter handled long ago: 64 bits of a hash of its fingerprint (`short_fingerprint`)."""

    fingerprint: int = number_key(sa_type=_LARGE)


class HeldRow(Row, table=True):
    """A letter that waits for its sender's confirmation."""

    __table_args__: ClassVar[Any] = (one_of("side", "proposer", "invited"), NUMBERED)

    id: int | None = Field(default=None, primary_key=True)
    game: int = Field(foreign_key="game.id", index=True)
    side: str = text_column()
    sender: str = text_column()
    nonce: str = text_column()
    envelope_recipient: str = text_column()
    envelope_sender: str = text_column()
    raw: bytes


class QuarantineRow(Row, table=True):
    """A letter that a bug of ours kept from being handled."""

    __table_args__: ClassVar[Any] = NUMBERED

    id: int | None = Field(default=None, primary_key=True)
    envelope_recipient: str = text_column()
    envelope_sender: str = text_column()
    raw: bytes
    fault: str = text_column()
    at: datetime = moment_column()


class FetchedRow(Row, table=True):
    """A letter in a remote mailbox, by UIDVALIDITY and UID, and its state."""

    __table_args__: ClassVar[Any] = (one_of("filed", *FetchState), STRICT)

    box: str = text_column(primary_key=True)
    validity: int = number_key(sa_type=_LARGE)
    uid: int = number_key(sa_type=_LARGE)
    filed: str = text_column()
    at: datetime = moment_column()


class AnsweredFromRow(Row, table=True):
    """The address of ours, other than the main one, from which a player is answered.

    `address` is the player's, casefolded; `game` is 0 outside of games.
    """

    address: str = text_column(primary_key=True)
    game: int = number_key()
    our_address: str = text_column(sa_column_kwargs=stored_as("ours", "our_address"))


class BouncingRow(Row, table=True):
    """The bounce score of a casefolded address."""

    __tablename__ = "mailbox"

    address: str = text_column(primary_key=True)
    score: float = Field(sa_type=sa.REAL)
    at: datetime = moment_column()
    error: str = text_column()
    suspended: datetime | None = moment_column(default=None)


class QuotaRow(Row, table=True):
    """A daemon's part of a counter in an hour since 1970."""

    __table_args__: ClassVar[Any] = (not_negative("spent"), STRICT)

    hour: int = number_key()
    name: str = text_column(primary_key=True)
    holder: int = Field(
        default=0,
        primary_key=True,
        sa_column_kwargs={"autoincrement": False, "server_default": "0"},
    )
    """The daemon's number; 0 for the only daemon of a SQLite store."""
    spent: int
