"""Delivery to a mail server by SMTP or LMTP, over connections that are kept for a while.

A letter has one recipient, so that each has its own outcome (RFC 5321, 4.2.1). A recipient or a
letter that is refused with 5yz is `Undeliverable`, with 4yz `Deferred`. Connection errors are
`Temporary`; so is a server that refuses *us* (greeting, login, sender), for the operator to
correct. aiosmtplib speaks the protocol.
"""

import asyncio
import re
import ssl
from collections.abc import Callable
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, Literal, cast

from aiosmtplib import (
    SMTP,
    SMTPDataError,
    SMTPException,
    SMTPHeloError,
    SMTPRecipientRefused,
    SMTPResponse,
    SMTPResponseException,
    SMTPSenderRefused,
    SMTPServerDisconnected,
)

from godaemon.errors import ConfigError, Deferred, Temporary, Undeliverable
from mailgate.address import one_line
from mailgate.delivery.ways_out import check_envelope

_BUSY = {421, 432, 451, 452, 454}  # replies that say nothing about the recipient
_RELAY_REFUSED = re.compile(r"(?i)\brelay(?:ing)?\b|\bauthenticat|\bauthori[sz]ed\b")
"""RCPT replies that reject the sender, not the recipient."""
_STATUS = re.compile(r"\b[45]\.\d{1,3}\.\d{1,3}\b")
IDLE_TIMEOUT = 20.0  # seconds that an idle connection is kept
DATA_TIMEOUT = 600.0
"""Seconds for each of the two answers to a letter's DATA: a client that hangs up sooner sends the
letter twice (RFC 5321, 4.5.3.2.6)."""
_MAX_DETAIL = 400  # characters of an answer that are kept
_NOT_ACCEPTED = "The mail server did not accept the email."


class _Lmtp(SMTP):
    """An LMTP client (RFC 2033): with one recipient, only its greeting differs."""

    async def execute_command(self, *words: bytes, **options: Any) -> SMTPResponse:  # noqa: ANN401
        verb, *rest = words
        return await super().execute_command(b"LHLO" if verb == b"EHLO" else verb, *rest, **options)


@dataclass(slots=True, eq=False)
class SmarthostDelivery:
    """A `Delivery` to a mail server: `host` is a name, or the path of a socket if `port` is 0."""

    host: str
    port: int
    _: KW_ONLY
    security: Literal["none", "tls", "starttls"] = "none"
    user: str | None = None
    password: Callable[[], str] | None = None
    """Called at each login, so that a wrong password can be corrected while we run."""
    timeout: float = 30.0  # seconds for each answer but those to DATA
    connections: int = 4  # the limit
    trust: ssl.SSLContext | None = None
    """Says which certificates are trusted; None: those that the system trusts."""
    greeting: str = "localhost"  # our host name in EHLO
    lmtp: bool = False
    _slots: asyncio.Semaphore = field(init=False)
    _idle: dict[SMTP, asyncio.TimerHandle] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        self._slots = asyncio.Semaphore(self.connections)

    async def deliver(self, recipient: str, sender: str, raw: bytes, uid: str) -> None:
        """Hand over one letter; raises `Temporary`, `Deferred` or `Undeliverable`."""
        del uid  # the Message-ID identifies a duplicate
        check_envelope(recipient, sender)
        async with self._slots:
            try:
                await self._hand_over(recipient, sender, raw)
            except SMTPResponseException as refusal:
                raise _classify_refusal(refusal) from refusal
            except (OSError, SMTPException, ConfigError) as fault:
                raise Temporary(_NOT_ACCEPTED, detail=_describe(fault)) from fault

    async def log_in(self, sender: str) -> None:
        """Connect, encrypt, log in and send MAIL FROM; raises `Temporary` if that fails."""
        try:
            client = await self._connect()
            self._keep(client)
            await client.mail(sender)
        except (OSError, SMTPException) as fault:
            raise Temporary("The mail server rejects us.", detail=_describe(fault)) from fault

    async def close(self) -> None:
        """Say goodbye on all connections."""
        for client in [*self._idle]:
            self._say_goodbye(client)

    async def _hand_over(self, recipient: str, sender: str, raw: bytes) -> None:
        """Send by a kept connection, or by a new one if that has ended."""
        if (kept := self._take_kept()) is not None:
            try:
                await self._send(kept, recipient, sender, raw)
                return
            except SMTPServerDisconnected:
                pass
            except SMTPSenderRefused as refusal:
                if refusal.code != 421:
                    raise
        await self._send(await self._connect(), recipient, sender, raw)

    async def _send(self, client: SMTP, recipient: str, sender: str, raw: bytes) -> None:
        """Send one letter; `SMTPServerDisconnected` means that the server does not have it."""
        try:
            await _send_envelope(client, recipient, sender, len(raw))
            try:
                await client.data(raw, timeout=DATA_TIMEOUT)
            except SMTPServerDisconnected as fault:
                # From DATA on the server may have the letter: `_hand_over` must not send it again.
                raise ConnectionResetError("The mail server hung up.") from fault
        except SMTPResponseException as refusal:
            await _reset(client, refusal.code)
            raise
        except BaseException:
            client.close()
            raise
        finally:
            self._keep(client)

    def _take_kept(self) -> SMTP | None:
        while self._idle:
            client, timer = self._idle.popitem()
            timer.cancel()
            if client.is_connected:
                return client
        return None

    def _keep(self, client: SMTP) -> None:
        if client.is_connected:
            loop = asyncio.get_running_loop()
            self._idle[client] = loop.call_later(IDLE_TIMEOUT, self._say_goodbye, client)

    def _say_goodbye(self, client: SMTP) -> None:
        """Say goodbye, without waiting for the answer."""
        self._idle.pop(client).cancel()
        if client.is_connected:
            cast("asyncio.WriteTransport", client.transport).write(b"QUIT\r\n")
        client.close()

    async def _connect(self) -> SMTP:
        """Open a connection, encrypted and logged in as configured."""
        kind = _Lmtp if self.lmtp else SMTP
        client = kind(
            hostname=self.host if self.port else None,
            local_hostname=self.greeting,
            port=self.port or None,
            socket_path=None if self.port else self.host,
            username=self.user,
            password=self.password() if self.password else None,
            timeout=self.timeout,
            use_tls=self.security == "tls",
            start_tls=self.security == "starttls",
            tls_context=self.trust,
        )
        try:
            await client.connect()
            if client.is_ehlo_or_helo_needed:
                try:
                    await client.ehlo()
                except SMTPHeloError:
                    await client.helo()
        except BaseException:
            client.close()
            raise
        return client


