"""SQLite's write-ahead log is checkpointed during writes, and stays small."""

import sqlite3
from contextlib import closing
from itertools import count
from pathlib import Path

import pytest

from godaemon.storage.connections import LARGE_LOG
from godaemon.storage.database import open_database, store_url
from godaemon.storage.sqlite_file import CHECKPOINT_AFTER, Checkpointer, checkpoint_log, log_size
from godaemon.storage.unit_of_work import Unit
from godaemon.storage.writer import WriterThread
from mailgate.reading.inbound_letter import InboundLetter
from tests.support.stores import NOW
from tests.support.waiting import until

pytestmark = pytest.mark.sqlite("its log of changes")
MANY = 24
LETTER = InboundLetter("go@x.example", "a@x.example", b"x" * 2**20)


def grow(writer: WriterThread, letters: int) -> None:
    """Write a megabyte for each."""
    for _ in range(letters):
        writer.run_sync(lambda unit: unit.inbox.quarantine_letter(LETTER, "fault", NOW))


def test_the_log_is_truncated_after_a_long_reader(writer: WriterThread) -> None:
    """A checkpoint does nothing while it reads."""
    store = writer.file
    assert store is not None
    with sqlite3.connect(store, isolation_level=None) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM quarantine").fetchone()
        grow(writer, MANY)
        assert log_size(store) > MANY * 2**20
        checkpoint_log(store)  # nothing can be done while it reads
        assert log_size(store) > MANY * 2**20
        reader.execute("COMMIT")
    until(lambda: checkpoint_log(store), "nobody else is at it")
    assert log_size(store) == 0
    assert writer.run_sync(lambda unit: unit.inbox.count_quarantined()) == MANY
    assert not checkpoint_log(store.with_name("gone.db")), "what was removed is missed"
    assert not store.with_name("gone.db").exists()


def test_a_commit_does_not_checkpoint(tmp_path: Path) -> None:
    """All writers would wait for it: a thread does it, which does not run here."""
    database = open_database(store_url(tmp_path))
    assert database.file is not None
    checkpointer = Checkpointer(database.file)
    with closing(database), database.connect() as connection:
        file = database.file.stat().st_mtime_ns
        for _ in range(MANY):
            Unit(connection).inbox.quarantine_letter(LETTER, "fault", NOW)
            checkpointer.commit_units(connection, 1)
        assert log_size(database.file) > MANY * 2**20
        assert database.file.stat().st_mtime_ns == file


def test_a_thread_checkpoints_during_writes(writer: WriterThread) -> None:
    """After some units of work, however small; and the log starts again."""
    store = writer.file
    assert store is not None
    file = store.stat().st_mtime_ns
    numbers = count()

    def write() -> bool:
        return bool(
            writer.run_sync(lambda unit: unit.inbox.note_arrival(f"{next(numbers)}", "<a@b>", NOW))
        )

    for _ in range(40 * CHECKPOINT_AFTER):
        write()
    until(lambda: store.stat().st_mtime_ns > file, "it is in the store")
    until(lambda: write() and log_size(store) <= LARGE_LOG, "the log has begun again")
