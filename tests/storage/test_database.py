"""Opening the store: pragmas, file modes, and errors with advice."""

import sqlite3
import stat
import sys
import traceback
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy import Engine, event, make_url
from sqlalchemy.exc import IntegrityError
from sqlalchemy.pool import StaticPool

from godaemon.errors import ConfigError, Corrupt, Temporary
from godaemon.storage import database
from godaemon.storage.database import open_database, store_url
from godaemon.storage.tables import BlockRow
from godaemon.storage.unit_of_work import Unit
from godaemon.storage.writer import WriterThread
from tests.support import stores
from tests.support.stores import new_database

pytestmark = pytest.mark.sqlite("its file and its pragmas")
BLOCK = {"address": "alice@players.example", "other": "bob@players.example"}


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_every_connection_has_durable_settings(tmp_path: Path) -> None:
    """A write-ahead log, synced at each COMMIT, with foreign keys."""
    expected = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "trusted_schema": 0}
    with closing(stores.fresh(tmp_path)) as database, database.engine.connect() as one:
        found = {name: one.exec_driver_sql(f"PRAGMA {name}").scalar_one() for name in expected}
        busy = one.exec_driver_sql("PRAGMA busy_timeout").scalar_one()
    assert found == expected
    assert busy == 5000


def test_only_the_owner_can_read_a_store(tmp_path: Path) -> None:
    """The folder is 0700 and each file 0600, also after it is opened again.

    A folder's name may hold characters with a meaning in URLs.
    """
    state = tmp_path / "50% go?daemon #1 é"
    database = open_database(store_url(state))
    with database.engine.begin() as connection:
        connection.exec_driver_sql("INSERT INTO game (events, digest) VALUES (0, '')")
    names = {path.name: mode(path) for path in state.iterdir()}
    database.close()
    assert mode(state) == 0o700
    assert names == dict.fromkeys(("godaemon.db", "godaemon.db-wal", "godaemon.db-shm"), 0o600)
    (state / "godaemon.db").chmod(0o644)
    open_database(store_url(state)).close()
    assert mode(state / "godaemon.db") == 0o600


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("not a url", "sqlite:////"),
        ("mysql://host/go", "sqlite or postgresql"),
        ("sqlite://", "names no file"),
        ("sqlite:////dev/null/godaemon.db", "cannot be opened"),
    ],
)
def test_invalid_urls_are_configuration_errors(url: str, words: str) -> None:
    """With an example of a valid one; a restart will not help."""
    with pytest.raises(ConfigError, match=words):
        open_database(url)


def test_a_missing_server_is_temporary(tmp_path: Path) -> None:
    """It may come back; the password is not shown."""
    url = f"postgresql+psycopg://godaemon:secret@/games?host={tmp_path}"
    with pytest.raises(Temporary, match="does not answer") as caught:
        open_database(url)
    assert "secret" not in caught.value.public


def test_a_missing_driver_is_named() -> None:
    """With the command that installs ours, and where."""
    with pytest.raises(ConfigError, match=rf"`{sys.prefix}/bin/pip install 'psycopg"):
        open_database("postgresql+pg8000://localhost/games")


def test_a_file_that_is_no_store_is_left_alone(tmp_path: Path) -> None:
    """Neither foreign files nor damaged stores are opened or overwritten."""
    file = tmp_path / "godaemon.db"
    file.write_text("These are my notes about go.\n" * 100)
    with pytest.raises(Corrupt, match="damaged"):
        open_database(store_url(tmp_path))
    assert file.read_text().startswith("These are my notes")
    stores.fresh(tmp_path).close()
    pages = bytearray(file.read_bytes())
    pages[4096 * 3 : 4096 * 9] = b"\xa5" * (4096 * 6)
    file.write_bytes(pages)
    with pytest.raises(Corrupt):
        open_database(store_url(tmp_path))


