"""Letters in, as the configuration has it: the listeners of SMTP and LMTP, and the IMAP fetcher.

The listeners have one handler and one limiter, so that [mail.smtp] holds for both together. Raises
`ConfigError` or `Temporary` where one cannot be opened, `ConfigError` for a certificate that is no
good.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from functools import partial

from godaemon.config.mail_options import Imap, Mail
from godaemon.config.settings import Settings
from godaemon.games.store_protocols import Writer
from godaemon.system.clock import Clock
from godaemon.system.mail_limits import MailLimiter
from godaemon.system.passed_sockets import NONE_PASSED, PassedSockets
from godaemon.system.sockets import listening_socket, name_of, open_tcp
from godaemon.system.tls import Certificate
from mailgate.delivery.ways_out import MaildirDelivery
from mailgate.reading.inbound_letter import InboundLetter
from mailgate.receiving.imap_client import ImapAccount, ImapConnection
from mailgate.receiving.imap_fetcher import ImapFetcher, ImapTerms
from mailgate.receiving.imap_responses import ImapUnit
from mailgate.receiving.smtp_handler import Deliver, Postmaster, SmtpHandler, TurnedAway
from mailgate.receiving.smtp_session import SmtpListener, SmtpTerms

LMTP_MODE = 0o660
"""Who may bring letters by the LMTP socket: the daemon's own user and the socket's group."""


class MailListeners:
    """Listens by SMTP and by LMTP, where asked for; `smtp` and `lmtp` say where, or None.

    `others` are our addresses beside the main one, at present.
    """

    def __init__(
        self,
        settings: Settings,
        environ: Mapping[str, str],
        deliver: Deliver,
        overloaded: Callable[[], str] = str,
        others: Callable[[], tuple[str, ...]] = tuple,
    ) -> None:
        smtp, state = settings.mail.smtp, settings.state_directory
        limiter = MailLimiter(
            smtp.relays,
            connections=smtp.connections,
            per_source=smtp.connections_per_source,
            letters=smtp.letters_per_minute,
            clock=asyncio.get_running_loop().time,
        )
        self.postmaster = Postmaster(state, MaildirDelivery(state).deliver, deliver)
        self._handler = handler = SmtpHandler(
            settings.mail.address,
            deliver,
            postmaster=self.postmaster.keep,
            limits=limiter,
            most=smtp.recipients,
            overloaded=overloaded,
            others=others,
        )
        self._mail, self._limiter = settings.mail, limiter
        self.certificate: Certificate | None = None
        if smtp.tls_certificate is not None and smtp.tls_key is not None:
            self.certificate = Certificate(
                smtp.tls_certificate.path(environ), smtp.tls_key.path(environ)
            )
        name = settings.mail.greeting_name
        terms = SmtpTerms(smtp.size_limit, smtp.patience, self._context, name)
        self._smtp_listener = SmtpListener(handler, terms)
        self._lmtp_listener = SmtpListener(handler, replace(terms, tls=lambda: None), lmtp=True)
        self.smtp, self.lmtp = smtp.listen, settings.mail.lmtp.listen

    async def open(self, passed: PassedSockets = NONE_PASSED) -> None:
        """Listen at both."""
        smtp, lmtp = self._mail.smtp, self._mail.lmtp
        if smtp.listen is not None:
            self.smtp = await _listen(self._smtp_listener, smtp.address, passed)
        if lmtp.path is not None:
            socket = passed.at(lmtp.path) or listening_socket(
                lmtp.path, mode=LMTP_MODE, group=lmtp.group
            )
            self._lmtp_listener.open_on(socket)
        elif lmtp.listen is not None:
            self.lmtp = await _listen(self._lmtp_listener, lmtp.address, passed)

    @property
    def count(self) -> int:
        """The number of connections."""
        return self._limiter.total

    @property
    def turned_away(self) -> TurnedAway:
        """What was turned away since a letter was last taken."""
        return self._handler.turned_away

    async def close(self, patience: float) -> None:
        """Take no new letter, finish those in hand, end the sessions."""
        await asyncio.gather(
            self._smtp_listener.close(patience), self._lmtp_listener.close(patience)
        )

    def _context(self) -> ssl.SSLContext | None:
        """The certificate for STARTTLS; new files are in force for the next session."""
        if self.certificate is None:
            return None
        self.certificate.refresh()
        return self.certificate.context


async def _listen(listener: SmtpListener, address: tuple[str, int], passed: PassedSockets) -> str:
    """Listen on TCP; HOST:PORT as it is, and a sentence that says why where it cannot."""
    sockets = await open_tcp(*address, passed, lacking="Letters cannot be taken")
    listener.open_on(*sockets)
    return name_of(sockets[0])


def imap_fetcher(
    mail: Mail,
    environ: Mapping[str, str],
    take: Callable[[InboundLetter], Awaitable[object]],
    writer: Writer[ImapUnit],
    clock: Clock,
    overloaded: Callable[[], str],
    others: Callable[[], tuple[str, ...]],
) -> ImapFetcher | None:
    """The fetcher that watches a mailbox elsewhere; None where there is none.

    The password is read anew for each connection, so that a wrong one can be put right without a
    restart; one that cannot be read is trouble like any other: logged, and tried again.
    """
    imap, connect = mail.imap, partial(mailbox, mail.imap, environ)
    if imap.host is None:
        return None
    terms = ImapTerms(mail.address, imap.size_limit, imap.poll, others=others)
    return ImapFetcher(connect, take, writer, clock, terms, overloaded=overloaded)


def mailbox(imap: Imap, environ: Mapping[str, str]) -> ImapConnection:
    """The mailbox elsewhere, not connected yet; raises `ConfigError` for its password."""
    if imap.password is None:  # Imap has seen to it
        raise AssertionError
    account = ImapAccount(
        host=imap.host or "",
        port=imap.port_in_use,
        security=imap.security,
        user=imap.user or "",
        password=imap.password.read(environ),
        folder=imap.folder,
        flag=imap.flag,
        done_folder=imap.done_folder,
    )
    return ImapConnection(account)
