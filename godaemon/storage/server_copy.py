"""A copy of a server's database, by PostgreSQL's own programs: pg_dump writes it, pg_restore reads.

What is in it is read and checked in the very snapshot that pg_dump writes (PostgreSQL 15, 9.27.5),
and again once it was restored. Raises `ConfigError` where the programs are missing or too old,
`Refusal` for a database that is not empty, `Corrupt`, `Temporary`.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import sqlalchemy as sa
from sqlalchemy.engine import URL, Connection

from godaemon.errors import ConfigError, Corrupt, Refusal, Temporary
from godaemon.storage.connections import session
from godaemon.storage.contents import Contents, contents, put_aside
from godaemon.storage.schema import alone

T = TypeVar("T")
FILE = "godaemon.dump"
"""The name of the copy, in pg_dump's custom format."""
_OF_NOBODY = ("--no-owner", "--no-privileges")
_LAST_LINES = 500


def dump(place: URL, folder: Path) -> Contents:
    """Write the database at a URL to a file in a folder; what it holds."""
    with session(place) as connection:
        program = _program("pg_dump", connection)
        found = put_aside(connection)
        snapshot = connection.exec_driver_sql("SELECT pg_export_snapshot()").scalar_one()
        file = folder / FILE
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        options = ("--format=custom", f"--snapshot={snapshot}", f"--file={file}", *_OF_NOBODY)
        if wrong := _run(program, place, *options):
            raise Temporary(f"No backup was made: {wrong}")
        return found


def restore(place: URL, folder: Path, settle: Callable[[Contents], T]) -> T:
    """Bring a copy back into the empty database at a URL, or change nothing.

    It is told what the copy holds, and stays if that does not raise; returns what that does.
    """
    with session(place) as connection, alone(connection.engine):
        hold_empty(connection)
        program = _program("pg_restore", connection)
        connection.rollback()
        options = ("--single-transaction", "--exit-on-error", *_OF_NOBODY)
        if wrong := _run(program, place, *options, str(folder / FILE)):
            raise Corrupt(f"{folder / FILE} could not be restored: {wrong}")
        try:
            return settle(contents(connection))
        except BaseException:
            connection.rollback()
            _empty(connection)
            raise


def hold_empty(connection: Connection) -> None:
    """Raise `Refusal` for a database in which there is anything."""
    if tables := sa.inspect(connection).get_table_names():
        raise Refusal(
            f"The database is not empty: there is {tables[0]} in it. Make a new one (createdb) and"
            " name that (database_url), and nothing is lost."
        )


def _empty(connection: Connection) -> None:
    for table in sa.inspect(connection).get_table_names():
        connection.exec_driver_sql(f'DROP TABLE "{table}" CASCADE')
    connection.commit()


def _program(name: str, connection: Connection) -> str:
    """Where one of PostgreSQL's programs is, that is at least as new as the server."""
    shown = connection.exec_driver_sql("SHOW server_version_num").scalar_one()
    server = int(shown) // 10_000
    remedy = f"Install that of the server's version: apt-get install postgresql-client-{server}"
    found = shutil.which(name)
    if found is None:
        raise ConfigError(f"{name} is not on this machine, which copies a database. {remedy}")
    told = subprocess.run([found, "--version"], capture_output=True, text=True, check=False)  # noqa: S603
    version = re.search(r"\) (\d+)", told.stdout)
    if version is None or int(version[1]) < server:
        own = version[1] if version else "none that could be told"
        raise ConfigError(f"{name} is of version {own}, and the server of {server}. {remedy}")
    return found


def _run(program: str, place: URL, *options: str) -> str:
    """Run a program on a database; what it complains of, if it fails. A password is on no line."""
    database = place.set(drivername="postgresql", password=None).render_as_string()
    environ = {**os.environ, **({"PGPASSWORD": str(place.password)} if place.password else {})}
    command = (program, "--no-password", f"--dbname={database}", *options)
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environ)  # noqa: S603
    return done.stderr.strip()[-_LAST_LINES:] if done.returncode else ""
