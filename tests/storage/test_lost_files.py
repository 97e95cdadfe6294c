"""A store whose files are moved or removed while open is noticed."""

import resource
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from godaemon.errors import Temporary
from godaemon.storage.backup import rescue_files
from godaemon.storage.sqlite_file import was_removed
from godaemon.storage.writer import WriterThread
from tests.support import stores

pytestmark = pytest.mark.sqlite("its files are moved or removed")


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
