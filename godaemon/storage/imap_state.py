"""The part of a transaction that concerns letters in a mailbox elsewhere, fetched by IMAP.

Runs on the writer's thread, inside its transaction.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import bindparam, delete, insert
from sqlmodel import Session, col, select

from godaemon.games.ports import FetchState
from godaemon.storage.tables import FetchedRow

_FORGET = delete(FetchedRow).where(
    col(FetchedRow.box) == bindparam("b"),
    col(FetchedRow.validity) == bindparam("v"),
    col(FetchedRow.uid) == bindparam("u"),
)


class SqlImapState:
    """What became of each letter of a mailbox, in one transaction."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def fetched(self, box: str, validity: int) -> dict[int, FetchState]:
        """The letters looked at so far, by UID."""
        query = select(FetchedRow.uid, FetchedRow.filed).where(
            FetchedRow.box == box, FetchedRow.validity == validity
        )
        return {uid: FetchState(filed) for uid, filed in self._session.exec(query)}

    def fetched_before(self, box: str) -> bool:
        """Whether any letter of that mailbox was ever looked at, under whatever UIDVALIDITY."""
        query = select(FetchedRow.uid).where(FetchedRow.box == box).limit(1)
        return self._session.exec(query).first() is not None

    def note_fetched(
        self, box: str, validity: int, ids: Mapping[int, str], filed: FetchState, at: datetime
    ) -> None:
        """Remember what became of letters, by UID with their Message-IDs; the last word counts."""
        if not ids:
            return
        connection = self._session.connection()
        row = {"box": box, "validity": validity, "filed": filed.value, "at": at}
        connection.execute(_FORGET, [{"b": box, "v": validity, "u": uid} for uid in ids])
        connection.execute(
            insert(FetchedRow), [{**row, "uid": uid, "message_id": ids[uid]} for uid in ids]
        )
