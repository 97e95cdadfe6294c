"""The pages of a SQLite file that hold nothing any more: given back to the disk, or all at once.

Imports sqlite3 alone, over a connection of its own: the writer waits for one step at the most.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from godaemon.storage.database_errors import explained

AT_ONCE = 500
"""So many pages are given back in one transaction."""
_SPARE = 20
"""That part of a file (a twentieth) may be free pages, for what comes next."""


def give_back(store: Path) -> bool:
    """Cut some free pages off a file; True where there are more. Raises `Temporary`.

    Those of a file that was made without the means (of a damaged one's) stay, until `rebuild`.
    """
    with _opened(store) as connection:
        free, pages, able = (
            connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("freelist_count", "page_count", "auto_vacuum")
        )
        spare = free - pages // _SPARE
        if able and spare > 0:  # executescript: execute stops after the first page
            connection.executescript(f"PRAGMA incremental_vacuum({min(spare, AT_ONCE)})")
        return bool(able) and spare > AT_ONCE


def optimize(store: Path) -> None:
    """Let SQLite count again what its plans depend on, where much has changed."""
    with _opened(store) as connection:
        connection.execute("PRAGMA analysis_limit=1000")
        connection.execute("PRAGMA optimize")


def rebuild(store: Path) -> None:
    """Write a file that nobody else uses anew, without free pages. Raises `Temporary`.

    From then on it can give them back: that is so from the beginning, or from here.
    """
    with _opened(store) as connection:
        connection.execute("PRAGMA auto_vacuum=INCREMENTAL")
        connection.execute("VACUUM")


@contextmanager
def _opened(store: Path) -> Iterator[sqlite3.Connection]:
    with (
        explained(),
        closing(sqlite3.connect(store, timeout=5.0, isolation_level=None)) as connection,
    ):
        connection.execute("PRAGMA secure_delete=ON")
        yield connection
