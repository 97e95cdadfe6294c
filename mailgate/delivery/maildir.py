"""Delivery into Maildirs (cr.yp.to/proto/maildir.html). Disk errors are `Temporary`.

A letter is synced in `tmp`, then renamed into `new`. Its file name is made from its id, so that a
letter that is written again after a crash is the same file.
"""

import asyncio
import os
import re
from pathlib import Path

from godaemon.errors import Temporary
from godaemon.system.durable_files import sync

_UNSAFE = re.compile(r"[^A-Za-z0-9@._+=-]")
_MAX_NAME_BYTES = 200  # bytes of a folder's name; the usual limit is 255


def folder_name(address: str) -> str:
    """An address as the name of a folder: in lower case, with unsafe characters %-escaped.

    Addresses that differ by more than case have different names, unless their first 200 bytes are
    equal. A name has no slash, does not begin with a dot, and is not empty.
    """
    escaped = _UNSAFE.sub(_escape, address.lower())
    if escaped[:1] in {"", "."}:
        escaped = f"%2E{escaped[1:]}" if escaped else "%"
    return escaped[:_MAX_NAME_BYTES]


def _escape(found: re.Match[str]) -> str:
    data = found[0].encode("utf-8", "surrogatepass")
    return "".join(f"%{byte:02X}" for byte in data)


class MaildirDelivery:
    """A `Delivery` into folders under `root`, which it creates as needed."""

    def __init__(self, root: Path) -> None:
        self._root = root

    async def deliver(self, recipient: str, sender: str, raw: bytes, uid: str) -> None:
        """Write a letter and sync it to disk; raises `Temporary`."""
        del sender  # a Maildir has no envelope
        try:
            await asyncio.to_thread(self._file, self._root / folder_name(recipient), raw, uid)
        except OSError as fault:
            raise Temporary("The email could not be stored.", detail=str(fault)) from fault

    async def close(self) -> None:
        """Nothing is kept open."""

    def _file(self, folder: Path, raw: bytes, uid: str) -> None:
        self._make(folder)
        name = f"{_UNSAFE.sub('_', uid).lstrip('.')}.godaemon"
        if any((folder / "cur").glob(f"{name}*")):
            return  # delivered before, and read since then
        fresh, place = folder / "tmp" / name, folder / "new" / name
        with fresh.open("wb") as file:
            file.write(raw.replace(b"\r\n", b"\n"))
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(place)
        sync(place.parent)

    def _make(self, folder: Path) -> None:
        """Make a missing Maildir; only its owner may read it."""
        if (folder / "new").is_dir() and (folder / "cur").is_dir():
            return
        for path in (folder.parent, folder, *(folder / name for name in ("tmp", "cur", "new"))):
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
        for path in (folder, folder.parent):
            sync(path)
