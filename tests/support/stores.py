"""Stores for tests, made by copying one: in SQLite, or on a PostgreSQL server of our own."""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import os
import pwd
import resource
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy import event, text
from sqlalchemy.engine import URL, Row
from sqlalchemy.exc import ProgrammingError

from godaemon.errors import Temporary
from godaemon.games.events import LogEntry, Moved, Proposed
from godaemon.games.model import Phase
from godaemon.games.stored_values import GameSummary
from godaemon.storage.connections import connect, read_url
from godaemon.storage.database import Database, open_database, store_url
from godaemon.storage.unit_of_work import Unit
from godaemon.storage.writer import WriterThread
from mailgate.reading.inbound_letter import InboundLetter

NOW = datetime(2026, 11, 21, 3, 0, tzinfo=UTC)
PROPOSED = Proposed(9, 9, "japanese", 6.5, 0, None, "alice@a.example", "alice", "b@b", "Bob", "n")
LETTER = InboundLetter("go@go.example", "alice@a.example", b"Subject: hi\r\n\r\n\xff\x00 q16\r\n")
PATIENCE = 20
"""Seconds to wait for what is about to happen."""
UNPRIVILEGED = ("postgres", "nobody")
"""Users to run PostgreSQL as if the tests run as root, which PostgreSQL refuses."""
SERVER = "GODAEMON_TEST_SERVER"
"""The environment variable with the URL of the server for all tests (--store)."""
MIGRATED = "migrated"
"""The template database on it, of which all others are copies."""
_databases: dict[Path, str] = {}
"""The URLs of the databases that this process uses on that server, by folder."""


def later(seconds: float) -> datetime:
    """The moment `seconds` after `NOW`."""
    return NOW + timedelta(seconds=seconds)


def move(point: str, cause: str = "letter:<1@a.example>") -> LogEntry:
    return LogEntry(Moved("black", point), NOW, cause)


def summary(game: int, phase: Phase = Phase.PLAYING, updated: datetime = NOW) -> GameSummary:
    return GameSummary(game, phase, "9x9", "japanese", "alice", "Bob", 0, "black", None, updated)


@cache
def _template() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        open_database(store_url(Path(folder))).close()
        return Path(folder, "godaemon.db").read_bytes()


def url(state: Path) -> str:
    """The URL of the store that a test has in a folder: a file there, or a database (--store)."""
    return server_url(state) or store_url(state)


def server_url(state: Path) -> str:
    """The URL of a folder's database on the server, made if it is missing; "" for SQLite."""
    server = os.environ.get(SERVER, "")
    if server and state not in _databases:
        name = f"go{hashlib.sha256(bytes(state)).hexdigest()[:32]}"
        with contextlib.suppress(ProgrammingError):  # our parent process may have made it
            new_database(server, name, MIGRATED)
        _databases[state] = read_url(server).set(database=name).render_as_string()
    return _databases.get(state, "")


def drop(states: Iterable[Path]) -> None:
    for state in states:
        place = read_url(_databases.pop(state))
        _do_at(place.set(database="postgres"), f'DROP DATABASE "{place.database}" WITH (FORCE)')


@contextmanager
def dropped() -> Iterator[None]:
    """Drop, at the end, the databases that were made in the `with` block."""
    before = set(_databases)
    yield
    drop(_databases.keys() - before)


def lay(state: Path) -> None:
    """Put an empty, migrated store into a folder, so that no test waits for migrations."""
    state.mkdir(mode=0o700, parents=True, exist_ok=True)
    if state in _databases:
        drop([state])
    if not server_url(state):
        (state / "godaemon.db").write_bytes(_template())


def fresh(state: Path) -> Database:
    """An open, empty store in a folder, without waiting for migrations."""
    lay(state)
    return open_database(url(state))


def run_on(state: Path, statement: str, **values: object) -> Sequence[Row[Any]]:
    """Run SQL on a folder's store behind the daemon's back; returns the rows."""
    engine = connect(read_url(url(state)))
    try:
        with engine.begin() as connection:
            done = connection.execute(text(statement), values)
            return done.all() if done.returns_rows else []
    finally:
        engine.dispose()


def put_in_quarantine(state: Path, *senders: str) -> None:
    """Put a letter from each sender into quarantine, as after a bug of ours."""
    with closing(open_database(url(state))) as database, database.connect() as connection:
        for sender in senders:
            letter = InboundLetter("go@localhost", sender, b"Subject: kept\r\n\r\nD4\r\n")
            Unit(connection).inbox.quarantine_letter(letter, "fault", NOW)
        connection.commit()


