"""Letters out, as the configuration has it: the way they go, their signature, those that are lost.

Imports the configuration and the mail gateway. Raises `ConfigError` for a secret it cannot have.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING

import structlog

from godaemon.config.mail_options import Mail, OwnAddress
from godaemon.errors import ConfigError, PutOff, Undeliverable
from godaemon.games import address_suspension
from godaemon.games.notices import Notice
from godaemon.games.service import GameService
from godaemon.games.store_protocols import Unit
from mailgate.delivery.smarthost import SmarthostDelivery
from mailgate.delivery.ways_out import CommandDelivery, Delivery, LmtpDelivery, MaildirDelivery
from mailgate.reading.reports import is_hard, refuses_us

if TYPE_CHECKING:  # only who signs letters loads dkim
    from mailgate.delivery.dkim_signer import DkimSigner

BLOCKED_AFTER = timedelta(minutes=1)
"""A mail server that is started anew, or takes its time, is not worth telling of."""
_log = structlog.get_logger("godaemon")


def delivery(mail: Mail, environ: Mapping[str, str]) -> Delivery:
    """The one way that is configured."""
    outgoing = mail.outgoing
    if outgoing.maildir is not None:
        return MaildirDelivery(outgoing.maildir)
    if outgoing.command is not None:
        return CommandDelivery(outgoing.command, timeout=outgoing.command_seconds)
    if outgoing.lmtp is not None:
        return LmtpDelivery(*outgoing.lmtp_address, greeting=mail.greeting_name)
    secret = outgoing.smarthost_password
    if secret is not None:
        secret.read(environ)  # raises now where it cannot be had
    return SmarthostDelivery(
        outgoing.smarthost_host,
        outgoing.smarthost_port,
        security=outgoing.smarthost_security,
        user=outgoing.smarthost_user,
        password=partial(secret.read, environ) if secret is not None else None,
        greeting=mail.greeting_name,
    )


class WatchedDelivery:
    """A way out, and since when it takes nothing at all, for reasons of its own."""

    def __init__(self, way: Delivery, now: Callable[[], datetime]) -> None:
        self._way, self._now = way, now
        self._unanswered: datetime | None = None
        self.close = way.close

    @property
    def blocked_since(self) -> datetime | None:
        """When the first try began that got no answer, where no other has got one for a while."""
        since = self._unanswered
        return since if since and self._now() - since >= BLOCKED_AFTER else None

    async def deliver(self, recipient: str, sender: str, raw: bytes, uid: str) -> None:
        """Hand over one letter, as the way out does."""
        self._unanswered = self._unanswered or self._now()
        try:
            await self._way.deliver(recipient, sender, raw, uid)
        except (PutOff, Undeliverable):  # it speaks to us
            self._unanswered = None
            raise
        self._unanswered = None


def dkim_signer(own: OwnAddress, environ: Mapping[str, str]) -> DkimSigner | None:
    """The signer of letters from an address of ours; None without a key."""
    if own.dkim_key is None or own.dkim_selector is None:
        return None
    # It brings a resolver of names with it, and few sign: the others start sooner.
    from mailgate.delivery.dkim_signer import DkimSigner  # noqa: PLC0415

    path = own.dkim_key.path(environ)
    try:
        key = path.read_bytes()
    except OSError as fault:
        raise ConfigError(f"The DKIM key {path} cannot be read: {fault.strerror}.") from fault
    return DkimSigner(own.signing_domain, own.dkim_selector, key)


class LetterSigner:
    """Signs our letters by the keys that are configured; leaves them as they are without one."""

    def __init__(self, mail: Mail, environ: Mapping[str, str]) -> None:
        self._environ = environ
        self.renew(mail)

    def __call__(self, raw: bytes, notice: Notice) -> bytes:
        """The notice's letter with what it needs to be believed."""
        signer = self._others.get(notice.ours or "", self._main)
        return raw if signer is None else signer.sign(raw)

    def renew(self, mail: Mail) -> None:
        """Take the keys as they are now; the old ones stay where that raises `ConfigError`."""
        main, *others = [(one.address, dkim_signer(one, self._environ)) for one in mail.own]
        self._main, self._others = main[1], dict(others)


def count_lost_letter(
    games: Callable[[Unit], GameService], unit: Unit, notice: Notice, error: str, status: str
) -> None:
    """A letter will not arrive: count it against its address, where that refused it."""
    bounced, hard, counts = address_suspension.bounced, is_hard(status, error), bool(status)
    if bounced(games(unit), notice, error, refuses_us, hard=hard, counts=counts):
        _log.warning("address.suspended", address=notice.to, detail=error)
