"""The incoming letters within a transaction: handled, held and quarantined ones.

`SqlImap` records the letters fetched from a mailbox. Raises `Unknown`.
"""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, delete, exists, func, insert, select
from sqlalchemy.engine import Connection
from sqlmodel import col

from godaemon.errors import Unknown
from godaemon.storage.columns import Moment, TextColumn, columns, insert_numbered
from godaemon.storage.deletion import short_fingerprint
from godaemon.storage.mail_tables import FetchedRow, HeldRow, InboxRow, OldInboxRow, QuarantineRow
from godaemon.storage.prepared import Prepared
from mailgate.reading.inbound_letter import HeldLetter, InboundLetter, QuarantinedLetter
from mailgate.receiving.imap_responses import FetchState

_INSERT_IF_NEW = Prepared(
    insert(InboxRow).from_select(
        ("fingerprint", "message_id", "at"),
        select(
            bindparam("of_letter", type_=TextColumn),
            bindparam("its_message_id", type_=TextColumn),
            bindparam("now", type_=Moment),
        ).where(
            ~exists().where(col(InboxRow.fingerprint) == bindparam("of_letter", type_=TextColumn)),
            ~exists().where(col(OldInboxRow.fingerprint) == bindparam("its_hash")),
        ),
    )
)
"""Inserts a letter unless it is known; a single statement, because every letter needs it."""

_ENVELOPE = ("envelope_recipient", "envelope_sender", "raw")
_HELD = select(*columns(HeldRow, ("id", "game", "side", "sender", "nonce", *_ENVELOPE)))
_QUARANTINED = select(*columns(QuarantineRow, ("id", "fault", "at", *_ENVELOPE)))


class SqlInbox:
    """Incoming letters, in one transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def note_arrival(self, fingerprint: str, message_id: str, now: datetime) -> bool:
        """Record a letter; False if it is already known."""
        row = {"of_letter": fingerprint, "its_message_id": message_id, "now": now}
        return (
            _INSERT_IF_NEW.run(self._connection, its_hash=short_fingerprint(fingerprint), **row) > 0
        )

    def hold_letter(
        self, game: int, side: str, sender: str, letter: InboundLetter, nonce: str
    ) -> int:
        """Hold a letter until the seat's own address confirms it; returns its number."""
        row = insert(HeldRow).values(
            game=game, side=side, sender=sender, nonce=nonce, **_envelope_row(letter)
        )
        return insert_numbered(self._connection, row)

    def held_letter(self, number: int) -> HeldLetter | None:
        """A held letter, or None if it is no longer held."""
        row = self._connection.execute(_HELD.where(col(HeldRow.id) == number)).one_or_none()
        return None if row is None else _read_held(row)

    def held_letters(self, game: int, side: str, sender: str) -> Sequence[HeldLetter]:
        """The held letters from one address for one seat, the oldest first."""
        query = _HELD.filter_by(game=game, side=side, sender=sender).order_by(col(HeldRow.id))
        return [_read_held(row) for row in self._connection.execute(query)]

    def forget_held_letter(self, number: int) -> None:
        self._connection.execute(delete(HeldRow).where(col(HeldRow.id) == number))

    def quarantine_letter(self, letter: InboundLetter, fault: str, now: datetime) -> int:
        """Put a letter into quarantine; returns its number."""
        row = insert(QuarantineRow).values(fault=fault, at=now, **_envelope_row(letter))
        return insert_numbered(self._connection, row)

    def quarantined_letters(self) -> Sequence[QuarantinedLetter]:
        """All letters in quarantine, the oldest first."""
        rows = self._connection.execute(_QUARANTINED.order_by(col(QuarantineRow.id)))
        return [_read_quarantined(row) for row in rows]

    def count_quarantined(self) -> int:
        return self._connection.execute(select(func.count(col(QuarantineRow.id)))).scalar_one()

    def release_letter(self, number: int) -> QuarantinedLetter:
        """Take a letter out of quarantine; raises `Unknown`."""
        mine = col(QuarantineRow.id) == number
        row = self._connection.execute(_QUARANTINED.where(mine)).one_or_none()
        if row is None:
            raise Unknown(f"There is no email {number} in quarantine.")
        self._connection.execute(delete(QuarantineRow).where(mine))
        return _read_quarantined(row)


def _envelope_row(letter: InboundLetter) -> dict[str, object]:
    return dict(zip(_ENVELOPE, (letter.recipient, letter.sender, letter.raw), strict=True))


def _read_held(row: Sequence[Any]) -> HeldLetter:
    number, game, side, sender, nonce, *envelope = row
    return HeldLetter(number, game, side, sender, InboundLetter(*envelope), nonce)


def _read_quarantined(row: Sequence[Any]) -> QuarantinedLetter:
    number, fault, at, *envelope = row
    return QuarantinedLetter(number, InboundLetter(*envelope), fault, at)


_FORGET_FETCHED = delete(FetchedRow).where(
    col(FetchedRow.box) == bindparam("b"),
    col(FetchedRow.validity) == bindparam("v"),
    col(FetchedRow.uid) == bindparam("u"),
)


class SqlImap:
    """Letters of remote mailboxes, in one transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def fetch_states(self, box: str, validity: int) -> dict[int, FetchState]:
        """The states of a mailbox's known letters, by UID; `validity` is its UIDVALIDITY."""
        query = select(*columns(FetchedRow, ("uid", "filed"))).filter_by(box=box, validity=validity)
        return {uid: FetchState(filed) for uid, filed in self._connection.execute(query)}

    def has_fetched(self, box: str) -> bool:
        """True if a letter of a mailbox is known, under any UIDVALIDITY."""
        query = select(col(FetchedRow.uid)).where(col(FetchedRow.box) == box).limit(1)
        return self._connection.execute(query).first() is not None

    def note_fetch_states(
        self, box: str, validity: int, uids: Collection[int], filed: FetchState, now: datetime
    ) -> None:
        """Record the state of letters, by UID; it replaces an earlier state."""
        if not uids:
            return
        row = {"box": box, "validity": validity, "filed": filed.value, "at": now}
        self._connection.execute(
            _FORGET_FETCHED, [{"b": box, "v": validity, "u": uid} for uid in uids]
        )
        self._connection.execute(insert(FetchedRow), [{**row, "uid": uid} for uid in uids])