@contextmanager
def busy(writer: WriterThread, *, lost: bool = False) -> Iterator[None]:
    """Keep the thread at one unit meanwhile, so that all that is submitted becomes one group.

    `lost` says that the unit which keeps it busy cannot be committed.
    """
    begun, go_on = threading.Event(), threading.Event()

    def wait(_unit: Unit) -> None:
        begun.set()
        assert go_on.wait(PATIENCE)

    future = writer.submit(wait)
    assert begun.wait(PATIENCE)
    try:
        yield
    finally:
        go_on.set()
    assert isinstance(future.exception(PATIENCE), Temporary) is lost


def on_a_full_disk(unit: Unit) -> None:
    """Work whose COMMIT cannot write: no file may grow meanwhile."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)

    def _let_grow(*_: object) -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)

    unit.inbox.quarantine_letter(replace(LETTER, raw=bytes(100_000)), "fault", NOW)
    event.listen(unit.connection.engine, "invalidate", _let_grow, once=True)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, before[1]))


def postgresql_bin() -> Path | None:
    """The folder of the newest PostgreSQL's programs on this machine."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    program = found[-1] if found else shutil.which("initdb")
    return Path(program).parent if program else None


def postgresql_missing() -> str:
    """What PostgreSQL tests lack here, or ""."""
    if importlib.util.find_spec("psycopg") is None:
        return "psycopg"
    return "" if postgresql_bin() and (os.geteuid() or _user()) else "postgresql"


@dataclass(frozen=True, slots=True)
class Postgresql:
    """A server of our own, on a Unix socket in a folder."""

    programs: Path
    folder: Path
    user: str | None

    @property
    def url(self) -> str:
        """Its first database."""
        return f"postgresql+psycopg://godaemon@/postgres?host={self.folder}"

    @property
    def pid(self) -> int:
        """The number of its first process, whose children are the others."""
        return int((self.folder / "data" / "postmaster.pid").read_text().split()[0])

    def start(self) -> None:
        """Start it, made where it is not there."""
        data, log = self.folder / "data", self.folder / "log"
        if not data.exists():
            make = (self.programs / "initdb", "-D", data, "-A", "trust", "-U", "godaemon")
            _do(self.user, *make, "--no-sync")
        options = f"-k {self.folder} -c listen_addresses= -c fsync=off"
        start = (self.programs / "pg_ctl", "start", "-w", "-D", data, "-l", log)
        _do(self.user, *start, "-o", options)

    def stop(self, mode: str = "immediate") -> None:
        """Stop it; "immediate" is as if the power went."""
        _do(self.user, self.programs / "pg_ctl", "stop", "-D", self.folder / "data", "-m", mode)


@contextmanager
def postgresql_server() -> Iterator[Postgresql]:
    """A server that runs, and may be stopped and started; it goes away at the end."""
    programs = postgresql_bin()
    if programs is None:
        raise AssertionError("PostgreSQL is not here.")
    user = _user() if os.geteuid() == 0 else None
    with tempfile.TemporaryDirectory(prefix="godaemon-pg-") as name:
        server = Postgresql(programs, Path(name), user)
        if user:
            shutil.chown(name, user)
        server.start()
        try:
            yield server
        finally:
            server.stop()


@contextmanager
def postgresql() -> Iterator[str]:
    """The URL of a server of our own, on a Unix socket in a folder that goes away with it."""
    with postgresql_server() as server:
        yield server.url


@contextmanager
def server_for_all() -> Iterator[None]:
    """Have the store of every test on a server, in this process and in all that it starts."""
    with postgresql() as url, pytest.MonkeyPatch.context() as patch:
        open_database(new_database(url, MIGRATED)).close()
        patch.setenv(SERVER, url)
        yield


def new_database(server: str, name: str = "", like: str = "template1") -> str:
    """The URL of a new database of a server: empty, or like another."""
    place, name = read_url(server), name or f"go{uuid4().hex}"
    _do_at(place, f'CREATE DATABASE "{name}" TEMPLATE "{like}"')
    return place.set(database=name).render_as_string()


def _do_at(place: URL, statement: str) -> None:
    """Run a statement that needs no transaction, and wait for whoever else uses its database.

    Our own sessions wait for a lock only 30 ms; a template is locked while vacuum looks at it.
    """
    engine = connect(place)
    try:
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.exec_driver_sql("SET lock_timeout = 0")
            connection.exec_driver_sql(statement)
    finally:
        engine.dispose()


def _user() -> str:
    known = {entry.pw_name for entry in pwd.getpwall()}
    return next((name for name in UNPRIVILEGED if name in known), "")


def _do(user: str | None, *command: object) -> None:
    subprocess.run(
        list(map(str, command)),
        user=user,
        group=pwd.getpwnam(user).pw_gid if user else None,
        extra_groups=[] if user else None,
        cwd="/",
        check=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
