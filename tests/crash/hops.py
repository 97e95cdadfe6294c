"""The mail servers on both sides of a soak, in the driver's event loop.

`Post` sends each letter until it is answered 250, over several connections, and sometimes repeats
a letter. `Hop` takes and records the daemon's letters, gives the first copy of each to its
recipient, and sometimes answers 4xx or hangs up.
"""

import asyncio
import contextlib
import itertools
import random
import re
from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from aiosmtpd.smtp import SMTP, Envelope, Session

from tests.crash.books import Books
from tests.support.next_hop import NextHop

_FIELD = re.compile(
    rb"^(Message-ID|Reply-To|Subject|X-Godaemon-Game|X-Godaemon-Notice): (.*?)\r\n(?![ \t])",
    re.MULTILINE | re.DOTALL,
)
_ADDRESS = re.compile(r"<([^<>]+)>")


class ReceivedLetter(NamedTuple):
    """The header fields of a letter that an answer needs."""

    message_id: str
    reply_to: str
    subject: str
    kind: str
    game: int


def parse_received(raw: bytes) -> ReceivedLetter:
    """Parse the header of our letter."""
    head = raw.partition(b"\r\n\r\n")[0] + b"\r\n"
    found = {name: value.decode() for name, value in _FIELD.findall(head)}
    address = _ADDRESS.search(found.get(b"Reply-To", ""))
    return ReceivedLetter(
        found[b"Message-ID"].strip(),
        address[1] if address else "",
        found.get(b"Subject", ""),
        found[b"X-Godaemon-Notice"],
        int(found.get(b"X-Godaemon-Game", "0")),
    )


class DeliveryRecord(Protocol):
    """Records deliveries."""

    def record_delivery(self, message_id: str, recipient: str, kind: str, raw: bytes) -> bool:
        """Record a delivery; False for a repetition."""


@dataclass(slots=True)
class FailureRates:
    """Probabilities of a hop's failures, per letter."""

    refuses_recipient: float = 0.01
    refuses_letter: float = 0.01
    hangs_up: float = 0.003
    """Takes the letter, but hangs up before it answers."""


