"""Letters handed to a mail server that sends them on, over connections that are kept for a while.

One recipient a letter, so that each has its own outcome (RFC 5321, 4.2.1): what is refused with
4yz, and trouble with the connection, is `Temporary`; a recipient or a letter refused with 5yz is
`Undeliverable`. Where the server refuses *us* (greeting, login, sender) it is the operator's
trouble and not the letter's, and passes once it is mended: that is `Temporary` too.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import ssl
import time
from dataclasses import dataclass
from functools import partial
from typing import Literal

from aiosmtplib import (
    SMTP,
    SMTPDataError,
    SMTPException,
    SMTPNotSupported,
    SMTPRecipientRefused,
    SMTPRecipientsRefused,
    SMTPResponseException,
)

from godaemon.errors import Temporary, Undeliverable

__all__ = ["SmarthostDelivery"]


_PLAIN = re.compile(r"[^\s<>(),;:\\\"\x00-\x1f]+@[^\s<>(),;\\\"\x00-\x1f@]+")
_STATUS = re.compile(r"\b5\.\d{1,3}\.\d{1,3}\b")
_BASIC = {550: "5.1.1", 551: "5.1.6", 552: "5.2.2", 553: "5.1.3", 554: "5.7.0"}
"""What a server means that gives no enhanced status code (RFC 3463, RFC 5321, 4.2.2)."""
IDLE = 20.0
"""How many seconds a connection without work is kept."""


@dataclass(slots=True)
class _Idle:
    client: SMTP
    since: float


class SmarthostDelivery:
    """A `Delivery` to a mail server.

    `timeout` is in seconds, for each of the server's answers; `connections` is the most at one
    time; `trust` says what certificates are believed (None: those the system believes).
    """

    def __init__(  # noqa: PLR0913 - all of it is needed to reach a server
        self,
        host: str,
        port: int,
        *,
        security: Literal["none", "tls", "starttls"] = "none",
        user: str | None = None,
        password: str | None = None,
        timeout: float = 30.0,
        connections: int = 4,
        trust: ssl.SSLContext | None = None,
    ) -> None:
        self._open = partial(
            SMTP,
            hostname=host,
            port=port,
            username=user,
            password=password,
            timeout=timeout,
            use_tls=security == "tls",
            start_tls=security == "starttls",
            tls_context=trust,
        )
        self._room = asyncio.Semaphore(connections)
        self._idle: list[_Idle] = []

    async def deliver(self, recipient: str, sender: str, raw: bytes, uid: str) -> None:
        """Hand a letter over; raises `Temporary` or `Undeliverable`."""
        del uid  # the letter's Message-ID is what a duplicate is known by
        if not _PLAIN.fullmatch(recipient):
            raise Undeliverable("Nobody can be written to there.", detail=f"address {recipient!r}")
        async with self._room:
            try:
                await self._hand_over(recipient, sender, raw)
            except (OSError, SMTPException) as fault:
                raise _judged(fault) from fault

    async def close(self) -> None:
        """Say goodbye on all connections."""
        idle, self._idle = self._idle, []
        for one in idle:
            with contextlib.suppress(OSError, SMTPException):
                await one.client.quit(timeout=1)
            one.client.close()

    async def _hand_over(self, recipient: str, sender: str, raw: bytes) -> None:
        client = await self._client()
        try:
            options = ["SMTPUTF8"] if not f"{recipient}{sender}".isascii() else []
            await client.sendmail(sender, [recipient], raw, mail_options=options)
        except SMTPResponseException as fault:
            self._keep(client, ended=fault.code == 421)
            raise
        except SMTPRecipientsRefused as fault:
            self._keep(client, ended=any(one.code == 421 for one in fault.recipients))
            raise
        except BaseException:
            client.close()
            raise
        self._keep(client)

    async def _client(self) -> SMTP:
        """A connection that works: an idle one that still answers, or a new one."""
        while self._idle:
            one = self._idle.pop()
            if time.monotonic() - one.since < IDLE and await _answers(one.client):
                return one.client
            one.client.close()
        client = self._open()
        try:
            await client.connect()
        except BaseException:
            client.close()
            raise
        return client

    def _keep(self, client: SMTP, *, ended: bool = False) -> None:
        if ended or not client.is_connected:
            client.close()
        else:
            self._idle.append(_Idle(client, time.monotonic()))


async def _answers(client: SMTP) -> bool:
    try:
        return (await client.noop(timeout=5)).code == 250
    except (OSError, SMTPException):
        return False


def _judged(fault: Exception) -> Temporary | Undeliverable:
    """What a failure means for the letter."""
    answers: list[SMTPResponseException] = []
    if isinstance(fault, SMTPRecipientsRefused):
        answers = list(fault.recipients)
    elif isinstance(fault, SMTPDataError | SMTPRecipientRefused):
        answers = [fault]
    detail = "; ".join(f"{one.code} {one.message}" for one in answers) or _said(fault)
    if any(500 <= one.code < 600 for one in answers):
        status = _STATUS.search(detail)
        told = status[0] if status else _BASIC.get(answers[0].code, "5.0.0")
        return Undeliverable("The mail server refused the letter.", detail=detail, status=told)
    if isinstance(fault, SMTPNotSupported) and "utf8" in str(fault).lower():
        return Undeliverable("The mail server knows no such addresses.", detail=detail)
    return Temporary("The mail server did not take the letter.", detail=detail)


def _said(fault: Exception) -> str:
    """A failure in the words of the system or the library, for whoever reads the queue."""
    return str(fault) or type(fault).__name__
