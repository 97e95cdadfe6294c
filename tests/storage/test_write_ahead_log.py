"""SQLite's log of changes does not stay as large as a long reader has let it grow."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from godaemon.storage.database import open_database, store_url
from godaemon.storage.write_ahead_log import LARGE, fold, size
from godaemon.storage.writer import WriterThread
from mailgate.reading.inbound_letter import InboundLetter
from tests.support.stores import NOW

pytestmark = pytest.mark.sqlite("its log of changes")
MANY = 24
LETTER = InboundLetter("go@x.example", "a@x.example", b"x" * 2**20)


@pytest.fixture
def writer(tmp_path: Path) -> Iterator[WriterThread]:
    """A store with its one writer."""
    database = open_database(store_url(tmp_path))
    with WriterThread(database) as thread:
        yield thread
    database.close()


def grow(writer: WriterThread, letters: int) -> None:
    """Write a megabyte for each."""
    for _ in range(letters):
        writer.run_sync(lambda unit: unit.inbox.quarantine(LETTER, "fault", NOW))


def test_the_log_is_cut_off_once_a_long_reader_has_gone(writer: WriterThread) -> None:
    """Not by the next that is written, which all would wait for, but by who looks after it."""
    store = writer.file
    assert store is not None
    with sqlite3.connect(store, isolation_level=None) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM quarantine").fetchone()
        grow(writer, MANY)
        assert size(store) > MANY * 2**20
        fold(store)  # nothing can be done while it reads
        assert size(store) > MANY * 2**20
        reader.execute("COMMIT")
    file = store.stat().st_mtime_ns
    grow(writer, 2)
    assert size(store) > MANY * 2**20
    assert store.stat().st_mtime_ns == file
    assert fold(store)
    grow(writer, MANY)
    assert size(store) <= LARGE


def test_the_log_is_folded_where_nobody_writes(writer: WriterThread) -> None:
    """What is in it is in the store then."""
    store = writer.file
    assert store is not None
    grow(writer, 2)
    assert size(store) > 0
    fold(store)
    assert size(store) == 0
    assert writer.run_sync(lambda unit: unit.inbox.quarantined_count()) == 2
    fold(store.with_name("nothing.db"))
