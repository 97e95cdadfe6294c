"""The steps between revisions of the tables: they agree with the code, and lose nothing."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from godaemon.errors import ConfigError, Corrupt
from godaemon.games.notices import Kind
from godaemon.games.store_protocols import Preferences, SeatKeyState
from godaemon.storage import migrations, schema
from godaemon.storage.columns import METADATA
from godaemon.storage.connections import connect, read_url
from godaemon.storage.database import open_database, store_url
from godaemon.storage.tables import SCHEMA
from godaemon.storage.unit_of_work import SqlUnit
from tests.support import stores
from tests.support.stores import new_database

pytestmark = pytest.mark.sqlite("tables as it has them")
DEFINITIONS = "SELECT name, sql FROM sqlite_master WHERE name NOT LIKE '%alembic%'"

NEXT = f"{int(SCHEMA) + 1:04}"
ADD_A_COLUMN = f'''
"""A column more, by rebuilding the table that all others refer to."""
import sqlalchemy as sa
from alembic import op

revision, down_revision, branch_labels, depends_on = "{NEXT}", "{SCHEMA}", None, None

def upgrade():
    with op.batch_alter_table("game", recreate="always") as game:
        game.add_column(sa.Column("remark", sa.Text, server_default="", nullable=False))
'''
FALTER = ADD_A_COLUMN + "    raise ZeroDivisionError\n"


def test_the_code_knows_the_newest_revision() -> None:
    """There is one line of revisions, and `SCHEMA` is its end."""
    assert ScriptDirectory.from_config(migrations._config()).get_heads() == [SCHEMA]


def test_models_and_migrations_agree(tmp_path: Path) -> None:
    """The tables that the steps make are, word for word, the tables of the models."""
    migrated = open_database(store_url(tmp_path / "migrated"))
    modelled = connect(read_url(store_url(tmp_path)))
    with modelled.begin() as connection:
        METADATA.create_all(connection)
        expected = _words_of(connection)
    with migrated.engine.connect() as connection:
        found = _words_of(connection)
        changes = compare_metadata(
            MigrationContext.configure(connection, opts={"compare_type": True}), METADATA
        )
    modelled.dispose()
    migrated.close()
    assert found == expected
    assert changes == []


def _words_of(connection: sa.Connection) -> dict[str, list[str]]:
    """What makes each table and index; ADD COLUMN begins no line of its own."""
    return {row[0]: (row[1] or "").split() for row in connection.exec_driver_sql(DEFINITIONS)}


@pytest.mark.peer("postgresql")
def test_models_and_migrations_agree_on_a_server(server: str) -> None:
    """The same steps make the same tables in PostgreSQL, and running them again is nothing."""
    url = new_database(server)
    open_database(url).close()
    database = open_database(url)
    with database.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, METADATA) == []
    database.close()


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
    """A store that a newer godaemon has changed is left as it is, and the way out is named."""
    stores.fresh(tmp_path).close()
    file = tmp_path / "godaemon.db"
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    before = file.read_bytes()
    with pytest.raises(ConfigError, match=r"newer godaemon.*9999.*backup"):
        open_database(store_url(tmp_path))
    assert file.read_bytes() == before


@pytest.fixture
def another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the steps to which a test may add one; the store in `state` has not got it."""
    copy = tmp_path / "migrations"
    shutil.copytree(Path(migrations.__file__).parent, copy)
    config = Config()
    config.set_main_option("script_location", str(copy))
    config.set_main_option("path_separator", "os")

    monkeypatch.setattr(migrations, "_config", lambda: config)
    database = stores.fresh(tmp_path / "state")
    with database.engine.begin() as connection:
        connection.exec_driver_sql("INSERT INTO game (events, digest) VALUES (0, '')")
        connection.exec_driver_sql("INSERT INTO event VALUES (1, 0, 'moved', 1, '{}', '', '', '')")
    database.close()
    monkeypatch.setattr(schema, "SCHEMA", NEXT)
    return copy / "versions" / f"{NEXT}_more.py"


def columns(file: Path) -> list[str]:
    """The columns of the table `game`."""
    with closing(sqlite3.connect(file)) as connection:
        return [row[1] for row in connection.execute("PRAGMA table_info(game)")]


def test_a_store_is_copied_and_migrated(tmp_path: Path, another: Path) -> None:
    """Nothing is lost when a table that others refer to is rebuilt; the old store is kept."""
    another.write_text(ADD_A_COLUMN)
    database = open_database(store_url(tmp_path / "state"))
    with database.engine.connect() as connection:
        assert schema.revision(connection) == NEXT
        assert connection.execute(sa.text("SELECT remark FROM game")).all() == [("",)]
        assert connection.execute(sa.text("SELECT game FROM event")).all() == [(1,)]
    database.close()
    old = tmp_path / "state" / f"godaemon.db.schema-{SCHEMA}"
    assert "remark" not in columns(old)
    assert old.stat().st_mode & 0o777 == 0o600


