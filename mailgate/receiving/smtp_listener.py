"""The listening sockets that letters come in by, and the sessions of those who bring them.

Runs on the daemon's own loop.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import weakref

from godaemon.system.acceptor import Acceptor, by_protocol
from mailgate.receiving.smtp_handler import SmtpHandler
from mailgate.receiving.smtp_session import LmtpSession, MailSession, SmtpTerms


class SmtpListener:
    """Listening sockets and their sessions, by SMTP, or by LMTP where `lmtp` says so."""

    def __init__(self, handler: SmtpHandler, terms: SmtpTerms, *, lmtp: bool = False) -> None:
        self._handler = handler
        self._terms = terms
        self._kind = LmtpSession if lmtp else MailSession
        self._acceptor: Acceptor | None = None
        self._sessions: weakref.WeakSet[MailSession] = weakref.WeakSet()

    def open_on(self, *listeners: socket.socket) -> None:
        """Take letters in by sockets that listen already; they may be Unix sockets."""
        self._acceptor = Acceptor(listeners, by_protocol(self._session))

    async def close(self, seconds: float) -> None:
        """Take no new letter, finish those in hand (for up to `seconds`), end the sessions.

        Whoever is in the middle of something is told to come again: nothing of theirs was taken.
        """
        if self._acceptor is None:
            return
        await self._acceptor.close()
        self._acceptor = None
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._handler.drained(), seconds)
        # One turn of the loop, so that the last 250 is written before its connection closes.
        await asyncio.sleep(0)
        for session in list(self._sessions):
            session.farewell()

    def _session(self) -> MailSession:
        session = self._kind(self._handler, self._terms)
        self._sessions.add(session)
        return session
