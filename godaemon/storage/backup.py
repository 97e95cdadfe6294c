"""Backups: folders with the store as one SQLite file, and the keys that sign its tokens.

    DEST/godaemon.db    the store at one moment, whichever database it is in
    DEST/token.key      the signing key, if there is one
    DEST/token.key.old  earlier signing keys, if there are any
    DEST/clock          when the daemon last ran; time until a restore is given back to players

A daemon may run meanwhile. The folder gets its name only when it is complete, checked and on the
disk. If the store's file was removed, the backup is made from the open file (`rescue_files`). A
game with a damaged log is set aside, in the store and in the copy; all others are whole. Raises
`Refusal`, `Busy`, `Temporary`, `Corrupt`, `ConfigError`.
"""

import errno
import shutil
import sqlite3
import tempfile
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType

from sqlalchemy import select
from sqlalchemy.engine import URL, Connection
from sqlalchemy.exc import DatabaseError
from sqlmodel import col

from godaemon.errors import Busy, Corrupt, Damaged, GodaemonError, Refusal, Temporary, Unknown
from godaemon.storage.columns import columns
from godaemon.storage.connections import read_url, session, sqlite_path
from godaemon.storage.database import DATABASE_FILE
from godaemon.storage.event_log import ChainHead, check_chain
from godaemon.storage.game_store import SqlGames
from godaemon.storage.identity import fingerprint
from godaemon.storage.migrations import read_revision, require_known
from godaemon.storage.server_copy import copy_from_server
from godaemon.storage.sqlite_copy import check_file, copy_whole, open_alone, salvage
from godaemon.storage.sqlite_file import was_removed as is_lost
from godaemon.storage.tables import GameRow, IdentityRow
from godaemon.storage.unit_of_work import Unit
from godaemon.storage.writer import WriterThread
from godaemon.system.durable_files import new_file, sync, write_file
from godaemon.system.outages_and_pauses import CLOCK_FILE
from godaemon.system.signing_keys import KEY_FILE, OLD_KEYS_FILE, all_keys

FILES = (DATABASE_FILE, KEY_FILE, OLD_KEYS_FILE, CLOCK_FILE)
"""The files of a backup; only the first is required."""
RESTORING = ("restoring", "restoring.placing")
"""The folders of an interrupted restore, which the next start finishes."""
_PASSING = {errno.ENOSPC, errno.EDQUOT, errno.EIO}
"""Faults of the place of a backup that may pass by themselves."""


@dataclass(frozen=True, slots=True)
class Backup:
    """The contents of a verified backup."""

    folder: Path
    games: int
    """The number of games, damaged ones included."""
    events: int
    """The number of events in all logs."""
    has_key: bool
    """Whether it includes the signing key."""
    key_fingerprint: str | None = None
    """The fingerprint of the store's signing key; None for a store without identity."""
    set_aside: Sequence[tuple[int, str]] = ()
    """The games that are set aside, and why."""
    damaged: Sequence[tuple[int, str]] = ()
    """The games that are damaged, but not yet set aside, and why."""
    lost_rows: Mapping[str, int] | None = None
    """The number of unreadable rows by table; None unless the database itself was damaged."""


def backup(
    url: str, state: Path, dest: Path, rescued: Mapping[str, bytes] = MappingProxyType({})
) -> Backup:
    """Write a verified backup of the store at `url` and of the keys in `state` to a new folder.

    If the store was removed, `rescued` are the contents of the files that a daemon still has open.
    """
    place = read_url(url)
    source = sqlite_path(place)
    _refuse_if_impossible(state, None if rescued else source, dest)
    try:
        with _new_folder(dest) as folder:
            lost = None
            if rescued:
                _write_rescued(rescued, folder)
            else:
                lost = _copy(place, source, folder / DATABASE_FILE)
            _copy_keys(state, folder)
            made = read_backup(folder)
            with open_alone(folder / DATABASE_FILE) as copy:
                _set_aside(copy, made.damaged)
            if not rescued:
                with suppress(GodaemonError), session(place) as store:  # it may be too damaged
                    _set_aside(store, made.damaged)
    except Temporary as fault:
        why = fault.detail or fault.public
        raise Temporary(f"No backup was made: {why} (copying {source} to {dest}).") from fault
    except OSError as fault:
        kind = Temporary if fault.errno in _PASSING else Refusal
        where = fault.filename or dest
        raise kind(f"No backup was made: {fault.strerror} ({where}).") from fault
    return replace(
        made, folder=dest, set_aside=(*made.set_aside, *made.damaged), damaged=(), lost_rows=lost
    )


def _refuse_if_impossible(state: Path, source: Path | None, dest: Path) -> None:
    """Raise if a restore is unfinished, the store's file is missing, or `dest` exists."""
    if state.is_dir() and any(one.name in RESTORING for one in state.iterdir()):
        raise Busy(f"A restore into {state} was cut short; the daemon's start will finish it.")
    if source is not None and not source.exists():
        raise Unknown(f"There is no store at {source} to back up.")
    if dest.exists():
        raise Refusal(f"{dest} already exists. Name a new folder; a backup overwrites nothing.")


