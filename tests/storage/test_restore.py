"""A backup is brought back wholly or not at all, however it ends; or one game of it."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from godaemon.errors import Busy, ConfigError, Damaged, Refusal, Unknown
from godaemon.games.calls import Caller
from godaemon.games.commands import Play, Propose, Yes
from godaemon.games.game_cache import GameCache
from godaemon.games.game_clock import GameClock
from godaemon.games.model import Seat
from godaemon.games.notices import Kind, Notice
from godaemon.games.running_clocks import RunningClocks
from godaemon.games.service import Chance, GameService
from godaemon.rules.points import Color, parse_point
from godaemon.storage.backup import backup
from godaemon.storage.database import store_url
from godaemon.storage.identity import open_store
from godaemon.storage.lock import StateLock
from godaemon.storage.restore import finish, hold_here, restore, restore_game
from godaemon.storage.unit_of_work import SqlUnit
from godaemon.storage.writer import WriterThread
from godaemon.system.clock import TimeSeen
from godaemon.system.signing_keys import load_key, make_key
from tests.support import restore_server
from tests.support.limits import Limits
from tests.support.stores import NOW, move, summary
from tests.support.traced import crash_points, serving

pytestmark = pytest.mark.sqlite("files put in the place of others")
NAMES = "rename,renameat,renameat2,unlink,unlinkat,mkdir,rmdir"
"""The calls that change the names in a folder."""
CALLS = NAMES
if os.environ.get("GODAEMON_EVERY_CALL"):
    CALLS += (
        ",open,openat,creat,write,pwrite64,chmod,fchmod,ftruncate,fsync,fdatasync,copy_file_range"
        ",sendfile,close,fcntl"
    )


def _play(*points: str, game: int | None = None) -> Callable[[SqlUnit], int]:
    def work(unit: SqlUnit) -> int:
        number = game or unit.games.create()
        at = len(unit.games.log(number)) if game else 0
        unit.games.append(number, at, [move(point) for point in points])
        unit.games.set_summary(summary(number), ["alice@a.example"])
        return number

    return work


def _do(state: Path, *work: Callable[[SqlUnit], object]) -> list[object]:
    database = open_store(store_url(state), state)
    with WriterThread(database) as writer:
        done = [writer.run_sync(one) for one in work]
    database.close()
    return done


def _lengths(state: Path) -> dict[int, int]:
    """How long each game's log is, in a store that starts."""

    def work(unit: SqlUnit) -> dict[int, int]:
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
def test_killed_at_each_call(kept: Path, tmp_path: Path) -> None:
    """Another store's backup comes back: the next start has the old state or the new, never both.

    The state of the other store stands for what was there before.
    """
    other = tmp_path / "other"
    other.mkdir()
    _do(other, _play("K10"), _play("K10"), _play("K10"))
    old, new, keys = {1: 1, 2: 1, 3: 1}, {1: 3, 2: 3}, (load_key(other), load_key(kept))
    with serving(restore_server) as server:

        def run(name: str, *tracing: str) -> tuple[Path, bool]:
            shutil.copytree(other, tmp_path / name)
            return tmp_path / name, server.handle(f"{kept} {tmp_path / name}", *tracing)[1]

        run("warm")  # what is imported for the first time leaves files of its own
        trace = tmp_path / "trace"
        run("dry", "-e", f"trace={CALLS}", "-o", str(trace))
        points = crash_points(trace.read_text())
        assert len(points) > 15
        outcomes: Counter[bool] = Counter()
        for name, nth in points:
            inject = f"inject={name}:signal=KILL:when={nth}"
            tracing = ("-e", f"trace={CALLS}", "-o", "/dev/null", "-e", inject)
            killed, was = run(f"{name}-{nth}", *tracing)
            assert was, (name, nth)
            with StateLock(killed):
                finish(killed)
            done = _lengths(killed) == new
            assert (_lengths(killed), load_key(killed)) == ((old, new)[done], keys[done])
            aside = list(killed.glob("replaced-*"))
            assert [_lengths(one) for one in aside if done] == [old] * done
            assert not list(killed.glob("restoring*"))
            outcomes[done] += 1
            shutil.rmtree(killed)
    assert outcomes[True], outcomes
    assert outcomes[False], outcomes
    print(f"killed at {len(points)} calls: {outcomes[False]} old, {outcomes[True]} new")  # noqa: T201


def test_a_backup_waits_for_a_restore_that_was_cut_short(kept: Path, state: Path) -> None:
    """What it would copy is neither the old state nor the new."""
    (state / "restoring").mkdir()
    with pytest.raises(Busy, match="cut short"):
        backup(store_url(state), state, kept.with_name("another"))


