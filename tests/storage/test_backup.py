"""Backups: complete, verified, made while the daemon writes, and restored without loss."""

import os
import resource
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest

from godaemon.errors import Busy, ConfigError, Corrupt, Refusal, Temporary, Unknown
from godaemon.games.notices import Kind, Notice
from godaemon.storage import backup as backups
from godaemon.storage.backup import Backup, backup, verify
from godaemon.storage.database import open_database, store_url
from godaemon.storage.locks import state_lock
from godaemon.storage.restore import restore
from godaemon.storage.sqlite_copy import check_file, copy_database
from godaemon.storage.unit_of_work import Unit
from godaemon.storage.writer import WriterThread
from tests.support import stores
from tests.support.stores import NOW, later, move

pytestmark = pytest.mark.sqlite("copies by pages")
MOVES = [move("D4"), move("Q16"), move("C3")]


def play(unit: Unit) -> int:
    """A game of three moves, and a notice that waits."""
    game = unit.games.create()
    unit.games.append(game, 0, MOVES)
    unit.outbox.queue(Notice(Kind.YOUR_TURN, "bob@b", game=game), NOW)
    return game


def games(state: Path) -> list[int]:
    """Lengths of the logs of games 1, 2 ... in a store."""
    lengths: list[int] = []

    def read(unit: Unit) -> None:
        with suppress(Unknown):
            while True:
                lengths.append(len(unit.games.log(len(lengths) + 1)))

    stores.write(state, read)
    return lengths


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """A state folder that holds a game, and a key."""
    state = tmp_path / "state"
    stores.create(state)
    stores.write(state, play)
    (state / "token.key").write_bytes(b"k" * 32)
    return state


@pytest.fixture
def kept(state: Path, tmp_path: Path) -> Path:
    """A backup of it."""
    dest = tmp_path / "backups" / "monday"
    backup(store_url(state), state, dest)
    return dest


def contents(folder: Path) -> dict[str, int]:
    """The files of a folder, and who may read each."""
    return {path.name: path.stat().st_mode & 0o777 for path in folder.iterdir()}


def test_a_backup_is_restored_completely(state: Path, tmp_path: Path) -> None:
    """It reports its contents, only its owner can read it, and it replaces nothing."""
    old, other = b"2026-11-21T00:00:00+00:00 " + b"ab" * 32, tmp_path / "other"
    (state / "token.key.old").write_bytes(old)
    dest = tmp_path / "backups" / "monday"
    made = backup(store_url(state), state, dest)
    assert made == Backup(dest, games=1, events=3, has_key=True)
    assert verify(dest) == made
    names = ("godaemon.db", "token.key", "token.key.old")
    assert (contents(dest), contents(dest.parent)) == (
        dict.fromkeys(names, 0o600),
        {"monday": 0o700},
    )
    with pytest.raises(Refusal, match="already exists"):
        backup(store_url(state), state, dest)
    assert restore(dest, other, NOW) == (made, None)
    assert games(other) == [3]
    assert contents(other).items() >= dict.fromkeys(names, 0o600).items()
    assert (other / "token.key").read_bytes() == b"k" * 32
    assert (other / "token.key.old").read_bytes() == old
    # A backup without old keys does not get those of the store that it replaces.
    (dest / "token.key.old").unlink()
    _, replaced = restore(dest, other, NOW, move_aside=True)
    assert replaced is not None
    assert (replaced / "token.key.old").read_bytes() == old
    assert not (other / "token.key.old").exists()


def test_a_backup_may_lack_a_key_but_not_a_store(state: Path, tmp_path: Path) -> None:
    """A backup before the first token has no key, and says so."""
    (state / "token.key").unlink()
    made = backup(store_url(state), state, tmp_path / "dest")
    assert not made.has_key
    assert list(contents(made.folder)) == ["godaemon.db"]
    (tmp_path / "empty").mkdir()
    with pytest.raises(Unknown, match="no store"):
        backup(store_url(tmp_path / "empty"), tmp_path / "empty", tmp_path / "other")
    assert contents(tmp_path / "empty") == {}


