"""Database connections, the beginning of transactions, and the translation of database errors.

SQLite is the default; PostgreSQL needs only another URL. Raises `ConfigError` for an unusable URL.
A database error becomes `Temporary` or `StoreDamaged` by its code (https://sqlite.org/rescode.html;
PostgreSQL 15, appendix A); any other is a bug of ours, and passes unchanged.
"""

import sqlite3
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.engine import URL, Connection, Engine, ExceptionContext, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, InterfaceError, OperationalError

from godaemon.errors import ConfigError, GodaemonError, StoreDamaged, Temporary

LARGE_LOG = 2**23
"""The size in bytes above which the write-ahead log is truncated; long reads make it grow."""
_PRAGMAS = (
    "PRAGMA busy_timeout=5000",
    "PRAGMA journal_mode=WAL",
    # NORMAL would lose acknowledged commits in a power failure.
    "PRAGMA synchronous=FULL",
    "PRAGMA trusted_schema=OFF",
    # Overwrites deleted rows in the file, because players may ask to be forgotten.
    "PRAGMA secure_delete=ON",
    # Savepoints of several letters exceed 64 KiB, and would need a temporary file.
    "PRAGMA temp_store=MEMORY",
    # Truncates a log that has grown during a long read.
    f"PRAGMA journal_size_limit={LARGE_LOG}",
)
_DIALECTS = ("sqlite", "postgresql")
_TIMEOUTS = {
    "connect_timeout": 5,
    "keepalives_idle": 2,
    "keepalives_interval": 1,
    "keepalives_count": 3,
    "tcp_user_timeout": 5000,
}
"""Timeouts that detect a dead server within seconds, while we wait for an answer or (in ms) for an
acknowledgement of sent data. Options in the URL override them."""
_SET_UP = """
    SET lock_timeout = '30ms';
    SET tcp_keepalives_idle = 2; SET tcp_keepalives_interval = 1; SET tcp_keepalives_count = 3;
    SET tcp_user_timeout = 5000;
    SELECT set_config('idle_in_transaction_session_timeout', '60s', false)
    WHERE current_setting('idle_in_transaction_session_timeout') = '0'
"""
"""The settings of a session on a server.

The lock timeout (55P03) is short, because a transaction that meets another daemon's must be run
again anyway, and the server takes a second to notice a deadlock. Keepalives and timeouts let the
server detect a dead client within seconds. Otherwise it would keep the client's locks for two
hours, or forever if the client is frozen.
"""

_NAME = sa.text("SELECT set_config('godaemon.session', :name, false)")
_NAMED = sa.text("SELECT current_setting('godaemon.session', true)")


def read_url(url: str) -> URL:
    """Parse the URL of a store; raises `ConfigError` if it is unusable."""
    try:
        place = make_url(url)
    except ArgumentError as fault:
        raise ConfigError(
            "The store's URL cannot be read; one looks like sqlite:////var/lib/godaemon/godaemon.db"
            " or postgresql://godaemon@localhost/godaemon."
        ) from fault
    if place.get_backend_name() not in _DIALECTS:
        raise ConfigError(
            f"godaemon can store games in sqlite or postgresql, not in {place.drivername}."
        )
    if place.get_backend_name() == "sqlite" and place.database in {None, "", ":memory:"}:
        raise ConfigError("The store's URL names no file: sqlite:////FOLDER/godaemon.db does.")
    return place


def sqlite_path(place: URL) -> Path | None:
    """The file of a SQLite store; None for a server."""
    return Path(place.database or "") if place.get_backend_name() == "sqlite" else None


def connect(place: URL, *, foreign_keys: bool = True) -> Engine:
    """An SQLAlchemy engine with our pragmas and transactions; migrations need no foreign keys."""
    try:
        # hide_parameters keeps addresses and players' words out of the log.
        engine = sa.create_engine(place, hide_parameters=True, **_server_options(place))
    except ModuleNotFoundError as fault:
        raise ConfigError(
            f"{place.drivername} needs a library that is not installed: run `{sys.prefix}/bin/pip"
            " install 'psycopg[binary]'`.",
            detail=str(fault),
        ) from fault
    if engine.dialect.name == "sqlite":
        _configure_sqlite(engine, foreign_keys=foreign_keys)
    else:
        event.listen(engine, "connect", _set_up)
        event.listen(engine, "handle_error", _cut_details)
        event.listen(engine, "commit", _require_sound)
    return engine


def _server_options(place: URL) -> Mapping[str, Any]:
    if sqlite_path(place) is not None:
        return {}
    timeouts = {name: value for name, value in _TIMEOUTS.items() if name not in place.query}
    # Other daemons write too. A transaction sees a snapshot; it is run again if a row that it
    # changes has changed since. (SERIALIZABLE works too, but in small tables everything collides.)
    return {"isolation_level": "REPEATABLE READ", "connect_args": timeouts}


@contextmanager
def session(place: URL) -> Iterator[Connection]:
    """A connection for one task; errors of the database are translated (`explain_errors`)."""
    engine = connect(place)
    try:
        with explain_errors(), engine.connect() as connection:
            yield connection
    finally:
        engine.dispose()


def _set_up(connection: Any, _record: object) -> None:  # noqa: ANN401 - a DB-API connection
    connection.execute(_SET_UP)
    connection.commit()


def require_own_sessions(place: URL) -> None:
    """Raise `ConfigError` if a connection pool shares one server session between clients.

    Locks, LISTEN and prepared statements belong to a session.
    """
    with session(place) as one, one.engine.connect() as other:
        for name, connection in (("one", one), ("other", other)):
            connection.scalar(_NAME, {"name": name})
            connection.commit()
        if one.scalar(_NAMED) != "one":
            raise shared_session_error()


