"""Go programs' seats within a transaction: keys, pending moves and kept notices.

Raises `Unknown`, `NotAllowed`.
"""

from collections.abc import Sequence
from dataclasses import asdict

from sqlalchemy import Integer, bindparam, delete, insert, select, update
from sqlalchemy.engine import Connection
from sqlalchemy.exc import IntegrityError
from sqlalchemy.sql import ColumnElement
from sqlmodel import col

from godaemon.errors import NotAllowed, Unknown
from godaemon.games.notices import Kind
from godaemon.games.stored_values import KeptNotice, OrphanedWork, SeatKeyState
from godaemon.storage.columns import columns, put
from godaemon.storage.prepared import Prepared
from godaemon.storage.tables import GameRow, KeptNoticeRow, PendingMoveRow, SeatKeyRow

_GAME_EXISTS = Prepared(select(col(GameRow.id)).where(col(GameRow.id) == bindparam("of_game")))
_SAVE = Prepared(insert(PendingMoveRow).inline())
_CLEAR = Prepared(
    delete(PendingMoveRow).where(
        col(PendingMoveRow.game) == bindparam("of_game"),
        col(PendingMoveRow.color) == bindparam("of_color"),
        # Another daemon's pending move stays unless it is outdated: a program there has just made
        # it. If it is the same move, the same program has reconnected here.
        col(PendingMoveRow.holder).is_not_distinct_from(bindparam("holder_id", type_=Integer))
        | (col(PendingMoveRow.position_rev) != bindparam("at_rev"))
        | (col(PendingMoveRow.move) == bindparam("its_move")),
    )
)


class SqlSeats:
    """Keys, pending moves and kept notices, in one transaction."""

    def __init__(self, connection: Connection, holder: int | None = None) -> None:
        self._connection, self._holder = connection, holder
        self.rekeyed: set[int] = set()
        """The games whose seat keys this transaction has changed."""

    def key_state(self, game: int, color: str) -> SeatKeyState | None:
        """The state of a seat's key; None if no key was ever issued."""
        found = select(*columns(SeatKeyRow, ("generation", "enabled")))
        row = self._connection.execute(found.filter_by(game=game, color=color)).one_or_none()
        return None if row is None else SeatKeyState(row[0], enabled=bool(row[1]))

    def set_key_state(self, game: int, color: str, state: SeatKeyState) -> None:
        """Write the state of a seat's key; raises `Unknown`."""
        self._check_game(game)
        row = {"generation": state.generation, "enabled": int(state.enabled)}
        put(self._connection, SeatKeyRow, {"game": game, "color": color}, row)
        self.rekeyed.add(game)

    def keep_notice(self, game: int, color: str, kept: KeptNotice) -> None:
        """Keep a notice for a seat; it replaces an earlier one. Raises `Unknown`."""
        self._check_game(game)
        row = {**asdict(kept), "holder": self._holder}
        put(self._connection, KeptNoticeRow, {"game": game, "color": color}, row)

    def take_notice(self, game: int, color: str) -> KeptNotice | None:
        """Remove and return a seat's kept notice, if any."""
        taken = delete(KeptNoticeRow).filter_by(game=game, color=color)
        values = taken.returning(*columns(KeptNoticeRow, KeptNotice.__match_args__))
        for kind, *rest in self._connection.execute(values):
            return KeptNotice(Kind(kind), *rest)
        return None

    def seats_with_notice(self, *conditions: ColumnElement[bool]) -> Sequence[tuple[int, str]]:
        """The seats with a kept notice (game, colour), without damaged games."""
        seat = columns(KeptNoticeRow, ("game", "color"))
        rows = self._connection.execute(
            select(*seat)
            .join(GameRow, col(GameRow.id) == col(KeptNoticeRow.game))
            .where(col(GameRow.damaged).is_(None), *conditions)
            .order_by(*seat)
        )
        return [(game, color) for game, color in rows]

    def save_pending_move(self, game: int, color: str, move: str | None, position_rev: int) -> None:
        """Save a seat's pending move ("D4", "pass"), or clear it (None).

        Raises `NotAllowed` if a program at another daemon has a pending move in that seat.
        """
        seat: dict[str, object] = {"of_game": game, "of_color": color, "holder_id": self._holder}
        _CLEAR.run(self._connection, **seat, at_rev=position_rev, its_move=move)
        if move is not None:
            self._check_game(game)
            row = {"game": game, "color": color, "move": move, "position_rev": position_rev}
            try:
                _SAVE.run(self._connection, **row, holder=self._holder)
            except IntegrityError:  # running the unit again would not help
                raise NotAllowed("a move at this seat will soon be sent") from None

    def take_over(self, holder: int | None) -> OrphanedWork:
        """Take over pending moves and kept notices of a dead daemon, or (None) without a holder."""
        moves, kept = (
            col(table.holder).is_not_distinct_from(holder)
            for table in (PendingMoveRow, KeptNoticeRow)
        )
        names = columns(PendingMoveRow, ("game", "color", "move", "position_rev"))
        found = self._connection.execute(select(*names).where(moves).order_by(*names[:2]))
        pending = [(game, color, move, at) for game, color, move, at in found]
        left = OrphanedWork(pending, self.seats_with_notice(kept))
        for table, rows in ((PendingMoveRow, moves), (KeptNoticeRow, kept)):
            self._connection.execute(update(table).where(rows).values(holder=self._holder))
        return left

    def _check_game(self, game: int) -> None:
        if _GAME_EXISTS.row(self._connection, of_game=game) is None:
            raise Unknown(f"There is no game {game}.")