def test_a_good_key_is_never_taken_away(kept: Path, state: Path) -> None:
    """A backup without a key brings the games back, and the key that signed for them stays."""
    key = load_key(state)
    (kept / "token.key").unlink()
    restored = restore(kept, state, NOW, move_aside=True)
    assert _lengths(state) == {1: 3, 2: 3}
    assert load_key(state) == key
    assert restored.replaced is not None
    assert load_key(restored.replaced) == key


def test_a_store_is_moved_aside_with_the_log_of_its_changes_in_it(kept: Path, state: Path) -> None:
    """Whoever looks into it later finds all of it in its one file."""
    with closing(sqlite3.connect(state / "godaemon.db")) as held:  # as by a daemon that is killed
        held.execute("PRAGMA wal_autocheckpoint = 0")
        held.execute("DELETE FROM quota").fetchall()
        held.execute("INSERT INTO quota (hour, name, spent) VALUES (1, 'all', 1)")
        held.commit()
        restored = restore(kept, state, NOW, move_aside=True)
        assert restored.replaced is not None
        log = restored.replaced / "godaemon.db-wal"
        assert not log.exists() or log.stat().st_size == 0


def test_players_are_given_back_what_passed_since_the_backup(tmp_path: Path) -> None:
    """Else the first look at the clocks would end each game whose answer the backup lacks."""
    state, later = tmp_path / "state", NOW + timedelta(days=12)
    _do(state, _play("D4"))
    TimeSeen(state / "clock").in_grace(NOW)
    backup(store_url(state), state, tmp_path / "kept")
    for hours in range(12 * 24):
        TimeSeen(state / "clock").in_grace(NOW + timedelta(hours=hours))
    restore(tmp_path / "kept", state, later, move_aside=True)
    assert TimeSeen(state / "clock").lost(NOW, later) == timedelta(days=12)


def test_a_key_that_signed_for_others_does_not_stay(kept: Path, tmp_path: Path) -> None:
    """With it nobody could answer; nothing is moved, and the operator hears which key is wanted."""
    (kept / "token.key").unlink()
    other = tmp_path / "other"
    other.mkdir()
    _do(other, _play("K10"))
    with pytest.raises(Refusal, match=r"another store's.*token\.key"):
        restore(kept, other, NOW, move_aside=True)
    assert _lengths(other) == {1: 1}


def test_a_backup_with_another_key_in_it(kept: Path, state: Path) -> None:
    """It is not restored."""
    make_key(kept)
    with pytest.raises(Exception, match="not the one that its store signs with"):
        restore(kept, state, NOW, move_aside=True)
    assert _lengths(state) == {1: 4, 2: 4}


def test_a_store_elsewhere(tmp_path: Path) -> None:
    """What is configured to be on a server, or in another folder, is not restored into this one."""
    hold_here(store_url(tmp_path), tmp_path)
    for url, why in (
        ("postgresql+psycopg://localhost/go", "One game alone is brought back into a SQLite store"),
        (store_url(tmp_path / "other"), "elsewhere"),
    ):
        with pytest.raises(ConfigError, match=why):
            hold_here(url, tmp_path)


def _spoil(store: Path, statement: str) -> None:
    with closing(sqlite3.connect(store / "godaemon.db", isolation_level=None)) as connection:
        connection.execute(statement)


def test_one_game_is_brought_back(kept: Path, state: Path) -> None:
    """It is as it was in the backup, and is played on; the others have their last moves."""
    _spoil(state, "UPDATE event SET payload = '{}' WHERE game = 1 AND number = 2")
    with pytest.raises(Damaged):
        _do(state, lambda unit: unit.games.log(1))
    assert _lengths(state) == {2: 4}
    assert restore_game(kept, state, 1, NOW) == (3, None)
    assert _lengths(state) == {1: 3, 2: 4}
    _do(state, _play("D4", game=1))
    assert _lengths(state) == {1: 4, 2: 4}


def test_one_game_that_is_whole_is_not_lost(kept: Path, state: Path) -> None:
    """Bug: a wrong number took the last moves of a game for good. They are kept, if it is meant."""
    with pytest.raises(Refusal, match=r"1 of its events is not in that backup.*--move-aside"):
        restore_game(kept, state, 1, NOW)
    assert _lengths(state) == {1: 4, 2: 4}
    events, aside = restore_game(kept, state, 1, NOW, move_aside=True)
    assert (events, _lengths(state)) == (3, {1: 3, 2: 4})
    assert aside is not None
    assert restore_game(aside, state, 1, NOW) == (4, None)
    assert _lengths(state) == {1: 4, 2: 4}
    assert _lengths(aside) == {1: 4, 2: 4}


def test_one_game_that_went_on_otherwise_is_not_lost(kept: Path, state: Path) -> None:
    """As after a restore: it is no longer than in the backup, and another game."""
    restore_game(kept, state, 1, NOW, move_aside=True)
    (later := state.parent / "later").mkdir()
    _do(state, _play("E5", game=1))
    backup(store_url(state), state, later / "kept")
    restore_game(kept, state, 1, NOW + timedelta(days=1), move_aside=True)
    _do(state, _play("F6", game=1))
    with pytest.raises(Refusal, match="1 of its events is not in that backup"):
        restore_game(later / "kept", state, 1, NOW)


