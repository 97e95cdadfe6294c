"""One transaction over all that is stored. It neither begins nor commits: the writer does."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy.engine import Connection

from godaemon.storage.board_store import SqlBoards
from godaemon.storage.database_errors import READ_ONLY, not_stored
from godaemon.storage.fetch_store import SqlImap
from godaemon.storage.game_store import SqlGames
from godaemon.storage.inbox_store import SqlInbox
from godaemon.storage.outbox_store import SqlOutbox
from godaemon.storage.player_store import SqlPlayers
from godaemon.storage.quota_store import SqlQuotas
from godaemon.storage.seat_store import SqlSeats
from godaemon.storage.watcher_store import SqlWatchers


class SqlUnit:
    """The nine stores, over one connection that is in a transaction."""

    def __init__(
        self, connection: Connection, holder: int | None = None, earlier: Sequence[SqlUnit] = ()
    ) -> None:
        """`holder` is the daemon whose work it is, of several; `earlier` ones went before it."""
        self.connection = connection
        self.games: SqlGames = SqlGames(connection, [unit.games for unit in earlier])
        self.outbox = SqlOutbox(connection, holder)
        self.players = SqlPlayers(connection)
        self.seats = SqlSeats(connection, holder)
        self.watchers = SqlWatchers(connection)
        self.quotas = SqlQuotas(connection, holder)
        self.inbox = SqlInbox(connection)
        self.imap = SqlImap(connection)
        self.boards = SqlBoards(connection)

    def hold_writable(self) -> None:
        """Raise `Temporary` where a server takes no changes: a standby, or one that was told so."""
        if self.connection.dialect.name == "sqlite":
            return  # it finds out when it writes, and says so in time (`free_pages`, `lost_files`)
        if self.connection.exec_driver_sql("SHOW transaction_read_only").scalar() == "on":
            raise not_stored(READ_ONLY, "transaction_read_only is on")
