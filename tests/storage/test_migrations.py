"""Migrations agree with the tables, and lose nothing."""

import json
import sqlite3
import zlib
from collections.abc import Callable
from contextlib import closing
from hashlib import blake2b
from pathlib import Path
from typing import get_args

import pytest
import sqlalchemy as sa
from alembic.operations import Operations

from godaemon.errors import ConfigError, Corrupt
from godaemon.games import events
from godaemon.games.notices import Kind
from godaemon.storage import migrations, packed_logs
from godaemon.storage.backup import verify
from godaemon.storage.connections import connect, read_url
from godaemon.storage.database import open_database, store_url
from godaemon.storage.migrations import read_revision
from godaemon.storage.packed_logs import unpack_rows
from godaemon.storage.tables import SCHEMA
from godaemon.storage.unit_of_work import Unit
from tests.support import places, stores
from tests.support.stores import NOW, new_database

pytestmark = pytest.mark.sqlite("tables as it has them")
FIRST = places.DATA / "first_tables"
"""The tables of the first release, as SQL; no step leads to them."""
DEFINITIONS = {
    "sqlite": "SELECT name, sql FROM sqlite_master",
    "postgresql": """
SELECT table_name, column_name, data_type, is_nullable, column_default
    FROM information_schema.columns WHERE table_schema = 'public'
UNION ALL SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid), '', ''
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace
UNION ALL SELECT tablename, indexname, indexdef, '', '' FROM pg_indexes WHERE schemaname = 'public'
""",
}

NEXT = f"{int(SCHEMA) + 1:04}"
Step = Callable[[Operations], None]
AddStep = Callable[[Step], None]


def add_a_column(op: Operations) -> None:
    """Add a column, and rebuild the table that all others refer to."""
    op.add_column("game", sa.Column("remark", sa.Text, server_default="", nullable=False))
    with op.batch_alter_table("game", recreate="always"):
        pass


def add_and_fail(op: Operations) -> None:
    add_a_column(op)
    raise ZeroDivisionError


def leave_orphans(op: Operations) -> None:
    add_a_column(op)
    op.execute("DELETE FROM game")


def test_the_last_step_leads_to_the_schema() -> None:
    """The steps lead from one revision to the next, and `SCHEMA` is their end."""
    revisions = [migrations.FIRST, *migrations.STEPS]
    assert revisions == sorted(revisions)
    assert revisions[-1] == SCHEMA


def test_a_new_event_or_kind_of_email_needs_a_revision() -> None:
    """Older daemons on the same server stop before they meet it. Change the line with `SCHEMA`."""
    names = [each.__name__ for each in get_args(events.Event)] + [each.value for each in Kind]
    assert (SCHEMA, len(names)) == ("0031", 82)


@pytest.mark.parametrize(
    "kind", ["sqlite", pytest.param("postgresql", marks=pytest.mark.peer("postgresql"))]
)
def test_the_first_tables_are_migrated(
    tmp_path: Path, kind: str, request: pytest.FixtureRequest
) -> None:
    """Old letters are known by their hashes, and packed logs can be read.

    The steps lead to the tables of a new store, word for word: any change needs one.
    """
    known = [blake2b(word.encode(), digest_size=16).digest() for word in ("one", "two")]
    packed = zlib.compress(json.dumps([["moved", 1, "{}", "letter:<1@a>", str(NOW)]]).encode())
    digest = unpack_rows(1, packed)[-1].digest
    url, new = store_url(tmp_path), store_url(tmp_path / "new")
    if kind == "postgresql":
        url, new = (new_database(request.getfixturevalue("server")) for _ in range(2))
    engine = connect(read_url(url), foreign_keys=False)
    tables = (FIRST / f"{kind}.sql").read_text("utf-8")
    with engine.begin() as connection:
        for statement in tables.split(";\n") if kind == "sqlite" else [tables]:
            connection.exec_driver_sql(statement)
        for one in known:
            connection.execute(sa.text("INSERT INTO old_inbox VALUES (:hash)"), {"hash": one})
        row = "INSERT INTO game (id, events, digest) VALUES (1, 1, :digest)"
        connection.execute(sa.text(row), {"digest": digest})
        connection.execute(sa.text("INSERT INTO old_log VALUES (1, :log)"), {"log": packed})
    engine.dispose()
    with closing(open_database(url)) as database, database.connect() as connection:
        unit = Unit(connection)
        firsts = [unit.inbox.note_arrival(word, "<a@b>", NOW) for word in ("one", "two", "three")]
        assert firsts == [False, False, True]
        assert [row.cause for row in packed_logs.read_packed(connection, 1)] == ["letter:<1@a>"]
    words = _words_of(new)
    assert _words_of(url) == _words_of(new) == words


def _words_of(url: str) -> list[list[str]]:
    """The definitions of all tables and indexes of an opened store, sorted."""
    with closing(open_database(url)) as database, database.connect() as connection:
        found = connection.exec_driver_sql(DEFINITIONS[connection.dialect.name])
        return sorted(" ".join(map(str, row)).split() for row in found)