async def _send_envelope(client: SMTP, recipient: str, sender: str, size: int) -> None:
    """Send MAIL and RCPT, with the extensions that the server has (RFC 1870, RFC 6531)."""
    options = [f"SIZE={size}"] if client.supports_extension("size") else []
    if not f"{recipient}{sender}".isascii():
        if not client.supports_extension("smtputf8"):
            message = "5.6.7 our mail server supports no such addresses"
            raise SMTPRecipientRefused(553, message, recipient)
        options.append("SMTPUTF8")
    await client.mail(sender, options=options, encoding="utf-8")
    await client.rcpt(recipient, encoding="utf-8")


async def _reset(client: SMTP, code: int) -> None:
    """Send RSET so that the connection can be used again; close it if that fails."""
    with suppress(OSError, SMTPException):
        if 400 <= code < 600 and code != 421:
            await client.rset()
            return
    client.close()


def find_status(reply: str, otherwise: str) -> str:
    """The enhanced status code (RFC 3463) in a server's reply, or `otherwise`."""
    found = _STATUS.search(reply)
    return found[0] if found else otherwise


def _classify_refusal(refusal: SMTPResponseException) -> Temporary | Undeliverable:
    code, detail = refusal.code, _describe(refusal)
    rejects_sender = isinstance(refusal, SMTPSenderRefused)
    rejects_recipient = isinstance(refusal, SMTPRecipientRefused)
    if rejects_recipient and _RELAY_REFUSED.search(detail):
        return Temporary("The mail server does not relay for us.", detail=detail)
    # A refusal of MAIL is about us, except 552: the letter is too long (RFC 1870, 6.1).
    rejects_letter = isinstance(refusal, SMTPDataError) or (rejects_sender and code == 552)
    if not (rejects_recipient or rejects_letter) or code in _BUSY or not 400 <= code < 600:
        return Temporary(_NOT_ACCEPTED, detail=detail)
    if code >= 500:
        status = "5.3.4" if rejects_sender else find_status(detail, "5.0.0")
        return Undeliverable("The mail server refused the email.", detail=detail, status=status)
    status = find_status(detail, "4.0.0")
    return Deferred("The mail server has not accepted the email yet.", detail=detail, status=status)


def _describe(fault: Exception) -> str:
    if isinstance(fault, SMTPResponseException):
        words = one_line(f"{fault.code} {fault.message}")[:_MAX_DETAIL]
        known = 400 <= fault.code < 600
        return words if known else f"The mail server's answer makes no sense: {words}"
    if isinstance(fault, TimeoutError):
        return "The mail server gave no answer in time."
    return str(fault) or type(fault).__name__
