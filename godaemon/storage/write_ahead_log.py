"""SQLite's log of changes, the file beside a store that ends in -wal: its size, and its end.

SQLite has the writer fold it into the store, every thousand pages, in a COMMIT for which everybody
waits: for tenths of a second where the disk has other work. So that is done on a thread beside, and
COMMIT has the rest alone, by which the log begins again. Whoever reads the store for long keeps it
from being folded, and it grows; it is cut off once they have gone. Never raises, as all of it can
be done later.
"""

from __future__ import annotations

import sqlite3
import threading
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from sqlalchemy.engine import Connection

LARGE = 2**23
"""The bytes that it may keep; without long readers it is smaller."""
OFTEN = 40
"""After so many units of work it is folded: a thousand pages, where each is a letter."""
_ROUNDS = 4
"""Each time what was written meanwhile is less."""
_one_at_a_time = threading.Lock()
"""SQLite turns a second one away, and has nobody wait for the first."""


def size(store: Path) -> int:
    """The bytes of a store's log of changes."""
    try:
        return store.with_name(store.name + "-wal").stat().st_size
    except OSError:
        return 0


def fold(store: Path) -> bool:
    """Bring the log into the store and make it empty; False where somebody reads or writes."""
    with _one_at_a_time, suppress(sqlite3.Error), closing(_opened(store)) as connection:
        # First the part that lets others write meanwhile.
        for how in (*["PASSIVE"] * _ROUNDS, "TRUNCATE"):
            busy, *_ = connection.execute(f"PRAGMA wal_checkpoint({how})").fetchone()
        return not busy
    return False


class Folding:
    """Folds the log of a store on a thread of its own, while its one writer goes on."""

    def __init__(self, store: Path) -> None:
        self._store = store
        self._units = 0
        self._due = threading.Event()
        self._ended = self._folded = False
        self._thread = threading.Thread(target=self._loop, name="folding", daemon=True)

    def start(self) -> None:
        """Begin to wait for what is committed."""
        self._thread.start()

    def commit(self, connection: Connection, units: int) -> None:
        """COMMIT so many units of work, with what a fold has left."""
        driver: Any = connection.connection.driver_connection
        rest, self._folded = self._folded, False
        driver.execute(f"PRAGMA wal_autocheckpoint={int(rest)}")
        connection.commit()
        self._units += units
        if self._units >= OFTEN or size(self._store) > LARGE:
            self._units = 0
            self._due.set()

    def close(self) -> None:
        """End; what is left is folded by who closes the store."""
        self._ended = True
        self._due.set()
        self._thread.join()

    def _loop(self) -> None:
        while self._due.wait() and not self._ended:
            self._due.clear()
            with _one_at_a_time, suppress(sqlite3.Error), closing(_opened(self._store)) as link:
                link.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
                self._folded = True


def _opened(store: Path) -> sqlite3.Connection:
    """A connection that makes no file where there is none, and waits for nobody."""
    return sqlite3.connect(f"{store.absolute().as_uri()}?mode=rw", uri=True, timeout=0)
