"""The files of a SQLite store: its write-ahead log, its free pages, and a check that they exist.

A checkpoint copies the write-ahead log into the store. SQLite would make one every thousand pages
within a COMMIT, and delay all writers by tenths of a second on a busy disk. So a thread makes them
(`Checkpointer`), and the next COMMIT only restarts the log. During a long read the log grows; it is
truncated afterwards. A checkpoint that fails is not reported, because it can be made later.
"""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from sqlalchemy.engine import Connection

from godaemon.storage.connections import LARGE_LOG, explain_errors

CHECKPOINT_AFTER = 40
"""The number of units of work between two checkpoints: about a thousand pages."""
_ROUNDS = 4
"""The number of checkpoints before the last one; each has less to copy."""
_one_at_a_time = threading.Lock()
"""SQLite rejects a second checkpoint instead of letting it wait."""


def log_size(store: Path) -> int:
    """The size in bytes of a store's write-ahead log; 0 if there is none."""
    try:
        return store.with_name(store.name + "-wal").stat().st_size
    except OSError:
        return 0


def checkpoint_log(store: Path) -> bool:
    """Copy the log into the store and empty it; False if a reader or writer prevents that."""
    with _one_at_a_time, suppress(sqlite3.Error), closing(_open(store)) as connection:
        # PASSIVE checkpoints block no writers.
        for mode in (*["PASSIVE"] * _ROUNDS, "TRUNCATE"):
            busy, *_ = connection.execute(f"PRAGMA wal_checkpoint({mode})").fetchone()
        return not busy
    return False


class Checkpointer:
    """Makes a store's checkpoints on a thread of its own."""

    def __init__(self, store: Path) -> None:
        self._store = store
        self._units = 0
        self._due = threading.Event()
        self._ended = self._checkpointed = False
        self._thread = threading.Thread(target=self._loop, name="checkpoints", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def commit_units(self, connection: Connection, units: int) -> None:
        """COMMIT some units of work; the first COMMIT after a checkpoint restarts the log."""
        driver: Any = connection.connection.driver_connection
        restart, self._checkpointed = self._checkpointed, False
        driver.execute(f"PRAGMA wal_autocheckpoint={int(restart)}")
        connection.commit()
        self._units += units
        if self._units >= CHECKPOINT_AFTER or log_size(self._store) > LARGE_LOG:
            self._units = 0
            self._due.set()

    def close(self) -> None:
        """End the thread; waits for a checkpoint in progress."""
        self._ended = True
        self._due.set()
        self._thread.join()

    def _loop(self) -> None:
        while self._due.wait() and not self._ended:
            self._due.clear()
            with _one_at_a_time, suppress(sqlite3.Error), closing(_open(self._store)) as link:
                link.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
                self._checkpointed = True


def _open(store: Path) -> sqlite3.Connection:
    """A connection that creates no file, and never waits for a lock."""
    return sqlite3.connect(f"{store.absolute().as_uri()}?mode=rw", uri=True, timeout=0)


FREE_BATCH = 500
"""The number of pages that one transaction gives back."""
_SPARE_FRACTION = 20
"""A twentieth of the file may stay free for new rows."""


def release_pages(store: Path) -> bool:
    """Give some free pages of a store's file back to the disk; True if there are more.

    A file without incremental vacuum, such as a salvaged one, keeps its free pages until `rebuild`.
    Raises `Temporary`.
    """
    with _open_for_cleaning(store) as connection:
        free, pages, able = (
            connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("freelist_count", "page_count", "auto_vacuum")
        )
        spare = free - pages // _SPARE_FRACTION
        if able and spare > 0:  # executescript: execute stops after the first page
            connection.executescript(f"PRAGMA incremental_vacuum({min(spare, FREE_BATCH)})")
        return bool(able) and spare > FREE_BATCH


def optimize(store: Path) -> None:
    """Update the statistics for SQLite's query planner."""
    with _open_for_cleaning(store) as connection:
        connection.execute("PRAGMA analysis_limit=1000")
        connection.execute("PRAGMA optimize")


def rebuild(store: Path) -> None:
    """Rewrite a file that nobody else uses, without free pages. Raises `Temporary`.

    Only this can turn on incremental vacuum, which `release_pages` needs.
    """
    with _open_for_cleaning(store) as connection:
        connection.execute("PRAGMA auto_vacuum=INCREMENTAL")
        connection.execute("VACUUM")


@contextmanager
def _open_for_cleaning(store: Path) -> Iterator[sqlite3.Connection]:
    with (
        explain_errors(),
        closing(sqlite3.connect(store, timeout=5.0, isolation_level=None)) as connection,
    ):
        connection.execute("PRAGMA secure_delete=ON")
        yield connection


_DESCRIPTORS = Path("/proc/self/fd")


def was_removed(file: Path) -> bool:
    """True if a store that we have open, or its write-ahead log, was moved or removed.

    Must be called inside a transaction, because after a failed COMMIT no file is open. False if it
    cannot be determined, for example without a free file descriptor.
    """
    try:
        opened = {_inode(path) for path in _DESCRIPTORS.iterdir()} - {None}
        return not {_inode(file), _inode(file.with_name(file.name + "-wal"))} <= opened
    except OSError:
        return False


def _inode(path: Path) -> tuple[int, int] | None:
    with suppress(FileNotFoundError, NotADirectoryError):
        found = path.stat()
        return found.st_dev, found.st_ino
    return None
