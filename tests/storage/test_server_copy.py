"""Backups of a server's database: whole, with the key, brought back into an empty one."""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa

from godaemon.errors import ConfigError, Corrupt, Refusal, Unknown
from godaemon.games.notices import Kind, Notice
from godaemon.storage import server_copy
from godaemon.storage.backup import Backup, backup
from godaemon.storage.connections import connect, read_url
from godaemon.storage.contents import contents
from godaemon.storage.database import open_database, store_url
from godaemon.storage.identity import fingerprint, open_store
from godaemon.storage.restore import restore
from godaemon.storage.unit_of_work import SqlUnit
from godaemon.storage.writer import WriterThread
from godaemon.system.signing_keys import all_keys
from tests.support.stores import NOW, move, new_database

pytestmark = pytest.mark.peer("postgresql")
MOVES = [move("D4"), move("Q16"), move("C3")]


def run(url: str, statement: str) -> None:
    """Change something behind the store's back."""
    engine = connect(read_url(url))
    with engine.begin() as connection:
        connection.exec_driver_sql(statement)
    engine.dispose()


def tables(url: str) -> list[str]:
    """What is in a database."""
    engine = connect(read_url(url))
    with engine.connect() as connection:
        found = sa.inspect(connection).get_table_names()
    engine.dispose()
    return found


def play(unit: SqlUnit) -> int:
    """A game of three moves, and a notice that waits."""
    game = unit.games.create()
    unit.games.append(game, 0, MOVES)
    unit.outbox.owe(Notice(Kind.YOUR_TURN, "bob@b", game=game), NOW)
    return game


@pytest.fixture
def url(server: str, tmp_path: Path) -> str:
    """A database with two games, whose key is in the folder `state`."""
    made = new_database(server)
    (tmp_path / "state").mkdir()
    with closing(open_store(made, tmp_path / "state")) as database, WriterThread(database) as one:
        one.run_sync(play)
        one.run_sync(play)
    return made


def test_there_and_back(server: str, url: str, tmp_path: Path) -> None:
    """What was written is in another database with another folder, and both belong together."""
    state, dest, other = tmp_path / "state", tmp_path / "dest", tmp_path / "other"
    made = backup(url, state, dest)
    signed = fingerprint(all_keys(state)[0])
    assert made == Backup(dest, games=2, events=6, waiting=2, key=True, signed=signed)
    modes = {path.name: path.stat().st_mode & 0o777 for path in dest.iterdir()}
    assert modes == {"godaemon.dump": 0o600, "token.key": 0o600}
    there = new_database(server)
    assert restore(dest, other, NOW, url=there).backup == made
    with closing(open_store(there, other)) as database, WriterThread(database) as writer:
        assert writer.run_sync(lambda unit: len(unit.games.log(2))) == 3
        assert writer.run_sync(play) == 3
    assert all_keys(other) == all_keys(state)


def test_into_a_database_with_something_in_it(url: str, tmp_path: Path) -> None:
    """It is refused, and nothing of it is touched, the folder's key neither."""
    state, dest = tmp_path / "state", tmp_path / "dest"
    backup(url, state, dest)
    with pytest.raises(Refusal, match="not empty"):
        restore(dest, tmp_path / "other", NOW, url=url)
    assert not (tmp_path / "other" / "token.key").exists()
    with pytest.raises(Refusal, match="--move-aside"):
        restore(dest, state, NOW, url=url)


def cut(dest: Path) -> None:
    """Lose the end of the file."""
    file = dest / "godaemon.dump"
    file.write_bytes(file.read_bytes()[:-2000])


def change_the_key(dest: Path) -> None:
    """Have another store's key."""
    (dest / "token.key").write_bytes(b"k" * 32)


@pytest.mark.parametrize("spoil", [cut, change_the_key])
def test_a_copy_that_is_no_good(server: str, url: str, tmp_path: Path, spoil: type) -> None:
    """The database is as empty as it was, and may be restored to from another copy."""
    dest, there, other = tmp_path / "dest", new_database(server), tmp_path / "other"
    backup(url, tmp_path / "state", dest)
    shutil.copytree(dest, tmp_path / "good")
    spoil(dest)
    with pytest.raises(Corrupt):
        restore(dest, other, NOW, url=there)
    assert tables(there) == []
    assert not (other / "token.key").exists()
    assert restore(tmp_path / "good", other, NOW, url=there).backup.games == 2


def test_a_log_that_was_changed_in_the_copy(server: str, url: str, tmp_path: Path) -> None:
    """It is seen by its chain, and nothing is restored."""
    dest, there = tmp_path / "dest", new_database(server)
    backup(url, tmp_path / "state", dest)
    run(url, "UPDATE event SET payload = replace(payload, 'Q16', 'Q17') WHERE game = 2")
    (dest / "godaemon.dump").unlink()
    assert not server_copy._run("pg_dump", read_url(url), "-Fc", f"--file={dest}/godaemon.dump")
    with pytest.raises(Corrupt, match=r"game 2 .event 1"):
        restore(dest, tmp_path / "other", NOW, url=there)
    assert tables(there) == []


def test_a_damaged_game_stops_no_backup(server: str, url: str, tmp_path: Path) -> None:
    """It is named and put aside, here and in the copy; all others are in it and whole."""
    run(url, "DELETE FROM event WHERE game = 1 AND number = 1")
    made = backup(url, tmp_path / "state", tmp_path / "dest")
    assert made.aside == ((1, "event 1: it is missing"),)
    back = restore(tmp_path / "dest", tmp_path / "other", NOW, url=new_database(server)).backup
    assert back.aside == made.aside
    engine = connect(read_url(url))
    with engine.connect() as connection:
        assert contents(connection).aside == list(made.aside)
    engine.dispose()


def test_a_program_that_is_missing_or_old(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What to install is said, and no folder is left."""
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    with pytest.raises(ConfigError, match=r"pg_dump is not .*apt-get install postgresql-client-"):
        backup(url, tmp_path / "state", tmp_path / "dest")
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "pg_dump"
    program.write_text("#!/bin/sh\necho 'pg_dump (PostgreSQL) 9.6.24 (Debian)'\n", encoding="ascii")
    program.chmod(0o700)
    with pytest.raises(ConfigError, match=r"pg_dump is of version 9, and the server of \d\d\."):
        backup(url, tmp_path / "state", tmp_path / "dest")
    assert [path.name for path in tmp_path.iterdir() if "dest" in path.name] == []


def test_each_kind_goes_back_to_its_own(url: str, tmp_path: Path) -> None:
    """A copy of a server is not for SQLite, nor the other way; and nothing is no copy."""
    backup(url, tmp_path / "state", tmp_path / "dest")
    with pytest.raises(Refusal, match=r"backup of PostgreSQL.*is of SQLite.*export"):
        restore(tmp_path / "dest", tmp_path / "other", NOW)
    open_database(store_url(tmp_path / "file")).close()
    backup(store_url(tmp_path / "file"), tmp_path / "file", tmp_path / "plain")
    with pytest.raises(Refusal, match=r"backup of SQLite.*is of PostgreSQL"):
        restore(tmp_path / "plain", tmp_path / "other", NOW, url=url)
    with pytest.raises(Unknown, match="not a backup"):
        restore(tmp_path / "nowhere", tmp_path / "other", NOW, url=url)
