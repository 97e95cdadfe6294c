"""The part of a transaction that concerns the keys to seats.

Runs on the writer's thread, inside its transaction. Raises `Unknown`.
"""

from __future__ import annotations

from sqlalchemy import delete, insert
from sqlmodel import Session, col, select

from godaemon.errors import Unknown
from godaemon.games.ports import SeatKeyState
from godaemon.storage.tables import GameRow, GuiKeyRow


class SqlSeats:
    """Keys to seats, in one transaction."""

    def __init__(self, session: Session) -> None:
        self._door = session
        self.rekeyed: set[int] = set()
        """The games to whose seats other keys are good now."""

    def key_state(self, game: int, color: str) -> SeatKeyState | None:
        """The last key to a seat; None where there never was one."""
        query = select(col(GuiKeyRow.generation), col(GuiKeyRow.enabled)).where(
            col(GuiKeyRow.game) == game, col(GuiKeyRow.color) == color
        )
        row = self._door.connection().execute(query).one_or_none()
        return None if row is None else SeatKeyState(row[0], enabled=bool(row[1]))

    def set_key_state(self, game: int, color: str, state: SeatKeyState) -> None:
        """Remember which key to a seat is good, or that none is."""
        known = select(col(GameRow.id)).where(col(GameRow.id) == game)
        connection = self._door.connection()
        if connection.execute(known).scalar() is None:
            raise Unknown(f"There is no game {game}.")
        mine = (col(GuiKeyRow.game) == game, col(GuiKeyRow.color) == color)
        connection.execute(delete(GuiKeyRow).where(*mine))
        row = insert(GuiKeyRow).values(game=game, color=color, generation=state.generation)
        connection.execute(row.values(enabled=int(state.enabled)))
        self.rekeyed.add(game)
