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
    """Whether a store or its log of changes, which we have open, is no longer at its place.

    False where that cannot be seen, as where no file is left to be opened.
    """
    try:
        opened = set(map(_inode, _OPENED.iterdir()))
    except OSError:
        return False
    here = {_inode(file), _inode(file.with_name(file.name + "-wal"))}
    return not here <= opened - {None}


def _inode(path: Path) -> tuple[int, int] | None:
    with suppress(OSError):
        found = path.stat()
        return found.st_dev, found.st_ino
    return None


async def rescued(writer: WriterThread, key: bytes) -> dict[str, str]:
    """The files of a backup in base64, by name, where the store is lost; nothing where it is not.

    The daemon is to send them: where it may write, its state folder, may be gone too.
    """
    if writer.file is None or not lost(writer.file):
        return {}

    def _read(unit: SqlUnit) -> str:
        driver = unit.connection.connection.driver_connection
        return b64encode(driver.serialize()).decode() if driver else ""

    return {FILE: await writer.run(_read), KEY: b64encode(key).decode()}
