"""Sessions by SMTP (RFC 5321) or LMTP (RFC 2033), and the sockets on which they begin.

aiosmtpd speaks the protocol. This module adds limits of time and size, and an answer for each
recipient by LMTP, and refuses AUTH. A session that fails does not affect others.

`_handle_client`, `_reset_timeout`, `_timeout_cb` and `_getaddr` override private methods of
aiosmtpd: pyproject.toml pins it to versions that have them.
"""

import asyncio
import contextlib
import math
import re
import socket
import ssl
import unicodedata
import weakref
from collections import defaultdict
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, cast

import structlog
from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, TLSSetupException, syntax

from godaemon.errors import Temporary
from godaemon.system.acceptor import Acceptor, protocol_handler
from mailgate.receiving.smtp_handler import LATER, SmtpHandler, host_of

MAX_SESSION = 3600.0  # seconds after which a session is ended, even in the middle of a letter

MAX_MISTAKES = 20  # the limit on 5xx answers in one session, as in Postfix's smtpd_hard_error_limit

_TOO_LARGE = "552 5.3.4 Your email is larger than we accept"
_MAX_COMMAND = 2048  # bytes
_BUFFER = 64 * 1024  # bytes
_PIECES_PER_TURN = 200  # pieces of a letter read before we yield to other tasks
_PATH = re.compile(
    r"<((?=[^@]{1,64}@)[\w+=-]+(?:\.[\w+=-]+)*@[a-z0-9-]+(?:\.[a-z0-9-]+)*)>"
    r"(?: +([a-z0-9][a-z0-9=+. -]*)?)?",
    re.ASCII | re.IGNORECASE,
)
"""A plain address in angle brackets in MAIL and RCPT, perhaps with parameters behind it."""
_ENHANCED_CODES = {"252": "2.1.5", "501": "5.5.4", "504": "5.5.4", "552": "5.3.4", "553": "5.1.3"}
"""Enhanced codes (RFC 3463) for answers without one."""
_BARE_CODE = re.compile(r"^(?!220)([245]\d\d) (?!\d\.\d{1,3}\.\d)")
_log = structlog.get_logger("godaemon.smtp")


@dataclass(frozen=True, slots=True)
class SmtpTerms:
    """The limits of one session: `size_limit` in bytes, `timeout` in seconds.

    A whole command, and a whole letter, must arrive within `timeout`. `tls` is called for each
    session, and returns the context for STARTTLS, or None.
    """

    size_limit: int
    timeout: float
    tls: Callable[[], ssl.SSLContext | None] = lambda: None
    hostname: str = "localhost"  # the name by which we greet


