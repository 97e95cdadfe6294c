"""A SQLite file shrinks after much was deleted."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from godaemon.storage.database import open_database, store_url
from godaemon.storage.sqlite_file import optimize, rebuild, release_pages
from godaemon.storage.writer import WriterThread
from tests.support.stores import LETTER, NOW

pytestmark = pytest.mark.sqlite("its free pages")
MANY = 200


def once_large(folder: Path) -> tuple[Path, int]:
    """A store from which nearly everything was deleted, and its size before."""
    letter = replace(LETTER, raw=bytes(20_000))
    with closing(open_database(store_url(folder))) as database, WriterThread(database) as writer:
        store = writer.file
        assert store is not None
        for _ in range(MANY):
            writer.run_sync(lambda unit: unit.inbox.quarantine_letter(letter, "fault", NOW))
        size = pages(store)
        for number in range(1, MANY):
            writer.run_sync(lambda unit, n=number: unit.inbox.release_letter(n))  # type: ignore[misc]
    return store, size


def pages(store: Path) -> int:
    with closing(sqlite3.connect(store)) as connection:
        return int(connection.execute("PRAGMA page_count").fetchone()[0])


def test_free_pages_are_released_in_steps(tmp_path: Path) -> None:
    """So no writer waits for all of them; some stay for new rows."""
    store, size = once_large(tmp_path)
    assert release_pages(store)
    assert size * 0.3 < pages(store) < size
    while release_pages(store):
        pass
    assert pages(store) < size * 0.1
    optimize(store)
    with closing(sqlite3.connect(store)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_a_rebuilt_file_releases_its_pages(tmp_path: Path) -> None:
    """Also if it was made without auto_vacuum."""
    store, size = once_large(tmp_path)
    with closing(sqlite3.connect(store, isolation_level=None)) as connection:
        connection.execute("PRAGMA auto_vacuum=NONE")
        connection.execute("VACUUM")
        connection.execute("DELETE FROM quarantine")
    assert not release_pages(store)
    rebuild(store)
    assert pages(store) < size * 0.1
    with closing(sqlite3.connect(store)) as connection:
        assert connection.execute("PRAGMA auto_vacuum").fetchone() == (2,)
