"""A store's SQLite file: its write-ahead log, its free pages, and its loss while it is open."""

import resource
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from godaemon.errors import Temporary
from godaemon.storage.backup import rescue_files
from godaemon.storage.connections import LARGE_LOG
from godaemon.storage.database import open_database, store_url
from godaemon.storage.sqlite_file import (
    CHECKPOINT_AFTER,
    Checkpointer,
    checkpoint_log,
    log_size,
    optimize,
    rebuild,
    release_pages,
    was_removed,
)
from godaemon.storage.unit_of_work import Unit
from godaemon.storage.writer import WriterThread
from tests.support import stores
from tests.support.stores import LETTER, NOW
from tests.support.waiting import until

pytestmark = pytest.mark.sqlite("its file")
MEGABYTES = 24
LARGE = replace(LETTER, raw=b"x" * 2**20)
MANY = 200


def grow(writer: WriterThread, letters: int) -> None:
    """Write a megabyte for each."""
    for _ in range(letters):
        writer.run_sync(lambda unit: unit.inbox.quarantine_letter(LARGE, "fault", NOW))


def test_the_log_is_truncated_after_a_long_reader(writer: WriterThread) -> None:
    """A checkpoint does nothing while it reads."""
    store = writer.file
    assert store is not None
    with sqlite3.connect(store, isolation_level=None) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM quarantine").fetchone()
        grow(writer, MEGABYTES)
        assert log_size(store) > MEGABYTES * 2**20
        checkpoint_log(store)  # nothing can be done while it reads
        assert log_size(store) > MEGABYTES * 2**20
        reader.execute("COMMIT")
    until(lambda: checkpoint_log(store), "nobody else is at it")
    assert log_size(store) == 0
    assert writer.run_sync(lambda unit: unit.inbox.count_quarantined()) == MEGABYTES
    assert not checkpoint_log(store.with_name("gone.db")), "what was removed is missed"
    assert not store.with_name("gone.db").exists()


def test_a_commit_does_not_checkpoint(tmp_path: Path) -> None:
    """All writers would wait for it: a thread does it, which does not run here."""
    database = open_database(store_url(tmp_path))
    assert database.file is not None
    checkpointer = Checkpointer(database.file)
    with closing(database), database.connect() as connection:
        file = database.file.stat().st_mtime_ns
        for _ in range(MEGABYTES):
            Unit(connection).inbox.quarantine_letter(LARGE, "fault", NOW)
            checkpointer.commit_units(connection, 1)
        assert log_size(database.file) > MEGABYTES * 2**20
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


def once_large(folder: Path) -> tuple[Path, int]:
    """A store from which nearly everything was deleted, and its size before."""
    letter = replace(LETTER, raw=bytes(20_000))
    with closing(open_database(store_url(folder))) as database, WriterThread(database) as writer:
        store = writer.file
        assert store is not None
        writer.run_sync(
            lambda unit: [unit.inbox.quarantine_letter(letter, "fault", NOW) for _ in range(MANY)]
        )
        size = pages(store)
        writer.run_sync(lambda unit: [unit.inbox.release_letter(n) for n in range(1, MANY)])
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


@pytest.fixture
def file(tmp_path: Path) -> Iterator[Path]:
    """A store that is open, with its log of changes."""
    path = tmp_path / "state" / "godaemon.db"
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("CREATE TABLE game (id)")
        assert not was_removed(path)
        yield path


def _replace(file: Path) -> None:
    file.rename(file.with_name("aside.db"))
    file.touch()


@pytest.mark.parametrize(
    "harm",
    [
        Path.unlink,
        lambda file: file.with_name("godaemon.db-wal").unlink(),
        lambda file: file.parent.rename(file.parent.with_name("elsewhere")),
        _replace,
    ],
    ids=["removed", "log removed", "folder moved", "replaced"],
)
def test_a_removed_store_is_noticed(file: Path, harm: Callable[[Path], None]) -> None:
    """Another file of its name is not it."""
    harm(file)
    assert was_removed(file)


def test_exhausted_descriptors_are_no_loss(tmp_path: Path) -> None:
    """The open files cannot be listed then; health reports that."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, hard))
    try:
        assert not was_removed(tmp_path / "godaemon.db")
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert was_removed(tmp_path / "godaemon.db")


async def test_a_failed_commit_is_no_loss(tmp_path: Path) -> None:
    """It closes the writer's connection; a backup made then copies the store at its place."""
    database = stores.fresh(tmp_path)
    with capture_logs(), closing(database), WriterThread(database) as writer:
        await writer.run(lambda unit: unit.inbox.count_quarantined())
        with pytest.raises(Temporary):
            await writer.run(stores.on_a_full_disk)
        assert await rescue_files(writer, b"key") == {}


def test_a_disk_error_is_no_loss(file: Path) -> None:
    """Only a missing name is."""
    away = file.parent.rename(file.parent.with_name("elsewhere"))
    file.parent.symlink_to(file.parent.name)  # "too many levels of symbolic links"
    assert not was_removed(file)
    file.parent.unlink()
    file.parent.write_bytes(b"")  # "not a directory"
    assert was_removed(file)
    file.parent.unlink()
    away.rename(file.parent)
    assert not was_removed(file)
