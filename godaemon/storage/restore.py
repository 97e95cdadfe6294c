"""Restores a backup atomically, and moves a whole site in one file.

A restore is prepared in a folder inside the state folder, and committed by renaming that folder. If
it is interrupted before, the old state stays; if after, the next owner of the state folder finishes
it by renames. `export_site` writes a backup as a compressed tar archive; `import_site` restores it.
Raises `Refusal`, `Busy`, `Temporary`, `Corrupt`, `ConfigError`.
"""

import gzip
import os
import shutil
import tarfile
import tempfile
import zlib
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from godaemon.errors import Corrupt, Refusal, Temporary
from godaemon.storage import sqlite_file
from godaemon.storage.backup import FILES, RESTORING, Backup, backup, copy_file, verify
from godaemon.storage.connections import explain_errors, read_url, sqlite_path
from godaemon.storage.database import DATABASE_FILE, open_database, store_url
from godaemon.storage.identity import ID_FILE, fingerprint, migration_hint
from godaemon.storage.locks import keep_daemons_off, server_lock, state_lock
from godaemon.storage.server_copy import copy_to_server
from godaemon.system.durable_files import give_to_owner, new_file, sync
from godaemon.system.outages_and_pauses import CLOCK_FILE
from godaemon.system.signing_keys import KEY_FILE, OLD_KEYS_FILE, all_keys

_STATE = (*FILES, f"{DATABASE_FILE}-wal", f"{DATABASE_FILE}-shm", ID_FILE)
"""The files of a state folder that are replaced together."""
_READY, _PLACING = RESTORING
_ASIDE = "aside"
"""The file with the name of the folder for the old state; empty if there is none."""
_GZIP = b"\x1f\x8b"


def restore(
    source: Path, state: Path, now: datetime, *, move_aside: bool = False, url: str = ""
) -> tuple[Backup, Path | None]:
    """Restore a backup into a state folder whose daemon is not running.

    Returns the backup, and the folder `STATE/replaced-DATE` with the files that it replaced, if
    any. Raises `Refusal` if there is a database, unless it may be replaced (`move_aside`). If `url`
    is a server's, the database must be empty. Maildirs stay.
    """
    on_server = _is_server(url)
    try:
        found = verify(source)
    except Corrupt as fault:
        raise Corrupt(f"{fault.public} Take another backup.", detail=fault.detail) from fault
    if found.damaged:
        named = ", ".join(f"{game} ({why})" for game, why in found.damaged)
        raise Corrupt(f"The backup has been damaged since, in game {named}. Take another one.")
    with state_lock(state), explain_errors():
        finish_restore(state)
        old = [name for name in _STATE if (state / name).exists()]
        has_games = any(name.startswith(DATABASE_FILE) for name in old)
        if has_games and not move_aside:
            raise Refusal(
                f"{state} has files of a store: {', '.join(old)}. With --move-aside they are kept"
                " beside the restored ones."
            )
        aside = f"replaced-{now.astimezone(UTC):%Y%m%dT%H%M%S%fZ}" if old else ""
        try:
            if on_server:
                _restore_to_server(url, found, state, aside)
            else:
                _prepare_files(found, state, aside, (DATABASE_FILE, CLOCK_FILE))
            finish_restore(state)
        except OSError as fault:
            raise Temporary(f"The backup could not be restored: {fault.strerror}.") from fault
        return found, state / aside if aside else None


def _is_server(url: str) -> bool:
    return bool(url) and sqlite_path(read_url(url)) is None


def _restore_to_server(url: str, found: Backup, state: Path, aside: str) -> None:
    """Copy a backup into a server's database, and prepare its keys; both or neither."""
    with (
        tempfile.TemporaryDirectory(prefix=".restore-", dir=state) as name,
        closing(open_database(url)) as database,
        database.connect() as connection,
    ):
        copy_file(found.folder / DATABASE_FILE, Path(name, DATABASE_FILE))
        open_database(store_url(Path(name))).close()  # migrates it
        copy_to_server(Path(name, DATABASE_FILE), connection)
        _prepare_files(found, state, aside, (CLOCK_FILE,))
        try:
            connection.commit()
        except BaseException:
            shutil.rmtree(state / _READY)
            raise


def _prepare_files(found: Backup, state: Path, aside: str, names: tuple[str, ...]) -> None:
    """Prepare some files of a backup, and its keys, for `finish_restore`."""
    keys = found.folder if found.has_key else _own_keys(found, state)
    rough = state / f"{_READY}.new"
    shutil.rmtree(rough, ignore_errors=True)
    rough.mkdir(mode=0o700)
    give_to_owner(rough, state)
    for path in (*(found.folder / name for name in names), keys / KEY_FILE, keys / OLD_KEYS_FILE):
        if path.exists():
            copy_file(path, rough / path.name)
    (rough / _ASIDE).write_text(aside, encoding="ascii")
    give_to_owner(rough / _ASIDE, state)
    sync(rough / _ASIDE)
    sync(rough)
    rough.rename(state / _READY)
    sync(state)


