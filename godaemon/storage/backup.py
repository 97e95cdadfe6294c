"""A backup is a folder: the store as one file, and the key of its tokens.

    DEST/godaemon.db    the store, as it was at one moment
    DEST/token.key      the key that letters in players' hands were signed with, if there is one
    DEST/token.key.old  the keys that signed before it, if there were any

It is taken while a daemon runs, and has its name only once it is complete, checked and on the
disk. Raises `Refusal`s (with what would work), `Busy`, `Temporary`, `Corrupt`, `ConfigError`.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from godaemon.errors import ConfigError, Corrupt, Refusal, Temporary, Unknown
from godaemon.games import events
from godaemon.storage.connections import read_url
from godaemon.storage.database import FILE
from godaemon.storage.file_ownership import hand_over
from godaemon.storage.lock import StateLock
from godaemon.storage.schema import hold_known
from godaemon.storage.sqlite_copy import check, copy_database, sync

KEY = "token.key"
"""The name of the key's file in the state folder, and in a backup."""
OLD_KEYS = "token.key.old"
"""The name of the file with the keys that were replaced."""
_STORE = (FILE, f"{FILE}-wal", f"{FILE}-shm")


@dataclass(frozen=True, slots=True)
class Backup:
    """The contents of a verified backup."""

    folder: Path
    games: int
    events: int
    waiting: int
    """Notices that had not been sent."""
    key: bool
    """Whether the key is in it."""


def backup(url: str, state: Path, dest: Path) -> Backup:
    """Write a verified backup of the store at `url` and of the key in `state` to a new folder."""
    place = read_url(url)
    if place.get_backend_name() != "sqlite":
        raise ConfigError(
            "godaemon backs up SQLite stores only. For this one use pg_dump, and keep"
            f" {state / KEY} with what it writes."
        )
    source = Path(place.database or "")
    if not source.exists():
        raise Unknown(f"There is no store at {source} to back up.")
    if dest.exists():
        raise Refusal(f"{dest} is there already. Name a folder that is not, and nothing is lost.")
    try:
        return _write(source, (state / KEY, state / OLD_KEYS), dest)
    except OSError as fault:
        raise Temporary(f"No backup was made: {fault.strerror} ({dest}).") from fault


def _write(source: Path, keys: tuple[Path, ...], dest: Path) -> Backup:
    dest.parent.mkdir(parents=True, exist_ok=True)
    rough = Path(tempfile.mkdtemp(prefix=f".{dest.name}.", dir=dest.parent))
    try:
        copy_database(source, rough / FILE)
        # The key that signs first: if it is replaced meanwhile, it is among the old ones too.
        for key in keys:
            if key.exists():
                _copy(key, rough / key.name)
        sync(rough)
        made = verify(rough)
        rough.rename(dest)
    except BaseException:
        shutil.rmtree(rough, ignore_errors=True)
        raise
    sync(dest.parent)
    return replace(made, folder=dest)


def verify(folder: Path) -> Backup:
    """Read a backup from end to end: every game's log is whole and means something to us.

    Raises `Corrupt` where it is not, `Unknown` where there is no backup, `ConfigError` for one that
    a newer godaemon made.
    """
    store = folder / FILE
    if not store.is_file():
        raise Unknown(f"{folder} is not a backup: there is no {FILE} in it.")
    check(store)
    try:
        with closing(sqlite3.connect(store)) as connection:
            hold_known(connection.execute("SELECT version_num FROM alembic_version").fetchone()[0])
            games, count = _logs(connection)
            query = "SELECT count(*) FROM outbox WHERE status = 'waiting'"
            waiting = int(connection.execute(query).fetchone()[0])
    except sqlite3.DatabaseError as fault:
        raise Corrupt(f"{store} is not a store of godaemon's.", detail=str(fault)) from fault
    return Backup(folder, games, count, waiting, (folder / KEY).is_file())


def _logs(connection: sqlite3.Connection) -> tuple[int, int]:
    """How many games there are, and events in them all; each log is read."""
    games = int(connection.execute("SELECT count(*) FROM game").fetchone()[0])
    rows = connection.execute(
        "SELECT game, number, kind, version, payload FROM event ORDER BY game, number"
    )
    count, last, expected = 0, None, 0
    for game, number, kind, version, payload in rows:
        expected = expected + 1 if game == last else 0
        if number != expected:
            raise Corrupt(f"The record of game {game} has a gap before event {number}.")
        events.decode(kind, version, payload)
        last, count = game, count + 1
    return games, count


@dataclass(frozen=True, slots=True)
class Restored:
    """The contents brought back, and where the store that they replaced is now."""

    backup: Backup
    replaced: Path | None


def restore(source: Path, state: Path, now: datetime, *, move_aside: bool = False) -> Restored:
    """Bring a backup back into a state folder whose daemon is not running.

    It is refused to restore over a store that is there, unless `move_aside` has it moved to
    `STATE/replaced-DATE` first. Mail that was already filed stays where it is.
    """
    found = verify(source)
    with StateLock(state):
        old = [state / name for name in (*_STORE, KEY, OLD_KEYS) if (state / name).exists()]
        if old and not move_aside:
            raise Refusal(
                f"There is a store in {state} already. With --move-aside it is kept beside"
                " the one that is restored."
            )
        try:
            return Restored(found, _replace(found, state, old, now))
        except OSError as fault:
            raise Temporary(f"The backup could not be restored: {fault.strerror}.") from fault


def _replace(found: Backup, state: Path, old: list[Path], now: datetime) -> Path | None:
    """Copy first, then change names: a crash in between leaves the old store and the backup."""
    names = [FILE, *(name for name in (KEY, OLD_KEYS) if (found.folder / name).is_file())]
    for name in names:
        _copy(found.folder / name, state / f"{name}.restored")
    aside = _set_aside(state, old, now) if old else None
    # The key before the store: a store without its key would be given a new one.
    for name in reversed(names):
        (state / f"{name}.restored").replace(state / name)
        sync(state)
    return aside


def _set_aside(state: Path, old: list[Path], now: datetime) -> Path:
    _fold(state / FILE)
    aside = state / f"replaced-{now.astimezone(UTC):%Y%m%dT%H%M%S%fZ}"
    aside.mkdir(mode=0o700)
    hand_over(aside, state)
    for path in old:
        if path.exists():
            path.rename(aside / path.name)
    sync(aside)
    sync(state)
    return aside


def _fold(store: Path) -> None:
    """Bring the log of changes into the store's one file, if it is whole enough for that."""
    with suppress(sqlite3.Error), closing(sqlite3.connect(store)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def _copy(source: Path, copy: Path) -> None:
    """Copy a file for the eyes of its folder's owner only, down to the disk."""
    copy.unlink(missing_ok=True)
    handle = os.open(copy, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    with os.fdopen(handle, "wb") as written, source.open("rb") as read:
        shutil.copyfileobj(read, written)
        written.flush()
        hand_over(written.fileno(), copy.parent)
        os.fsync(written.fileno())
