"""The part of a transaction that concerns letters that came in, and those who write them.

Runs on the writer's thread, inside its transaction. Raises `Unknown`.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection, Executable, Result, bindparam, delete, insert
from sqlmodel import Session, col, select

from godaemon.errors import Unknown
from godaemon.games.ports import HeldLetter, InboundLetter, Preferences, QuarantinedLetter
from godaemon.storage.columns import Moment, TextColumn, numbered
from godaemon.storage.tables import HeldRow, InboxRow, PlayerRow, QuarantineRow

# What every move needs is built once: building a statement takes as long as running it.
_WISHES = select(col(PlayerRow.receipts), col(PlayerRow.receipts_sent)).where(
    col(PlayerRow.address) == bindparam("of_player")
)
_FIRST_TIME = (
    insert(InboxRow)
    .from_select(
        ("fingerprint", "message_id", "at"),
        sa.select(
            bindparam("of_letter", type_=TextColumn),
            bindparam("its_message_id", type_=TextColumn),
            bindparam("now", type_=Moment),
        ).where(
            ~sa.exists().where(
                col(InboxRow.fingerprint) == bindparam("of_letter", type_=TextColumn)
            ),
        ),
    )
    .execution_options(preserve_rowcount=True)
)
"""Remembers a letter, where it is not known; in one go, because every letter needs it."""


class SqlInbox:
    """Letters and players, in one transaction."""

    def __init__(self, session: Session, connection: Connection) -> None:
        self._session, self._connection = session, connection

    def first_time(self, fingerprint: str, message_id: str, at: datetime) -> bool:
        """Remember a letter; False where it was here before."""
        row = {"of_letter": fingerprint, "its_message_id": message_id, "now": at}
        return self._connection.execute(_FIRST_TIME, row).rowcount > 0

    def hold(self, game: int, side: str, sender: str, letter: InboundLetter, nonce: str) -> int:
        """Keep a letter until its seat's address has said yes; returns its number."""
        row = insert(HeldRow).values(
            game=game, side=side, sender=sender, nonce=nonce, **_envelope(letter)
        )
        return numbered(self._connection, row)

    def held(self, number: int) -> HeldLetter | None:
        """A letter that is being held."""
        row = self._session.get(HeldRow, number)
        if row is None:
            return None
        return HeldLetter(number, row.game, row.side, row.sender, _letter(row), row.nonce)

    def held_from(self, game: int, side: str, sender: str) -> Sequence[HeldLetter]:
        """The letters of one address that wait for one seat, the oldest first."""
        query = (
            select(HeldRow)
            .where(HeldRow.game == game, HeldRow.side == side, HeldRow.sender == sender)
            .order_by(col(HeldRow.id))
        )
        rows = self._session.exec(query)
        return [
            HeldLetter(row.id or 0, row.game, row.side, row.sender, _letter(row), row.nonce)
            for row in rows
        ]

    def forget_held(self, number: int) -> None:
        """Forget a held letter."""
        self._do(delete(HeldRow).where(col(HeldRow.id) == number))
        self._session.expire_all()

    def quarantine(self, letter: InboundLetter, fault: str, at: datetime) -> int:
        """Put a letter into quarantine; returns its number."""
        row = insert(QuarantineRow).values(fault=fault, at=at, **_envelope(letter))
        return numbered(self._connection, row)

    def quarantined(self) -> Sequence[QuarantinedLetter]:
        """All letters in quarantine, the oldest first."""
        rows = self._session.exec(select(QuarantineRow).order_by(col(QuarantineRow.id)))
        return [_parked(row) for row in rows]

    def release_quarantined(self, number: int) -> QuarantinedLetter:
        """Take a letter out of quarantine; raises `Unknown`."""
        row = self._session.get(QuarantineRow, number)
        if row is None:
            raise Unknown(f"There is no letter {number} in quarantine.")
        taken = _parked(row)
        self._do(delete(QuarantineRow).where(col(QuarantineRow.id) == number))
        self._session.expire_all()
        return taken

    def preferences(self, address: str) -> Preferences:
        """What a player has told us; the default for one we do not know."""
        found = self._connection.execute(_WISHES, {"of_player": address.casefold()})
        row = found.one_or_none()
        if row is None:
            return Preferences()
        receipts, receipts_sent = row
        return Preferences(None if receipts is None else bool(receipts), receipts_sent)

    def set_preferences(self, address: str, preferences: Preferences) -> None:
        """Remember it."""
        receipts = None if preferences.receipts is None else int(preferences.receipts)
        key = address.casefold()
        self._do(delete(PlayerRow).where(col(PlayerRow.address) == key))
        row = insert(PlayerRow).values(address=key, receipts=receipts)
        self._do(row.values(receipts_sent=preferences.receipts_sent))

    def _do(self, statement: Executable) -> Result[*tuple[Any, ...]]:
        return self._connection.execute(statement)


def _envelope(letter: InboundLetter) -> dict[str, object]:
    return {
        "envelope_recipient": letter.recipient,
        "envelope_sender": letter.sender,
        "raw": letter.raw,
    }


def _letter(row: HeldRow | QuarantineRow) -> InboundLetter:
    return InboundLetter(row.envelope_recipient, row.envelope_sender, row.raw)


def _parked(row: QuarantineRow) -> QuarantinedLetter:
    if row.id is None:
        raise AssertionError(row)
    return QuarantinedLetter(row.id, _letter(row), row.fault, row.at)
