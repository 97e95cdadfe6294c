"""A backup is a folder: the store as one file, and the key of its tokens.

    DEST/godaemon.db    the store, as it was at one moment; of a server, godaemon.dump
    DEST/token.key      the key that letters in players' hands were signed with, if there is one
    DEST/token.key.old  the keys that signed before it, if there were any
    DEST/clock          when the daemon was last there: what passes before a restore is given back

It is taken while a daemon runs, and has its name only once it is complete, checked and on the
disk. A game whose record is damaged is named and put aside, here and there; all others are in it
and whole. Raises `Refusal`s (with what would work), `Busy`, `Temporary`, `Corrupt`, `ConfigError`.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType

from godaemon.errors import Busy, Corrupt, Damaged, Refusal, Temporary, Unknown
from godaemon.storage import server_copy
from godaemon.storage.connections import read_url
from godaemon.storage.contents import Contents, contents, opened
from godaemon.storage.database import FILE
from godaemon.storage.event_chain import ChainHead, StoredEvent, check
from godaemon.storage.identity import fingerprint
from godaemon.storage.old_logs import unpack
from godaemon.storage.salvage import salvage
from godaemon.storage.sqlite_copy import check as check_file
from godaemon.storage.sqlite_copy import copy_whole
from godaemon.system.clock import FILE as CLOCK
from godaemon.system.durable_files import sync, write_file
from godaemon.system.file_ownership import hand_over
from godaemon.system.signing_keys import FILE as KEY
from godaemon.system.signing_keys import OLD as OLD_KEYS
from godaemon.system.signing_keys import all_keys

RESTORING = ("restoring", "restoring.placing")
"""The folders of a restore that was cut short, and is finished at the next start."""


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
    signed: str | None = None
    """The fingerprint of the key that the store signs with, if it has signed anything."""
    aside: Sequence[tuple[int, str]] = ()
    """The games that are put aside, and why each is."""
    damaged: Sequence[tuple[int, str]] = ()
    """The games that are damaged and not put aside."""
    salvaged: bool = False
    """Whether the database itself was damaged, so that this is what could be read of it."""
    lost: Mapping[str, int] = field(default_factory=dict)
    """How many rows could not be read, by table."""


def backup(
    url: str, state: Path, dest: Path, rescued: Mapping[str, bytes] = MappingProxyType({})
) -> Backup:
    """Write a verified backup of the store at `url` and of the key in `state` to a new folder.

    `rescued` are the files that a daemon still has open, by name, where the store is lost.
    """
    place = read_url(url)
    on_server = place.get_backend_name() != "sqlite"
    source = Path(place.database or "")
    if any((state / name).exists() for name in RESTORING):
        raise Busy(f"A restore into {state} was cut short; it is finished when the daemon starts.")
    if not (on_server or rescued or source.exists()):
        raise Unknown(f"There is no store at {source} to back up.")
    if dest.exists():
        raise Refusal(f"{dest} is there already. Name a folder that is not, and nothing is lost.")
    try:
        with _folder(dest) as rough:
            if on_server:
                found = server_copy.dump(place, rough)
                copy_keys(state, rough)
                made = of_contents(rough, found)
            else:
                made = _write(source, state, rough, rescued)
    except Temporary as fault:
        if on_server:
            raise
        raise Temporary(
            f"No backup was made: {fault.detail} (copying {source} to {dest})."
        ) from fault
    except OSError as fault:
        raise Temporary(
            f"No backup was made: {fault.strerror} ({fault.filename or dest})."
        ) from fault
    aside = (*made.aside, *made.damaged)
    return replace(made, folder=dest, aside=aside, damaged=())


@contextmanager
def _folder(dest: Path) -> Iterator[Path]:
    """A folder that has its name once all is in it and on the disk; else there is none."""
    dest.parent.mkdir(parents=True, exist_ok=True)
    rough = Path(tempfile.mkdtemp(prefix=f".{dest.name}.", dir=dest.parent))
    try:
        yield rough
        for file in rough.iterdir():
            sync(file)
        sync(rough)
        rough.rename(dest)
    except BaseException:
        shutil.rmtree(rough, ignore_errors=True)
        raise
    sync(dest.parent)


def _write(source: Path, state: Path, rough: Path, rescued: Mapping[str, bytes]) -> Backup:
    """Copy a SQLite store, as far as it can be read, with the keys."""
    lost: dict[str, int] | None = None
    for name, content in rescued.items():
        write_file(rough / name, content)
    try:
        if not rescued:
            copy_whole(source, rough / FILE)
        check_file(rough / FILE)
        _hold_complete(rough / FILE)
    except Corrupt:
        if rescued:
            raise
        (rough / FILE).unlink(missing_ok=True)
        lost = salvage(source, rough / FILE)
        check_file(rough / FILE)
    copy_keys(state, rough)
    made = _contents(rough)
    _set_aside(rough / FILE, made.damaged)
    with suppress(sqlite3.DatabaseError):  # a damaged one may not take it
        _set_aside(source, () if rescued else made.damaged)
    return replace(made, salvaged=lost is not None, lost=lost or {})


def copy_keys(state: Path, folder: Path) -> None:
    """Copy what is beside a store, once that has been copied."""
    # The key that signs first: if it is replaced meanwhile, it is among the old ones too.
    for file in (state / KEY, state / OLD_KEYS, state / CLOCK):
        if file.exists():
            copy_file(file, folder / file.name)


def _hold_complete(store: Path) -> None:
    """Raise `Corrupt` where the row of a game is missing: their numbers have no gaps."""
    query = "SELECT (SELECT max(seq) FROM sqlite_sequence WHERE name = 'game') > count(*) FROM game"
    with closing(sqlite3.connect(store)) as connection:
        if connection.execute(query).fetchone()[0]:
            raise Corrupt(f"{store} lacks the row of a game.")


def _set_aside(store: Path, damaged: Sequence[tuple[int, str]]) -> None:
    """Put games aside, in a store that a daemon may be using."""
    if not damaged:
        return
    statement = "UPDATE game SET damaged = ? WHERE id = ? AND damaged IS NULL"
    with closing(sqlite3.connect(store, timeout=5.0)) as connection, connection:
        connection.executemany(statement, [(why, game) for game, why in damaged])


def verify(folder: Path) -> Backup:
    """Read a backup from end to end: every game's log is whole, or named.

    Raises `Corrupt` where the file or the key is not, `Unknown` where there is no backup,
    `ConfigError` for one whose tables this program does not know.
    """
    store = folder / FILE
    if not store.is_file():
        raise Unknown(f"{folder} is not a backup: there is no {FILE} in it.")
    check_file(store)
    return _contents(folder)


def _contents(folder: Path) -> Backup:
    with opened(folder / FILE) as connection:
        return of_contents(folder, contents(connection))


def of_contents(folder: Path, found: Contents) -> Backup:
    """A backup in a folder, by what its store holds; raises `Corrupt` for a key that is not its."""
    keys = all_keys(folder)
    if keys and found.signed not in {None, *map(fingerprint, keys)}:
        raise Corrupt(f"The key in {folder} is not the one that its store signs with.")
    return Backup(
        *(folder, found.games, found.events, found.waiting, bool(keys), found.signed),
        aside=tuple(found.aside),
        damaged=tuple(found.damaged),
    )


_PACKED = "SELECT events FROM old_log WHERE game = ?"
_ROWS = (
    "SELECT number, kind, version, payload, cause, at, digest FROM event WHERE game = ?"
    " ORDER BY number"
)


def read_log(connection: sqlite3.Connection, game: int, head: ChainHead) -> list[StoredEvent]:
    """The rows of a game's log; raises `Damaged` where they are not as they were written."""
    try:
        packed = connection.execute(_PACKED, (game,)).fetchone()
        found = connection.execute(_ROWS, (game,)).fetchall()
    except sqlite3.DatabaseError as fault:
        raise Damaged.of(game, None, "it cannot be read") from fault
    rows = unpack(game, packed[0] if packed else None) + [StoredEvent(*row) for row in found]
    check(game, rows, head)
    return rows


