"""A whole site moves from SQLite to PostgreSQL and back by one file, and stays what it is."""

from __future__ import annotations

import base64
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from godaemon.errors import Busy, ConfigError, Corrupt, Refusal
from godaemon.games.model import Phase
from godaemon.storage.columns import METADATA, Moment
from godaemon.storage.connections import connect, read_url
from godaemon.storage.database import store_url
from godaemon.storage.identity import open_store
from godaemon.storage.lock import StateLock
from godaemon.storage.old_logs import pack_some
from godaemon.storage.server_lock import ServerLock
from godaemon.storage.site_file import columns, export, tables, take_in
from godaemon.storage.tables import OutboxRow, PendingMoveRow
from godaemon.storage.unit_of_work import SqlUnit
from godaemon.storage.writer import WriterThread
from godaemon.system.signing_keys import all_keys
from tests.support.stores import NOW, later, move, new_database, summary

MOVES = [move("D4"), move("Q16"), move("C3")]
WORDS = ("Ünïcode ☗\n", "Zebra", "a_b", "aB", "ab", "été", "😀")
"""Texts that a server's locale sorts in another order than bytes are."""


def every_row(unit: SqlUnit) -> None:
    """Three games, of which one is packed, and some rows of every other table."""
    for _ in range(4):
        unit.games.append(unit.games.create(), 0, MOVES)
    unit.games.set_summary(summary(3, Phase.FINISHED), [])
    assert pack_some(unit.connection, later(1), 0) == (1, None)
    unit.connection.exec_driver_sql("DELETE FROM event WHERE game = 4")
    unit.connection.exec_driver_sql("DELETE FROM game WHERE id = 4")
    skipped = {"game", "event", "old_log", "identity", "holder"}
    for table in METADATA.sorted_tables:
        if table.name not in skipped:
            some = [_row(table, at) for at in range(len(WORDS))]
            unit.connection.execute(sa.insert(table).prefix_with("OR IGNORE"), some)


def _row(table: sa.Table, at: int) -> dict[str, Any]:
    """A row that a table takes: its words are those that its CHECKs list."""
    row = {column.name: _value(table, column, at) for column in table.columns}
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
    return at / 3 if kind is float else f"{WORDS[at]}{column.name}"


def _listed(table: sa.Table, column: sa.Column[Any]) -> list[str]:
    for check in table.constraints:
        text = str(getattr(check, "sqltext", ""))
        if text.startswith(f"{column.name} IN ('"):
            return [word.strip("' ") for word in text.partition("(")[2].rstrip(")").split(",")]
    return []


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """A state folder with something in every table."""
    state = tmp_path / "state"
    with closing(open_store(store_url(state), state)) as database, WriterThread(database) as writer:
        writer.run_sync(every_row)
    (state / "clock").write_text(NOW.isoformat(), encoding="ascii")
    return state


@pytest.fixture
def file(state: Path, tmp_path: Path) -> Path:
    """Its export."""
    export(store_url(state), state, tmp_path / "site")
    return tmp_path / "site"


@pytest.mark.peer("postgresql")
def test_there_and_back(server: str, state: Path, file: Path, tmp_path: Path) -> None:
    """From SQLite to PostgreSQL to SQLite: each writes the very same file, and goes on from it."""
    url, there, back = new_database(server), tmp_path / "there", tmp_path / "back"
    made = take_in(file, url, there, NOW)
    assert (made.games, made.events, made.key) == (3, 9, True)
    assert all_keys(there) == all_keys(state)
    assert export(url, there, tmp_path / "second").events == 9
    take_in(tmp_path / "second", store_url(back), back, NOW)
    export(store_url(back), back, tmp_path / "third")
    assert file.read_bytes() == (tmp_path / "second").read_bytes()
    assert file.read_bytes() == (tmp_path / "third").read_bytes()
    for where, folder in ((url, there), (store_url(back), back)):
        with closing(open_store(where, folder)) as database, WriterThread(database) as writer:
            # The number of the game that is gone is not given again.
            assert writer.run_sync(lambda unit: unit.games.create()) == 5
            assert writer.run_sync(lambda unit: len(unit.games.log(2))) == 3


@pytest.mark.peer("postgresql")
def test_what_was_in_hand_is_taken_over_on_a_server(
    server: str, file: Path, tmp_path: Path
) -> None:
    """Pending moves and leases are those of a daemon that has died, which the next one buries."""
    url = new_database(server)
    take_in(file, url, tmp_path / "there", NOW)
    engine = connect(read_url(url))
    with engine.connect() as connection:
        (dead,) = connection.exec_driver_sql("SELECT id FROM holder").scalars()
        for table in (OutboxRow, PendingMoveRow):
            holders: sa.Select[Any] = sa.select(sa.column("holder")).select_from(
                sa.inspect(table).local_table
            )
            assert set(connection.execute(holders).scalars()) == {dead}
    engine.dispose()


def test_every_table_and_column_is_in_it(state: Path, file: Path) -> None:
    """All that the metadata and the store itself have, less who had what in hand."""
    heads = [json.loads(line) for line in file.read_text("utf-8").splitlines() if line[0] == "{"]
    inside = {head["table"]: set(head["columns"]) for head in heads if "table" in head}
    with closing(sqlite3.connect(state / "godaemon.db")) as store:
        query = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
        there = {name for (name,) in store.execute(query)} - {"alembic_version", "holder"}
        for table in there:
            of_columns = store.execute(f"PRAGMA table_info({table})").fetchall()
            known = {row[1] for row in of_columns if row[1] != "holder" or row[5]}
            assert inside[table] == known
            rows = store.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
            assert rows, f"nothing of {table} was moved by these tests"
    assert set(inside) == there == {table.name for table in tables()}
    assert all(columns(table) for table in tables())
    assert file.stat().st_mode & 0o777 == 0o600


