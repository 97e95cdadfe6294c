"""Backups: whole, verified, taken while the daemon writes, and brought back without losing any."""

from __future__ import annotations

import os
import resource
import shutil
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest

from godaemon.errors import Busy, ConfigError, Corrupt, Refusal, Temporary, Unknown
from godaemon.games.notices import Kind, Notice
from godaemon.storage import backup as backups
from godaemon.storage.backup import Backup, backup, verify
from godaemon.storage.database import open_database, store_url
from godaemon.storage.locks import StateLock
from godaemon.storage.restore import restore
from godaemon.storage.sqlite_copy import check_file, copy_database
from godaemon.storage.unit_of_work import Unit
from godaemon.storage.writer import WriterThread
from tests.support import stores
from tests.support.stores import NOW, move

pytestmark = pytest.mark.sqlite("copies by pages")
MOVES = [move("D4"), move("Q16"), move("C3")]


def play(unit: Unit) -> int:
    """A game of three moves, and a notice that waits."""
    game = unit.games.create()
    unit.games.append(game, 0, MOVES)
    unit.outbox.owe(Notice(Kind.YOUR_TURN, "bob@b", game=game), NOW)
    return game


def games(state: Path) -> list[int]:
    """How long the logs are of games 1, 2 ... in a store."""
    database = open_database(store_url(state))
    lengths: list[int] = []

    def read(unit: Unit) -> None:
        with suppress(Unknown):
            while True:
                lengths.append(len(unit.games.log(len(lengths) + 1)))

    with WriterThread(database) as writer:
        writer.run_sync(read)
    database.close()
    return lengths


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """A state folder that holds a game, and a key."""
    state = tmp_path / "state"
    database = stores.fresh(state)
    with WriterThread(database) as writer:
        writer.run_sync(play)
    database.close()
    (state / "token.key").write_bytes(b"k" * 32)
    return state


@pytest.fixture
def kept(state: Path, tmp_path: Path) -> Path:
    """A backup of it."""
    dest = tmp_path / "backups" / "monday"
    backup(store_url(state), state, dest)
    return dest


def test_there_and_back(state: Path, tmp_path: Path) -> None:
    """A backup says what it holds; restored elsewhere it is the same store, with its key."""
    dest = tmp_path / "backups" / "monday"
    made = backup(store_url(state), state, dest)
    assert made == Backup(dest, games=1, events=3, waiting=1, key=True)
    assert verify(dest) == made
    other = tmp_path / "other"
    restored = restore(dest, other, NOW)
    assert restored.backup == made
    assert restored.replaced is None
    assert games(other) == [3]
    assert (other / "token.key").read_bytes() == b"k" * 32
    assert (other / "token.key").stat().st_mode & 0o777 == 0o600


def test_keys_that_were_replaced_go_along(state: Path, tmp_path: Path) -> None:
    """Letters that they signed can be answered after the backup was restored."""
    old = b"2026-11-21T00:00:00+00:00 " + b"ab" * 32
    (state / "token.key.old").write_bytes(old)
    dest, other = tmp_path / "tuesday", tmp_path / "other"
    backup(store_url(state), state, dest)
    restore(dest, other, NOW)
    assert (other / "token.key.old").read_bytes() == old
    assert (other / "token.key.old").stat().st_mode & 0o777 == 0o600
    # One that has none does not get those of the store that it replaces.
    (dest / "token.key.old").unlink()
    restored = restore(dest, other, NOW, move_aside=True)
    assert restored.replaced is not None
    assert (restored.replaced / "token.key.old").read_bytes() == old
    assert not (other / "token.key.old").exists()


def test_only_its_owner_can_read_a_backup(kept: Path) -> None:
    """The folder is 0700, the files in it 0600, and there is nothing else."""
    assert kept.stat().st_mode & 0o777 == 0o700
    assert {path.name: path.stat().st_mode & 0o777 for path in kept.iterdir()} == dict.fromkeys(
        ("godaemon.db", "token.key"), 0o600
    )
    assert [path.name for path in kept.parent.iterdir()] == ["monday"]


def test_while_the_daemon_writes(state: Path, tmp_path: Path) -> None:
    """Backups taken amid commits each hold a whole moment: every game complete, none between."""
    database = open_database(store_url(state))
    enough = threading.Event()

    def keep_writing(writer: WriterThread) -> None:
        while not enough.is_set():
            writer.run_sync(play)

    with StateLock(state), WriterThread(database) as writer:
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
    assert [one.waiting for one in made] == counts