def test_a_step_that_fails_changes_nothing(tmp_path: Path, another: Path) -> None:
    """All the steps are one transaction: the store is as it was, with no half-made table in it."""
    another.write_text(FALTER)
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


def test_a_store_of_the_first_revision_goes_on(tmp_path: Path) -> None:
    """A store that was made before there were keys to seats keeps its games, and takes keys."""
    (tmp_path / "godaemon.db").touch(0o600)
    engine = connect(read_url(store_url(tmp_path)))
    with engine.begin() as connection:
        migrations.upgrade(connection, "0001")
        connection.exec_driver_sql("INSERT INTO game DEFAULT VALUES")
    engine.dispose()
    database = open_database(store_url(tmp_path))
    with closing(database), database.connect() as connection:
        unit = SqlUnit(connection)
        unit.seats.set_key_state(1, "black", SeatKeyState(1, enabled=True))
        assert unit.seats.key_state(1, "black") == SeatKeyState(1, enabled=True)


def test_tables_that_are_not_what_they_are_said_to_be(tmp_path: Path) -> None:
    """They are refused in a sentence, and stay as they were."""
    stores.fresh(tmp_path).close()
    url = store_url(tmp_path)
    stores.run_on(tmp_path, "UPDATE alembic_version SET version_num = '0022'")
    with pytest.raises(Corrupt) as refused:
        open_database(url)
    assert "duplicate column" in refused.value.detail
    engine = connect(read_url(url))
    with engine.connect() as connection:
        assert schema.revision(connection) == "0022"
    engine.dispose()


def test_opening_again_migrates_nothing(tmp_path: Path) -> None:
    """A store that is up to date is not copied."""
    stores.fresh(tmp_path).close()
    open_database(store_url(tmp_path)).close()
    assert not list(tmp_path.glob("*.schema-*"))


def test_what_players_had_said_is_kept(tmp_path: Path) -> None:
    """Receipts hold for all games as before, and a letter about them that waits still goes out."""
    (tmp_path / "godaemon.db").touch(0o600)
    engine = connect(read_url(store_url(tmp_path)))
    with engine.begin() as connection:
        migrations.upgrade(connection, "0006")
        connection.exec_driver_sql("INSERT INTO player VALUES ('alice@a', 0, 3)")
        connection.exec_driver_sql(
            "INSERT INTO outbox (uid, kind, recipient, recipient_key, behalf, behalf_key, since,"
            " until, answers, about, owed_at, due_at, attempts, status) VALUES ('u', 'receipts',"
            " 'alice@a', 'alice@a', '', '', 0, 0, '', '{\"wanted\": false}', '2026', '2026', 0,"
            " 'waiting')"
        )
    engine.dispose()
    database = open_database(store_url(tmp_path))
    with closing(database), database.connect() as connection:
        unit = SqlUnit(connection)
        assert unit.players.preferences("alice@a")[0] == Preferences(False, 3)
        kinds = connection.exec_driver_sql("SELECT kind FROM outbox").scalars().all()
        assert kinds == [Kind.SETTINGS]


def test_a_letter_that_waits_is_packed(tmp_path: Path) -> None:
    """What was composed before still goes out as it was composed."""
    (tmp_path / "godaemon.db").touch(0o600)
    engine = connect(read_url(store_url(tmp_path)))
    with engine.begin() as connection:
        migrations.upgrade(connection, "0024")
        connection.exec_driver_sql(
            "INSERT INTO outbox (uid, kind, recipient, recipient_key, behalf, behalf_key, since,"
            " until, answers, about, owed_at, due_at, attempts, status, message_id, letter) VALUES"
            " ('u', 'help', 'alice@a', 'alice@a', '', '', 0, 0, '', '{}', '2026-01-01', "
            " '2026-01-01', 1, 'waiting', '<1@go>', CAST('Subject: x' AS BLOB))"
        )
    engine.dispose()
    database = open_database(store_url(tmp_path))
    with closing(database), database.connect() as connection:
        unit = SqlUnit(connection)
        assert unit.outbox.letter(1) == b"Subject: x"
        (due,) = unit.outbox.claim(stores.NOW, 60, 9)
        assert (due.message_id, due.letter) == ("<1@go>", b"Subject: x")
