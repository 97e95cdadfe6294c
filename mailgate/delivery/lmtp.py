"""Letters handed to a mail server by LMTP (RFC 2033), on a Unix socket or by TCP.

One recipient a letter, so that the one status after DATA is that recipient's. The library of the
language speaks it, on a thread. Trouble with the connection, or with us, is `Temporary`; what is
refused with 4yz for the recipient's sake is `PutOff`, and with 5yz `Undeliverable`.
"""

from __future__ import annotations

import asyncio
import smtplib
from contextlib import suppress

from godaemon.errors import PutOff, Temporary, Undeliverable
from mailgate.delivery.handover import check_envelope, status_in


class LmtpDelivery:
    """A `Delivery` by LMTP. `host` is a name, or the path of a socket (`port` is 0 then).

    `timeout` is in seconds, for each of the server's answers; `at_once` is the most at one time.
    `greeting` is our own name.
    """

    def __init__(
        self,
        host: str,
        port: int = 0,
        *,
        timeout: float = 120.0,
        at_once: int = 4,
        greeting: str = "localhost",
    ) -> None:
        self._greeting = greeting
        self._host, self._port, self._timeout = host, port, timeout
        self._slots = asyncio.Semaphore(at_once)

    async def deliver(self, recipient: str, sender: str, raw: bytes, uid: str) -> None:
        """Hand a letter over; raises `Temporary` or `Undeliverable`."""
        del uid  # the letter's Message-ID is what a duplicate is known by
        check_envelope(recipient)
        async with self._slots:
            try:
                await asyncio.to_thread(self._hand_over, recipient, sender, raw)
            except (OSError, smtplib.SMTPException) as fault:
                raise _failure(fault) from fault

    async def close(self) -> None:
        """Nothing is kept open."""

    def _hand_over(self, recipient: str, sender: str, raw: bytes) -> None:
        options = () if f"{recipient}{sender}".isascii() else ("SMTPUTF8",)
        server = smtplib.LMTP(
            self._host, self._port, local_hostname=self._greeting, timeout=self._timeout
        )
        try:
            server.sendmail(sender, [recipient], raw, mail_options=options)
            with suppress(OSError, smtplib.SMTPException):  # it has the letter by now
                server.quit()
        finally:
            server.close()


def _failure(fault: OSError | smtplib.SMTPException) -> Temporary | Undeliverable:
    """The error that a failure means for the letter."""
    answers: list[tuple[int, bytes]] = []
    if isinstance(fault, smtplib.SMTPRecipientsRefused):
        answers = list(fault.recipients.values())
    elif isinstance(fault, smtplib.SMTPDataError):
        answers = [(fault.smtp_code, _bytes(fault.smtp_error))]
    words = "; ".join(f"{code} {said.decode('utf-8', 'replace')}" for code, said in answers)
    detail = words or str(fault) or type(fault).__name__
    if any(500 <= code < 600 for code, _ in answers):
        status = status_in(detail, "5.0.0")
        return Undeliverable("The mail server refused the letter.", detail=detail, status=status)
    if isinstance(fault, smtplib.SMTPNotSupportedError):
        public = "The mail server knows no such addresses."
        return Undeliverable(public, detail=detail, status="5.6.7")
    if answers and all(code in {422, 450} for code, _ in answers):
        status = status_in(detail, "4.2.0")
        return PutOff("The mail server did not take the letter yet.", detail=detail, status=status)
    return Temporary("The mail server did not take the letter.", detail=detail)


def _bytes(said: bytes | str) -> bytes:
    return said if isinstance(said, bytes) else said.encode()
