"""The doors that letters come in by, as the configuration has them: SMTP, and LMTP where asked for.

Both have one handler and one guard, so that the limits of [mail.smtp] hold for both together.
Raises `ConfigError` where a door cannot be opened, or there is no good certificate.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Mapping

from godaemon.config import Settings
from godaemon.errors import ConfigError
from godaemon.system.mail_limits import MailLimiter
from godaemon.system.sockets import listening_socket
from godaemon.system.tls import Certificate
from mailgate.receiving.postmaster import Postmaster
from mailgate.receiving.smtp_handler import Deliver, SmtpHandler
from mailgate.receiving.smtp_listener import SmtpListener
from mailgate.receiving.smtp_session import SmtpTerms

__all__ = ["MailListeners"]

LMTP_MODE = 0o666
"""Who may bring letters by the LMTP socket: everybody here, as by the SMTP port of this machine."""


class MailListeners:
    """Opens them, and closes them in good order; `smtp` and `lmtp` say where they are."""

    def __init__(self, settings: Settings, environ: Mapping[str, str], deliver: Deliver) -> None:
        smtp = settings.mail.smtp
        guard = MailLimiter(
            smtp.relays,
            connections=smtp.connections,
            per_source=smtp.connections_per_source,
            letters=smtp.letters_per_minute,
            clock=asyncio.get_running_loop().time,
        )
        handler = SmtpHandler(
            settings.mail.address,
            deliver,
            postmaster=Postmaster(settings.state_directory).keep,
            guard=guard,
            most=smtp.recipients,
        )
        self._mail = settings.mail
        self._certificate: Certificate | None = None
        if smtp.tls_certificate is not None and smtp.tls_key is not None:
            self._certificate = Certificate(
                smtp.tls_certificate.path(environ), smtp.tls_key.path(environ)
            )
        terms = SmtpTerms(smtp.size_limit, smtp.patience, self._context)
        self._smtp_door = SmtpListener(handler, terms, guard)
        self._lmtp_door = SmtpListener(
            handler, SmtpTerms(smtp.size_limit, smtp.patience), guard, lmtp=True
        )
        self.smtp = smtp.listen
        self.lmtp: str | None = settings.mail.lmtp.listen

    async def open(self) -> None:
        """Listen at both."""
        smtp, lmtp = self._mail.smtp, self._mail.lmtp
        self.smtp = await _listen(self._smtp_door, smtp.host, smtp.port)
        if lmtp.path is not None:
            await self._lmtp_door.open_on(listening_socket(lmtp.path, mode=LMTP_MODE))
        elif lmtp.listen is not None:
            self.lmtp = await _listen(self._lmtp_door, *lmtp.address)

    def refresh(self) -> None:
        """Look whether there is a new certificate."""
        if self._certificate is not None:
            self._certificate.refresh()

    async def close(self, patience: float) -> None:
        """Take no new letter, finish those in hand, end the sessions."""
        await asyncio.gather(self._smtp_door.close(patience), self._lmtp_door.close(patience))

    def _context(self) -> ssl.SSLContext | None:
        """What STARTTLS shows; new files are in force for the next session."""
        self.refresh()
        return self._certificate.context if self._certificate else None


async def _listen(door: SmtpListener, host: str, port: int) -> str:
    """Open a door on TCP; HOST:PORT as it is, and a ConfigError that says why where it cannot."""
    try:
        bound = await door.open(host, port)
    except OSError as fault:
        raise ConfigError(
            f"Letters cannot be taken at {host}:{port}: {fault.strerror or fault}."
        ) from fault
    return f"{bound[0]}:{bound[1]}"
