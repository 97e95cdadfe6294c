"""The free boards within a transaction; programs play on them without a game. Raises `Unknown`."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import delete, insert, select, update
from sqlalchemy.engine import Connection, Row
from sqlmodel import col

from godaemon.errors import Unknown
from godaemon.storage.columns import columns, insert_numbered
from godaemon.storage.tables import BoardRow

MAX_BOARDS = 500
"""Maximum number of saved boards; a new one replaces the least recently used."""

_LISTED = ("id", "size", "move_number", "opened", "updated")
_NEWEST_FIRST = (col(BoardRow.updated).desc(), col(BoardRow.id).desc())


class SqlBoards:
    """Free boards, in one transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def save(
        self, number: int, before: str, sgf: str, size: str, move_number: int, at: datetime
    ) -> int:
        """Save board `number` if its record is `before`, else a new board; returns its number.

        A board that was dropped meanwhile, or that another session has changed, gets a new number.
        """
        now = {"sgf": sgf, "size": size, "move_number": move_number, "updated": at}
        seen = col(BoardRow.id) == number, col(BoardRow.sgf) == before
        if self._connection.execute(update(BoardRow).where(*seen).values(now)).rowcount:
            return number
        made = insert_numbered(self._connection, insert(BoardRow).values(**now, opened=at))
        old = select(col(BoardRow.id)).order_by(*_NEWEST_FIRST).offset(MAX_BOARDS).subquery()
        self._connection.execute(delete(BoardRow).where(col(BoardRow.id).in_(select(old.c.id))))
        return made

    def sgf(self, number: int) -> str:
        """A board as SGF; raises `Unknown`."""
        query = select(col(BoardRow.sgf)).where(col(BoardRow.id) == number)
        found = self._connection.execute(query).scalar()
        if found is None:
            raise Unknown(f"There is no board {number}.")
        return str(found)

    def all(self) -> Sequence[Row[Any]]:
        """All boards, the most recently used first."""
        query = select(*columns(BoardRow, _LISTED)).order_by(*_NEWEST_FIRST)
        return self._connection.execute(query).all()
