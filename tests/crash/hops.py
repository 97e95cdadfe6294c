"""The mail servers at both ends of a soak: one that never gives up, and one that has its moods.

Both run on the driver's own loop. `Post` sends each letter until it is answered 250, over several
connections, and the same letter again now and then. `Hop` takes the daemon's letters, books them,
hands each first copy to its recipient, and sometimes says 4xx or hangs up after it took one.
"""

from __future__ import annotations

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


class Arrived(NamedTuple):
    """What a person's mail program needs of a letter to answer it."""

    message_id: str
    reply_to: str
    subject: str
    kind: str
    game: int


def arrived(raw: bytes) -> Arrived:
    """The header fields of a letter of ours."""
    head = raw.partition(b"\r\n\r\n")[0] + b"\r\n"
    found = {name: value.decode() for name, value in _FIELD.findall(head)}
    address = _ADDRESS.search(found.get(b"Reply-To", ""))
    return Arrived(
        found[b"Message-ID"].strip(),
        address[1] if address else "",
        found.get(b"Subject", ""),
        found[b"X-Godaemon-Notice"],
        int(found.get(b"X-Godaemon-Game", "0")),
    )


class Ledger(Protocol):
    """Who writes down what arrives."""

    def delivered(self, message_id: str, recipient: str, kind: str, raw: bytes) -> bool:
        """A letter has arrived; False for the very same one once more."""


@dataclass(slots=True)
class Moods:
    """How often, of so many letters, a hop does what mail servers do; 0 for never."""

    refuses_recipient: float = 0.01
    refuses_letter: float = 0.01
    hangs_up: float = 0.003
    """Takes the letter, and goes before it says so."""


