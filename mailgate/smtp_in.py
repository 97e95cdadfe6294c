"""Letters in by SMTP: aiosmtpd on the daemon's own loop, acknowledged only after COMMIT.

RCPT is taken for our own addresses alone, so nobody can relay through us. Our own trouble is
always a 451 (RFC 5321 4.2.1: try again), never a 500: the sender's server keeps the letter.
"""

from __future__ import annotations

import asyncio
import contextlib
import weakref
from collections.abc import Awaitable, Callable

import structlog
from aiosmtpd.smtp import SMTP, Envelope, Session

from godaemon.errors import Temporary
from godaemon.games.store import Inbound
from mailgate import identity

Deliver = Callable[[Inbound], Awaitable[None]]
"""Takes a letter and returns once it is safe; raises `Temporary` where it could not be kept."""

_LATER = "451 4.3.0 Our trouble, not yours: please try again later"
_log = structlog.get_logger("godaemon.smtp")


class Handler:
    """What aiosmtpd asks for each verb of a session."""

    def __init__(self, address: str, deliver: Deliver) -> None:
        self._address = address
        self._deliver = deliver
        self._in_hand = 0
        self._idle = asyncio.Event()
        self._idle.set()

    async def handle_RCPT(  # noqa: N802 - aiosmtpd names it so
        self,
        _server: SMTP,
        _session: Session,
        envelope: Envelope,
        address: str,
        _options: list[str],
    ) -> str:
        """Take our own addresses, with or without a well-formed token; refuse all others."""
        if not identity.is_ours(address, self._address):
            return "550 5.1.1 Nobody plays Go at that address"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(  # noqa: N802 - aiosmtpd names it so
        self, _server: SMTP, _session: Session, envelope: Envelope
    ) -> str:
        """Keep the letter for each recipient; 250 only when all of them are safe."""
        raw = envelope.content if isinstance(envelope.content, bytes) else b""
        sender = (envelope.mail_from or "").strip("<>")  # aiosmtpd gives a null sender as "<>"
        self._in_hand += 1
        self._idle.clear()
        try:
            for recipient in self._meant(envelope.rcpt_tos):
                await self._deliver(Inbound(recipient, sender, raw))
        except Temporary as trouble:
            _log.warning("letter.put-off", detail=trouble.detail)
            return _LATER
        finally:
            self._in_hand -= 1
            if not self._in_hand:
                self._idle.set()
        return "250 2.0.0 OK, your letter is safe here"

    def _meant(self, recipients: list[str]) -> list[str]:
        """The recipients, but not our plain address beside one with a token: "reply to all"."""
        tagged = [one for one in recipients if identity.token_of(one, self._address)]
        return list(dict.fromkeys(tagged or recipients))

    async def handle_exception(self, error: Exception) -> str:
        """Whatever went wrong is ours, and may pass."""
        _log.error("smtp.session-failed", exc_info=error)
        return _LATER

    async def drained(self) -> None:
        """Return when no letter is being taken."""
        await self._idle.wait()


class _Session(SMTP):
    """One session; it takes longer lines than RFC 5321, 4.5.3.1.6, makes senders keep to.

    Past its limit aiosmtpd answers 500, after which a sender gives the letter up for good.
    """

    line_length_limit = 64 * 1024


class Door:
    """The listening socket and its sessions."""

    def __init__(self, handler: Handler, *, size_limit: int) -> None:
        self._handler = handler
        self._size_limit = size_limit
        self._server: asyncio.Server | None = None
        self._sessions: weakref.WeakSet[SMTP] = weakref.WeakSet()

    async def open(self, host: str, port: int) -> tuple[str, int]:
        """Listen; returns the address and port in use (`port` 0 takes any free one)."""
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(self._session, host, port)
        name = self._server.sockets[0].getsockname()
        return name[0], name[1]

    async def close(self, patience: float) -> None:
        """Take no new letter, finish those in hand (up to `patience` seconds), end the sessions."""
        if self._server is None:
            return
        self._server.close()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._handler.drained(), patience)
        # One turn of the loop, so that the last 250 is written before its connection closes.
        await asyncio.sleep(0)
        for session in list(self._sessions):
            if session.transport is not None:
                session.transport.close()
        self._server = None

    def _session(self) -> SMTP:
        session = _Session(
            self._handler,
            data_size_limit=self._size_limit,
            enable_SMTPUTF8=True,
            hostname="godaemon",
            ident="godaemon",
        )
        self._sessions.add(session)
        return session
