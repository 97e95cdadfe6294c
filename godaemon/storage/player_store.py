"""The part of a transaction that concerns mailboxes, as such.

Which cannot be reached, by whom their owners will not be invited, which seats move to another. Runs
on the writer's thread, inside its transaction.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import bindparam, delete, insert, select, update
from sqlalchemy.engine import Connection
from sqlmodel import col

from godaemon.games.ports import BouncingAddress, Transfer
from godaemon.storage.columns import numbered
from godaemon.storage.tables import BlockRow, MailboxRow, TransferRow

_MAILBOX = (
    *(col(MailboxRow.address), col(MailboxRow.score), col(MailboxRow.at)),
    *(col(MailboxRow.error), col(MailboxRow.suspended)),
)

_OF_ADDRESS = select(*_MAILBOX).where(col(MailboxRow.address) == bindparam("of_address"))
"""Asked for each letter that comes in, so it is built once."""


class SqlPlayers:
    """Mailboxes, in one transaction."""

    def __init__(self, connection: Connection) -> None:
        self._mail = connection

    def bouncing(self, address: str) -> BouncingAddress | None:
        """What came back from an address; None where nothing has."""
        row = self._mail.execute(_OF_ADDRESS, {"of_address": address.casefold()}).one_or_none()
        return None if row is None else BouncingAddress(*row)

    def all_bouncing(self) -> Sequence[BouncingAddress]:
        """All addresses from which letters came back, by address."""
        query = select(*_MAILBOX).order_by(col(MailboxRow.address))
        return [BouncingAddress(*row) for row in self._mail.execute(query)]

    def set_bouncing(self, bouncing: BouncingAddress) -> None:
        """Remember it."""
        key = bouncing.address.casefold()
        self._forget(key)
        self._mail.execute(
            insert(MailboxRow).values(
                address=key,
                score=bouncing.score,
                at=bouncing.at,
                error=bouncing.error,
                suspended=bouncing.suspended,
            )
        )

    def forget_bouncing(self, address: str) -> bool:
        """Letters go there again, with a clean sheet; whether there was anything to forget."""
        return self._forget(address.casefold()) > 0

    def _forget(self, key: str) -> int:
        return self._mail.execute(delete(MailboxRow).where(col(MailboxRow.address) == key)).rowcount

    def blocks(self, address: str) -> frozenset[str]:
        """By whom an address is never to be invited; "" is anybody."""
        query = select(col(BlockRow.other)).where(col(BlockRow.address) == address)
        return frozenset(row[0] for row in self._mail.execute(query))

    def block(self, address: str, other: str) -> None:
        """Let an address never be invited by another."""
        self.unblock(address, other)
        self._mail.execute(insert(BlockRow).values(address=address, other=other))

    def unblock(self, address: str, other: str) -> None:
        """Let it be invited by that one again."""
        self._mail.execute(
            delete(BlockRow).where(col(BlockRow.address) == address, col(BlockRow.other) == other)
        )

    def begin_transfer(self, game: int | None, old: str, new: str, nonce: str) -> int:
        """Remember that a seat is to move once both addresses agree; returns a number."""
        row = insert(TransferRow).values(
            game=game, old=old, new=new, nonce=nonce, old_agreed=0, new_agreed=0
        )
        return numbered(self._mail, row)

    def transfer(self, number: int) -> Transfer | None:
        """A seat that waits to move."""
        query = select(
            *(col(TransferRow.id), col(TransferRow.game), col(TransferRow.old)),
            *(col(TransferRow.new), col(TransferRow.nonce)),
            *(col(TransferRow.old_agreed), col(TransferRow.new_agreed)),
        ).where(col(TransferRow.id) == number)
        row = self._mail.execute(query).one_or_none()
        if row is None:
            return None
        _, game, old, new, nonce, old_agreed, new_agreed = row
        return Transfer(number, game, old, new, nonce, bool(old_agreed), bool(new_agreed))

    def agree_transfer(self, number: int, *, new: bool) -> None:
        """One of the two addresses has agreed."""
        values = {"new_agreed": 1} if new else {"old_agreed": 1}
        self._mail.execute(
            update(TransferRow).where(col(TransferRow.id) == number).values(**values)
        )

    def end_transfer(self, number: int) -> None:
        """It is done, or is not to be."""
        self._mail.execute(delete(TransferRow).where(col(TransferRow.id) == number))
