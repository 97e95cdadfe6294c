"""Files that outlive a power cut: what was written is on the disk before anybody relies on it.

Raises OSError.
"""

from __future__ import annotations

import os
from pathlib import Path

from godaemon.system.file_ownership import hand_over


def sync(path: Path) -> None:
    """Have a file, or the names in a folder, on the disk before going on."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def write_file(path: Path, content: bytes) -> None:
    """Write a file so that it is there whole or as it was, for its folder's owner's eyes alone."""
    fresh = path.with_suffix(".new")
    fresh.unlink(missing_ok=True)
    handle = os.open(fresh, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    with os.fdopen(handle, "wb") as written:
        written.write(content)
        written.flush()
        hand_over(handle, path.parent)
        os.fsync(handle)
    fresh.replace(path)
    sync(path.parent)
