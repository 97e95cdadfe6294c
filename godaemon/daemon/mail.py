"""Email in and out, as configured: listeners, a remote mailbox, and the delivery.

SMTP and LMTP share one handler and one limiter, so the limits of [mail.smtp] count for both
together. Raises `ConfigError` for an unusable secret or certificate, and `ConfigError` or
`Temporary` if it cannot listen.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING

import structlog

from godaemon.config.mail_options import Imap, Mail, OwnAddress
from godaemon.config.section import ListenerSection
from godaemon.daemon.core import Startup
from godaemon.errors import ConfigError, Deferred, Undeliverable
from godaemon.games import bouncing_addresses
from godaemon.games.notices import Notice
from godaemon.games.service import GameService
from godaemon.games.stored_values import Unit
from godaemon.system.sockets import listen, name_of
from godaemon.system.source_limits import MailLimiter
from godaemon.system.tls import Certificate
from mailgate.delivery.maildir import MaildirDelivery
from mailgate.delivery.sendmail import CommandDelivery
from mailgate.delivery.smarthost import SmarthostDelivery
from mailgate.delivery.ways_out import Delivery
from mailgate.reading.bounce_reports import is_hard, is_refusal_of_us
from mailgate.receiving.imap_client import ImapAccount, ImapConnection
from mailgate.receiving.postmaster import Postmaster
from mailgate.receiving.smtp_handler import Deliver, SmtpHandler
from mailgate.receiving.smtp_session import SmtpListener, SmtpTerms

if TYPE_CHECKING:  # dkim is loaded only if emails are signed
    from mailgate.delivery.dkim_signer import DkimSigner


class MailListeners:
    """Listens by SMTP and LMTP as configured; `smtp` and `lmtp` are HOST:PORT, or None."""

    def __init__(
        self,
        startup: Startup,
        deliver: Deliver,
        addresses: Callable[[], tuple[str, ...]],
        overloaded: Callable[[], str] = lambda: "",
    ) -> None:
        mail, environ = startup.settings.mail, startup.environ
        smtp, state = mail.smtp, startup.settings.state_directory
        self.limiter = MailLimiter(
            smtp.relays,
            connections=smtp.connections,
            per_source=smtp.connections_per_source,
            letters=smtp.letters_per_minute,
            clock=asyncio.get_running_loop().time,
        )
        self.postmaster = Postmaster(state, MaildirDelivery(state).deliver, deliver)
        self.handler = SmtpHandler(
            addresses,
            deliver,
            postmaster=self.postmaster.keep,
            limits=self.limiter,
            max_recipients=smtp.recipients,
            overloaded=overloaded,
        )
        self._mail, self._passed = mail, startup.passed
        self.certificate: Certificate | None = None
        if smtp.tls_certificate is not None and smtp.tls_key is not None:
            self.certificate = Certificate(
                smtp.tls_certificate.path(environ), smtp.tls_key.path(environ)
            )
        self._listeners = list[SmtpListener]()
        self.smtp: str | None = None
        self.lmtp: str | None = None

    async def open(self) -> None:
        """Listen as configured; raises `ConfigError` or `Temporary`."""
        smtp, lmtp, name = self._mail.smtp, self._mail.lmtp, self._mail.greeting_name
        terms = SmtpTerms(smtp.size_limit, smtp.patience, self._context, name)
        self.smtp = await self._listen(SmtpListener(self.handler, terms), smtp)
        listener = SmtpListener(self.handler, replace(terms, tls=lambda: None), lmtp=True)
        self.lmtp = await self._listen(listener, lmtp, lmtp.group)

    async def _listen(
        self, listener: SmtpListener, way: ListenerSection, group: str | None = None
    ) -> str | None:
        """Listen as configured; returns the place, with the port that is in use."""
        if way.listen is None:
            return None
        place = way.path or way.address
        sockets = await listen(
            place, self._passed, failure="Emails cannot be accepted", group=group
        )
        listener.open_on(*sockets)
        self._listeners.append(listener)
        return way.listen if way.path else name_of(sockets[0])

    async def close(self, patience: float) -> None:
        """Stop listening, finish emails in progress, end the sessions."""
        await asyncio.gather(*(listener.close(patience) for listener in self._listeners))

    def _context(self) -> ssl.SSLContext | None:
        """The context for STARTTLS; changed certificate files apply to the next session."""
        if self.certificate is None:
            return None
        self.certificate.refresh()
        return self.certificate.context


def mailbox(imap: Imap, environ: Mapping[str, str]) -> ImapConnection:
    """The remote mailbox, not yet connected; raises `ConfigError` for an unreadable password.

    It is read for each connection, so that it can be corrected without a restart.
    """
    if imap.password is None:  # excluded by the checks of `Imap`
        raise AssertionError
    account = ImapAccount(
        host=imap.host or "",
        port=imap.port or (993 if imap.security == "tls" else 143),
        security=imap.security,
        user=imap.user or "",
        password=imap.password.read(environ),
        folder=imap.folder,
        flag=imap.flag,
        done_folder=imap.done_folder,
    )
    return ImapConnection(account)


BLOCKED_AFTER = timedelta(minutes=1)
"""If the mail server has not answered for this long, that is reported."""
_log = structlog.get_logger("godaemon")


def delivery(mail: Mail, environ: Mapping[str, str]) -> Delivery:
    """The configured way out; raises `ConfigError` for a password that cannot be read."""
    outgoing = mail.outgoing
    if outgoing.maildir is not None:
        return MaildirDelivery(outgoing.maildir)
    if outgoing.command is not None:
        return CommandDelivery(outgoing.command, timeout=outgoing.command_seconds)
    if outgoing.lmtp is not None:
        return SmarthostDelivery(*outgoing.lmtp_address, greeting=mail.greeting_name, lmtp=True)
    secret = outgoing.smarthost_password
    if secret is not None:
        secret.read(environ)  # to raise now if it cannot be read
    return SmarthostDelivery(
        outgoing.smarthost_host,
        outgoing.smarthost_port,
        security=outgoing.smarthost_security,
        user=outgoing.smarthost_user,
        password=partial(secret.read, environ) if secret is not None else None,
        greeting=mail.greeting_name,
    )


class WatchedDelivery:
    """A way out that remembers since when its tries have not been answered."""

    def __init__(self, way: Delivery, now: Callable[[], datetime]) -> None:
        self._way, self._now = way, now
        self._unanswered: datetime | None = None
        self.close = way.close

    @property
    def blocked_since(self) -> datetime | None:
        """The first unanswered try, if no try has been answered for `BLOCKED_AFTER`; else None."""
        since = self._unanswered
        return since if since and self._now() - since >= BLOCKED_AFTER else None

    async def deliver(self, recipient: str, sender: str, raw: bytes, uid: str) -> None:
        """Deliver an email (`Delivery.deliver`), and note whether the server answered."""
        self._unanswered = self._unanswered or self._now()
        try:
            await self._way.deliver(recipient, sender, raw, uid)
        except (Deferred, Undeliverable):  # the server answers
            self._unanswered = None
            raise
        self._unanswered = None


def dkim_signer(own: OwnAddress, environ: Mapping[str, str]) -> DkimSigner | None:
    """The signer of an address, if it has a key; raises `ConfigError` for an unusable key."""
    if own.dkim_key is None or own.dkim_selector is None:
        return None
    # dkim loads a DNS resolver; daemons that do not sign start sooner without it.
    from mailgate.delivery.dkim_signer import DkimSigner  # noqa: PLC0415

    path = own.dkim_key.path(environ)
    try:
        key = path.read_bytes()
    except OSError as fault:
        raise ConfigError(f"The DKIM key {path} cannot be read: {fault.strerror}.") from fault
    return DkimSigner(own.signing_domain, own.dkim_selector, key)


class LetterSigner:
    """Signs our emails with the configured keys, if any."""

    def __init__(self, mail: Mail, environ: Mapping[str, str]) -> None:
        self._environ = environ
        self.renew(mail)

    def __call__(self, raw: bytes, notice: Notice) -> bytes:
        """Sign an email with the key of the address that sends it."""
        signer = self._others.get(notice.our_address or "", self._main)
        return raw if signer is None else signer.sign(raw)

    def renew(self, mail: Mail) -> None:
        """Reload the keys; on `ConfigError` the old ones stay."""
        main, *others = [(one.address, dkim_signer(one, self._environ)) for one in mail.own]
        self._main, self._others = main[1], dict(others)


def count_lost_letter(
    games: Callable[[Unit], GameService], unit: Unit, notice: Notice, error: str, status: str
) -> None:
    """Count an undeliverable email against the address that refused it."""
    is_suspended = bouncing_addresses.record_bounce(
        games(unit),
        notice,
        error,
        is_refusal_of_us,
        hard=is_hard(status, error),
        counts=bool(status),
    )
    if is_suspended:
        _log.warning("address.suspended", address=notice.to, detail=error)
