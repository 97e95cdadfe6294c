"""A mail server in the test's event loop with scripted answers and faults.

async with OddSmtp({"RCPT": "550 5.1.1 nobody"}) as server:
    ... server.letters, server.sessions, server.commands ...
"""

import asyncio
import contextlib
from collections.abc import Callable, Mapping
from typing import Self

ORDINARY = {
    "GREETING": "220 odd",
    "MAIL": "250 2.1.0 OK",
    "RCPT": "250 2.1.5 OK",
    "DATA": "354 go on",
    "RSET": "250 OK",
    "QUIT": "221 bye",
    ".": "250 2.0.0 taken",
}


class LineServer:
    """A server in the test's event loop; its sessions end with it."""

    def __init__(self) -> None:
        self.port = 0
        self._tasks: list[asyncio.Task[None]] = []

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        raise NotImplementedError

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._session, "127.0.0.1", 0, limit=2**22)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _session(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.append(task)
        with contextlib.suppress(OSError, EOFError, asyncio.CancelledError):
            await self.serve(reader, writer)
        writer.close()


class OddSmtp(LineServer):
    """Answers each verb from `script`, else as usual; "." is the end of a letter.

    The answer "cut" hangs up, "hang" never answers, "ANSWER|cut" answers and hangs up. A list has
    one answer for each time.
    """

    def __init__(self, script: Mapping[str, str | list[str]] | None = None) -> None:
        super().__init__()
        self.script = dict(script or {})
        self.options = list[str]()
        self.sessions = 0
        self.letters: list[tuple[str, bytes]] = []
        """(recipient, letter without dot-stuffing) of all letters taken."""
        self.commands: list[str] = []
        """All commands in order."""
        self.push: Callable[[str], None] = lambda _: None
        """Sends an unsolicited line on the newest connection."""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.sessions += 1
        self.push = lambda line: writer.write(line.encode() + b"\r\n")
        await self._say("GREETING", writer)
        recipient = ""
        while line := (await reader.readline()).decode("utf-8", "replace").rstrip("\r\n"):
            verb = line[:4].upper().strip()
            self.commands.append(line)
            recipient = line.partition("<")[2].partition(">")[0] if verb == "RCPT" else recipient
            code = await self._say(verb, writer)
            if verb == "DATA" and code == "354":
                await self._letter(recipient, reader, writer)
            if verb == "QUIT":
                return

    async def _letter(
        self, recipient: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        lines: list[bytes] = []
        while (line := await reader.readuntil(b"\r\n")) != b".\r\n":
            lines.append(line.removeprefix(b"."))
        self.commands.append(".")
        if lines:
            self.letters.append((recipient, b"".join(lines)))
        await self._say(".", writer)

    async def _say(self, verb: str, writer: asyncio.StreamWriter) -> str:
        """Answer a verb; returns the reply code."""
        if verb in {"EHLO", "HELO"} and not self.script.get(verb):
            lines = ["odd", *self.options] if verb == "EHLO" else ["odd"]
            marks = ["-"] * (len(lines) - 1) + [" "]
            answer = "\r\n".join(f"250{m}{one}" for m, one in zip(marks, lines, strict=True))
        else:
            scripted = self.script.get(verb, ORDINARY.get(verb, "502 what?"))
            if isinstance(scripted, list):
                scripted = scripted.pop(0) if scripted else ORDINARY[verb]
            answer = scripted or ORDINARY[verb]
        words, _, action = answer.rpartition("|") if "|" in answer else (answer, "", "")
        if words == "cut":
            words, action = "", "cut"
        if words == "hang":
            await asyncio.sleep(3600)
        if words:
            writer.write(words.encode("latin-1") + b"\r\n")
        if action == "cut":
            await writer.drain()
            raise EOFError
        return words[:3]
