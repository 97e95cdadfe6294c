"""One transaction: `SqlUnit` is the `Unit` and the `Outbox` of `godaemon.games.ports`.

It neither begins nor commits: the writer does.
"""

from __future__ import annotations

from sqlmodel import Session

from godaemon.storage.board_store import SqlBoards
from godaemon.storage.game_store import SqlGames
from godaemon.storage.imap_state import SqlImapState
from godaemon.storage.inbox_store import SqlInbox
from godaemon.storage.outbox_store import SqlOutbox
from godaemon.storage.overview import SqlOverview
from godaemon.storage.player_store import SqlPlayers
from godaemon.storage.seat_store import SqlSeats


class SqlUnit(
    SqlGames, SqlInbox, SqlOutbox, SqlSeats, SqlBoards, SqlPlayers, SqlImapState, SqlOverview
):
    """All that can be done in a transaction, and what of it others are waiting for."""

    def __init__(self, session: Session) -> None:
        connection = session.connection()
        SqlGames.__init__(self, connection)
        SqlInbox.__init__(self, session, connection)
        SqlOutbox.__init__(self, connection)
        SqlSeats.__init__(self, session)
        SqlBoards.__init__(self, session)
        SqlPlayers.__init__(self, connection)
        SqlImapState.__init__(self, session)
