"""The part of a transaction that concerns letters in a mailbox elsewhere, fetched by IMAP.

Runs on the writer's thread, inside its transaction.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import bindparam, delete, insert, select
from sqlalchemy.engine import Connection
from sqlmodel import col

from godaemon.storage.tables import FetchedRow
from mailgate.receiving.imap_responses import FetchState

_FORGET = delete(FetchedRow).where(
    col(FetchedRow.box) == bindparam("b"),
    col(FetchedRow.validity) == bindparam("v"),
    col(FetchedRow.uid) == bindparam("u"),
)


class SqlImap:
    """Letters of mailboxes elsewhere, in one transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def fetched(self, box: str, validity: int) -> dict[int, FetchState]:
        """The letters looked at so far, by UID."""
        query = select(col(FetchedRow.uid), col(FetchedRow.filed)).where(
            col(FetchedRow.box) == box, col(FetchedRow.validity) == validity
        )
        return {uid: FetchState(filed) for uid, filed in self._connection.execute(query)}

    def fetched_before(self, box: str) -> bool:
        """Whether any letter of that mailbox was ever looked at, under whatever UIDVALIDITY."""
        query = select(col(FetchedRow.uid)).where(col(FetchedRow.box) == box).limit(1)
        return self._connection.execute(query).first() is not None

    def note_fetched(
        self, box: str, validity: int, uids: Collection[int], filed: FetchState, at: datetime
    ) -> None:
        """Remember what became of letters, by UID; the last word counts."""
        if not uids:
            return
        row = {"box": box, "validity": validity, "filed": filed.value, "at": at}
        self._connection.execute(_FORGET, [{"b": box, "v": validity, "u": uid} for uid in uids])
        self._connection.execute(insert(FetchedRow), [{**row, "uid": uid} for uid in uids])
