"""The part of a transaction that concerns letters in a mailbox elsewhere, fetched by IMAP.

Runs on the writer's thread, inside its transaction.
"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import delete, insert
from sqlmodel import Session, col, select

from godaemon.games.store import Filed
from godaemon.storage.tables import FetchedRow


class Fetched:
    """What became of each letter of a mailbox, in one transaction."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def fetched(self, box: str, validity: int) -> dict[int, Filed]:
        """The letters looked at so far, by UID."""
        query = select(FetchedRow.uid, FetchedRow.filed).where(
            FetchedRow.box == box, FetchedRow.validity == validity
        )
        return {uid: Filed(filed) for uid, filed in self._session.exec(query)}

    def fetched_before(self, box: str) -> bool:
        """Whether any letter of that mailbox was ever looked at, under whatever UIDVALIDITY."""
        query = select(FetchedRow.uid).where(FetchedRow.box == box).limit(1)
        return self._session.exec(query).first() is not None

    def note_fetched(
        self, box: str, validity: int, uid: int, message_id: str, filed: Filed, at: datetime
    ) -> None:
        """Remember what became of a letter; the last word on it counts."""
        connection = self._session.connection()
        connection.execute(
            delete(FetchedRow).where(
                col(FetchedRow.box) == box,
                col(FetchedRow.validity) == validity,
                col(FetchedRow.uid) == uid,
            )
        )
        connection.execute(
            insert(FetchedRow).values(
                box=box,
                validity=validity,
                uid=uid,
                message_id=message_id,
                filed=filed.value,
                at=at,
            )
        )