def last_whole(beside: Path, game: int) -> Path | None:
    """The newest of the backups beside one that has a game whole."""
    folders = [one for one in beside.parent.iterdir() if one != beside and _is_store(one / FILE)]
    for folder in sorted(folders, key=lambda one: one.stat().st_mtime, reverse=True):
        if _whole(folder / FILE, game):
            return folder
    return None


def _is_store(file: Path) -> bool:
    with suppress(OSError):  # what cannot be looked into is no backup of ours
        return file.is_file()
    return False


def _whole(store: Path, game: int) -> bool:
    try:
        with closing(sqlite3.connect(store)) as connection:
            query = "SELECT events, digest FROM game WHERE id = ?"
            head = connection.execute(query, (game,)).fetchone()
            return head is not None and bool(read_log(connection, game, ChainHead(*head)))
    except (sqlite3.DatabaseError, Damaged):
        return False


def copy_file(source: Path, copy: Path) -> None:
    """Copy a file for the eyes of its folder's owner only, down to the disk."""
    copy.unlink(missing_ok=True)
    handle = os.open(copy, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    with os.fdopen(handle, "wb") as written, source.open("rb") as read:
        shutil.copyfileobj(read, written)
        written.flush()
        hand_over(written.fileno(), copy.parent)
        os.fsync(written.fileno())