def test_backups_during_writes_are_consistent(state: Path, tmp_path: Path) -> None:
    """Each holds only whole games."""
    database = open_database(store_url(state))
    enough = threading.Event()

    def keep_writing(writer: WriterThread) -> None:
        while not enough.is_set():
            writer.run_sync(play)

    with state_lock(state), WriterThread(database) as writer:
        thread = threading.Thread(target=keep_writing, args=(writer,))
        thread.start()
        try:
            made = [
                backup(store_url(state), state, tmp_path / f"backup-{number}")
                for number in range(5)
            ]
        finally:
            enough.set()
            thread.join()
        written = writer.run_sync(lambda unit: unit.games.create()) - 1
    database.close()
    counts = [one.games for one in made]
    assert counts == sorted(counts)
    assert 1 <= counts[0] <= counts[-1] <= written
    assert [one.events for one in made] == [3 * count for count in counts]
    for one in made:
        with closing(sqlite3.connect(one.folder / "godaemon.db")) as copy:
            assert copy.execute("SELECT count(*) FROM outbox").fetchone() == (one.games,)


def test_a_damaged_store_is_not_backed_up(state: Path, tmp_path: Path) -> None:
    """A backup of invalid data would pass as a good one."""
    (state / "godaemon.db").write_bytes(b"rubbish" * 1000)
    with pytest.raises(Corrupt):
        backup(store_url(state), state, tmp_path / "backups" / "monday")
    assert list((tmp_path / "backups").iterdir()) == []


