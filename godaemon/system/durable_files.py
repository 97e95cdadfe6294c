"""Files that survive a power cut: they are synced to the disk before anybody relies on them.

Each file belongs to the owner of its folder, even if root writes it: an operator restores a backup
as root, and the service must be able to read it. Raises OSError.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


def sync(path: Path) -> None:
    """Sync a file, or the entries of a folder, to the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def new_file(path: Path) -> Iterator[BinaryIO]:
    """A file to write to, in place of any other; only the owner of its folder can read it."""
    path.unlink(missing_ok=True)
    handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    with os.fdopen(handle, "wb") as written:
        yield written
        written.flush()
        hand_over(handle, path.parent)
        os.fsync(handle)


def write_file(path: Path, content: bytes) -> None:
    """Replace a file atomically; only the owner of its folder can read it."""
    fresh = path.with_suffix(".new")
    with new_file(fresh) as written:
        written.write(content)
    fresh.replace(path)
    sync(path.parent)


def may_read(path: Path, user: int, group: int) -> bool:
    """Whether a user other than root may read a file, by its mode and those of its folders."""
    for one, wanted in ((path, 4), *((parent, 1) for parent in path.resolve().parents)):
        found = one.stat()
        shift = 6 if found.st_uid == user else 3 if found.st_gid == group else 0
        if not found.st_mode >> shift & wanted:
            return False
    return True


def hand_over(made: Path | int, folder: Path) -> None:
    """Give a file or folder (a path or a handle) that root has made to the owner of `folder`."""
    if os.geteuid() == 0:
        owner = folder.stat()
        os.chown(made, owner.st_uid, owner.st_gid)
