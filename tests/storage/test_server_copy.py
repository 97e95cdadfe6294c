"""Backups of PostgreSQL are SQLite files, and can be restored into either."""

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from godaemon.errors import Busy, ConfigError, Corrupt, Refusal
from godaemon.games.model import Phase
from godaemon.storage.backup import backup
from godaemon.storage.columns import METADATA, Moment
from godaemon.storage.connections import connect, read_url
from godaemon.storage.database import store_url
from godaemon.storage.identity import open_store
from godaemon.storage.locks import server_lock, share_tables, state_lock
from godaemon.storage.restore import export_site, import_site, restore
from godaemon.storage.unit_of_work import Unit
from godaemon.storage.writer import WriterThread
from godaemon.system.signing_keys import all_keys
from tests.support.stores import LETTER, NOW, later, move, new_database, summary

pytestmark = pytest.mark.peer("postgresql")
MOVES = [move("D4"), move("Q16"), move("C3")]
WORDS = ("Ünïcode ☗\n", "Zebra", "a_b", "aB", "ab", "été", "😀")
Rows = dict[str, list[tuple[Any, ...]]]


def every_row(unit: Unit) -> None:
    """Three games, one of them packed, and some rows in every other table."""
    for _ in range(3):
        unit.games.append(unit.games.create(), 0, MOVES)
    unit.games.set_summary(summary(3, Phase.FINISHED), [])
    assert unit.games.pack_old(later(1), 0) == (1, None)
    skipped = {"game", "event", "old_log", "identity"}
    for table in METADATA.sorted_tables:
        if table.name not in skipped:
            some = [_row(table, at) for at in range(len(WORDS))]
            unit.connection.execute(sa.insert(table).prefix_with("OR IGNORE"), some)
    unit.inbox.release_letter(len(WORDS))


