"""Files that survive a power cut: they are synced to the disk at once.

Each file gets the owner of its folder, even if root writes it: an operator may restore a backup as
root, and the service must be able to read it. Raises OSError.
"""

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
    """A new file to write, in place of any other; only the owner of its folder can read it."""
    path.unlink(missing_ok=True)
    handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    with os.fdopen(handle, "wb") as file:
        yield file
        file.flush()
        give_to_owner(handle, path.parent)
        os.fsync(handle)


def write_file(path: Path, content: bytes) -> None:
    """Replace a file atomically; only the owner of its folder can read it."""
    temporary = path.with_suffix(".new")
    with new_file(temporary) as file:
        file.write(content)
    temporary.replace(path)
    sync(path.parent)


def may_read(path: Path, user: int, group: int) -> bool:
    """True if a user other than root may read a file, by its mode and the modes of its folders."""
    for step, bit in ((path, 4), *((parent, 1) for parent in path.resolve().parents)):
        status, shift = step.stat(), 0
        if status.st_uid == user:
            shift = 6
        elif status.st_gid == group:
            shift = 3
        if not status.st_mode >> shift & bit:
            return False
    return True


def give_to_owner(target: Path | int, folder: Path) -> None:
    """If we are root, give a file or folder (a path or handle) to the owner of `folder`."""
    if os.geteuid() == 0:
        owner = folder.stat()
        os.chown(target, owner.st_uid, owner.st_gid)