def test_a_large_store_is_not_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is left to the backup."""
    stores.fresh(tmp_path).close()
    statements: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        statements.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    try:
        open_database(store_url(tmp_path)).close()
        assert "PRAGMA quick_check" in statements
        statements.clear()
        monkeypatch.setattr(database, "MAX_CHECKED_SIZE", 1)
        open_database(store_url(tmp_path)).close()
    finally:
        event.remove(Engine, "before_cursor_execute", note)
    assert "PRAGMA quick_check" not in statements


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO event VALUES (1, 'first', 'moved', 1, '{}', '', '', '')",
        "INSERT INTO event VALUES (1, -1, 'moved', 1, '{}', '', '', '')",
        "INSERT INTO event VALUES (2, 0, 'moved', 1, '{}', '', '', '')",
        "INSERT INTO pencil VALUES (1, 'green', 'D4', 1, NULL)",
        "UPDATE game SET phase = 'playing'",
        "INSERT INTO player VALUES ('a@x', 0, 2, 0, NULL, NULL)",
    ],
)
def test_constraints_reject_invalid_rows(tmp_path: Path, statement: str) -> None:
    """From any writer."""
    stores.fresh(tmp_path).close()
    with closing(sqlite3.connect(tmp_path / "godaemon.db")) as connection:
        connection.execute("PRAGMA foreign_keys=ON")
        connection.execute("INSERT INTO game (events, digest) VALUES (0, '')")
        with pytest.raises(sqlite3.IntegrityError):
            connection.execute(statement)


def test_a_transaction_locks_the_store_at_its_start(tmp_path: Path) -> None:
    """A second writer waits at once, not in the middle of its work."""
    with (
        closing(stores.fresh(tmp_path)) as database,
        closing(sqlite3.connect(tmp_path / "godaemon.db", timeout=0)) as other,
        database.engine.connect() as connection,
    ):
        connection.execute(sa.text("SELECT 1"))
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            other.execute("INSERT INTO game (events, digest) VALUES (0, '')")


def test_errors_do_not_show_values(tmp_path: Path) -> None:
    """Addresses and texts are private: a logged error shows only the statement."""
    database = stores.fresh(tmp_path)
    with closing(database), database.connect() as connection, pytest.raises(IntegrityError) as info:
        connection.execute(sa.insert(BlockRow), [BLOCK, BLOCK])
    assert "INSERT INTO block" in str(info.value)
    assert "players.example" not in "".join(traceback.format_exception(info.value))


@pytest.mark.peer("postgresql")
def test_server_errors_do_not_show_values(server: str) -> None:
    """The server would name the existing key."""
    database = open_database(new_database(server))
    with closing(database), database.connect() as link, pytest.raises(IntegrityError) as info:
        link.execute(sa.insert(BlockRow), [BLOCK, BLOCK])
    assert "players.example" not in "".join(traceback.format_exception(info.value))


@pytest.mark.peer("postgresql")
def test_a_read_only_server_is_temporary(server: str) -> None:
    """Such as a standby; it may become writable later."""
    url = new_database(server)
    with closing(open_database(url)) as writable, writable.connect() as connection:
        Unit(connection).require_writable()
    name = make_url(url).database
    with closing(open_database(server)) as neighbour, neighbour.connect() as connection:
        connection.exec_driver_sql(
            f'ALTER DATABASE "{name}" SET default_transaction_read_only = on'
        )
        connection.commit()
    with closing(open_database(url)) as store, WriterThread(store) as writer:
        with pytest.raises(Temporary, match="it may not be written to"):
            writer.run_sync(lambda unit: unit.require_writable())
        with pytest.raises(Temporary, match="it may not be written to"):
            writer.run_sync(lambda unit: unit.games.create())


@pytest.mark.peer("postgresql")
def test_a_connection_pooler_is_refused(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Locks would be lost in it."""
    shared = partial(sa.create_engine, poolclass=StaticPool)
    monkeypatch.setattr(sa, "create_engine", shared)
    with pytest.raises(ConfigError, match="pool_mode = session"):
        open_database(new_database(server))


def test_a_savepoint_opens_no_other_file(tmp_path: Path) -> None:
    """Bug: a service that may write only to its own folder got a "disk I/O error"."""
    with closing(open_database(store_url(tmp_path))) as database, database.connect() as connection:
        ask = connection.exec_driver_sql
        ask("CREATE TABLE page (content TEXT)")
        ask("INSERT INTO page VALUES " + ", ".join(["(hex(zeroblob(1500)))"] * 200))
        connection.commit()
        ask("UPDATE page SET content = replace(content, '0', '1')")
        ask("SAVEPOINT unit")
        ask("UPDATE page SET content = replace(content, '1', '2')")
        opened = [str(one.resolve()) for one in Path("/proc/self/fd").iterdir()]
        assert [one for one in opened if "etilqs" in one] == []
