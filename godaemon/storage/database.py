"""Opens a store: makes it, checks it and migrates its tables before anybody uses it.

A SQLite store is copied to FILE.schema-REVISION before it is migrated, in one transaction. On a
server one program migrates at a time, and only while no daemon uses the database: each daemon
holds a lock (`locks.share_tables`), and ends when it is asked to leave. So no daemon ever sees
tables or values that it does not know.

Raises `ConfigError` (an unusable URL or file; a store newer than the program, or older than the
first release), `StoreDamaged`, `Temporary` (the server does not answer), `Busy` (other daemons do
not leave), `Corrupt` for tables that do not match their revision.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.engine import URL, Connection, Engine
from sqlalchemy.exc import DBAPIError, OperationalError

from godaemon.errors import Busy, ConfigError, Corrupt, StoreDamaged
from godaemon.storage import sqlite_file
from godaemon.storage.connections import (
    connect,
    database_error,
    explain_errors,
    read_url,
    require_own_sessions,
)
from godaemon.storage.sqlite_copy import copy_database
from godaemon.storage.tables import SCHEMA
from godaemon.system.durable_files import hand_over

DATABASE_FILE = "godaemon.db"
"""The name of the SQLite file in the state folder."""
CHECKED = 2**26
"""Bytes up to which a SQLite file is checked from end to end at each start."""
_GROWING = {
    *("event", "game", "game_address", "inbox", "old_inbox", "old_log", "outbox", "player"),
    "rated_game",
}
"""The tables that make up nearly all of a store."""


@dataclass(frozen=True, slots=True)
class Database:
    """An open store. One thread writes to it: see `writer.WriterThread`."""

    engine: Engine
    file: Path | None
    """The SQLite file; None for a server."""

    def connect(self) -> Connection:
        return self.engine.connect()

    def close(self) -> None:
        self.engine.dispose()


def store_url(state: Path) -> str:
    return URL.create("sqlite", database=str(state / DATABASE_FILE)).render_as_string()


def open_database(url: str) -> Database:
    """Open and check the store at a URL, and migrate it if it is older than the code.

    `url` is `sqlite:////FOLDER/godaemon.db` (made if it is not there, for its owner's eyes only)
    or `postgresql://USER@HOST/NAME`.
    """
    place = read_url(url)
    file = Path(place.database or "") if place.get_backend_name() == "sqlite" else None
    if file is not None:
        _make_file(file)
    engine = connect(place)
    try:
        with explain_errors():
            if file is None:
                require_own_sessions(place)
            else:
                _quick_check(engine, file)
            migrate(place, file)
    except BaseException:
        engine.dispose()
        raise
    return Database(engine, file)


def _make_file(file: Path) -> None:
    """Make the folder and the file, for their owner alone."""
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(file, os.O_CREAT | os.O_RDWR, 0o600)
    except OSError as fault:
        raise ConfigError(
            f"The store {file} cannot be opened for writing: {fault.strerror}."
            " Is it this user's own?",
            detail=str(fault),
        ) from fault
    try:
        found = os.fstat(handle)
        if stat.S_IMODE(found.st_mode) & 0o077:
            os.fchmod(handle, 0o600)
    finally:
        os.close(handle)
    if not found.st_size:
        sqlite_file.rebuild(file)


def require_usable(file: Path) -> None:
    """Raise `ConfigError` if this user may not use a SQLite file and what is beside it."""
    for path in (file.parent, *(file.with_name(file.name + end) for end in ("", "-wal", "-shm"))):
        if not path.exists() or os.access(path, os.R_OK | os.W_OK):
            continue
        if os.statvfs(path).f_flag & os.ST_RDONLY:
            why = "its file system is read-only. Mount it for writing"
        elif path.stat().st_uid == os.geteuid():
            why = f"permission denied. Run: chmod u+rwX {path}"
        else:
            why = f"it is another user's. Run as root: chown {os.geteuid()} {path}"
        raise ConfigError(f"{path} cannot be written to: {why}")


def _quick_check(engine: Engine, file: Path) -> None:
    """Raise `StoreDamaged` for a damaged SQLite file; of a large one not all is read.

    Reading gigabytes at each start would keep everybody waiting; a backup reads and checks all.
    """
    whole = file.stat().st_size <= CHECKED
    with engine.connect() as connection:
        known = sa.inspect(connection).get_table_names() if not whole else []
        tables = [f"PRAGMA quick_check({name})" for name in known if name not in _GROWING]
        checks = ["PRAGMA quick_check"] if whole else tables
        results = (connection.exec_driver_sql(check).scalars().first() for check in checks)
        found = next((result for result in results if result != "ok"), "ok")
    if found != "ok":
        raise StoreDamaged(
            "The store is damaged; `godaemon restore` brings a backup back.", detail=str(found)
        )


CHANNEL = "godaemon"
"""The channel of the daemons on one server (PostgreSQL 15, SQL commands: NOTIFY)."""
LEAVE = "leave"
"""The message that asks all daemons to leave, so that tables can be changed."""
PRESENT = int.from_bytes(b"godaemon")
"""The advisory lock that each daemon holds (PostgreSQL 15, 9.27.10)."""
_MIGRATING = PRESENT + 1
"""The lock of the program that waits for them to leave."""
_LOCK_TIMEOUT = "60s"
_OTHERS = (
    "The database's tables are to be changed for this version, but another godaemon goes on using"
    " them. Stop that one first."
)


def migrate(place: URL, file: Path | None) -> None:
    """Bring the tables to `SCHEMA`; `file` is the SQLite file, if there is one."""
    # A table that others refer to can only be rebuilt without foreign keys; they are checked after.
    engine = connect(place, foreign_keys=False)
    try:
        with engine.connect() as connection:
            found = read_revision(connection)
        if found == SCHEMA:
            return
        if file is None:
            _migrate_server(engine)
        else:
            _change_tables(engine, found, file)
    finally:
        engine.dispose()


def read_revision(connection: Connection) -> str | None:
    """The revision of a store's tables; None for an empty store."""
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    version = sa.table("alembic_version", sa.column("version_num", sa.Text))
    found: str | None = connection.execute(sa.select(version.c.version_num)).scalar()
    return found


def require_current(connection: Connection) -> None:
    """Raise `ConfigError` unless the tables are those of this program."""
    found = read_revision(connection)
    require_known(found)
    if found != SCHEMA:
        raise ConfigError(
            f"The store's tables are at {found}, and this godaemon needs {SCHEMA}: start the"
            " daemon, which brings them up to date."
        )


def require_known(found: str | None) -> None:
    """Raise `ConfigError` for a revision that this program cannot start from."""
    if found is None or found == SCHEMA:
        return
    # Most starts have nothing to migrate and need not wait for Alembic to load.
    from godaemon.storage.migrations import known_revisions  # noqa: PLC0415

    if found in (steps := known_revisions()):
        return
    if found < min(steps):
        raise ConfigError(
            "The store is of a development version before the first release: its tables are at"
            f" {found}, and releases open stores from {min(steps)} on. Only the program that made"
            " it opens it: write its games out with that (`godaemon sgf N`), and begin a new store."
        )
    raise ConfigError(
        f"The store was written by a newer godaemon: its tables are at {found}, and this"
        f" program knows them up to {SCHEMA}. Install that version again, or restore a backup"
        " that was made before it."
    )


def take_lock(connection: Connection, number: int, why: str, *, shared: bool = False) -> None:
    """Take an advisory lock until the connection ends; raises `Busy` with `why` after a minute."""
    function = f"pg_advisory_lock{'_shared' if shared else ''}"
    try:
        connection.exec_driver_sql(f"SET lock_timeout = '{_LOCK_TIMEOUT}'")
        connection.exec_driver_sql(f"SELECT {function}({number})")
    except OperationalError as fault:
        if getattr(fault.orig, "sqlstate", "") != "55P03":  # lock_not_available
            raise
        raise Busy(why) from fault


def wait_long(connection: Connection) -> None:
    """Let this transaction on a server wait a minute for each lock, since nothing runs it again."""
    if connection.dialect.name != "sqlite":
        connection.exec_driver_sql(f"SET LOCAL lock_timeout = '{_LOCK_TIMEOUT}'")


def _migrate_server(engine: sa.Engine) -> None:
    with migration_lock(engine) as connection:
        found = read_revision(connection)
        if found != SCHEMA:  # else another program that started with us was quicker
            require_known(found)
            connection.exec_driver_sql(f"NOTIFY {CHANNEL}, '{LEAVE}'")
            take_lock(connection, PRESENT, _OTHERS)
            _change_tables(engine, found, None)


@contextmanager
def migration_lock(engine: sa.Engine) -> Iterator[Connection]:
    """Let no other program make or change tables of a server; raises `Busy`."""
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        try:
            take_lock(
                connection, _MIGRATING, "Another godaemon is changing the tables of the database."
            )
            yield connection
        finally:
            connection.invalidate()  # the locks go with it


def _change_tables(engine: sa.Engine, found: str | None, file: Path | None) -> None:
    from godaemon.storage import migrations  # noqa: PLC0415 - see above

    require_known(found)
    if found is not None and file is not None:
        copy = file.with_name(f"{file.name}.schema-{found}")
        copy_database(file, copy)
        hand_over(copy, file.parent)
    try:
        with engine.begin() as connection:
            wait_long(connection)
            if found is None:
                migrations.create_tables(connection)
            else:
                migrations.run_steps(connection)
    except DBAPIError as fault:
        odd = "The store's tables are not those that it says it has."
        raise database_error(fault) or Corrupt(odd, detail=str(fault)) from fault
