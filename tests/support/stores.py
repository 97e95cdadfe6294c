"""Stores for tests: SQLite ones, made by copying one, and a PostgreSQL server of our own."""

from __future__ import annotations

import importlib.util
import os
import pwd
import resource
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

from sqlalchemy import event

from godaemon.games.events import LogEntry, Moved, Proposed
from godaemon.games.model import Phase
from godaemon.games.store_protocols import GameSummary
from godaemon.storage.database import Database, open_database, store_url
from godaemon.storage.unit_of_work import SqlUnit
from mailgate.reading.inbound_letter import InboundLetter

NOW = datetime(2026, 11, 21, 3, 0, tzinfo=UTC)
PROPOSED = Proposed(9, 9, "japanese", 6.5, 0, None, "alice@a.example", "alice", "b@b", "Bob", "n")
LETTER = InboundLetter("go@go.example", "alice@a.example", b"Subject: hi\r\n\r\n\xff\x00 q16\r\n")
UNPRIVILEGED = ("postgres", "nobody")
"""Users that a server may run as where the tests run as root, which PostgreSQL refuses."""


def later(seconds: float) -> datetime:
    """A moment so many seconds after `NOW`."""
    return NOW + timedelta(seconds=seconds)


def move(point: str, cause: str = "letter:<1@a.example>") -> LogEntry:
    """One move of a log."""
    return LogEntry(Moved("black", point), NOW, cause)


def summary(game: int, phase: Phase = Phase.PLAYING, updated: datetime = NOW) -> GameSummary:
    """A row for lists."""
    return GameSummary(game, phase, "9x9", "japanese", "alice", "Bob", 0, "black", None, updated)


@cache
def _template() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        open_database(store_url(Path(folder))).close()
        return Path(folder, "godaemon.db").read_bytes()


def lay(state: Path) -> None:
    """Put an empty SQLite store into a folder, for nobody to wait for migrations."""
    state.mkdir(mode=0o700, parents=True, exist_ok=True)
    (state / "godaemon.db").write_bytes(_template())


def fresh(state: Path) -> Database:
    """An open, empty SQLite store in a folder, without waiting for migrations."""
    lay(state)
    return open_database(store_url(state))


def on_a_full_disk(unit: SqlUnit) -> None:
    """Work whose COMMIT cannot write: no file may grow meanwhile."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)

    def _let_grow(*_: object) -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)

    unit.inbox.quarantine(replace(LETTER, raw=bytes(100_000)), "fault", NOW)
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
