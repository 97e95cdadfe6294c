"""A whole daemon on a virtual clock: its listeners and timers, and letters in and out by SMTP.

`WholeHouse` is a `House` whose every letter crosses a socket of loopback: those of its people into
the daemon's own listener, and the daemon's to a mail server of ours, which answers for its people.
"""

from __future__ import annotations

import asyncio
import re
import sqlite3
from contextlib import AsyncExitStack, suppress

from aiosmtpd.smtp import Envelope
from aiosmtplib import SMTP, SMTPException

from godaemon.config.loading import parse
from godaemon.daemon import app
from godaemon.daemon.core import Core, Startup, open_core
from godaemon.daemon.timers import Deadline
from godaemon.errors import PutOff, Temporary, Undeliverable
from godaemon.games.service import GameService
from godaemon.games.stored_values import Unit
from mailgate.handling.context import LetterOutcome
from mailgate.reading.inbound_letter import InboundLetter
from tests.crash.year_house import ADDRESS, HandOver, House, TurnedClock
from tests.support.daemon import free_port
from tests.support.next_hop import NextHop

_CONFIG = """
state_directory = "{folder}"
[mail]
address = "{address}"
remember_days = 3000
[mail.smtp]
listen = "127.0.0.1:{port}"
letters_per_minute = 1000000
[mail.outgoing]
smarthost = "smtp://127.0.0.1:{hop}"
retry_first = 300
retry_limit = 14400
[mail.limits]
confirmations_per_sender = 100000
invitations_per_sender = 100000
invitations_per_address = 100000
open_challenges = 1000
strangers_per_sender = 100000
letters_per_stranger = 100000
strangers_per_domain = 100000
strangers_per_network = 100000
strangers_in_all = 100000
[gtp]
socket = "{folder}/gtp.sock"
[control]
socket = "{folder}/control.sock"
"""
_UID = re.compile(rb"(?im)^Message-ID:\s*<[^@>]*?([0-9a-f]{16})@")


class WholeHouse(House):
    """All of a daemon, in this process."""

    waits = 8
    """The outbox, the timers of games, who looks at health, who forgets people, and letters."""

    async def open(self) -> None:
        """Start, and wait until letters are taken."""
        self.clock, self._deadline = TurnedClock(self.machine), Deadline()
        self._stop, self._hop, self._port = asyncio.Event(), _Servers(self._hand_over), free_port()
        await self._hop.start()
        names = {"folder": self.folder, "address": ADDRESS}
        settings = parse(_CONFIG.format(**names, port=self._port, hop=self._hop.port), "", {})
        opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        startup = Startup(settings, lambda: settings, {}, self.clock)
        task = asyncio.create_task(self._serve(startup, opened))
        await asyncio.wait([task, opened], return_when=asyncio.FIRST_COMPLETED)
        self._tasks = [task]
        self._sight = sqlite3.connect(f"file:{self.folder}/godaemon.db?mode=ro", uri=True)
        self.starts, self.is_open = self.starts + 1, True
        await self.quiet()

    async def _serve(self, startup: Startup, opened: asyncio.Future[None]) -> None:
        async with AsyncExitStack() as stack:
            setattr(app, "open_core", self._open_core)  # noqa: B010 - to look at what it opens
            try:
                await app.open_daemon(startup, stack, self._deadline)
            finally:
                setattr(app, "open_core", open_core)  # noqa: B010
            opened.set_result(None)
            await self._stop.wait()
            self._deadline.set(10.0)

    async def _open_core(self, startup: Startup, stack: AsyncExitStack, deadline: Deadline) -> Core:
        self._core = found = await open_core(startup, stack, deadline)
        self.writer, self.seen = found.writer, found.seen
        self.writer.on_commit.append(lambda news: self._changed(news.games))
        return found

    async def close(self, *, abruptly: bool = False) -> None:
        """Stop; abruptly: whatever is in hand is left as it is."""
        self.is_open = False
        (task,) = self._tasks
        self._stop.set()
        if abruptly:
            task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        self._sight.close()
        await self._hop.stop()

    def games(self, unit: Unit) -> GameService:
        """The games as one transaction sees them."""
        return self._core.games(unit)

    async def take(self, inbound: InboundLetter) -> LetterOutcome:
        """Bring a letter by SMTP; raises `Temporary` where it is to come again."""
        try:
            async with SMTP(hostname="127.0.0.1", port=self._port) as server:
                await server.sendmail(inbound.sender, [inbound.recipient], inbound.raw)
        except SMTPException as refusal:
            raise Temporary("It was not taken.", detail=str(refusal)) from refusal
        return LetterOutcome("taken")


class _Servers(NextHop):
    """The mail servers of all others; each letter has one recipient, as the daemon sends them."""

    def __init__(self, hand_over: HandOver) -> None:
        super().__init__()
        self._hand_over = hand_over

    async def handle_DATA(  # noqa: N802 - the protocol's verb
        self, _server: object, _session: object, envelope: Envelope
    ) -> str:
        """As the reader's own server answers."""
        (recipient,), raw = envelope.rcpt_tos, envelope.content
        assert isinstance(raw, bytes)
        found = _UID.search(raw)
        assert found is not None
        sender = (envelope.mail_from or "").strip("<>")
        try:
            await self._hand_over(recipient, sender, raw, found[1].decode())
        except Undeliverable:
            return "550 5.1.1 There is no such mailbox"
        except PutOff:
            return "452 4.2.2 The mailbox is full"
        return "250 2.0.0 OK"
