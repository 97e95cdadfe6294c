"""Delivery by a program with sendmail's command line. Its faults are `Temporary`."""

import asyncio
import contextlib
import os
import signal
from collections.abc import Sequence

from godaemon.errors import Temporary, Undeliverable
from mailgate.address import one_line
from mailgate.delivery.ways_out import check_envelope

_REFUSED = {os.EX_DATAERR: "", os.EX_NOUSER: "5.1.1", os.EX_NOHOST: "5.1.2"}
"""Exit codes after which a retry is useless, and the status of each."""
_MAX_OUTPUT = 400  # bytes of the program's output that are kept

MAX_PROGRAMS = 4  # maximum programs running at once


class CommandDelivery:
    """A `Delivery` by running a program for each letter.

    `timeout` is in seconds, for one letter.
    """

    def __init__(self, command: Sequence[str], *, timeout: float) -> None:
        self._command = tuple(command)
        self._timeout = timeout
        self._slots = asyncio.Semaphore(MAX_PROGRAMS)

    async def deliver(self, recipient: str, sender: str, raw: bytes, uid: str) -> None:
        """Run the program for one letter; its exit code decides the error."""
        del uid  # the Message-ID identifies a duplicate
        check_envelope(recipient, program=True)
        async with self._slots:
            code, output = await self._run(sender or "<>", recipient, raw)
        if code == os.EX_OK:
            return
        detail = f"{self._command[0]} ended with {code}: {output}"
        if code in _REFUSED:
            public = "The mail program refused the email."
            raise Undeliverable(public, detail=detail, status=_REFUSED[code])
        raise Temporary("The mail program did not accept the email.", detail=detail)

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
                # Programs of this kind expect the line ends of their system.
                out, _ = await process.communicate(raw.replace(b"\r\n", b"\n"))
        except TimeoutError as fault:
            if process.returncode == 0:
                return 0, ""  # it took the letter; a child of it keeps the output open
            detail = f"{self._command[0]} took longer than {self._timeout:g} s"
            raise Temporary("The mail program gave no answer.", detail=detail) from fault
        finally:
            if process.returncode is None:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                await process.wait()
        return process.returncode or 0, one_line(out[-_MAX_OUTPUT:].decode("utf-8", "replace"))
