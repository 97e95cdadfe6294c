"""The owner of what is written into a state folder is the folder's, also when root writes it.

An operator restores a backup as root; the service, which runs as a user of its own, must be able
to read what is there then. Raises OSError.
"""

from __future__ import annotations

import os
from pathlib import Path


def may_read(path: Path, user: int, group: int) -> bool:
    """Whether a user who is not root may read a file, by the modes of it and its folders."""
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