def shared_session_error() -> ConfigError:
    """The error for a pool that shares one server session between programs."""
    return ConfigError(
        "The connection pool of the database (PgBouncer?) shares a session between programs, and"
        " godaemon needs one of its own: set pool_mode = session."
    )


def _cut_details(context: ExceptionContext) -> None:
    """Cut DETAIL and CONTEXT, which contain values of rows, off a server's message."""
    for fault in (context.original_exception, context.sqlalchemy_exception):
        if fault is not None and fault.args:
            fault.args = (str(fault.args[0]).partition("\nDETAIL")[0], *fault.args[1:])


def _require_sound(connection: Connection) -> None:
    """Raise if a statement failed and its error was ignored: COMMIT would silently roll back."""
    driver: Any = connection.connection.driver_connection
    if driver.info.transaction_status.name == "INERROR":
        connection.exec_driver_sql("SELECT")


def _configure_sqlite(engine: Engine, *, foreign_keys: bool) -> None:
    pragmas = (*_PRAGMAS, f"PRAGMA foreign_keys={'ON' if foreign_keys else 'OFF'}")

    def _on_connect(connection: Any, _record: object) -> None:  # noqa: ANN401 - a DB-API connection
        # The driver must not begin transactions itself. BEGIN IMMEDIATE (below) takes the write
        # lock at once, and changes of tables become transactional too.
        connection.isolation_level = None
        for pragma in pragmas:
            connection.execute(pragma)

    event.listen(engine, "connect", _on_connect)
    event.listen(engine, "begin", lambda one: one.exec_driver_sql("BEGIN IMMEDIATE"))
    event.listen(engine, "commit", require_open)


def require_open(connection: Connection) -> None:
    """Raise `Temporary` if the transaction has already ended.

    On a full disk SQLite rolls back by itself. Later statements would then be transactions of their
    own, and COMMIT would report success.
    """
    driver = connection.connection.dbapi_connection
    if connection.dialect.name == "sqlite" and not (driver and driver.in_transaction):
        raise not_stored("the transaction was rolled back", "no transaction is open")


READ_ONLY = "it may not be written to"
_TEMPORARY = {
    sqlite3.SQLITE_BUSY: "another program is writing to it",
    sqlite3.SQLITE_LOCKED: "another program is writing to it",
    sqlite3.SQLITE_PROTOCOL: "another program is writing to it",
    sqlite3.SQLITE_NOMEM: "there is not enough memory",
    sqlite3.SQLITE_READONLY: READ_ONLY,
    sqlite3.SQLITE_INTERRUPT: "the work was interrupted",
    sqlite3.SQLITE_IOERR: "its disk reported an error, or is full",
    sqlite3.SQLITE_FULL: "the disk is full",
    sqlite3.SQLITE_CANTOPEN: "its file cannot be opened",
}
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_COLLISIONS = {
    "40001",  # serialization_failure
    "40P01",  # deadlock_detected
    "23505",  # unique_violation: another transaction inserted the same row, invisible to ours
    "55P03",  # lock_not_available: another daemon is changing the row
    "25P02",  # in_failed_sql_transaction: one of the errors above was ignored
}
_READ_ONLY = "25006"
"""read_only_sql_transaction: a standby, or a server that takes no changes."""


def is_collision(fault: BaseException | None) -> bool:
    """True if a unit of work collided with that of another daemon; a second try may succeed."""
    while fault is not None:
        cause = fault.orig if isinstance(fault, DBAPIError) else fault
        if getattr(cause, "sqlstate", None) in _COLLISIONS:
            return True
        fault = fault.__cause__
    return False


def lost_connection(fault: BaseException) -> bool:
    """True if the connection was lost; a new one may work."""
    cause = fault.__cause__ if isinstance(fault, GodaemonError) else fault
    return isinstance(cause, DBAPIError) and cause.connection_invalidated


def database_error(fault: BaseException) -> GodaemonError | None:
    """The error to raise for a fault of the database itself; None for a bug of ours."""
    cause = fault.orig if isinstance(fault, DBAPIError) else fault
    if isinstance(cause, sqlite3.Error):
        code = getattr(cause, "sqlite_errorcode", 0) & 0xFF
        if code in _DAMAGED:
            public = "The store is damaged: run `godaemon restore BACKUP --move-aside`."
            return StoreDamaged(public, detail=str(cause))
        return not_stored(_TEMPORARY[code], str(cause)) if code in _TEMPORARY else None
    if is_collision(fault):
        return not_stored("another godaemon kept changing it", str(cause))
    if getattr(cause, "sqlstate", None) == _READ_ONLY:
        return not_stored(READ_ONLY, str(cause))
    if lost_connection(fault) or isinstance(fault, OperationalError | InterfaceError):
        return not_stored("its server does not answer, or rejects the login", str(cause))
    return None


@contextmanager
def explain_errors() -> Iterator[None]:
    """Raise `database_error` in place of a database's exception; bugs of ours pass unchanged."""
    try:
        yield
    except (DBAPIError, sqlite3.Error) as fault:
        raise (database_error(fault) or fault) from fault


def not_stored(why: str, detail: str) -> Temporary:
    """The error for a store that cannot be used now; nothing was changed."""
    return Temporary(
        f"The store cannot be used just now: {why}. Nothing was changed; please try again later.",
        detail=detail,
    )