def test_every_table_is_strict(tmp_path: Path) -> None:
    """SQLite holds each column to its type."""
    stores.fresh(tmp_path).close()
    with closing(sqlite3.connect(tmp_path / "godaemon.db")) as connection:
        loose = connection.execute(
            "SELECT name FROM pragma_table_list WHERE NOT strict AND type = 'table'"
            " AND name NOT LIKE 'sqlite%' AND name NOT LIKE 'alembic%'"
        ).fetchall()
    assert loose == []


def test_a_newer_store_is_refused(tmp_path: Path) -> None:
    """It stays unchanged, and the error names the way out."""
    stores.fresh(tmp_path).close()
    file = tmp_path / "godaemon.db"
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    before = file.read_bytes()
    with pytest.raises(ConfigError, match=r"newer godaemon.*9999.*backup"):
        open_database(store_url(tmp_path))
    assert file.read_bytes() == before


@pytest.fixture
def add_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AddStep:
    """Adds a step to the code, which the store in `state` has not got."""
    database = stores.fresh(tmp_path / "state")
    with database.engine.begin() as connection:
        connection.exec_driver_sql("INSERT INTO game (events, digest) VALUES (0, '')")
        connection.exec_driver_sql("INSERT INTO event VALUES (1, 0, 'moved', 1, '{}', '', '', '')")
    database.close()
    monkeypatch.setattr("godaemon.storage.migrations.SCHEMA", NEXT)
    return lambda step: monkeypatch.setitem(migrations.STEPS, NEXT, step)


def columns(file: Path) -> list[str]:
    """The columns of the table `game`."""
    with closing(sqlite3.connect(file)) as connection:
        return [row[1] for row in connection.execute("PRAGMA table_info(game)")]


def test_a_migration_keeps_a_copy(tmp_path: Path, add_step: AddStep) -> None:
    """Nothing is lost when a table that others refer to is rebuilt."""
    add_step(add_a_column)
    database = open_database(store_url(tmp_path / "state"))
    with database.engine.connect() as connection:
        assert read_revision(connection) == NEXT
        assert connection.execute(sa.text("SELECT remark FROM game")).all() == [("",)]
        assert connection.execute(sa.text("SELECT game FROM event")).all() == [(1,)]
    database.close()
    old = tmp_path / "state" / f"godaemon.db.schema-{SCHEMA}"
    assert "remark" not in columns(old)
    assert old.stat().st_mode & 0o777 == 0o600
    open_database(store_url(tmp_path / "state")).close()
    assert list((tmp_path / "state").glob("*.schema-*")) == [old]


def test_a_failed_step_changes_nothing(tmp_path: Path, add_step: Callable[[Step], None]) -> None:
    """All steps are one transaction."""
    add_step(add_and_fail)
    file = tmp_path / "state" / "godaemon.db"
    before = columns(file)
    with pytest.raises(ZeroDivisionError):
        open_database(store_url(tmp_path / "state"))
    with closing(sqlite3.connect(file)) as connection:
        names = {row[0] for row in connection.execute("SELECT name FROM sqlite_master")}
        version = connection.execute("SELECT version_num FROM alembic_version").fetchall()
    assert columns(file) == before
    assert not {name for name in names if name.startswith("_alembic")}
    assert version == [(SCHEMA,)]


def test_a_step_with_orphans_changes_nothing(
    tmp_path: Path, add_step: Callable[[Step], None]
) -> None:
    """Foreign keys are off while tables are rebuilt, and are checked afterwards."""
    add_step(leave_orphans)
    file = tmp_path / "state" / "godaemon.db"
    before = columns(file)
    with pytest.raises(Corrupt, match="was not migrated") as refused:
        open_database(store_url(tmp_path / "state"))
    assert "event" in refused.value.detail
    assert columns(file) == before


def test_a_store_of_before_the_first_release_is_refused(tmp_path: Path) -> None:
    """Bug: the advice named a version that does not exist. The store is unchanged."""
    stores.fresh(tmp_path).close()
    stores.run_on(tmp_path, "UPDATE alembic_version SET version_num = '0020'")
    file = tmp_path / "godaemon.db"
    before = file.read_bytes()
    with pytest.raises(ConfigError, match=r"before the first release.*0020.* from 0030"):
        open_database(store_url(tmp_path))
    assert file.read_bytes() == before
    assert not list(tmp_path.glob("*.schema-*"))
    with pytest.raises(ConfigError, match="the program that wrote it"):
        verify(tmp_path)


def test_the_manual_names_the_oldest_revision() -> None:
    """No store is older than those that it names."""
    page = (places.ROOT / "config/man/godaemon-operating.7").read_text("utf-8")
    assert f"tables are at {migrations.FIRST} or later" in page


def test_tables_of_another_revision_are_refused(
    tmp_path: Path, add_step: Callable[[Step], None]
) -> None:
    """They stay unchanged."""
    add_step(add_a_column)
    url = store_url(tmp_path / "state")
    stores.run_on(tmp_path / "state", "ALTER TABLE game ADD COLUMN remark TEXT")
    with pytest.raises(Corrupt) as refused:
        open_database(url)
    assert "duplicate column" in refused.value.detail
    engine = connect(read_url(url))
    with engine.connect() as connection:
        assert read_revision(connection) == SCHEMA
    engine.dispose()
