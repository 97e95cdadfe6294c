"""SQLite's log of changes, the file beside a store that ends in -wal: its size, and its end.

SQLite has the writer fold it, every thousand pages, in its COMMIT. Whoever reads the store for long
keeps the log from being folded, and it grows; at their end one COMMIT would fold all of it, and
everybody would wait. So a large one is left to `fold`, on a thread beside; which never raises, as
all of it can be done later.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from sqlalchemy.engine import Connection

LARGE = 2**23
"""The bytes that it may keep; without long readers it is smaller."""
_ROUNDS = 4
"""Each time what was written meanwhile is less."""


def size(store: Path) -> int:
    """The bytes of a store's log of changes."""
    try:
        return store.with_name(store.name + "-wal").stat().st_size
    except OSError:
        return 0


def fold(store: Path) -> bool:
    """Bring the log into the store and make it empty; False where somebody reads or writes."""
    with suppress(sqlite3.Error), closing(sqlite3.connect(store, timeout=0)) as connection:
        # First the part that lets others write meanwhile.
        for how in (*["PASSIVE"] * _ROUNDS, "TRUNCATE"):
            busy, *_ = connection.execute(f"PRAGMA wal_checkpoint({how})").fetchone()
        return not busy
    return False


def commit(connection: Connection, store: Path | None) -> None:
    """COMMIT, and leave a log that is large to `fold`; `store` is None on a server."""
    if store is None or size(store) <= LARGE:
        connection.commit()
        return
    driver: Any = connection.connection.driver_connection
    driver.execute("PRAGMA wal_autocheckpoint=0")
    connection.commit()
    driver.execute("PRAGMA wal_autocheckpoint=1000")