def test_a_full_disk_leaves_no_backup(
    state: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing stays behind that looks like one."""

    def full(path: Path) -> None:
        raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr(backups, "sync", full)
    dest = tmp_path / "backups" / "monday"
    with pytest.raises(Temporary, match="No space left"):
        backup(store_url(state), state, dest)
    assert list(dest.parent.iterdir()) == []


def test_a_check_without_disk_space_is_temporary(tmp_path: Path) -> None:
    """Bug: if only the copy fitted on the disk, a restore was advised."""
    copy = tmp_path / "copy"
    with closing(sqlite3.connect(copy)) as made:
        made.execute("PRAGMA journal_mode = WAL")
        made.execute("CREATE TABLE one (two)")
    with file_size_limit(), pytest.raises(Temporary, match="is full"):
        check_file(copy)


def test_a_full_disk_during_a_rescue_is_reported(state: Path, tmp_path: Path) -> None:
    """With the folder, and not as damage."""
    with sqlite3.connect(state / "godaemon.db") as store:
        store.execute("PRAGMA writable_schema = ON")
        store.execute("UPDATE sqlite_master SET rootpage = 3 WHERE name = 'outbox'")
    dest = tmp_path / "backups" / "monday"
    with file_size_limit(), pytest.raises(Temporary, match=rf"No backup was made: .*{dest}"):
        backup(store_url(state), state, dest)
    assert list(dest.parent.iterdir()) == []


def test_a_place_where_no_folder_can_be_made_is_refused(state: Path, tmp_path: Path) -> None:
    """To try again would not help."""
    (tmp_path / "file").touch()
    for place in (Path("/proc"), tmp_path / "file"):
        with pytest.raises(Refusal, match=rf"No backup was made: .* \({place}"):
            backup(store_url(state), state, place / "monday")


@contextmanager
def file_size_limit() -> Iterator[None]:
    """No file may grow to more than four pages."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4 * 4096, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_restore_keeps_the_old_state(kept: Path, state: Path) -> None:
    """--move-aside moves it, intact or damaged; without it a database is not replaced."""
    stores.write(state, play)
    with pytest.raises(Refusal, match=r"store: godaemon\.db, token\.key\. With --move-aside"):
        restore(kept, state, NOW)
    with state_lock(state), pytest.raises(Busy):
        restore(kept, state, NOW, move_aside=True)
    assert games(state) == [3, 3]
    _, replaced = restore(kept, state, NOW, move_aside=True)
    assert replaced == state / "replaced-20261121T030000000000Z"
    assert games(state) == [3]
    assert games(replaced) == [3, 3]
    assert (replaced / "token.key").exists()
    (state / "godaemon.db").write_bytes(b"rubbish" * 1000)
    _, rubbish = restore(kept, state, later(1), move_aside=True)
    assert rubbish is not None
    assert games(state) == [3]
    assert (rubbish / "godaemon.db").read_bytes() == b"rubbish" * 1000
    (state / "godaemon.db").unlink()
    _, keys = restore(kept, state, later(2))
    assert keys is not None
    assert games(state) == [3]
    assert (keys / "token.key").exists()


def _remove(kept: Path) -> None:
    (kept / "godaemon.db").unlink()


def _overwrite(kept: Path) -> None:
    pages = bytearray((kept / "godaemon.db").read_bytes())
    pages[4096:-4096] = b"\xa5" * (len(pages) - 8192)
    (kept / "godaemon.db").write_bytes(pages)


def _replace_by_foreign_database(kept: Path) -> None:
    _remove(kept)
    _run(kept, "CREATE TABLE notes (text)")


def _run(folder: Path, statement: str) -> None:
    with closing(sqlite3.connect(folder / "godaemon.db", isolation_level=None)) as connection:
        connection.execute(statement)


@pytest.mark.parametrize(
    ("spoil", "error"),
    [
        (_remove, Unknown),
        (_overwrite, Corrupt),
        (_replace_by_foreign_database, Corrupt),
        (lambda kept: _run(kept, "DELETE FROM event WHERE number = 1"), Corrupt),
        (lambda kept: _run(kept, "UPDATE event SET payload = '{' WHERE number = 1"), Corrupt),
        (lambda kept: _run(kept, "UPDATE alembic_version SET version_num = '9999'"), ConfigError),
    ],
)
def test_an_unusable_backup_is_not_restored(
    kept: Path, state: Path, spoil: Callable[[Path], None], error: type[Exception]
) -> None:
    """The store stays unchanged."""
    spoil(kept)
    with pytest.raises(error):
        restore(kept, state, NOW, move_aside=True)
    assert games(state) == [3]
    assert not list(state.glob("*restored*")) + list(state.glob("replaced*"))


def test_a_damaged_game_is_set_aside_by_a_backup(state: Path, tmp_path: Path) -> None:
    """In the store and in the copy; all other games are whole."""
    stores.write(state, play)
    _run(state, "DELETE FROM event WHERE game = 1 AND number = 1")
    made = backup(store_url(state), state, tmp_path / "tuesday")
    assert (made.games, made.events) == (2, 5)
    assert made.set_aside == ((1, "event 1: it is missing"),)
    assert stores.write(state, lambda unit: unit.games.damaged_games()) == list(made.set_aside)
    assert stores.write(state, lambda unit: len(unit.games.log(2))) == 3
    # It is as good as any other, and names the game again.
    assert restore(made.folder, state.with_name("other"), NOW)[0].set_aside == made.set_aside


def test_a_copy_is_synced_before_it_gets_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A power cut leaves the old copy or the new one."""
    store, copy = tmp_path / "godaemon.db", tmp_path / "kept" / "copy.db"
    stores.fresh(tmp_path).close()
    copy.parent.mkdir()
    synced: list[tuple[str, bool]] = []

    def fsync(handle: int) -> None:
        synced.append((Path(f"/proc/self/fd/{handle}").readlink().name, copy.exists()))

    monkeypatch.setattr(os, "fsync", fsync)
    copy_database(store, copy)
    assert synced == [("copy.db.partial", False), ("kept", True)]