class Hop(NextHop):
    """The daemon's smarthost."""

    def __init__(
        self, books: DeliveryRecord, luck: random.Random, failure_rates: FailureRates | None = None
    ) -> None:
        super().__init__()
        self._books, self._luck, self._failure_rates = books, luck, failure_rates or FailureRates()
        self.boxes: dict[str, asyncio.Queue[ReceivedLetter]] = {}
        """Queues for the first copy of each letter, by address."""
        self.deliveries = 0
        self.replies: Counter[str] = Counter()

    async def handle_RCPT(  # noqa: N802 - the protocol's verb
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Accept a recipient, or answer 450."""
        if self._luck.random() < self._failure_rates.refuses_recipient:
            self.replies["450"] += 1
            return "450 4.2.1 not now"
        return await super().handle_RCPT(server, session, envelope, address, options)

    async def handle_DATA(self, server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802
        """Record a letter and queue its first copy; or answer 451, or hang up afterwards."""
        mood, (recipient,), raw = self._luck.random(), envelope.rcpt_tos, envelope.content
        if mood < self._failure_rates.refuses_letter:
            self.replies["451"] += 1
            return "451 4.3.0 not this moment"
        assert isinstance(raw, bytes)
        letter = parse_received(raw)
        self.deliveries += 1
        if self._books.record_delivery(letter.message_id, recipient, letter.kind, raw):
            box = self.boxes.get(recipient)
            if box is not None:
                box.put_nowait(letter)
        if mood < self._failure_rates.refuses_letter + self._failure_rates.hangs_up:
            self.replies["hung up"] += 1
            assert server.transport is not None
            server.transport.close()
        return "250 OK"


class Job(NamedTuple):
    """A letter to send, with its envelope."""

    sender: str
    to: str
    raw: bytes
    done: asyncio.Future[None] | None = None
    """Set once acknowledged; None for a repetition."""


class MailPort(NamedTuple):
    """A port of the daemon, for SMTP or LMTP."""

    port: int
    lmtp: bool = False


class Post:
    """The players' mail servers; each connection goes to one of the ports."""

    PATIENCE = 30.0
    """Timeout of an answer in seconds."""

    def __init__(self, mail_ports: Sequence[MailPort], books: Books, luck: random.Random) -> None:
        self._mail_ports, self._books, self._luck = mail_ports, books, luck
        self._waiting: asyncio.Queue[Job] = asyncio.Queue()
        self._old: deque[Job] = deque(maxlen=200)
        self._tasks: list[asyncio.Task[None]] = []
        self._refused: dict[Job, bytes] = {}
        """The last answer to each letter that is being retried."""
        self.acknowledged = self.resent = self.repeated = 0

    def open(self, connections: int) -> None:
        mail_ports = itertools.islice(itertools.cycle(self._mail_ports), connections)
        self._tasks = [asyncio.create_task(self._send_forever(port)) for port in mail_ports]

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def send(self, sender: str, to: str, raw: bytes) -> None:
        """Send a letter until it is answered 250."""
        done = asyncio.get_running_loop().create_future()
        self._waiting.put_nowait(Job(sender, to, raw, done))
        await done

    async def drained(self, patience: float) -> list[str]:
        """Wait until all is sent; after `patience` seconds return unsent letters with reasons."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(patience):
                await self._waiting.join()
        return [f"{job.raw[:200]!r}: {answer!r}" for job, answer in self._refused.items()]

    async def _send_forever(self, port: MailPort) -> None:
        line: Line | None = None
        try:
            while True:
                job = await self._waiting.get()
                while (line := await self._try(port, line, job)) is None:
                    self.resent += 1
                    await asyncio.sleep(0.05)
                self._count(job)
                self._waiting.task_done()
        finally:
            if line is not None:
                await line.close()

    async def _try(self, port: MailPort, line: "Line | None", job: Job) -> "Line | None":
        """Try to send; returns the connection for the next letter, or None after a failure."""
        try:
            async with asyncio.timeout(self.PATIENCE):
                line = line or await Line.open(port)
                if await self._hand_over(line, job):
                    return line
        except (OSError, EOFError, TimeoutError):
            pass
        if line is not None:
            await line.close()
        return None

    async def _hand_over(self, line: "Line", job: Job) -> bool:
        answer = await line.hand_over(job, patient=self._luck.random() > 0.01)
        if answer.startswith(b"5"):
            self._books.fault(f"refused for good: {answer!r} to {job.to}")
        if answer.startswith(b"4"):
            self._refused[job] = answer
            return False
        self._refused.pop(job, None)
        return True

    def _count(self, job: Job) -> None:
        if job.done is None:
            self.repeated += 1
            return
        self.acknowledged += 1
        repeat = job._replace(done=None)
        self._old.append(repeat)
        if self._luck.random() < 0.02:
            self._waiting.put_nowait(repeat)
        if self._luck.random() < 0.02:
            self._waiting.put_nowait(self._luck.choice(self._old))
        job.done.set_result(None)


class Line:
    """A connection to the daemon."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    @classmethod
    async def open(cls, port: MailPort) -> "Line":
        """Connect and say hello; raises `OSError` or `EOFError`."""
        line = cls(*await asyncio.open_connection("127.0.0.1", port.port))
        try:
            await line._read_answer()
            await line._ask(b"LHLO players.example" if port.lmtp else b"EHLO players.example")
        except BaseException:
            await line.close()
            raise
        return line

    async def close(self) -> None:
        self._writer.close()
        with contextlib.suppress(OSError):
            await self._writer.wait_closed()

    async def hand_over(self, job: Job, *, patient: bool) -> bytes:
        """Send a letter; returns the last line of the answer. If not patient, hang up before it."""
        verbs: Sequence[bytes] = (
            f"MAIL FROM:<{job.sender}>".encode(),
            f"RCPT TO:<{job.to}>".encode(),
            b"DATA",
        )
        for words in verbs:
            answer = await self._ask(words)
            if answer[:1] not in b"23":
                return answer
        self._writer.write(job.raw + b".\r\n")
        if not patient:
            await self._writer.drain()
            raise EOFError
        return await self._read_answer()

    async def _ask(self, words: bytes) -> bytes:
        self._writer.write(words + b"\r\n")
        return await self._read_answer()

    async def _read_answer(self) -> bytes:
        line = await self._reader.readline()
        while line[3:4] == b"-":
            line = await self._reader.readline()
        if not line:
            raise EOFError
        return line.rstrip()
