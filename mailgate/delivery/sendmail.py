"""Letters handed to a program of this machine that sends them on: sendmail, or one like it.

The program gets `-f SENDER -- RECIPIENT` after its own arguments and the letter on its standard
input, and says by its exit code (sysexits.h) what became of it. Only what speaks against the letter
or its recipient is `Undeliverable`; all else, a time limit too, is `Temporary`.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import Sequence

from godaemon.errors import Temporary, Undeliverable
from mailgate.address import one_line
from mailgate.delivery.handover import check_envelope

_REFUSED = {os.EX_DATAERR: "", os.EX_NOUSER: "5.1.1", os.EX_NOHOST: "5.1.2"}
"""The exit codes after which another try is no use, and what they say of the recipient's box."""
_HEARD = 400
"""How much of what the program says is kept, in bytes."""

AT_ONCE = 4
"""So many programs run at a time at most."""


class CommandDelivery:
    """A `Delivery` by running a program for each letter.

    `timeout` is in seconds, for one letter.
    """

    def __init__(self, command: Sequence[str], *, timeout: float) -> None:
        self._command = tuple(command)
        self._timeout = timeout
        self._slots = asyncio.Semaphore(AT_ONCE)

    async def deliver(self, recipient: str, sender: str, raw: bytes, uid: str) -> None:
        """Hand a letter over; raises `Temporary` or `Undeliverable`."""
        del uid  # the letter's Message-ID is what a duplicate is known by
        check_envelope(recipient, program=True)
        async with self._slots:
            code, said = await self._run(sender or "<>", recipient, raw)
        if code == os.EX_OK:
            return
        detail = f"{self._command[0]} ended with {code}: {said}"
        if code in _REFUSED:
            public = "The mail program refused the letter."
            raise Undeliverable(public, detail=detail, status=_REFUSED[code])
        raise Temporary("The mail program did not take the letter.", detail=detail)

    async def close(self) -> None:
        """Nothing is kept open."""

    async def _run(self, sender: str, recipient: str, raw: bytes) -> tuple[int, str]:
        """The exit code of the program, and the end of what it said."""
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
            await _end(process)
        return process.returncode or 0, one_line(out[-_HEARD:].decode("utf-8", "replace"))


async def _end(process: asyncio.subprocess.Process) -> None:
    """See a program and what it started ended, whatever made us stop waiting for it."""
    if process.returncode is not None:
        return
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    await process.wait()
