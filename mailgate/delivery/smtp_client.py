"""One letter after another over a connection to a mail server, with as few round trips as it can.

aiosmtplib connects, encrypts and logs in; it waits for the answer to each command before it says
the next. So we speak the rest: where the server offers PIPELINING (RFC 2920), MAIL, RCPT and DATA
leave in one packet and every answer is still looked at. A letter that the server does not take
raises `SmtpRefused`; trouble with the connection is an OSError, and `broken` is True after both
where nothing more can be said on it.
"""

from __future__ import annotations

import asyncio
import re
from typing import Literal

from mailgate.address import one_line

Stage = Literal["sender", "recipient", "letter"]
FINAL = 600.0
"""Seconds for the answer to a whole letter: who hangs up sooner has it sent twice (RFC 5321,
4.5.3.2.6)."""
_MOST_LINES = 100
_LONGEST_LINE = 4096
_TOLD = 400
"""How many characters of an answer are kept."""
_ANSWER = re.compile(rb"([2-5][0-9]{2})(?:([ -])([^\r\n]*))?\r?\n")
_STAGES: tuple[Stage, Stage, Stage] = ("sender", "recipient", "letter")


class SmtpRefused(Exception):
    """The server does not take a letter: at what stage, and its code and words."""

    def __init__(self, stage: Stage, code: int, words: str) -> None:
        super().__init__(f"{code} {words}".strip())
        self.stage, self.code = stage, code


class _Protocol(asyncio.StreamReaderProtocol):
    """The connection; it ends when the server hangs up, and notes what is said unasked."""

    asked = unasked = False

    def data_received(self, data: bytes) -> None:
        """Take what the server says."""
        self.unasked = self.unasked or not self.asked
        super().data_received(data)

    def eof_received(self) -> bool:
        """Have the connection closed: nobody hangs up in one direction only."""
        super().eof_received()
        return False


class SmtpClient:
    """A session that has been opened. `options` are what the server offers, in capitals.

    `timeout` is in seconds, for each of its answers but that to a whole letter.
    """

    def __init__(
        self, transport: asyncio.Transport, options: frozenset[str], timeout: float
    ) -> None:
        loop = asyncio.get_running_loop()
        self._reader = asyncio.StreamReader(_LONGEST_LINE, loop)
        self._protocol = protocol = _Protocol(self._reader, loop=loop)
        transport.set_protocol(protocol)
        protocol.connection_made(transport)
        self._writer = asyncio.StreamWriter(transport, protocol, self._reader, loop)
        self.options, self._timeout = options, timeout
        self.broken = False
        """True where nothing more can be said here."""
        self.letters = 0
        """How many have been handed over here, or tried."""
        self.committed = False
        """True where the server may have the letter already: its end has been sent."""

    async def send(self, sender: str, recipient: str, raw: bytes, *extensions: str) -> None:
        """Hand a letter over; `extensions` are said with MAIL (RFC 1870, 6531)."""
        self.committed, self._protocol.asked = False, True
        self.letters += 1
        mail = " ".join([f"MAIL FROM:<{sender}>", *extensions])
        commands = [line.encode() + b"\r\n" for line in (mail, f"RCPT TO:<{recipient}>", "DATA")]
        try:
            await self._begin(commands)
            self.committed = True
            answer = await self._say(_as_data(raw), FINAL)
        except SmtpRefused:
            raise
        except BaseException:
            self.broken = True
            raise
        finally:
            self._protocol.asked = False
        if answer[0] != 250:
            self.broken = answer[0] == 421
            raise SmtpRefused("letter", *answer)

    async def try_sender(self, sender: str) -> None:
        """Name the sender of a letter that never comes; raises `SmtpRefused`."""
        self._protocol.asked = True
        answer = await self._say(f"MAIL FROM:<{sender}>\r\n".encode(), self._timeout)
        if answer[0] != 250:
            raise SmtpRefused("sender", *answer)

    def close(self) -> None:
        """Take leave, without waiting for the answer."""
        if not self._writer.is_closing():
            self._writer.write(b"QUIT\r\n")
        self._writer.close()

    @property
    def gone(self) -> bool:
        """True where the server has hung up, or said something unasked, which is mostly goodbye."""
        return self.broken or self._writer.is_closing() or self._protocol.unasked

    async def _begin(self, commands: list[bytes]) -> None:
        """Come to the point where the server wants the letter; else raise `SmtpRefused`."""
        pipelined = "PIPELINING" in self.options
        refused: SmtpRefused | None = None
        if pipelined:
            self._writer.write(b"".join(commands))
        try:
            for stage, command in zip(_STAGES, commands, strict=True):
                if not pipelined:
                    self._writer.write(command)
                code, words = await self._answer(self._timeout)
                good = code == 354 if stage == "letter" else 200 <= code < 300
                if not good and refused is None:
                    refused = SmtpRefused(stage, code, words)
                if refused and (code == 421 or not pipelined):
                    break
            if refused and code == 354:
                await self._say(b".\r\n", self._timeout)  # a letter to nobody (RFC 2920, 3.1)
        except (OSError, EOFError):
            self.broken = True
            if refused is None:
                raise
        if refused is not None:
            await self._reset(refused)
            raise refused

    async def _reset(self, refused: SmtpRefused) -> None:
        """Have the server forget the envelope; what it said of the letter stands in any case."""
        if self.broken or refused.code == 421:
            self.broken = True
            return
        try:
            self.broken = (await self._say(b"RSET\r\n", self._timeout))[0] != 250
        except (OSError, EOFError):
            self.broken = True

    async def _say(self, data: bytes, seconds: float) -> tuple[int, str]:
        """Say something, and hear the answer."""
        self._writer.write(data)
        try:
            async with asyncio.timeout(seconds):
                await self._writer.drain()
        except ConnectionError:
            pass  # it may have told us why before it hung up
        return await self._answer(seconds)

    async def _answer(self, seconds: float) -> tuple[int, str]:
        """The server's answer to one command; raises an OSError for one that is none."""
        words: list[str] = []
        async with asyncio.timeout(seconds):
            for _ in range(_MOST_LINES):
                found = _ANSWER.fullmatch(await self._line())
                if found is None:
                    raise ConnectionAbortedError("The mail server's answer makes no sense.")
                words.append((found[3] or b"").decode("utf-8", "replace"))
                if found[2] != b"-":
                    return int(found[1]), one_line(" ".join(words))[:_TOLD]
        raise ConnectionAbortedError("The mail server's answer has no end.")

    async def _line(self) -> bytes:
        try:
            line = await self._reader.readline()
        except ValueError as fault:
            raise ConnectionAbortedError("The mail server's answer has no end.") from fault
        if not line:
            raise ConnectionResetError("The mail server hung up.")
        return line


def _as_data(raw: bytes) -> bytes:
    """A letter as it follows DATA (RFC 5321, 4.5.2): no line of it can end it or begin another."""
    data = b"\r\n".join(raw.splitlines())
    first = b"." if data.startswith(b".") else b""
    if b"\n." in data:  # hardly ever; it is found in a fiftieth of the time
        data = data.replace(b"\r\n.", b"\r\n..")
    return b"".join((first, data, b"\r\n.\r\n"))
