"""A SQLite store whose file was removed or moved away under the daemon that has it open.

Until that daemon ends, its open connection has all that was in it, and is the last that has.
"""

from __future__ import annotations

from base64 import b64encode
from contextlib import suppress
from pathlib import Path

from godaemon.storage.database import FILE
from godaemon.storage.unit_of_work import SqlUnit
from godaemon.storage.writer import WriterThread
from godaemon.system.signing_keys import FILE as KEY

_OPENED = Path("/proc/self/fd")


def lost(file: Path) -> bool:
    """True where a store or its log of changes, which we have open, is no longer at its place.

    To be asked inside a transaction, as nothing is open after a COMMIT that failed. False where
    that cannot be seen, as where no file is left to be opened.
    """
    try:
        opened = {_inode(path) for path in _OPENED.iterdir()} - {None}
        return not {_inode(file), _inode(file.with_name(file.name + "-wal"))} <= opened
    except OSError:
        return False


def _inode(path: Path) -> tuple[int, int] | None:
    """What a path leads to; None where nothing is there."""
    with suppress(FileNotFoundError, NotADirectoryError):
        found = path.stat()
        return found.st_dev, found.st_ino
    return None


async def rescued(writer: WriterThread, key: bytes) -> dict[str, str]:
    """The files of a backup in base64, by name, where the store is lost; nothing where it is not.

    The daemon is to send them: where it may write, its state folder, may be gone too.
    """

    def _read(unit: SqlUnit) -> bytes:
        driver = unit.connection.connection.driver_connection
        return driver.serialize() if driver and writer.file and lost(writer.file) else b""

    store = await writer.run(_read)
    files = {FILE: store, KEY: key} if store else {}
    return {name: b64encode(content).decode() for name, content in files.items()}