@contextmanager
def _new_folder(dest: Path) -> Iterator[Path]:
    """A temporary folder; renamed to `dest` after the body, or removed if the body raises."""
    dest.parent.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix=f".{dest.name}.", dir=dest.parent))
    try:
        yield folder
        for file in folder.iterdir():
            sync(file)
        sync(folder)
        folder.rename(dest)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    sync(dest.parent)


def _write_rescued(rescued: Mapping[str, bytes], folder: Path) -> None:
    """Write the contents of files that a daemon still has open, and check the store."""
    for name, content in rescued.items():
        write_file(folder / name, content)
    _check_copy(folder / DATABASE_FILE)


def _copy(place: URL, source: Path | None, copy: Path) -> Mapping[str, int] | None:
    """Copy a store; for a damaged one returns the number of lost rows by table."""
    if source is None:
        copy_from_server(place, copy)
        check_file(copy)
        return None
    try:
        copy_whole(source, copy)
        _check_copy(copy)
    except Corrupt:
        copy.unlink(missing_ok=True)
        lost = salvage(source, copy)
        check_file(copy)
        return lost
    return None


def _check_copy(copy: Path) -> None:
    """Raise `Corrupt` if a copy is damaged, or if a game is missing: numbers have no gaps."""
    check_file(copy)
    query = "SELECT (SELECT max(seq) FROM sqlite_sequence WHERE name = 'game') > count(*) FROM game"
    with closing(sqlite3.connect(copy)) as connection:
        if connection.execute(query).fetchone()[0]:
            raise Corrupt(f"{copy} lacks the row of a game.")


def _copy_keys(state: Path, folder: Path) -> None:
    # The signing key comes first: if it is replaced meanwhile, it is among the old keys too.
    for name in FILES[1:]:
        if (state / name).exists():
            copy_file(state / name, folder / name)


def _set_aside(connection: Connection, damaged: Sequence[tuple[int, str]]) -> None:
    for game, why in damaged:
        SqlGames(connection).set_aside(game, why)
    connection.commit()


# -- reading a backup --------------------------------------------------------------------------
def verify(folder: Path) -> Backup:
    """Read and check a whole backup; the result names the games whose logs are damaged.

    Raises `Corrupt` for a damaged file or a wrong key, `Unknown` if there is no backup,
    `ConfigError` for tables that this program does not know.
    """
    if not (folder / DATABASE_FILE).is_file():
        raise Unknown(f"{folder} is not a backup: there is no {DATABASE_FILE} in it.")
    check_file(folder / DATABASE_FILE)
    return read_backup(folder)


def read_backup(folder: Path) -> Backup:
    """The contents of a backup whose file is undamaged; raises like `verify`."""
    keys = all_keys(folder)
    with open_alone(folder / DATABASE_FILE) as connection:
        try:
            found = read_revision(connection)
            require_known(found)
            if found is None:
                raise Corrupt(f"{folder / DATABASE_FILE} is not a godaemon store.")
            made = _read_contents(connection, folder, key=bool(keys))
        except DatabaseError as fault:
            sentence = f"{folder / DATABASE_FILE} cannot be read as a godaemon store."
            raise Corrupt(sentence, detail=str(fault)) from fault
    if keys and made.key_fingerprint not in {None, *map(fingerprint, keys)}:
        raise Corrupt(f"The key in {folder} is not the one that its store signs with.")
    return made


def _read_contents(connection: Connection, folder: Path, *, key: bool) -> Backup:
    events, aside, damaged = 0, [], []
    ends = select(*columns(GameRow, ("id", "events", "digest", "damaged")))
    games = connection.execute(ends.order_by(col(GameRow.id))).all()
    for game, length, digest, why in games:
        if why:
            aside.append((game, why))
        try:
            rows = SqlGames(connection).rows(game)
            events += len(rows)
            check_chain(game, rows, ChainHead(length, digest))
        except Damaged as fault:
            if not why:
                damaged.append((game, fault.detail))
    signed = connection.scalar(select(col(IdentityRow.key)))
    return Backup(folder, len(games), events, key, signed, tuple(aside), tuple(damaged))


def copy_file(source: Path, copy: Path) -> None:
    """Copy a file, and flush the copy to the disk; only the folder's owner may read it."""
    with new_file(copy) as written, source.open("rb") as read:
        shutil.copyfileobj(read, written)


async def rescue_files(writer: WriterThread, key: bytes) -> dict[str, str]:
    """If the store was removed, the files of a backup by name, in base64; else none.

    The command line writes them, because the daemon's state folder may be gone too.
    """

    def _read_open_store(unit: Unit) -> bytes:
        driver = unit.connection.connection.driver_connection
        return driver.serialize() if driver and writer.file and is_lost(writer.file) else b""

    store = await writer.run(_read_open_store)
    files = {DATABASE_FILE: store, KEY_FILE: key} if store else {}
    return {name: b64encode(content).decode() for name, content in files.items()}