def test_a_store_without_a_key(state: Path, tmp_path: Path) -> None:
    """Before the first token there is no key; the backup says so."""
    (state / "token.key").unlink()
    made = backup(store_url(state), state, tmp_path / "dest")
    assert not made.key
    assert [path.name for path in made.folder.iterdir()] == ["godaemon.db"]


def test_a_damaged_store_is_not_backed_up(state: Path, tmp_path: Path) -> None:
    """A backup of rubbish would be taken for a good one: there is none."""
    (state / "godaemon.db").write_bytes(b"rubbish" * 1000)
    with pytest.raises(Corrupt):
        backup(store_url(state), state, tmp_path / "backups" / "monday")
    assert list((tmp_path / "backups").iterdir()) == []


def test_a_name_that_is_taken(state: Path, kept: Path) -> None:
    """A backup never writes over another."""
    with pytest.raises(Refusal, match="there already"):
        backup(store_url(state), state, kept)


def test_nothing_to_back_up(tmp_path: Path) -> None:
    """Where there is no store there is no backup, and no empty store is made either."""
    with pytest.raises(Unknown, match="no store"):
        backup(store_url(tmp_path), tmp_path, tmp_path / "dest")
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk(state: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A backup that cannot be finished leaves nothing behind that looks like one."""

    def full(path: Path) -> None:
        raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr(backups, "sync", full)
    dest = tmp_path / "backups" / "monday"
    with pytest.raises(Temporary, match="No space left"):
        backup(store_url(state), state, dest)
    assert list(dest.parent.iterdir()) == []


def test_a_copy_that_finds_no_room_is_no_damaged_one(tmp_path: Path) -> None:
    """Where there was room for it and for nothing beside it a restore was advised."""
    copy = tmp_path / "copy"
    with closing(sqlite3.connect(copy)) as made:
        made.execute("PRAGMA journal_mode = WAL")
        made.execute("CREATE TABLE one (two)")
    with little_room(), pytest.raises(Temporary, match="is full"):
        check_file(copy)


def test_no_room_for_what_can_be_saved_is_told(state: Path, tmp_path: Path) -> None:
    """With the folder that has none, and not as damage beyond all saving."""
    with sqlite3.connect(state / "godaemon.db") as store:
        store.execute("PRAGMA writable_schema = ON")
        store.execute("UPDATE sqlite_master SET rootpage = 3 WHERE name = 'outbox'")
    dest = tmp_path / "backups" / "monday"
    with little_room(), pytest.raises(Temporary, match=rf"No backup was made: .*{dest}"):
        backup(store_url(state), state, dest)
    assert list(dest.parent.iterdir()) == []


@contextmanager
def little_room() -> Iterator[None]:
    """No file may grow to more than four pages."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4 * 4096, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_restore_while_a_daemon_runs(kept: Path, state: Path) -> None:
    """The store of a running daemon is not touched."""
    with StateLock(state), pytest.raises(Busy):
        restore(kept, state, NOW, move_aside=True)
    assert games(state) == [3]


def test_restore_over_a_store(kept: Path, state: Path) -> None:
    """A store that is there is kept, unless it is asked for to be moved aside, and then too."""
    database = open_database(store_url(state))
    with WriterThread(database) as writer:
        writer.run_sync(play)
    database.close()
    with pytest.raises(Refusal, match="--move-aside"):
        restore(kept, state, NOW)
    assert games(state) == [3, 3]
    restored = restore(kept, state, NOW, move_aside=True)
    assert restored.replaced == state / "replaced-20261121T030000000000Z"
    assert games(state) == [3]
    assert games(restored.replaced) == [3, 3]
    assert (restored.replaced / "token.key").exists()


def test_restore_keeps_what_is_only_in_the_log_of_changes(kept: Path, state: Path) -> None:
    """Commits that a killed daemon left in the -wal file are kept with the store set aside."""
    with closing(sqlite3.connect(state / "godaemon.db")) as connection:
        connection.execute("PRAGMA wal_autocheckpoint=0")
        connection.execute("INSERT INTO game (events, digest) VALUES (0, '')")
        connection.commit()
        killed = state.with_name("killed")
        shutil.copytree(state, killed)
    restored = restore(kept, killed, NOW, move_aside=True)
    assert restored.replaced is not None
    assert games(killed) == [3]
    with closing(sqlite3.connect(restored.replaced / "godaemon.db")) as connection:
        assert connection.execute("SELECT count(*) FROM game").fetchone() == (2,)


def test_a_damaged_store_can_be_replaced(kept: Path, state: Path) -> None:
    """What a backup is for: the store is rubbish, and is set aside as it is."""
    (state / "godaemon.db").write_bytes(b"rubbish" * 1000)
    restored = restore(kept, state, NOW, move_aside=True)
    assert games(state) == [3]
    assert restored.replaced is not None
    assert (restored.replaced / "godaemon.db").read_bytes() == b"rubbish" * 1000


def damage(kept: Path) -> None:
    """Overwrite the middle of the store."""
    file = kept / "godaemon.db"
    pages = bytearray(file.read_bytes())
    pages[4096:-4096] = b"\xa5" * (len(pages) - 8192)
    file.write_bytes(pages)


def lose_an_event(kept: Path) -> None:
    """Take an event out of the middle of a game."""
    with closing(sqlite3.connect(kept / "godaemon.db", isolation_level=None)) as connection:
        connection.execute("DELETE FROM event WHERE number = 1")


def write_nonsense(kept: Path) -> None:
    """Have an event mean nothing."""
    with closing(sqlite3.connect(kept / "godaemon.db", isolation_level=None)) as connection:
        connection.execute("UPDATE event SET payload = '{' WHERE number = 1")


def be_of_the_future(kept: Path) -> None:
    """Be made by a newer godaemon."""
    with closing(sqlite3.connect(kept / "godaemon.db", isolation_level=None)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")


def be_of_another_program(kept: Path) -> None:
    """Be a database of something else."""
    (kept / "godaemon.db").unlink()
    with closing(sqlite3.connect(kept / "godaemon.db")) as connection:
        connection.execute("CREATE TABLE notes (text)")


def be_elsewhere(kept: Path) -> None:
    """Not be there."""
    shutil.rmtree(kept)


@pytest.mark.parametrize(
    ("spoil", "error"),
    [
        (damage, Corrupt),
        (lose_an_event, Corrupt),
        (write_nonsense, Corrupt),
        (be_of_another_program, Corrupt),
        (be_of_the_future, ConfigError),
        (be_elsewhere, Unknown),
    ],
)
def test_a_backup_that_is_no_good(
    kept: Path, state: Path, spoil: type, error: type[Exception]
) -> None:
    """What cannot be read from end to end is not restored, and the store stays as it is."""
    spoil(kept)
    with pytest.raises(error):
        restore(kept, state, NOW, move_aside=True)
    assert games(state) == [3]
    assert not list(state.glob("*restored*")) + list(state.glob("replaced*"))


def _spoil(state: Path, statement: str) -> None:
    with closing(sqlite3.connect(state / "godaemon.db", isolation_level=None)) as connection:
        connection.execute(statement)


def test_a_damaged_game_stops_no_backup(state: Path, tmp_path: Path) -> None:
    """It is named and put aside, in the store and in the copy; all others are in it and whole."""
    database = open_database(store_url(state))
    with WriterThread(database) as writer:
        writer.run_sync(play)
    _spoil(state, "DELETE FROM event WHERE game = 1 AND number = 1")
    made = backup(store_url(state), state, tmp_path / "tuesday")
    assert (made.games, made.events) == (2, 5)
    assert made.aside == ((1, "event 1: it is missing"),)
    with WriterThread(database) as writer:
        assert writer.run_sync(lambda unit: unit.games.damaged_games()) == list(made.aside)
        assert writer.run_sync(lambda unit: len(unit.games.log(2))) == 3
    database.close()
    # It is as good as any other, and names the game again.
    assert restore(made.folder, state.with_name("other"), NOW).backup.aside == made.aside


def test_a_copy_is_on_the_disk_before_it_has_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the name is, before anybody relies on it: a power cut leaves the old copy or the new."""
    store, copy = tmp_path / "godaemon.db", tmp_path / "kept" / "copy.db"
    stores.fresh(tmp_path).close()
    copy.parent.mkdir()
    synced: list[tuple[str, bool]] = []

    def fsync(handle: int) -> None:
        synced.append((Path(f"/proc/self/fd/{handle}").readlink().name, copy.exists()))

    monkeypatch.setattr(os, "fsync", fsync)
    copy_database(store, copy)
    assert synced == [("copy.db.partial", False), ("kept", True)]
