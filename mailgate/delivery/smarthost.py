"""Letters handed to a mail server that sends them on, over connections that are kept for a while.

One recipient a letter, so that each has its own outcome (RFC 5321, 4.2.1): what is refused with
4yz, and trouble with the connection, is `Temporary`; a recipient or a letter refused with 5yz is
`Undeliverable`. Where the server refuses *us* (greeting, login, sender) it is the operator's
trouble and not the letter's, and passes once it is mended: that is `Temporary` too.
"""

from __future__ import annotations

import asyncio
import re
import ssl
from collections.abc import Callable
from typing import Literal, cast

from aiosmtplib import SMTP, SMTPException, SMTPHeloError, SMTPResponseException

from godaemon.errors import ConfigError, PutOff, Temporary, Undeliverable
from mailgate.delivery.smtp_client import SmtpClient, SmtpRefused
from mailgate.delivery.ways_out import check_envelope, status_in

_BUSY = {421, 432, 451, 452, 454}
"""What a server puts off for reasons of its own: the recipient may be as well as ever."""
IDLE = 20.0
"""How many seconds a connection without work is kept."""


class SmarthostDelivery:
    """A `Delivery` to a mail server.

    `password` is asked for at each login, so that a wrong one can be put right while we run;
    `timeout` is in seconds, for each of the server's answers but that to a whole letter;
    `connections` is the most at one time; `trust` says what certificates are believed (None: those
    the system believes); `greeting` is our own name.
    """

    def __init__(  # noqa: PLR0913 - all of it is needed to reach a server
        self,
        host: str,
        port: int,
        *,
        security: Literal["none", "tls", "starttls"] = "none",
        user: str | None = None,
        password: Callable[[], str] | None = None,
        timeout: float = 30.0,
        connections: int = 4,
        trust: ssl.SSLContext | None = None,
        greeting: str = "localhost",
    ) -> None:
        self._greeting = greeting
        self._host, self._port, self._security = host, port, security
        self._user, self._password, self._trust = user, password, trust
        self._timeout = timeout
        self._slots = asyncio.Semaphore(connections)
        self._idle: list[SmtpClient] = []

    async def deliver(self, recipient: str, sender: str, raw: bytes, uid: str) -> None:
        """Hand a letter over; raises `Temporary` or `Undeliverable`."""
        del uid  # the letter's Message-ID is what a duplicate is known by
        check_envelope(recipient, sender)
        async with self._slots:
            try:
                await self._hand_over(recipient, sender, raw)
            except SmtpRefused as refusal:
                raise _failure(refusal) from refusal
            except (OSError, EOFError, SMTPException, ConfigError) as fault:
                said = _said(fault)
                raise Temporary("The mail server did not take the letter.", detail=said) from fault

    async def log_in(self, sender: str) -> None:
        """Connect, encrypt, log in and name a sender; raises `Temporary` where that fails."""
        try:
            connection = await self._connected()
            self._keep(connection)
            await connection.try_sender(sender)
        except (OSError, EOFError, SMTPException, SmtpRefused) as fault:
            raise Temporary("The mail server does not let us in.", detail=_said(fault)) from fault

    async def close(self) -> None:
        """Say goodbye on all connections."""
        idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    async def _hand_over(self, recipient: str, sender: str, raw: bytes) -> None:
        """Over a connection that is kept; over a new one where that has ended meanwhile."""
        connection = self._kept()
        if connection is not None and await self._sent(connection, recipient, sender, raw):
            return
        await self._sent(await self._connected(), recipient, sender, raw, fresh=True)

    async def _sent(
        self,
        connection: SmtpClient,
        recipient: str,
        sender: str,
        raw: bytes,
        *,
        fresh: bool = False,
    ) -> bool:
        """True where the letter was taken; False where the connection had ended before it began."""
        try:
            await connection.send(
                sender, recipient, raw, *_extensions(connection, recipient, sender, raw)
            )
        except (SmtpRefused, ConnectionError) as fault:
            stands = isinstance(fault, SmtpRefused) and (fault.code, fault.stage) != (421, "sender")
            if fresh or connection.committed or stands:
                raise
            return False
        finally:
            self._keep(connection)
        return True

    def _kept(self) -> SmtpClient | None:
        """A connection that still stands, as far as can be told from here."""
        while self._idle:
            connection = self._idle.pop()
            if not connection.gone:
                return connection
            connection.close()
        return None

    def _keep(self, connection: SmtpClient) -> None:
        if connection.broken:
            connection.close()
            return
        self._idle.append(connection)
        asyncio.get_running_loop().call_later(
            IDLE, self._close_idle, connection, connection.letters
        )

    def _close_idle(self, connection: SmtpClient, letters: int) -> None:
        """Let go of a connection that has had no work since."""
        if connection in self._idle and connection.letters == letters:
            self._idle.remove(connection)
            connection.close()

    async def _connected(self) -> SmtpClient:
        """A new connection, encrypted and logged in as it should be."""
        client = SMTP(
            hostname=self._host,
            local_hostname=self._greeting,
            port=self._port,
            username=self._user,
            password=self._password() if self._password else None,
            timeout=self._timeout,
            use_tls=self._security == "tls",
            start_tls=self._security == "starttls",
            tls_context=self._trust,
        )
        try:
            await client.connect()
            await _greet(client)
        except BaseException:
            client.close()
            raise
        options = frozenset(name.upper() for name in client.esmtp_extensions)
        return SmtpClient(cast("asyncio.Transport", client.transport), options, self._timeout)


async def _greet(client: SMTP) -> None:
    if client.is_ehlo_or_helo_needed:
        try:
            await client.ehlo()
        except SMTPHeloError:
            await client.helo()


def _extensions(connection: SmtpClient, recipient: str, sender: str, raw: bytes) -> list[str]:
    """What MAIL says more, as far as the server knows it; raises `SmtpRefused` for what it must."""
    said = [f"SIZE={len(raw)}"] if "SIZE" in connection.options else []
    if not f"{recipient}{sender}".isascii():
        if "SMTPUTF8" not in connection.options:
            raise SmtpRefused("recipient", 553, "5.6.7 our mail server knows no such addresses")
        said.append("SMTPUTF8")
    return said


_OF_US = re.compile(r"(?i)\brelay(?:ing)?\b|\bauthenticat|\bauthori[sz]ed\b")
"""Says at a recipient that it is us who may not send: the same is said of every recipient."""


def _failure(refusal: SmtpRefused) -> Temporary | Undeliverable:
    """The error that a refusal means for the letter."""
    detail = str(refusal)
    if refusal.stage == "recipient" and _OF_US.search(detail):
        return Temporary("The mail server passes nothing on for us.", detail=detail)
    # Of the sender only one thing speaks against the letter: that it is too long (RFC 1870, 6.1).
    if refusal.code >= 500 and (refusal.stage != "sender" or refusal.code == 552):
        status = "5.3.4" if refusal.stage == "sender" else status_in(detail, "5.0.0")
        return Undeliverable("The mail server refused the letter.", detail=detail, status=status)
    if refusal.stage == "sender" or refusal.code in _BUSY:
        return Temporary("The mail server did not take the letter.", detail=detail)
    status = status_in(detail, "4.0.0")
    return PutOff("The mail server did not take the letter yet.", detail=detail, status=status)


def _said(fault: Exception) -> str:
    """A failure in the words of the system or the library, for whoever reads the queue."""
    if isinstance(fault, SMTPResponseException):
        return f"{fault.code} {fault.message}"
    if isinstance(fault, TimeoutError):
        return "The mail server gave no answer in time."
    return str(fault) or type(fault).__name__
