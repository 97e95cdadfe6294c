"""A restore is complete or has no effect, however it ends; so is the import of a whole site."""

import os
import shutil
import sqlite3
import tarfile
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from godaemon.errors import Busy, Refusal
from godaemon.storage.backup import backup
from godaemon.storage.database import store_url
from godaemon.storage.identity import open_store
from godaemon.storage.locks import state_lock
from godaemon.storage.restore import export_site, finish_restore, import_site, restore
from godaemon.storage.unit_of_work import Unit
from godaemon.storage.writer import WriterThread
from godaemon.system.outages_and_pauses import TimeSeen
from godaemon.system.signing_keys import all_keys, load_key, make_key
from tests.support.examples import some
from tests.support.stores import NOW, move, summary
from tests.support.traced import crash_points, restore_backup, serving

pytestmark = pytest.mark.sqlite("files put in the place of others")
NAMES = "rename,renameat,renameat2,unlink,unlinkat,mkdir,rmdir"
"""The calls that change the names in a folder."""
CALLS = NAMES
if os.environ.get("GODAEMON_EVERY_CALL"):
    CALLS += (
        ",open,openat,creat,write,pwrite64,chmod,fchmod,ftruncate,fsync,fdatasync,copy_file_range"
        ",sendfile,close,fcntl"
    )


def _play(*points: str, game: int | None = None) -> Callable[[Unit], int]:
    def work(unit: Unit) -> int:
        number = game or unit.games.create()
        at = len(unit.games.log(number)) if game else 0
        unit.games.append(number, at, [move(point) for point in points])
        unit.games.set_summary(summary(number), ["alice@a.example"])
        return number

    return work


def _do(state: Path, *work: Callable[[Unit], object]) -> list[object]:
    with closing(open_store(store_url(state), state)) as database, WriterThread(database) as writer:
        return [writer.run_sync(one) for one in work]


def _lengths(state: Path) -> dict[int, int]:
    """The length of each game's log, in a store that can be opened."""

    def work(unit: Unit) -> dict[int, int]:
        return {row.id: len(unit.games.log(row.id)) for row in unit.games.summaries()}

    (lengths,) = _do(state, work)
    assert isinstance(lengths, dict)
    return lengths


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """A state folder with two games of three moves."""
    (tmp_path / "state").mkdir()
    _do(tmp_path / "state", _play("A1", "B2", "C3"), _play("A1", "B2", "C3"))
    return tmp_path / "state"


@pytest.fixture
def kept(state: Path, tmp_path: Path) -> Path:
    """A backup of it; each game has had a move since."""
    backup(store_url(state), state, tmp_path / "kept")
    _do(state, _play("D4", game=1), _play("D4", game=2))
    return tmp_path / "kept"


@pytest.mark.peer("strace")
def test_a_killed_restore_leaves_one_state(kept: Path, tmp_path: Path) -> None:
    """The next start has the old state or the new one, never both.

    In CI at each call, elsewhere at one of three. Another store stands for the old state.
    """
    other = tmp_path / "other"
    other.mkdir()
    _do(other, _play("K10"), _play("K10"), _play("K10"))
    old, new, keys = {1: 1, 2: 1, 3: 1}, {1: 3, 2: 3}, (load_key(other), load_key(kept))
    with serving(restore_backup) as server:

        def run(name: str, *tracing: str) -> tuple[Path, bool]:
            shutil.copytree(other, tmp_path / name)
            return tmp_path / name, server.handle(f"{kept} {tmp_path / name}", *tracing)[1]

        run("warm")  # what is imported for the first time leaves files of its own
        trace = tmp_path / "trace"
        run("dry", "-e", f"trace={CALLS}", "-o", str(trace))
        points = crash_points(trace.read_text())
        assert len(points) > 15
        outcomes: Counter[bool] = Counter()
        for name, nth in some(points, 3):
            inject = f"inject={name}:signal=KILL:when={nth}"
            tracing = ("-e", f"trace={CALLS}", "-o", "/dev/null", "-e", inject)
            killed, was = run(f"{name}-{nth}", *tracing)
            assert was, (name, nth)
            with state_lock(killed):
                finish_restore(killed)
            done = _lengths(killed) == new
            assert (_lengths(killed), load_key(killed)) == ((old, new)[done], keys[done])
            aside = list(killed.glob("replaced-*"))
            assert [_lengths(one) for one in aside if done] == [old] * done
            assert not list(killed.glob("restoring*"))
            outcomes[done] += 1
            shutil.rmtree(killed)
    assert outcomes[True], outcomes
    assert outcomes[False], outcomes
    print(f"killed at {outcomes.total()} calls: {outcomes[False]} old, {outcomes[True]} new")  # noqa: T201


def test_no_backup_during_an_interrupted_restore(kept: Path, state: Path) -> None:
    """It would copy neither the old state nor the new one."""
    (state / "restoring").mkdir()
    with pytest.raises(Busy, match="cut short"):
        backup(store_url(state), state, kept.with_name("another"))


def test_restore_keeps_a_valid_key(kept: Path, state: Path) -> None:
    """A backup without a key restores the games; the key that signed for them stays."""
    key = load_key(state)
    (kept / "token.key").unlink()
    _, replaced = restore(kept, state, NOW, move_aside=True)
    assert _lengths(state) == {1: 3, 2: 3}
    assert load_key(state) == key
    assert replaced is not None
    assert load_key(replaced) == key


