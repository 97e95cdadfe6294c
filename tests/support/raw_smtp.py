"""A raw SMTP client for our server."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager

from godaemon.errors import Temporary
from godaemon.system.sockets import listen
from godaemon.system.source_limits import MailLimiter
from mailgate.reading.inbound_letter import InboundLetter
from mailgate.receiving.smtp_handler import Deliver, SmtpHandler
from mailgate.receiving.smtp_session import SmtpListener, SmtpTerms
from tests.support.gateway import ADDRESS
from tests.support.waiting import PATIENCE


class KeptLetters:
    """Keeps letters. `faults` maps recipients to exceptions; `wrong` has those with a bad token."""

    def __init__(self) -> None:
        self.taken: list[InboundLetter] = []
        self.faults: dict[str, Exception] = {}
        self.wrong: set[str] = set()

    async def __call__(self, inbound: InboundLetter) -> bool:
        if (fault := self.faults.get(inbound.recipient)) is not None:
            raise fault
        self.taken.append(inbound)
        return inbound.recipient not in self.wrong

    @property
    def bodies(self) -> list[bytes]:
        return [inbound.raw for inbound in self.taken]


class Line:
    """A client connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def read_answer(self) -> list[str]:
        """Read the lines of one answer; [] after the server hung up."""
        lines: list[str] = []
        async with asyncio.timeout(PATIENCE):
            while line := (await self.reader.readline()).decode().rstrip("\r\n"):
                lines.append(line)
                if line[3:4] != "-":
                    break
        return lines

    async def ask(self, *commands: bytes | str) -> list[str]:
        """Send each command with CR LF; returns the last line of each answer."""
        answers = []
        for command in commands:
            self.send((command if isinstance(command, bytes) else command.encode()) + b"\r\n")
            answers.append(await self.read_answer())
        return [answer[-1] if answer else "" for answer in answers]

    async def codes(self, *commands: bytes | str) -> list[str]:
        return [answer[:3] for answer in await self.ask(*commands)]

    def send(self, data: bytes) -> None:
        self.writer.write(data)

    async def rest(self) -> list[str]:
        """Read all lines until the server hangs up."""
        async with asyncio.timeout(PATIENCE):
            try:
                data = await self.reader.read()
            except ConnectionResetError:
                data = b""
        return data.decode().splitlines()


NO_LIMITS = MailLimiter(
    ["0.0.0.0/0", "::/0"], connections=10_000, per_source=0, letters=0, clock=lambda: 0.0
)
"""Treats every client as our own mail server."""


async def open_locally(listener: SmtpListener) -> tuple[str, int]:
    """Open a listener at a free port of loopback; returns its address and port."""
    (opened,) = await listen(("127.0.0.1", 0), failure="Nobody can write")
    listener.open_on(opened)
    host, port = opened.getsockname()
    return host, port


def handler_of(box: Deliver, *, guard: MailLimiter = NO_LIMITS, **more: object) -> SmtpHandler:
    """A handler that delivers letters to `box`."""
    terms = {"addresses": lambda: (ADDRESS,), "max_recipients": 100, "postmaster": box, **more}
    return SmtpHandler(deliver=box, limits=guard, **terms)  # type: ignore[arg-type]


@asynccontextmanager
async def serving(
    handler: SmtpHandler, terms: SmtpTerms | None = None, *, lmtp: bool = False
) -> AsyncIterator[Callable[..., Awaitable[Line]]]:
    """Run a listener; yields a function that connects to it from an address of loopback."""
    listener = SmtpListener(handler, terms or SmtpTerms(100_000, 300), lmtp=lmtp)
    host, port = await open_locally(listener)
    lines: list[Line] = []

    async def line(source: str = "127.0.0.1") -> Line:
        fresh = Line(*await asyncio.open_connection(host, port, local_addr=(source, 0)))
        lines.append(fresh)
        return fresh

    try:
        yield line
    finally:
        for open_line in lines:
            open_line.writer.close()
        await listener.close(5)


async def greeted(line: Line, hello: str = "EHLO x.example") -> Line:
    """Read the greeting, say hello, and return the line."""
    await line.read_answer()
    await line.ask(hello)
    return line


def letter(recipients: Sequence[str], sender: str = "a@x.example") -> list[str]:
    return [f"MAIL FROM:<{sender}>", *(f"RCPT TO:<{one}>" for one in recipients), "DATA"]


def trouble() -> Temporary:
    """The exception for a full disk."""
    return Temporary("It could not be kept.", detail="disk full")