class Hop(NextHop):
    """The daemon's smarthost."""

    def __init__(self, books: Ledger, luck: random.Random, moods: Moods | None = None) -> None:
        super().__init__()
        self._books, self._luck, self._moods = books, luck, moods or Moods()
        self.boxes: dict[str, asyncio.Queue[Arrived]] = {}
        """By address, where the first copy of each letter goes; nobody reads those of others."""
        self.deliveries = 0
        self.said: Counter[str] = Counter()

    async def handle_RCPT(  # noqa: N802 - the protocol's verb
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Take a letter for a recipient, or not now."""
        if self._luck.random() < self._moods.refuses_recipient:
            self.said["450"] += 1
            return "450 4.2.1 not now"
        return await super().handle_RCPT(server, session, envelope, address, options)

    async def handle_DATA(self, server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802
        """Book a letter and hand on its first copy; or refuse it, or hang up after that."""
        mood, (recipient,), raw = self._luck.random(), envelope.rcpt_tos, envelope.content
        if mood < self._moods.refuses_letter:
            self.said["451"] += 1
            return "451 4.3.0 not this moment"
        assert isinstance(raw, bytes)
        letter = arrived(raw)
        self.deliveries += 1
        if self._books.delivered(letter.message_id, recipient, letter.kind, raw):
            box = self.boxes.get(recipient)
            if box is not None:
                box.put_nowait(letter)
        if mood < self._moods.refuses_letter + self._moods.hangs_up:
            self.said["hung up"] += 1
            assert server.transport is not None
            server.transport.close()
        return "250 OK"


class Job(NamedTuple):
    """A letter to be sent, with its envelope."""

    sender: str
    to: str
    raw: bytes
    done: asyncio.Future[None] | None = None
    """None where nobody waits: the letter was acknowledged before."""


class Door(NamedTuple):
    """A way for letters into the daemon: a port, and whether LMTP is spoken there, or else SMTP."""

    port: int
    lmtp: bool = False


class Post:
    """The players' mail servers, with so many connections to the daemon together.

    Each connection is to one of the doors.
    """

    PATIENCE = 30.0
    """Seconds to wait for an answer."""

    def __init__(self, doors: Sequence[Door], books: Books, luck: random.Random) -> None:
        self._doors, self._books, self._luck = doors, books, luck
        self._waiting: asyncio.Queue[Job] = asyncio.Queue()
        self._old: deque[Job] = deque(maxlen=200)
        self._tasks: list[asyncio.Task[None]] = []
        self._refused: dict[Job, bytes] = {}
        """The letters that are tried again, and what was answered last."""
        self.acknowledged = self.resent = self.repeated = 0

    def open(self, connections: int) -> None:
        """Begin to send."""
        doors = itertools.islice(itertools.cycle(self._doors), connections)
        self._tasks = [asyncio.create_task(self._send_forever(door)) for door in doors]

    async def close(self) -> None:
        """Send no more; nobody waits any more."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def send(self, sender: str, to: str, raw: bytes) -> None:
        """Return once the letter has been answered 250, however often it must be tried."""
        done = asyncio.get_running_loop().create_future()
        self._waiting.put_nowait(Job(sender, to, raw, done))
        await done

    async def drained(self, patience: float) -> list[str]:
        """Return once nothing waits to be sent; what still does after so many seconds, and why."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(patience):
                await self._waiting.join()
        return [f"{job.raw[:200]!r}: {said!r}" for job, said in self._refused.items()]

    async def _send_forever(self, door: Door) -> None:
        line: Line | None = None
        try:
            while True:
                job = await self._waiting.get()
                while (line := await self._try(door, line, job)) is None:
                    self.resent += 1
                    await asyncio.sleep(0.05)
                self._count(job)
                self._waiting.task_done()
        finally:
            if line is not None:
                await line.close()

    async def _try(self, door: Door, line: Line | None, job: Job) -> Line | None:
        """The connection on which the letter was answered for good; None where it was not."""
        try:
            async with asyncio.timeout(self.PATIENCE):
                line = line or await Line.open(door)
                if await self._hand_over(line, job):
                    return line
        except (OSError, EOFError, TimeoutError):
            pass
        if line is not None:
            await line.close()
        return None

    async def _hand_over(self, line: Line, job: Job) -> bool:
        said = await line.hand_over(job, patient=self._luck.random() > 0.01)
        if said.startswith(b"5"):
            self._books.fault(f"refused for good: {said!r} to {job.to}")
        if said.startswith(b"4"):
            self._refused[job] = said
            return False
        self._refused.pop(job, None)
        return True

    def _count(self, job: Job) -> None:
        if job.done is None:
            self.repeated += 1
            return
        self.acknowledged += 1
        again = job._replace(done=None)
        self._old.append(again)
        if self._luck.random() < 0.02:
            self._waiting.put_nowait(again)
        if self._luck.random() < 0.02:
            self._waiting.put_nowait(self._luck.choice(self._old))
        job.done.set_result(None)


class Line:
    """One connection to the daemon."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    @classmethod
    async def open(cls, door: Door) -> Line:
        """Connect and say hello; raises `OSError` or `EOFError`."""
        line = cls(*await asyncio.open_connection("127.0.0.1", door.port))
        try:
            await line._said()
            await line._ask(b"LHLO players.example" if door.lmtp else b"EHLO players.example")
        except BaseException:
            await line.close()
            raise
        return line

    async def close(self) -> None:
        self._writer.close()
        with contextlib.suppress(OSError):
            await self._writer.wait_closed()

    async def hand_over(self, job: Job, *, patient: bool) -> bytes:
        """The last line of the answer; who is not patient hangs up before it comes."""
        verbs: Sequence[bytes] = (
            f"MAIL FROM:<{job.sender}>".encode(),
            f"RCPT TO:<{job.to}>".encode(),
            b"DATA",
        )
        for words in verbs:
            said = await self._ask(words)
            if said[:1] not in b"23":
                return said
        self._writer.write(job.raw + b".\r\n")
        if not patient:
            await self._writer.drain()
            raise EOFError
        return await self._said()

    async def _ask(self, words: bytes) -> bytes:
        self._writer.write(words + b"\r\n")
        return await self._said()

    async def _said(self) -> bytes:
        line = await self._reader.readline()
        while line[3:4] == b"-":
            line = await self._reader.readline()
        if not line:
            raise EOFError
        return line.rstrip()