class MailSession(SMTP):
    """A session by SMTP."""

    line_length_limit = _BUFFER  # aiosmtpd's name for its buffer size; lines may be longer

    def __init__(self, handler: SmtpHandler, terms: SmtpTerms) -> None:
        super().__init__(
            handler,
            data_size_limit=terms.size_limit,
            enable_SMTPUTF8=True,
            hostname=terms.hostname,
            ident="ESMTP",
            tls_context=terms.tls(),
            timeout=terms.timeout,
        )
        # aiosmtpd has one such table for all sessions, which each EHLO enlarges.
        self.command_size_limits = defaultdict(lambda: _MAX_COMMAND)
        self._handler = handler
        self._client_limits = handler.limits
        self._connection_slot = ExitStack()
        self._refusal_text = ""
        self._mistakes = 0
        self._deadline = self.loop.time() + MAX_SESSION

    # -- the connection ------------------------------------------------------------------------
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Admit a client, or note why not; called a second time after STARTTLS."""
        is_new = self.transport is None
        if is_new:
            peer = host_of(transport.get_extra_info("peername"))
            try:
                self._connection_slot.enter_context(self._client_limits.let_in(peer))
            except Temporary as refusal:
                self._refusal_text = refusal.public
        super().connection_made(transport)
        if is_new and self._handler_coroutine is not None:
            self._handler_coroutine.add_done_callback(self._close_after_task)

    def _close_after_task(self, _: object) -> None:
        """Close the connection when its task ends: aiosmtpd does not if the task never began."""
        if (transport := _writable_transport(self.transport)) is not None:
            transport.close()

    def connection_lost(self, error: Exception | None) -> None:
        self._connection_slot.close()
        super().connection_lost(error)

    async def _handle_client(self) -> None:
        """Serve the client, or refuse it if `connection_made` did not admit it."""
        if self._refusal_text:
            _log.warning("smtp.too-many", peer=host_of(self._peer), detail=self._refusal_text)
            await self._say_goodbye(f"421 4.7.0 {self._refusal_text}")
            return
        await super()._handle_client()

    async def _say_goodbye(self, words: str) -> None:
        await super().push(words)
        if self.transport is not None:
            self.transport.close()

    def close_for_restart(self) -> None:
        """End the session for a restart; a client in mid-letter gets a 421 (RFC 5321, 3.8)."""
        transport = _writable_transport(self.transport)
        if transport is None or transport.is_closing():
            return
        if self.envelope is not None and self.envelope.mail_from is not None:
            transport.write(b"421 4.3.2 We are restarting: please try again in a moment\r\n")
        transport.close()

    def _reset_timeout(self, duration: float | None = None) -> None:
        """Restart the timer for the next command, but never past the end of the session."""
        left = self._deadline - self.loop.time()
        if left > 0.0:
            super()._reset_timeout(min(duration or self._timeout_duration, left))
        else:  # at once, because each new command would restart a timer
            self.loop.call_soon(self._timeout_cb)

    def _timeout_cb(self) -> None:
        """Tell the client that it is too slow, and disconnect (RFC 5321, 4.5.3.2.7)."""
        transport = _writable_transport(self.transport)
        plain_transport = _writable_transport(self._original_transport)
        if transport is None:
            return
        transport.write(b"421 4.4.2 You are too slow, or have been here for too long\r\n")
        _log.info("smtp.timed-out", peer=host_of(self._peer))
        (plain_transport or transport).abort()

    @property
    def _peer(self) -> object:
        return self.session.peer if self.session else ""

    # -- answers -------------------------------------------------------------------------------
    async def push(self, status: Any) -> None:  # noqa: ANN401 - aiosmtpd says bytes or str
        """Answer with an enhanced code (RFC 2034); hang up after too many errors."""
        words = status if isinstance(status, str) else status.decode("utf-8", "replace")
        await super().push(_BARE_CODE.sub(_add_enhanced_code, words, count=1))
        self._mistakes += words.startswith("5")
        if self._mistakes > MAX_MISTAKES and not self._client_limits.trusts(host_of(self._peer)):
            _log.warning("smtp.too-many-mistakes", peer=host_of(self._peer))
            self._mistakes = 0
            await self._say_goodbye("421 4.7.0 You have made too many mistakes")

    async def handle_exception(self, error: Exception) -> str:
        """Log a fault; the answer is temporary, so that the client tries again."""
        if isinstance(error, TLSSetupException):
            detail = repr(error.__cause__)
            _log.info("smtp.handshake-failed", peer=host_of(self._peer), detail=detail)
        else:
            _log.error("smtp.session-failed", exc_info=error)
        return LATER

    def _answer_for_all(self, answers: list[str]) -> str:
        """One answer for all recipients: the first that is not 250, or 250."""
        return next((answer for answer in answers if not answer.startswith("250")), answers[0])

    # -- verbs ---------------------------------------------------------------------------------
    @syntax("DATA")
    async def smtp_DATA(self, arg: str | None) -> None:  # noqa: N802 - aiosmtpd names it so
        """Read a letter; one above the size limit is not kept in memory."""
        if await self.check_helo_needed():
            return
        envelope = self.envelope
        if envelope is None or not envelope.rcpt_tos:
            await self.push("503 5.5.1 Send RCPT first")
            return
        if arg:
            await self.push("501 5.5.4 DATA takes no argument")
            return
        await self.push("354 End your letter with a full stop on a line of its own")
        raw = await self._read_letter()
        answers = [_TOO_LARGE] * len(envelope.rcpt_tos)
        if raw is not None:
            answers = await self._hand_over(envelope, raw)
        self.envelope = self._create_envelope()
        await self.push(self._answer_for_all(answers))

    async def _hand_over(self, envelope: Envelope, raw: bytes) -> list[str]:
        """The answer for each recipient, once the letter is safe or refused."""
        try:
            return await self._handler.take(envelope, raw, self._peer)
        except Exception as error:  # noqa: BLE001 - any fault is ours, and may pass
            _log.error("smtp.session-failed", exc_info=error)
            return [LATER] * len(envelope.rcpt_tos)

    async def _read_letter(self) -> bytes | None:
        """All lines up to a lone full stop (RFC 5321, 4.5.2); None if they exceed the limit."""
        limit = self.data_size_limit or math.inf
        pieces, size, tail, count = [b"\r\n"], -len(b"\r\n"), b"\r\n", 0
        while not tail.endswith(b"\r\n.\r\n"):
            count += 1
            if count % _PIECES_PER_TURN == 0:  # buffered pieces come without a wait: yield
                await asyncio.sleep(0)
            try:
                piece = await self._reader.readuntil(b".\r\n")
            except asyncio.LimitOverrunError as long:
                piece = await self._reader.read(long.consumed)
            tail = tail[-2:] + piece
            size += len(piece) - tail.count(b"\r\n.")
            if size <= limit:
                pieces.append(piece)
            else:  # read to the end, because only then it may be refused (RFC 5321, 4.2.5)
                pieces.clear()
        stuffed = b"".join(pieces).removesuffix(b".\r\n")
        return stuffed.replace(b"\r\n.", b"\r\n")[2:] if size <= limit else None

    @syntax("VRFY <address>")
    async def smtp_VRFY(self, _arg: str | None) -> None:  # noqa: N802 - aiosmtpd names it so
        """Answer without revealing an address (RFC 5321, 3.5.3)."""
        await self.push("252 2.1.5 Cannot verify the address, but will accept the email")

    async def smtp_AUTH(self, _arg: str | None) -> None:  # noqa: N802 - aiosmtpd names it so
        """Refuse, because there are no accounts."""
        await self.push("502 5.5.1 AUTH is not supported")

    def _getaddr(self, arg: str) -> tuple[str | None, str | None]:
        """An address in a command; (None, None), which is answered 553, for anything else.

        Plain addresses are recognised at once, because the standard library's parser is slow.
        """
        plain = _PATH.fullmatch(arg)
        if plain is not None:
            return plain[1], plain[2] or ""
        unfinished = arg.startswith("<") and ">" not in arg
        if unfinished or any(unicodedata.category(mark) in ("Cc", "Cs") for mark in arg):
            return None, None
        try:
            address, rest = super()._getaddr(arg)
        except Exception:  # noqa: BLE001 - the standard library's parser may raise anything
            return None, None
        return address, rest


class LmtpSession(MailSession, LMTP):
    """A session by LMTP, with an answer for each recipient (RFC 2033, 4.2)."""

    def _answer_for_all(self, answers: list[str]) -> str:
        return "\r\n".join(answers)


def _writable_transport(transport: asyncio.BaseTransport | None) -> asyncio.WriteTransport | None:
    """A transport typed as writable: uvloop's are writable, but not typed so."""
    return cast("asyncio.WriteTransport | None", transport)