def _own_keys(found: Backup, state: Path) -> Path:
    """The state folder, whose keys serve a backup without keys; raises `Refusal` for others'."""
    keys = all_keys(state)
    if keys and found.key_fingerprint not in {None, *map(fingerprint, keys)}:
        raise Refusal(
            f"There is no key in {found.folder}, and the one in {state} is another store's. Put the"
            f" right {KEY_FILE} into {found.folder} first: without it no email could be answered."
        )
    return state


def finish_restore(state: Path) -> None:
    """Finish an interrupted restore, if any; the caller must hold the lock on the state folder."""
    ready, placing = state / _READY, state / _PLACING
    shutil.rmtree(state / f"{_READY}.new", ignore_errors=True)
    if ready.is_dir():
        aside = (ready / _ASIDE).read_text(encoding="ascii")
        if aside:
            _set_aside(state, state / aside)
        ready.rename(placing)
        sync(state)
    if placing.is_dir():
        for name in _STATE:
            if (placing / name).exists():
                (placing / name).rename(state / name)
        sync(state)
        shutil.rmtree(placing)


def _set_aside(state: Path, aside: Path) -> None:
    if (state / DATABASE_FILE).exists():
        sqlite_file.checkpoint_log(state / DATABASE_FILE)
    aside.mkdir(mode=0o700, exist_ok=True)
    give_to_owner(aside, state)
    for name in _STATE:
        if (state / name).exists():
            (state / name).rename(aside / name)
    sync(aside)
    sync(state)


# -- a site in one file ------------------------------------------------------------------------
def export_site(url: str, state: Path, file: Path) -> Backup:
    """Write a backup of a site whose daemon is not running to one new file."""
    if file.exists():
        raise Refusal(f"{file} already exists. Name a new file; an export overwrites nothing.")
    with state_lock(state), explain_errors(), server_lock(url, keep_daemons_off):
        finish_restore(state)
        if why := migration_hint(url):
            raise Refusal(why)
        try:
            with tempfile.TemporaryDirectory(prefix=".export-", dir=file.absolute().parent) as name:
                made, rough = backup(url, state, Path(name, "backup")), Path(name, "archive")
                with new_file(rough) as out, tarfile.open(fileobj=out, mode="w:gz") as tar:
                    for path in sorted(made.folder.iterdir()):
                        tar.add(path, path.name)
                rough.rename(file)
        except OSError as fault:
            raise Temporary(f"{file} could not be written: {fault.strerror}.") from fault
        sync(file.absolute().parent)
    return made


def import_site(file: Path, url: str, state: Path, now: datetime) -> Backup:
    """Restore an exported file into a state folder without a store.

    A damaged file raises `Refusal` too, because our store is not at fault.
    """
    if any((state / name).exists() for name in _STATE):
        new = "folder and a new database" if _is_server(url) else "folder"
        raise Refusal(
            f"There is a store in {state} already. Name a new {new}, or move that store away."
        )
    try:
        # Unlike `resolve`, `realpath` does not raise. The folder may be systemd's link.
        Path(os.path.realpath(state)).mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".import-", dir=state) as name:
            _unpack(file, Path(name))
            return restore(Path(name), state, now, url=url)[0]
    except Corrupt as fault:
        raise Refusal(f"{fault.public} Nothing was imported.") from fault
    except OSError as fault:
        raise Temporary(f"{fault.filename or file}: {fault.strerror}.") from fault


def _unpack(file: Path, folder: Path) -> None:
    """Unpack an exported file; raises `Refusal` for any other file, `Corrupt` if it was changed."""
    with file.open("rb") as raw:
        if raw.read(len(_GZIP)) != _GZIP:
            raise Refusal(f"{file} was not written by `godaemon export`.")
    try:
        with gzip.open(file) as packed:
            with tarfile.open(fileobj=packed, mode="r|") as tar:
                for member in tar:
                    _unpack_one(tar, member, folder)
            while packed.read(2**20):
                pass  # gzip's checksum is at the end
    except (gzip.BadGzipFile, zlib.error, EOFError, tarfile.TarError) as fault:
        raise Corrupt(f"{file} was cut short or changed since it was written.") from fault


def _unpack_one(tar: tarfile.TarFile, member: tarfile.TarInfo, folder: Path) -> None:
    content = tar.extractfile(member) if member.name in FILES else None
    if content is None:
        raise Corrupt(f"The file holds {member.name}, which is not part of a backup.")
    with new_file(folder / member.name) as out:
        shutil.copyfileobj(content, out)
