"""A listening socket that letters come in by, and the sessions of those who bring them.

Runs on the daemon's own loop. What cannot be opened raises `OSError`.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import weakref

from mailgate.receiving.smtp_handler import LetterLimits, SmtpHandler
from mailgate.receiving.smtp_session import LmtpSession, MailSession, SmtpTerms


class SmtpListener:
    """A listening socket and its sessions, by SMTP, or by LMTP where `lmtp` says so."""

    def __init__(
        self,
        handler: SmtpHandler,
        terms: SmtpTerms,
        limits: LetterLimits,
        *,
        lmtp: bool = False,
    ) -> None:
        self._handler = handler
        self._terms = terms
        self._limits = limits
        self._kind = LmtpSession if lmtp else MailSession
        self._server: asyncio.Server | None = None
        self._sessions: weakref.WeakSet[MailSession] = weakref.WeakSet()

    async def open(self, host: str, port: int) -> tuple[str, int]:
        """Listen on TCP; returns the address and port in use (`port` 0 takes any free one)."""
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(self._session, host, port)
        name = self._server.sockets[0].getsockname()
        return name[0], name[1]

    async def open_on(self, listener: socket.socket) -> None:
        """Listen on a socket that is bound already; it may be a Unix socket."""
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(self._session, sock=listener)

    async def close(self, seconds: float) -> None:
        """Take no new letter, finish those in hand (for up to `seconds`), end the sessions.

        Whoever is in the middle of something is told to come again: nothing of theirs was taken.
        """
        if self._server is None:
            return
        self._server.close()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._handler.drained(), seconds)
        # One turn of the loop, so that the last 250 is written before its connection closes.
        await asyncio.sleep(0)
        for session in list(self._sessions):
            session.farewell()
        self._server = None

    def _session(self) -> MailSession:
        session = self._kind(self._handler, self._terms, self._limits)
        self._sessions.add(session)
        return session
