"""The part of a transaction that concerns letters that came in, and those who write them.

Runs on the writer's thread, inside its transaction. Raises `Unknown`.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import insert
from sqlmodel import Session, col, select

from godaemon.errors import Unknown
from godaemon.games.store import Held, Inbound, Parked, Wishes
from godaemon.storage.tables import HeldRow, InboxRow, PlayerRow, QuarantineRow


class Letters:
    """Letters and players, in one transaction."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def first_time(self, fingerprint: str, message_id: str, at: datetime) -> bool:
        """Remember a letter; False where it was here before."""
        connection = self._session.connection()
        query = select(InboxRow.at).where(InboxRow.fingerprint == fingerprint)
        if connection.execute(query).first() is not None:
            return False
        row = {"fingerprint": fingerprint, "message_id": message_id, "at": at}
        connection.execute(insert(InboxRow), row)
        return True

    def hold(self, game: int, side: str, sender: str, letter: Inbound, nonce: str) -> int:
        """Keep a letter until its seat's address has said yes; returns its number."""
        return self._number(
            HeldRow(
                game=game,
                side=side,
                sender=sender,
                nonce=nonce,
                envelope_recipient=letter.recipient,
                envelope_sender=letter.sender,
                raw=letter.raw,
            )
        )

    def held(self, number: int) -> Held | None:
        """A letter that is being held."""
        row = self._session.get(HeldRow, number)
        if row is None:
            return None
        return Held(number, row.game, row.side, row.sender, _letter(row), row.nonce)

    def let_go(self, number: int) -> None:
        """Forget a held letter."""
        row = self._session.get(HeldRow, number)
        if row is not None:
            self._session.delete(row)
            self._session.flush()

    def park(self, letter: Inbound, fault: str, at: datetime) -> int:
        """Put a letter into quarantine; returns its number."""
        return self._number(
            QuarantineRow(
                envelope_recipient=letter.recipient,
                envelope_sender=letter.sender,
                raw=letter.raw,
                fault=fault,
                at=at,
            )
        )

    def parked(self) -> Sequence[Parked]:
        """All letters in quarantine, the oldest first."""
        rows = self._session.exec(select(QuarantineRow).order_by(col(QuarantineRow.id)))
        return [_parked(row) for row in rows]

    def unpark(self, number: int) -> Parked:
        """Take a letter out of quarantine; raises `Unknown`."""
        row = self._session.get(QuarantineRow, number)
        if row is None:
            raise Unknown(f"There is no letter {number} in quarantine.")
        taken = _parked(row)
        self._session.delete(row)
        self._session.flush()
        return taken

    def wishes(self, address: str) -> Wishes:
        """What a player has told us; the default for one we do not know."""
        row = self._session.get(PlayerRow, address.casefold())
        if row is None:
            return Wishes()
        return Wishes(None if row.receipts is None else bool(row.receipts), row.receipts_sent)

    def wish(self, address: str, wishes: Wishes) -> None:
        """Remember it."""
        receipts = None if wishes.receipts is None else int(wishes.receipts)
        key = address.casefold()
        self._session.merge(
            PlayerRow(address=key, receipts=receipts, receipts_sent=wishes.receipts_sent)
        )
        self._session.flush()

    def _number(self, row: HeldRow | QuarantineRow) -> int:
        self._session.add(row)
        self._session.flush()
        if row.id is None:
            raise AssertionError(row)
        return row.id


def _letter(row: HeldRow | QuarantineRow) -> Inbound:
    return Inbound(row.envelope_recipient, row.envelope_sender, row.raw)


def _parked(row: QuarantineRow) -> Parked:
    if row.id is None:
        raise AssertionError(row)
    return Parked(row.id, _letter(row), row.fault, row.at)