def test_a_game_alone_is_given_back_what_passed_since_the_backup(tmp_path: Path) -> None:
    """Its moves since then are gone, so nobody could have answered as it stands now."""
    (state := tmp_path / "state").mkdir()
    cache, chance = GameCache(), Chance(lambda: Color.BLACK, lambda: "nonce")

    def _games(unit: SqlUnit, days: float) -> GameService:
        return GameService(unit, cache, NOW + timedelta(days=days), chance, Limits())

    def _begin(unit: SqlUnit) -> None:
        alice, wanted = Caller("a", "alice@a.example"), Propose("bob@b.example", time="3d/move")
        _games(unit, 0).propose(wanted, alice, vouched=True)
        bob = Caller("b", "bob@b.example", told=True, seated=True)
        _games(unit, 0).act(1, Seat.INVITED, [Yes()], bob)
        RunningClocks(_games(unit, 1)).sent(
            Notice(Kind.STARTED, "", game=1, seat=Seat.BLACK, until=99)
        )

    _do(state, _begin)
    TimeSeen(state / "clock").in_grace(NOW + timedelta(days=2))
    backup(store_url(state), state, tmp_path / "kept")
    restore_game(tmp_path / "kept", state, 1, NOW + timedelta(days=9), move_aside=True)
    cache.clear()
    due = NOW + timedelta(days=9 + 2)
    (deadline,) = _do(state, lambda unit: unit.games.summaries()[0].deadline)
    (clock,) = _do(state, lambda unit: _games(unit, 9).game(1).clock)
    assert isinstance(clock, GameClock)
    assert (deadline, clock.deadline) == (due, due)


def test_a_rated_game_that_is_brought_back_ends_once_more(tmp_path: Path) -> None:
    """What its first end made of the ratings has gone with that."""
    (state := tmp_path / "state").mkdir()
    chance = Chance(lambda: Color.BLACK, lambda: "nonce")

    def _games(unit: SqlUnit) -> GameService:
        return GameService(unit, GameCache(), NOW, chance, Limits())

    def _begin(unit: SqlUnit) -> None:
        wanted = Propose("bob@b.example", rated=True, color=Color.WHITE)
        _games(unit).propose(wanted, Caller("a", "alice@a.example", "Alice"), vouched=True)
        bob = Caller("b", "bob@b.example", "Bob", told=True, seated=True)
        _games(unit).act(1, Seat.INVITED, [Yes(), Play(parse_point("D4"))], bob)

    def _end(unit: SqlUnit) -> object:
        assert _games(unit).adjudicate(1, "W+R").after.result == "W+R"
        return unit.players.rated("alice@a.example")

    _do(state, _begin)
    backup(store_url(state), state, tmp_path / "kept")
    (first,) = _do(state, _end)
    restore_game(tmp_path / "kept", state, 1, NOW, move_aside=True)
    assert _do(state, lambda unit: unit.players.rated("alice@a.example")) == [None]
    assert _do(state, _end) == [first]
    assert first is not None


def test_a_game_of_which_nothing_is_left(kept: Path, state: Path) -> None:
    """Its row and its log come back."""
    for statement in ("event WHERE game = 1", "game_address WHERE game = 1", "game WHERE id = 1"):
        _spoil(state, f"DELETE FROM {statement}")
    assert restore_game(kept, state, 1, NOW) == (3, None)
    assert _lengths(state) == {1: 3, 2: 4}


def test_a_game_that_cannot_be_brought_back(kept: Path, state: Path, tmp_path: Path) -> None:
    """Of another store, not in the backup, damaged there too, or while the daemon runs."""
    with StateLock(state), pytest.raises(Busy):
        restore_game(kept, state, 1, NOW)
    with pytest.raises(Unknown, match="no game 3"):
        restore_game(kept, state, 3, NOW)
    _do(state, _play("A1"))
    with pytest.raises(Unknown, match="no game 3 in that backup"):
        restore_game(kept, state, 3, NOW, move_aside=True)
    assert not list(state.glob("replaced-*"))
    with pytest.raises(Unknown, match="not a backup"):
        restore_game(tmp_path, state, 1, NOW)
    other = tmp_path / "other"
    other.mkdir()
    _do(other, _play("K10"))
    with pytest.raises(Refusal, match="another store's"):
        restore_game(kept, other, 1, NOW)
    _spoil(kept, "DELETE FROM event WHERE game = 1 AND number = 2")
    with pytest.raises(Damaged):
        restore_game(kept, state, 1, NOW, move_aside=True)
    assert _lengths(state) == {1: 4, 2: 4, 3: 1}
