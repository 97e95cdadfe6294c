"""Opens a store: creates it if it is missing, checks it, and has `migrations` update its tables.

Raises `ConfigError` (an unusable URL or file), `StoreDamaged`, `Temporary` (the server does not
answer), and the errors of `migrations`.
"""

import os
import stat
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy.engine import URL, Connection, Engine

from godaemon.errors import ConfigError, StoreDamaged
from godaemon.storage import sqlite_file
from godaemon.storage.connections import (
    connect,
    explain_errors,
    read_url,
    require_own_sessions,
    sqlite_path,
)
from godaemon.storage.migrations import migrate

DATABASE_FILE = "godaemon.db"
"""The name of the SQLite file in the state folder."""
MAX_CHECKED_SIZE = 2**26
"""The size in bytes up to which a SQLite file is checked at each start."""


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
    """The URL of the SQLite store in a state folder."""
    return URL.create("sqlite", database=str(state / DATABASE_FILE)).render_as_string()


def open_database(url: str) -> Database:
    """Open, check and migrate the store at a URL.

    `url` is `sqlite:////FOLDER/godaemon.db` (created if missing, readable by its owner only) or
    `postgresql://USER@HOST/NAME`.
    """
    place = read_url(url)
    file = sqlite_path(place)
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
    """Create the folder and the file if missing, accessible to their owner only."""
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
    """Raise `ConfigError` if this user may not write a SQLite file, its log or its folder."""
    for path in (file.parent, *(file.with_name(file.name + end) for end in ("", "-wal", "-shm"))):
        if not path.exists() or os.access(path, os.R_OK | os.W_OK):
            continue
        if os.statvfs(path).f_flag & os.ST_RDONLY:
            why = "its file system is read-only. Mount it for writing, or work on a copy"
        elif path.stat().st_uid == os.geteuid():
            why = f"permission denied. Run: chmod u+rwX {path}"
        else:
            why = f"it is another user's. Run as root: chown {os.geteuid()} {path}"
        raise ConfigError(f"{path} cannot be written to: {why}")


def _quick_check(engine: Engine, file: Path) -> None:
    """Raise `StoreDamaged` for a damaged SQLite file, unless it is large.

    Reading gigabytes would delay each start; a backup checks everything.
    """
    if file.stat().st_size > MAX_CHECKED_SIZE:
        return
    with engine.connect() as connection:
        found = connection.exec_driver_sql("PRAGMA quick_check").scalars().first()
    if found != "ok":
        raise StoreDamaged(
            "The store is damaged: run `godaemon restore BACKUP --move-aside`.", detail=str(found)
        )