def cut(lines: list[bytes]) -> list[bytes]:
    """Lose the last line."""
    return lines[:-1]


def cut_within(lines: list[bytes]) -> list[bytes]:
    """Lose half of a line."""
    return [*lines[:-5], lines[-5][:9]]


def change(lines: list[bytes]) -> list[bytes]:
    """Have another move."""
    return [line.replace(b"Q16", b"Q17") for line in lines]


def leave_out(lines: list[bytes]) -> list[bytes]:
    """Lose a row in the middle."""
    return lines[:-9] + lines[-8:]


@pytest.mark.parametrize("spoil", [cut, cut_within, change, leave_out])
def test_a_file_that_is_not_whole(file: Path, tmp_path: Path, spoil: Any) -> None:  # noqa: ANN401
    """It is refused, and nothing is made of it."""
    file.write_bytes(b"".join(spoil(file.read_bytes().splitlines(keepends=True))))
    with pytest.raises(Corrupt, match="cut short or changed"):
        take_in(file, store_url(tmp_path / "new"), tmp_path / "new", NOW)
    assert not (tmp_path / "new").exists()


def forged(file: Path, old: str, new: str) -> None:
    """Change a file so that its sum is right."""
    import hashlib

    lines = file.read_bytes().replace(old.encode(), new.encode()).splitlines(keepends=True)
    end = json.loads(lines[-1]) | {"sha256": hashlib.sha256(b"".join(lines[:-1])).hexdigest()}
    file.write_bytes(b"".join(lines[:-1]) + json.dumps(end).encode() + b"\n")


@pytest.mark.parametrize(
    "kind", ["sqlite", pytest.param("postgresql", marks=pytest.mark.peer("postgresql"))]
)
def test_a_log_that_was_changed(
    file: Path, tmp_path: Path, kind: str, request: pytest.FixtureRequest
) -> None:
    """Even under a right sum it is seen by its chain, and the store is as empty as before."""
    url = (
        store_url(tmp_path / "new")
        if kind == "sqlite"
        else new_database(request.getfixturevalue("server"))
    )
    whole = file.read_bytes()
    forged(file, "Q16", "Q17")
    with pytest.raises(Corrupt, match="damaged"):
        take_in(file, url, tmp_path / "new", NOW)
    file.write_bytes(whole)
    assert take_in(file, url, tmp_path / "new", NOW).games == 3


@pytest.mark.parametrize("name", ["../../elsewhere", "/elsewhere", "godaemon.db"])
def test_a_file_that_would_write_another(file: Path, tmp_path: Path, name: str) -> None:
    """Whoever made it: none but the files of a site are written."""
    inside = name.replace("/elsewhere", f"{tmp_path}/elsewhere") if name[0] == "/" else name
    forged(file, '"file":"token.key"', f'"file":"{inside}"')
    with pytest.raises(Corrupt, match="none of ours"):
        take_in(file, store_url(tmp_path / "new"), tmp_path / "new", NOW)
    assert not list(tmp_path.rglob("elsewhere"))


def test_a_second_export_leaves_the_first_alone(state: Path, tmp_path: Path) -> None:
    """It is told that another is at work, and takes nothing of it away."""
    begun = tmp_path / ".other.partial"
    begun.write_bytes(b"what the first has written so far")
    with StateLock(state), pytest.raises(Busy):
        export(store_url(state), state, tmp_path / "other")
    assert begun.exists()


def test_a_file_of_another_version_or_kind(file: Path, tmp_path: Path) -> None:
    """What to do is said."""
    new = tmp_path / "new"
    forged(file, '"schema":"', '"schema":"9')
    with pytest.raises(ConfigError, match="export once more"):
        take_in(file, store_url(new), new, NOW)
    file.write_text("These are my notes about go.\n", encoding="ascii")
    with pytest.raises(Refusal, match="not what `godaemon export` has written"):
        take_in(file, store_url(new), new, NOW)


def test_only_into_an_empty_store(state: Path, file: Path) -> None:
    """What is there stays."""
    key = (state / "token.key").read_bytes()
    with pytest.raises(Refusal, match="There is a store"):
        take_in(file, store_url(state), state, NOW)
    assert (state / "token.key").read_bytes() == key
    with pytest.raises(Refusal, match="there already"):
        export(store_url(state), state, file)


@pytest.mark.peer("postgresql")
def test_only_into_an_empty_database(server: str, file: Path, tmp_path: Path) -> None:
    """What is there stays, and no key is placed for it."""
    url = new_database(server)
    take_in(file, url, tmp_path / "one", NOW)
    with pytest.raises(Refusal, match=r"not empty.*createdb"):
        take_in(file, url, tmp_path / "two", NOW)
    assert not list((tmp_path / "two").glob("token.key"))


@pytest.mark.peer("postgresql")
def test_not_while_a_daemon_works(server: str, state: Path, file: Path, tmp_path: Path) -> None:
    """What it does would not be in the file."""
    with StateLock(state), pytest.raises(Busy):
        export(store_url(state), state, tmp_path / "second")
    url = new_database(server)
    take_in(file, url, tmp_path / "there", NOW)
    with ServerLock(url), pytest.raises(Busy, match="Stop all of them"):
        export(url, tmp_path / "there", tmp_path / "second")
    assert not (tmp_path / "second").exists()


def test_keys_are_in_it(state: Path, file: Path) -> None:
    """With them letters in players' hands can be answered there."""
    heads = [json.loads(line) for line in file.read_bytes().splitlines() if b'"file"' in line[:9]]
    assert {head["file"]: base64.b64decode(head["content"]) for head in heads} == {
        name: (state / name).read_bytes() for name in ("token.key", "clock")
    }
