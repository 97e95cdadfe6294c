"""SQLite's log of changes, the file beside a store that ends in -wal: its size, and its end.

Whoever reads the store for long keeps the log from being folded into it, and it grows; nobody but
us makes it small again. Imports sqlite3 alone. Never raises: all of it can be done later.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from pathlib import Path

LARGE = 2**24
"""The bytes that it may keep; without long readers it is smaller."""


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
        for how in ("PASSIVE", "TRUNCATE"):
            busy, *_ = connection.execute(f"PRAGMA wal_checkpoint({how})").fetchone()
        return not busy
    return False
