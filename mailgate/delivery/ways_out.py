"""Ways out for letters: a sendmail program and Maildirs; and the interface of all.

Trouble with the program or the disk is `Temporary`. A Maildir is written as D. J. Bernstein
describes it: synced in `tmp`, then renamed into `new`, with a file name made from the letter's id,
so that what is written again after a crash is the same file.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from godaemon.errors import Temporary, Undeliverable
from godaemon.system.durable_files import sync
from mailgate.address import one_line

_STATUS = re.compile(r"\b[45]\.\d{1,3}\.\d{1,3}\b")
_PLAIN = re.compile(r"[^\s<>(),;:\\\"\x00-\x1f]+@[^\s<>(),;\\\"\x00-\x1f@]+")


class Delivery(Protocol):
    """A way out for letters."""

    async def deliver(self, recipient: str, sender: str, raw: bytes, uid: str) -> None:
        """Hand over one letter; `sender` is the envelope's, "" for none.

        Raises `Temporary` if another try may help, `Undeliverable` if none will.
        """

    async def close(self) -> None:
        """Close connections, if any are kept."""


def find_status(reply: str, otherwise: str) -> str:
    """The enhanced status code (RFC 3463) in a server's reply; the fallback if it has none."""
    found = _STATUS.search(reply)
    return found[0] if found else otherwise


def check_envelope(recipient: str, sender: str = "", *, program: bool = False) -> None:
    """Raise `Undeliverable` for addresses that a server or a program could misread.

    A program could take one for an option.
    """
    plain = _PLAIN.fullmatch(recipient) and (not sender or _PLAIN.fullmatch(sender))
    if not plain or (program and recipient.startswith("-")):
        raise Undeliverable("Nobody can be written to there.", detail=f"address {recipient!r}")


_REFUSED = {os.EX_DATAERR: "", os.EX_NOUSER: "5.1.1", os.EX_NOHOST: "5.1.2"}
"""Exit codes after which a retry is useless, and the status that each means."""
_HEARD = 400  # how much of what the program says is kept, in bytes

PROGRAMS_AT_ONCE = 4  # the most programs running at once


class CommandDelivery:
    """A `Delivery` by running a program for each letter.

    `timeout` is in seconds, for one letter.
    """

    def __init__(self, command: Sequence[str], *, timeout: float) -> None:
        self._command = tuple(command)
        self._timeout = timeout
        self._slots = asyncio.Semaphore(PROGRAMS_AT_ONCE)

    async def deliver(self, recipient: str, sender: str, raw: bytes, uid: str) -> None:
        """Run the program for one letter; its exit code decides the error."""
        del uid  # the letter's Message-ID is what a duplicate is known by
        check_envelope(recipient, program=True)
        async with self._slots:
            code, output = await self._run(sender or "<>", recipient, raw)
        if code == os.EX_OK:
            return
        detail = f"{self._command[0]} ended with {code}: {output}"
        if code in _REFUSED:
            public = "The mail program refused the letter."
            raise Undeliverable(public, detail=detail, status=_REFUSED[code])
        raise Temporary("The mail program did not take the letter.", detail=detail)

    async def close(self) -> None:
        """Nothing is kept open."""

    async def _run(self, sender: str, recipient: str, raw: bytes) -> tuple[int, str]:
        """The program's exit code, and the end of its output."""
        try:
            process = await asyncio.create_subprocess_exec(
                *(*self._command, "-f", sender, "--", recipient),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.STDOUT,
                start_new_session=True,
            )
        except OSError as fault:
            detail = f"{self._command[0]}: {fault.strerror}"
            raise Temporary("The mail program cannot be started.", detail=detail) from fault
        try:
            async with asyncio.timeout(self._timeout):
                # Programs of this kind want the line ends of their system.
                out, _ = await process.communicate(raw.replace(b"\r\n", b"\n"))
        except TimeoutError as fault:
            if process.returncode == 0:
                return 0, ""  # it took the letter; what it left behind holds its output open
            detail = f"{self._command[0]} took longer than {self._timeout:g} s"
            raise Temporary("The mail program gave no answer.", detail=detail) from fault
        finally:
            await _kill(process)
        return process.returncode or 0, one_line(out[-_HEARD:].decode("utf-8", "replace"))


async def _kill(process: asyncio.subprocess.Process) -> None:
    if process.returncode is not None:
        return
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    await process.wait()


_UNSAFE = re.compile(r"[^A-Za-z0-9@._+=-]")
_LONGEST = 200  # bytes of a folder's name; the usual limit is 255


def folder_name(address: str) -> str:
    """An address as the name of a folder: lower-case, and every other mark in it %-escaped.

    Addresses that differ by more than case have different names, unless their first 200 bytes are
    equal. A name has no slash, does not begin with a dot, and is not empty.
    """
    escaped = _UNSAFE.sub(_escape, address.lower())
    if escaped[:1] in {"", "."}:
        escaped = f"%2E{escaped[1:]}" if escaped else "%"
    return escaped[:_LONGEST]


def _escape(found: re.Match[str]) -> str:
    data = found[0].encode("utf-8", "surrogatepass")
    return "".join(f"%{byte:02X}" for byte in data)


class MaildirDelivery:
    """A `Delivery` into folders under `root`, which are made on demand."""

    def __init__(self, root: Path) -> None:
        self._root = root

    async def deliver(self, recipient: str, sender: str, raw: bytes, uid: str) -> None:
        """File a letter; once it returns, the letter is on the disk. Raises `Temporary`."""
        del sender  # a Maildir has no envelope
        try:
            await asyncio.to_thread(self._file, self._root / folder_name(recipient), raw, uid)
        except OSError as fault:
            raise Temporary("The letter could not be stored.", detail=str(fault)) from fault

    async def close(self) -> None:
        """Nothing is kept open."""

    def _file(self, folder: Path, raw: bytes, uid: str) -> None:
        self._make(folder)
        name = f"{_UNSAFE.sub('_', uid).lstrip('.')}.godaemon"
        if any((folder / "cur").glob(f"{name}*")):
            return  # delivered before, and read since
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