def test_a_store_is_checkpointed_before_it_is_moved_aside(kept: Path, state: Path) -> None:
    """All of it is in its one file."""
    with closing(sqlite3.connect(state / "godaemon.db")) as held:  # as by a daemon that is killed
        held.execute("PRAGMA wal_autocheckpoint = 0")
        held.execute("DELETE FROM quota").fetchall()
        held.execute("INSERT INTO quota (hour, name, spent) VALUES (1, 'all', 1)")
        held.commit()
        _, replaced = restore(kept, state, NOW, move_aside=True)
        assert replaced is not None
        log = replaced / "godaemon.db-wal"
        assert not log.exists() or log.stat().st_size == 0


def test_players_are_credited_the_time_since_the_backup(tmp_path: Path) -> None:
    """Else each game whose answer the backup lacks would end on time."""
    state, later = tmp_path / "state", NOW + timedelta(days=12)
    _do(state, _play("D4"))
    TimeSeen(state / "clock").is_in_grace(NOW)
    backup(store_url(state), state, tmp_path / "kept")
    for hours in range(0, 12 * 24, 12):
        TimeSeen(state / "clock").is_in_grace(NOW + timedelta(hours=hours))
    restore(tmp_path / "kept", state, later, move_aside=True)
    assert TimeSeen(state / "clock").lost_time(NOW, later) == timedelta(days=12)


def test_restore_refuses_another_stores_key(kept: Path, tmp_path: Path) -> None:
    """Nobody could answer without it; nothing is moved, and the error names the key."""
    (kept / "token.key").unlink()
    other = tmp_path / "other"
    other.mkdir()
    _do(other, _play("K10"))
    with pytest.raises(Refusal, match=r"another store's.*token\.key"):
        restore(kept, other, NOW, move_aside=True)
    assert _lengths(other) == {1: 1}


def test_restore_refuses_a_backup_with_another_key(kept: Path, state: Path) -> None:
    """It is not restored."""
    make_key(kept)
    with pytest.raises(Exception, match=r"not the one that .* signs with\. Take another backup"):
        restore(kept, state, NOW, move_aside=True)
    assert _lengths(state) == {1: 4, 2: 4}


@pytest.fixture
def file(state: Path, tmp_path: Path) -> Path:
    export_site(store_url(state), state, tmp_path / "site")
    return tmp_path / "site"


def test_an_export_is_imported(state: Path, file: Path, tmp_path: Path) -> None:
    """Games and keys; the file is readable for its owner only, and nothing else is written."""
    there = tmp_path / "there"
    there.symlink_to(tmp_path / "private")  # systemd's link, after its folder was moved away
    made = import_site(file, store_url(there), there, NOW)
    assert (made.games, made.events, made.has_key) == (2, 6, True)
    assert all_keys(there) == all_keys(state)
    assert file.stat().st_mode & 0o777 == 0o600
    assert {path.name for path in there.iterdir()} == {"godaemon.db", "token.key", "daemon.lock"}
    assert {path.name for path in tmp_path.iterdir()} == {"state", "site", "there", "private"}


@pytest.mark.parametrize(
    "spoil",
    [
        lambda content: content[:-1],
        lambda content: content[: len(content) // 2],
        lambda content: content[:-40] + bytes([content[-40] ^ 1]) + content[-39:],
        lambda content: content[:300] + content[310:],
    ],
    ids=["cut by a byte", "cut to half", "a bit flipped", "some bytes missing"],
)
def test_an_incomplete_file_is_refused(
    file: Path, tmp_path: Path, spoil: Callable[[bytes], bytes]
) -> None:
    """Nothing is imported."""
    file.write_bytes(spoil(file.read_bytes()))
    with pytest.raises(Refusal, match=r"cut short or changed.*Nothing was imported"):
        import_site(file, store_url(tmp_path / "new"), tmp_path / "new", NOW)
    assert list((tmp_path / "new").iterdir()) == []


@pytest.mark.parametrize("name", ["../../elsewhere", "/elsewhere", "token.keys", "daemon.lock"])
def test_only_files_of_a_site_are_written(tmp_path: Path, name: str) -> None:
    """Whoever made the archive."""
    (tmp_path / "content").write_bytes(b"k" * 32)
    with tarfile.open(tmp_path / "site", "w:gz") as tar:
        tar.add(tmp_path / "content", name)
    with pytest.raises(Refusal, match="not part of a backup"):
        import_site(tmp_path / "site", store_url(tmp_path / "new"), tmp_path / "new", NOW)
    assert not list(tmp_path.rglob("elsewhere"))


def test_a_second_export_is_refused(state: Path, tmp_path: Path) -> None:
    """It deletes no file of the first."""
    with state_lock(state), pytest.raises(Busy):
        export_site(store_url(state), state, tmp_path / "other")
    assert not (tmp_path / "other").exists()


def test_import_needs_an_export_and_an_empty_folder(state: Path, file: Path) -> None:
    """Existing files stay."""
    for url, name in (
        (store_url(state), "Name a new folder,"),
        ("postgresql://go@/go", "Name a new folder and a new database,"),
    ):
        with pytest.raises(Refusal, match=f"There is a store .* {name}"):
            import_site(file, url, state, NOW)
    with pytest.raises(Refusal, match="already exists"):
        export_site(store_url(state), state, file)
    file.write_text("These are my notes about go.\n", encoding="ascii")
    with pytest.raises(Refusal, match="was not written by `godaemon export`"):
        import_site(file, store_url(file.parent / "new"), file.parent / "new", NOW)
