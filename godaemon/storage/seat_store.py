"""The part of a transaction that concerns seats: their keys, and their pending moves.

Runs on the writer's thread, inside its transaction. Raises `Unknown`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from sqlalchemy import Integer, bindparam, delete, insert, select, update
from sqlalchemy.engine import Connection
from sqlalchemy.exc import IntegrityError
from sqlalchemy.sql import ColumnElement
from sqlmodel import col

from godaemon.errors import NotAllowed, Unknown
from godaemon.games.notices import Kind
from godaemon.games.store_protocols import KeptNotice, LeftBehind, SeatKeyState
from godaemon.storage.columns import columns, names_of
from godaemon.storage.prepared import Prepared
from godaemon.storage.tables import GameRow, KeptNoticeRow, PendingMoveRow, SeatKeyRow

_THERE = Prepared(select(col(GameRow.id)).where(col(GameRow.id) == bindparam("of_game")))
_SAVE = Prepared(
    insert(PendingMoveRow).inline(), ("game", "color", "move", "position_rev", "holder")
)
_CLEAR = Prepared(
    delete(PendingMoveRow).where(
        col(PendingMoveRow.game) == bindparam("of_game"),
        col(PendingMoveRow.color) == bindparam("of_color"),
        # Another daemon's stays: a program has just moved there. The same move is that program's
        # own, which has sat down here.
        col(PendingMoveRow.holder).is_not_distinct_from(bindparam("by_holder", type_=Integer))
        | (col(PendingMoveRow.position_rev) != bindparam("at_rev"))
        | (col(PendingMoveRow.move) == bindparam("its_move")),
    )
)
_MINE = (
    col(KeptNoticeRow.game) == bindparam("of_game"),
    col(KeptNoticeRow.color) == bindparam("of_color"),
)
_KEPT = Prepared(select(*columns(KeptNoticeRow, names_of(KeptNotice))).where(*_MINE))
_FORGET = Prepared(delete(KeptNoticeRow).where(*_MINE))


class SqlSeats:
    """Keys, pending moves and kept notices, in one transaction."""

    def __init__(self, connection: Connection, holder: int | None = None) -> None:
        self._connection, self._holder = connection, holder
        self.rekeyed: set[int] = set()
        """The games to whose seats other keys are good now."""

    def key_state(self, game: int, color: str) -> SeatKeyState | None:
        """The last key to a seat; None where there never was one."""
        query = select(col(SeatKeyRow.generation), col(SeatKeyRow.enabled)).where(
            col(SeatKeyRow.game) == game, col(SeatKeyRow.color) == color
        )
        row = self._connection.execute(query).one_or_none()
        return None if row is None else SeatKeyState(row[0], enabled=bool(row[1]))

    def set_key_state(self, game: int, color: str, state: SeatKeyState) -> None:
        """Remember which key to a seat is good, or that none is."""
        self._check(game)
        mine = (col(SeatKeyRow.game) == game, col(SeatKeyRow.color) == color)
        self._connection.execute(delete(SeatKeyRow).where(*mine))
        row = insert(SeatKeyRow).values(game=game, color=color, generation=state.generation)
        self._connection.execute(row.values(enabled=int(state.enabled)))
        self.rekeyed.add(game)

    def keep_notice(self, game: int, color: str, kept: KeptNotice) -> None:
        """Keep a notice for a seat, in place of any other."""
        self._check(game)
        self.take_kept(game, color)
        row = {"game": game, "color": color, **asdict(kept), "holder": self._holder}
        self._connection.execute(insert(KeptNoticeRow).values(row))

    def take_kept(self, game: int, color: str) -> KeptNotice | None:
        """The notice that was kept for a seat, and is no longer; None where there is none."""
        seat: dict[str, object] = {"of_game": game, "of_color": color}
        row = _KEPT.row(self._connection, **seat)
        if row is None:
            return None
        _FORGET.run(self._connection, **seat)
        kind, since, until, digest = row
        return KeptNotice(Kind(kind), since, until, digest)

    def kept_seats(self, *those: ColumnElement[bool]) -> Sequence[tuple[int, str]]:
        """The seats for which a notice is kept, of those that are meant: game and colour."""
        seat = columns(KeptNoticeRow, ("game", "color"))
        rows = self._connection.execute(
            select(*seat)
            .join(GameRow, col(GameRow.id) == col(KeptNoticeRow.game))
            .where(col(GameRow.damaged).is_(None), *those)
            .order_by(*seat)
        )
        return [(game, color) for game, color in rows]

    def save_pending_move(self, game: int, color: str, move: str | None, position_rev: int) -> None:
        """Save a seat's pending move ("D4", "pass"), or, with None, clear it.

        Raises `NotAllowed` where a program at another daemon has another.
        """
        seat: dict[str, object] = {"of_game": game, "of_color": color, "by_holder": self._holder}
        _CLEAR.run(self._connection, **seat, at_rev=position_rev, its_move=move)
        if move is not None:
            self._check(game)
            row = {"game": game, "color": color, "move": move, "position_rev": position_rev}
            try:
                _SAVE.run(self._connection, **row, holder=self._holder)
            except IntegrityError:  # an answer, and nothing to try again
                raise NotAllowed("another program at this seat has just played") from None

    def left_by(self, holder: int | None) -> LeftBehind:
        """What a daemon that is gone, or (None) nobody, had; it is ours from now on."""
        moves, kept = (
            col(table.holder).is_not_distinct_from(holder)
            for table in (PendingMoveRow, KeptNoticeRow)
        )
        found = columns(PendingMoveRow, ("game", "color", "move", "position_rev"))
        rows = self._connection.execute(select(*found).where(moves).order_by(*found[:2]))
        left = LeftBehind(
            [(game, color, move, at) for game, color, move, at in rows], self.kept_seats(kept)
        )
        for table, those in ((PendingMoveRow, moves), (KeptNoticeRow, kept)):
            self._connection.execute(update(table).where(those).values(holder=self._holder))
        return left

    def _check(self, game: int) -> None:
        """Raise `Unknown` where there is no such game."""
        if _THERE.row(self._connection, of_game=game) is None:
            raise Unknown(f"There is no game {game}.")