def _add_enhanced_code(bare: re.Match[str]) -> str:
    code = bare[1]
    return f"{code} {_ENHANCED_CODES.get(code, '5.5.1' if code[0] == '5' else f'{code[0]}.0.0')} "


class SmtpListener:
    """Listening sockets and their sessions, by SMTP or LMTP."""

    def __init__(self, handler: SmtpHandler, terms: SmtpTerms, *, lmtp: bool = False) -> None:
        self._handler = handler
        self._terms = terms
        self._kind = LmtpSession if lmtp else MailSession
        self._acceptor: Acceptor | None = None
        self._sessions: weakref.WeakSet[MailSession] = weakref.WeakSet()

    def open_on(self, *listeners: socket.socket) -> None:
        """Accept letters on sockets that already listen (TCP or Unix)."""
        self._acceptor = Acceptor(listeners, protocol_handler(self._build_session))

    async def close(self, seconds: float) -> None:
        """Accept no more letters, finish those being handled within `seconds`, end the sessions.

        A client in the middle of a letter gets a 421; nothing of that letter was stored.
        """
        if self._acceptor is None:
            return
        await self._acceptor.close()
        self._acceptor = None
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._handler.idle.wait(), seconds)
        # One turn of the loop, so that the last 250 is written before its connection closes.
        await asyncio.sleep(0)
        for session in list(self._sessions):
            session.close_for_restart()

    def _build_session(self) -> MailSession:
        session = self._kind(self._handler, self._terms)
        self._sessions.add(session)
        return session
