"""Stores for tests, copied from a template: SQLite files, or databases of a PostgreSQL server."""

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
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any, TypeVar
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
from tests.support.waiting import PATIENCE

T = TypeVar("T")
NOW = datetime(2026, 11, 21, 3, 0, tzinfo=UTC)
PROPOSED = Proposed(9, 9, "japanese", 6.5, 0, None, "alice@a.example", "alice", "b@b", "Bob", "n")
LETTER = InboundLetter("go@go.example", "alice@a.example", b"Subject: hi\r\n\r\n\xff\x00 q16\r\n")
UNPRIVILEGED = ("postgres", "nobody")
"""Users for PostgreSQL, which refuses to run as root."""
SERVER = "GODAEMON_TEST_SERVER"
"""Environment variable with the URL of the server for all tests (--store)."""
MIGRATED = "migrated"
"""The template database on that server."""
_databases: dict[Path, str] = {}
"""The URLs of this process's databases on that server, by state folder."""


def later(seconds: float) -> datetime:
    """`seconds` after `NOW`."""
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
    """The URL of a folder's store: a SQLite file, or a database on the server (--store)."""
    return server_url(state) or store_url(state)


def server_url(state: Path) -> str:
    """The URL of a folder's database on the server, created if missing; "" for SQLite."""
    server = os.environ.get(SERVER, "")
    if server and state not in _databases:
        name = f"go{hashlib.sha256(bytes(state)).hexdigest()[:32]}"
        with contextlib.suppress(ProgrammingError):  # the parent process may have created it
            new_database(server, name, MIGRATED)
        _databases[state] = read_url(server).set(database=name).render_as_string()
    return _databases.get(state, "")


def drop(states: Iterable[Path]) -> None:
    for state in states:
        place = read_url(_databases.pop(state))
        _do_at(place.set(database="postgres"), f'DROP DATABASE "{place.database}" WITH (FORCE)')


@contextmanager
def dropped() -> Iterator[None]:
    """Drop the databases that were created in the `with` block."""
    before = set(_databases)
    yield
    drop(_databases.keys() - before)


def create(state: Path) -> None:
    """Create an empty, migrated store in a folder."""
    state.mkdir(mode=0o700, parents=True, exist_ok=True)
    if state in _databases:
        drop([state])
    if not server_url(state):
        (state / "godaemon.db").write_bytes(_template())


def fresh(state: Path) -> Database:
    """Create an empty store in a folder, and open it."""
    create(state)
    return open_database(url(state))


def run_on(state: Path, statement: str, **values: object) -> Sequence[Row[Any]]:
    """Run SQL on a folder's store; returns the rows."""
    engine = connect(read_url(url(state)))
    try:
        with engine.begin() as connection:
            done = connection.execute(text(statement), values)
            return done.all() if done.returns_rows else []
    finally:
        engine.dispose()


def write(state: Path, work: Callable[[Unit], T]) -> T:
    """Run work on a folder's store; returns its result."""
    with closing(open_database(url(state))) as database, WriterThread(database) as writer:
        return writer.run_sync(work)


def put_in_quarantine(state: Path, *senders: str) -> None:
    """Put a letter from each sender into quarantine."""
    with closing(open_database(url(state))) as database, database.connect() as connection:
        for sender in senders:
            letter = InboundLetter("go@localhost", sender, b"Subject: kept\r\n\r\nD4\r\n")
            Unit(connection).inbox.quarantine_letter(letter, "fault", NOW)
        connection.commit()


@contextmanager
def busy(writer: WriterThread, *, lost: bool = False) -> Iterator[None]:
    """Block the writer in a transaction, so that later ones are committed as one group.

    With `lost` the blocking transaction must fail to commit.
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
    """Work whose COMMIT fails because no file may grow."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)

    def _let_grow(*_: object) -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)

    unit.inbox.quarantine_letter(replace(LETTER, raw=bytes(100_000)), "fault", NOW)
    event.listen(unit.connection.engine, "invalidate", _let_grow, once=True)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, before[1]))


def postgresql_bin() -> Path | None:
    """The folder of the newest PostgreSQL's programs, or None."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    program = found[-1] if found else shutil.which("initdb")
    return Path(program).parent if program else None


def postgresql_missing() -> str:
    """The missing requirement of PostgreSQL tests, or ""."""
    if importlib.util.find_spec("psycopg") is None:
        return "psycopg"
    return "" if postgresql_bin() and (os.geteuid() or _user()) else "postgresql"


@dataclass(frozen=True, slots=True)
class Postgresql:
    """A server with its data and its Unix socket in a folder."""

    programs: Path
    folder: Path
    user: str | None

    @property
    def url(self) -> str:
        """The URL of its database `postgres`."""
        return f"postgresql+psycopg://godaemon@/postgres?host={self.folder}"

    @property
    def pid(self) -> int:
        """The pid of its main process."""
        return int((self.folder / "data" / "postmaster.pid").read_text().split()[0])

    def start(self) -> None:
        """Start it; creates its data on first use."""
        data, log = self.folder / "data", self.folder / "log"
        if not data.exists():
            make = (self.programs / "initdb", "-D", data, "-A", "trust", "-U", "godaemon")
            _do(self.user, *make, "--no-sync")
        options = f"-k {self.folder} -c listen_addresses= -c fsync=off"
        start = (self.programs / "pg_ctl", "start", "-w", "-D", data, "-l", log)
        _do(self.user, *start, "-o", options)

    def stop(self, mode: str = "immediate") -> None:
        """Stop it; "immediate" works like a power failure."""
        _do(self.user, self.programs / "pg_ctl", "stop", "-D", self.folder / "data", "-m", mode)


@contextmanager
def postgresql_server() -> Iterator[Postgresql]:
    """A running server in a temporary folder; a test may stop and restart it."""
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
def server_for_all() -> Iterator[None]:
    """Use a server for the stores of all tests, in this process and its children."""
    with postgresql_server() as server, pytest.MonkeyPatch.context() as patch:
        open_database(new_database(server.url, MIGRATED)).close()
        patch.setenv(SERVER, server.url)
        yield


def new_database(server: str, name: str = "", template: str = "template1") -> str:
    """Create a database as a copy of another; returns its URL."""
    place, name = read_url(server), name or f"go{uuid4().hex}"
    _do_at(place, f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
    return place.set(database=name).render_as_string()


def _do_at(place: URL, statement: str) -> None:
    """Run a statement without a transaction, and without the lock timeout of 30 ms.

    Vacuum may lock the template for longer.
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
