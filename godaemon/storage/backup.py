"""A backup is a folder: the store as one file, and the key of its tokens.

    DEST/godaemon.db    the store, as it was at one moment
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
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType

from godaemon.errors import Busy, ConfigError, Corrupt, Damaged, Refusal, Temporary, Unknown
from godaemon.games import events
from godaemon.storage.connections import read_url
from godaemon.storage.database import FILE
from godaemon.storage.event_chain import ChainHead, StoredEvent, check
from godaemon.storage.identity import fingerprint
from godaemon.storage.salvage import salvage
from godaemon.storage.schema import hold_known
from godaemon.storage.sqlite_copy import check as check_file
from godaemon.storage.sqlite_copy import copy_database, sync
from godaemon.system.clock import FILE as CLOCK
from godaemon.system.file_ownership import hand_over
from godaemon.system.signing_keys import FILE as KEY
from godaemon.system.signing_keys import OLD as OLD_KEYS
from godaemon.system.signing_keys import all_keys, write_file

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
    if place.get_backend_name() != "sqlite":
        raise ConfigError(
            "godaemon backs up SQLite stores only. For this one use pg_dump, and keep"
            f" {state / KEY} with what it writes."
        )
    source = Path(place.database or "")
    if any((state / name).exists() for name in RESTORING):
        raise Busy(f"A restore into {state} was cut short; it is finished when the daemon starts.")
    if not (rescued or source.exists()):
        raise Unknown(f"There is no store at {source} to back up.")
    if dest.exists():
        raise Refusal(f"{dest} is there already. Name a folder that is not, and nothing is lost.")
    try:
        return _write(source, (state / KEY, state / OLD_KEYS, state / CLOCK), dest, rescued)
    except OSError as fault:
        raise Temporary(
            f"No backup was made: {fault.strerror} ({fault.filename or dest})."
        ) from fault


def _write(
    source: Path, beside: tuple[Path, ...], dest: Path, rescued: Mapping[str, bytes]
) -> Backup:
    dest.parent.mkdir(parents=True, exist_ok=True)
    rough = Path(tempfile.mkdtemp(prefix=f".{dest.name}.", dir=dest.parent))
    try:
        whole, lost = True, dict[str, int]()
        for name, content in rescued.items():
            write_file(rough / name, content)
        try:
            if not rescued:
                copy_database(source, rough / FILE)
            _hold_complete(rough / FILE)
        except Corrupt:
            if rescued:
                raise
            whole, lost = False, salvage(source, rough / FILE)
        # The key that signs first: if it is replaced meanwhile, it is among the old ones too.
        for file in beside:
            if file.exists():
                copy_file(file, rough / file.name)
        made = verify(rough)
        _set_aside(rough / FILE, made.damaged)
        with suppress(sqlite3.DatabaseError):  # a damaged one may not take it
            _set_aside(source, () if rescued else made.damaged)
        sync(rough / FILE)
        sync(rough)
        rough.rename(dest)
    except BaseException:
        shutil.rmtree(rough, ignore_errors=True)
        raise
    sync(dest.parent)
    aside = (*made.aside, *made.damaged)
    return replace(made, folder=dest, aside=aside, damaged=(), salvaged=not whole, lost=lost)


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
    `ConfigError` for one that a newer godaemon made.
    """
    store = folder / FILE
    if not store.is_file():
        raise Unknown(f"{folder} is not a backup: there is no {FILE} in it.")
    check_file(store)
    try:
        with closing(sqlite3.connect(store)) as connection:
            version = connection.execute("SELECT version_num FROM alembic_version").fetchone()
            hold_known(version[0] if version else "")
            count = connection.execute("SELECT count(*) FROM event").fetchone()[0]
            query = "SELECT count(*) FROM outbox WHERE status = 'waiting'"
            waiting = connection.execute(query).fetchone()[0]
            games = list(_games(connection))
            signed = _signed(connection)
    except sqlite3.DatabaseError as fault:
        raise Corrupt(f"{store} is not a store of godaemon's.", detail=str(fault)) from fault
    keys = all_keys(folder)
    if keys and signed not in {None, *map(fingerprint, keys)}:
        raise Corrupt(f"The key in {folder} is not the one that its store signs with.")
    return Backup(
        *(folder, len(games), count, waiting, bool(keys), signed),
        aside=tuple((game, why) for game, aside, why in games if aside),
        damaged=tuple((game, why) for game, aside, why in games if why and not aside),
    )


def _signed(connection: sqlite3.Connection) -> str | None:
    if not _has(connection, "identity"):
        return None
    row = connection.execute("SELECT key FROM identity").fetchone()
    return str(row[0]) if row else None


def _has(connection: sqlite3.Connection, table: str) -> bool:
    query = "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = ?"
    return bool(connection.execute(query, (table,)).fetchone()[0])


def _games(connection: sqlite3.Connection) -> Iterator[tuple[int, bool, str]]:
    """Each game, whether it is put aside, and what is wrong with it ("" for nothing)."""
    # Before revision 0009 there was neither an identity nor a chain; the step to it puts aside.
    chained = _has(connection, "identity")
    head = "events, digest, damaged" if chained else "0, '', NULL"
    for game, length, digest, aside in connection.execute(f"SELECT id, {head} FROM game"):  # noqa: S608
        why = aside or ""
        try:
            read_log(connection, game, ChainHead(length, digest) if chained else None)
        except Damaged as fault:
            why = why or fault.detail
        yield game, bool(aside or (why and not chained)), why


def read_log(
    connection: sqlite3.Connection, game: int, head: ChainHead | None
) -> list[StoredEvent]:
    """The rows of a game's log; raises `Damaged` where they are not as they were written."""
    digest = "''" if head is None else "digest"
    query = f"SELECT number, kind, version, payload, cause, at, {digest} FROM event"  # noqa: S608
    try:
        found = connection.execute(f"{query} WHERE game = ? ORDER BY number", (game,)).fetchall()
    except sqlite3.DatabaseError as fault:
        raise Damaged.of(game, None, "it cannot be read") from fault
    rows = [StoredEvent(*row) for row in found]
    if head is not None:
        check(game, rows, head)
    for number, row in enumerate(rows):
        if row.number != number:
            raise Damaged.of(game, number, "it is missing")
        try:
            events.decode(row.kind, row.version, row.payload)
        except Corrupt as fault:
            raise Damaged.of(game, number, "it means nothing to this program") from fault
    return rows


def last_whole(beside: Path, game: int) -> Path | None:
    """The newest of the backups beside one that has a game whole."""
    folders = [one for one in beside.parent.iterdir() if one != beside and (one / FILE).is_file()]
    for folder in sorted(folders, key=lambda one: one.stat().st_mtime, reverse=True):
        if _whole(folder / FILE, game):
            return folder
    return None


def _whole(store: Path, game: int) -> bool:
    try:
        with closing(sqlite3.connect(store)) as connection:
            if not _has(connection, "identity"):
                return bool(read_log(connection, game, None))
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
