"""A unit of work: all stores within one transaction, which the writer begins and commits."""

from sqlalchemy.engine import Connection

from godaemon.storage.board_store import SqlBoards
from godaemon.storage.connections import READ_ONLY, not_stored
from godaemon.storage.game_store import SqlGames
from godaemon.storage.inbox_store import SqlImap, SqlInbox
from godaemon.storage.outbox_store import SqlOutbox
from godaemon.storage.player_store import SqlPlayers, SqlQuotas, SqlWatchers
from godaemon.storage.seat_store import SqlSeats


class Unit:
    """The nine stores on one connection, which is in a transaction."""

    def __init__(self, connection: Connection, holder: int | None = None) -> None:
        """`holder` is this daemon's number."""
        self.connection = connection
        self.games = SqlGames(connection)
        self.outbox = SqlOutbox(connection, holder)
        self.players = SqlPlayers(connection)
        self.seats = SqlSeats(connection, holder)
        self.watchers = SqlWatchers(connection)
        self.quotas = SqlQuotas(connection, holder)
        self.inbox = SqlInbox(connection)
        self.imap = SqlImap(connection)
        self.boards = SqlBoards(connection)

    def require_writable(self) -> None:
        """Raise `Temporary` if a server is read-only: a standby, or configured so."""
        if self.connection.dialect.name == "sqlite":
            return  # SQLite reports it at the first write
        if self.connection.exec_driver_sql("SHOW transaction_read_only").scalar() == "on":
            raise not_stored(READ_ONLY, "transaction_read_only is on")