def _row(table: sa.Table, at: int) -> dict[str, Any]:
    """A valid row of a table; words come from its CHECKs."""
    row = {column.key: _value(table, column, at) for column in table.columns}
    if table.name == "outbox":
        row |= {"letter": WORDS[at].encode(), "message_id": f"<{at}>", "lease": None}
    if table.name in {"pencil", "kept", "gui_key"}:
        row |= {"game": at % 2 + 1, "color": ("black", "white")[at // 2 % 2]}
    return row


def _value(table: sa.Table, column: sa.Column[Any], at: int) -> Any:  # noqa: ANN401 - of any column
    known = {
        "game": at % 2 + 1,
        "holder": at // 2 if column.primary_key else None,
        "generation": 1,
        "id": at + 1,
        "digest_at": 7,
    }
    if column.name in known:
        return known[column.name]
    if words := _listed(table, column):
        return words[at % len(words)]
    if isinstance(column.type, Moment):
        return NOW
    kind = column.type.python_type
    if kind is bytes:
        return bytes([at, 0, 255])
    flags = {"receipts", "reviews", "plain", "weekends_off", "away_by_itself", "enabled"}
    if kind is int:
        return at % 2 if column.name in flags | {"old_agreed", "new_agreed"} else at
    return at / 4 if kind is float else f"{WORDS[at]}{column.name}"


def _listed(table: sa.Table, column: sa.Column[Any]) -> list[str]:
    for check in table.constraints:
        text = str(getattr(check, "sqltext", ""))
        if text.startswith(f"{column.name} IN ('"):
            return [word.strip("' ") for word in text.partition("(")[2].rstrip(")").split(",")]
    return []


def all_rows(url: str) -> Rows:
    """The rows of each table, without owners of work in hand."""
    engine, found = connect(read_url(url)), {}
    with engine.connect() as connection:
        for table in METADATA.sorted_tables:
            kept = [one for one in table.columns if one.name != "holder" or one.primary_key]
            found[table.name] = sorted(map(tuple, connection.execute(sa.select(*kept))), key=repr)
    engine.dispose()
    return found


def run(url: str, statement: str) -> list[Any]:
    """Run a statement on the database, without the store; returns its rows."""
    engine = connect(read_url(url))
    with engine.begin() as connection:
        done = connection.exec_driver_sql(statement)
        found = list(done.scalars()) if done.returns_rows else []
    engine.dispose()
    return found


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """The state folder of a SQLite store with something in every table."""
    state = tmp_path / "state"
    with closing(open_store(store_url(state), state)) as database, WriterThread(database) as writer:
        writer.run_sync(every_row)
    (state / "clock").write_text(NOW.isoformat(), encoding="ascii")
    return state


@pytest.fixture
def url(server: str, state: Path, tmp_path: Path) -> str:
    """A database with the same content, whose keys are in the folder `there`."""
    made = new_database(server)
    backup(store_url(state), state, tmp_path / "first")
    restore(tmp_path / "first", tmp_path / "there", NOW, url=made)
    return made


def test_a_store_moves_to_a_server_and_back(url: str, state: Path, tmp_path: Path) -> None:
    """Every row of every table is the same, and so is the key.

    A damaged game is set aside on the server and in the copy. Pending moves and leases belong
    to a dead daemon. No number is used again, nor that of the released letter.
    """
    there, back = tmp_path / "there", tmp_path / "back"
    made = backup(url, there, tmp_path / "second")
    assert (made.games, made.events, made.has_key) == (3, 9, True)
    modes = {path.name: path.stat().st_mode & 0o777 for path in made.folder.iterdir()}
    assert modes == dict.fromkeys(("godaemon.db", "token.key", "clock"), 0o600)
    restore(made.folder, back, NOW)
    rows = all_rows(store_url(state))
    assert all(rows.values()), "no table is empty"
    assert all_rows(url) == rows
    assert all_rows(store_url(back)) == rows
    assert all_keys(there) == all_keys(back) == all_keys(state)
    for table in ("outbox", "pencil", "kept"):
        assert run(url, f"SELECT DISTINCT holder FROM {table}") == [1]
    with closing(open_store(url, there)) as base, WriterThread(base) as writer:
        put = writer.run_sync(lambda unit: unit.inbox.quarantine_letter(LETTER, "fault", NOW))
        assert put == len(WORDS) + 1
        assert writer.run_sync(lambda unit: unit.games.create()) == 4
    run(url, "DELETE FROM event WHERE game = 1 AND number = 1")
    aside = backup(url, there, tmp_path / "third").set_aside
    assert aside == ((1, "event 1: it is missing"),)
    assert run(url, "SELECT damaged FROM game WHERE id = 1") == ["event 1: it is missing"]


def test_restore_needs_an_empty_database(url: str, tmp_path: Path) -> None:
    """Existing rows stay, and no key is stored."""
    with pytest.raises(Refusal, match=r"not empty.*createdb"):
        restore(tmp_path / "first", tmp_path / "other", NOW, url=url)
    assert not (tmp_path / "other" / "token.key").exists()
    with pytest.raises(Refusal, match=r"not empty.*createdb"):
        restore(tmp_path / "first", tmp_path / "there", NOW, url=url)


def test_export_needs_stopped_daemons(server: str, url: str, tmp_path: Path) -> None:
    """Their changes would be missing in the file."""
    with state_lock(tmp_path / "there"), pytest.raises(Busy):
        export_site(url, tmp_path / "there", tmp_path / "site")
    with server_lock(url, share_tables), pytest.raises(Busy, match="Stop all of them"):
        export_site(url, tmp_path / "there", tmp_path / "site")
    assert not (tmp_path / "site").exists()
    export_site(url, tmp_path / "there", tmp_path / "site")
    import_site(tmp_path / "site", another := new_database(server), tmp_path / "new", NOW)
    assert all_rows(another) == all_rows(url)


def test_older_tables_are_not_exported(url: str, tmp_path: Path) -> None:
    """Reading does not migrate them; starting a daemon does."""
    run(url, "UPDATE alembic_version SET version_num = '0030'")
    for make in (export_site, backup):
        with pytest.raises(ConfigError, match="brings them up to date"):
            make(url, tmp_path / "there", tmp_path / "dest")
        assert not (tmp_path / "dest").exists()


def test_a_changed_backup_is_not_restored(server: str, state: Path, tmp_path: Path) -> None:
    """Its chain shows the change; the database stays empty for another backup."""
    made, there = backup(store_url(state), state, tmp_path / "dest"), new_database(server)
    file = f"sqlite:///{made.folder}/godaemon.db"
    run(file, "UPDATE event SET payload = replace(payload, 'Q16', 'Q17') WHERE game = 2")
    with pytest.raises(Corrupt, match=r"game 2 .event 1"):
        restore(made.folder, tmp_path / "other", NOW, url=there)
    run(file, "UPDATE event SET payload = replace(payload, 'Q17', 'Q16') WHERE game = 2")
    assert restore(made.folder, tmp_path / "other", NOW, url=there)[0].games == 3
