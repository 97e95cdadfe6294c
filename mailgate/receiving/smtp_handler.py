"""The answers to SMTP and LMTP commands: a letter is acknowledged only after COMMIT.

RCPT is accepted for our own addresses alone, so nobody can relay through us. Our own trouble is
always a 451 (RFC 5321, 4.2.1: try again), never a 500, so that the sender's server keeps the
letter.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import KW_ONLY, dataclass, field
from typing import NamedTuple

import structlog
from aiosmtpd.smtp import SMTP, Envelope, Session

from godaemon.errors import QuotaExceeded, Temporary
from godaemon.system.counts import count
from godaemon.system.source_limits import MailLimiter
from mailgate import tokens
from mailgate.reading.inbound_letter import InboundLetter
from mailgate.receiving.envelopes import (
    client_address,
    distinct_recipients,
    find_recipient,
    is_postmaster,
    normalize_line_ends,
)

Deliver = Callable[[InboundLetter], Awaitable[bool]]
"""Stores a letter; returns False if we did not sign its token.

Raises `Temporary` if it could not be stored.
"""

MAX_WRONG_TOKENS = 10  # wrong tokens in one letter; its other recipients get a 451
LATER = "451 4.3.0 Temporary trouble here: please try again later"
NOT_NOW = "451 4.3.2 {}: please try again later"
NOBODY = "550 5.1.1 Nobody plays Go at that address"
STORED = "250 2.0.0 OK, your email is safe here"
_log = structlog.get_logger("godaemon.smtp")


class Rejections(NamedTuple):
    """Letters that we refused in a row; a letter that we store ends the row."""

    in_a_row: int = 0
    answer: str = ""
    """The last reply: `LATER` for a fault of ours, `NOBODY` for an address that is not ours."""
    cause: str = ""
    """The fault, or the address."""


@dataclass(eq=False)  # without slots: aiosmtpd reads all members, which Python 3.11.2 cannot then
class SmtpHandler:
    """Answers the commands of a session; a handler of aiosmtpd.

    `postmaster` keeps letters to the postmaster, an address of every mail server (RFC 5321, 4.5.1).
    A letter may have at most `max_recipients`. While `overloaded` returns a reason, no letter is
    accepted.
    """

    addresses: Callable[[], tuple[str, ...]]
    deliver: Deliver
    _: KW_ONLY
    postmaster: Deliver
    limits: MailLimiter
    max_recipients: int
    overloaded: Callable[[], str] = lambda: ""
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    rejections: Rejections = field(default=Rejections(), init=False)
    """Letters refused for our faults, or sent by our own relays to foreign addresses."""
    idle: asyncio.Event = field(default_factory=asyncio.Event, init=False)
    """Set while no letter is being handled."""
    _being_taken: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        self.idle.set()

    async def handle_EHLO(  # noqa: N802 - aiosmtpd names it so
        self, _server: SMTP, session: Session, _envelope: Envelope, name: str, offered: list[str]
    ) -> list[str]:
        """The extensions that we offer, as one reply, without AUTH."""
        session.host_name = name
        words = [line[4:] for line in offered if line[4:8] not in {"AUTH", "HELP"}]
        words += ["PIPELINING", "ENHANCEDSTATUSCODES"]
        return ["\r\n".join([*(f"250-{word}" for word in words[:-1]), f"250 {words[-1]}"])]

    async def handle_MAIL(  # noqa: N802 - aiosmtpd names it so
        self, _server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Begin a letter, unless the client has sent too many recently, or our queue is full."""
        if reason := self.overloaded():
            count("letters_in", "put-off")
            return NOT_NOW.format(reason)
        peer = host_of(session.peer)
        try:
            self.limits.count_letter(peer)
        except Temporary as refusal:
            count("letters_in", "put-off")
            _log.warning("smtp.too-many", peer=peer, detail=refusal.public)
            return f"450 4.7.1 {refusal.public}"
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 2.1.0 OK"

    async def handle_RCPT(  # noqa: N802 - aiosmtpd names it so
        self, _server: SMTP, session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        """Accept our own addresses, with or without a well-formed token; refuse all others."""
        ours = self.addresses()
        if not (tokens.is_ours(address, *ours) or is_postmaster(address, *ours)):
            number, answer, last = self.rejections
            if self.limits.trusts(host_of(session.peer)) and answer != LATER:
                self.rejections = Rejections(number + 1 if last == address else 1, NOBODY, address)
            return NOBODY
        if len(envelope.rcpt_tos) >= self.max_recipients:
            return "452 4.5.3 Too many recipients for one letter"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def take(self, envelope: Envelope, raw: bytes, peer: object) -> list[str]:
        """Store a letter for each recipient; returns the answer for each, 250 if it is stored."""
        raw, sender = normalize_line_ends(raw), (envelope.mail_from or "").strip("<>")
        recipients = distinct_recipients(envelope.rcpt_tos, *self.addresses())
        host = host_of(peer)
        network, trusted = self.limits.network(host, client_address(raw)), self.limits.trusts(host)
        answers, wrong = dict[str, str](), 0
        self._being_taken += 1
        self.idle.clear()
        try:
            for recipient in recipients:
                if wrong == MAX_WRONG_TOKENS:
                    answers[recipient] = LATER
                    continue
                to = find_recipient(recipient, raw, *self.addresses())
                inbound = InboundLetter(to, sender, raw, network, trusted)
                answers[recipient], good = await self._take_one(inbound)
                wrong += not good
        finally:
            self._being_taken -= 1
            if not self._being_taken:
                self.idle.set()
        wait = max((self.limits.count_wrong_token(host) for _ in range(wrong)), default=0)
        if wait:
            _log.warning("letter.wrong-token", peer=host, wait=wait)
            await self.sleep(wait)
        # An address that `distinct_recipients` left out is safe if any copy was stored.
        rest = STORED if STORED in answers.values() else LATER
        return [answers.get(recipient, rest) for recipient in envelope.rcpt_tos]

    async def _take_one(self, inbound: InboundLetter) -> tuple[str, bool]:
        """The answer for one recipient, and whether its token was good."""
        for_postmaster = is_postmaster(inbound.recipient, *self.addresses())
        keep = self.postmaster if for_postmaster else self.deliver
        try:
            good = await keep(inbound)
        except QuotaExceeded as enough:
            _log.info("letter.put-off", peer=inbound.network or None, detail=enough.detail)
            return f"451 4.7.1 {enough.public}", not enough.guessed
        except Temporary as trouble:
            reason = trouble.detail or trouble.public
            _log.warning("letter.put-off", detail=reason)
        except Exception as error:  # noqa: BLE001 - any fault is ours, and may pass
            _log.error("letter.put-off", exc_info=error)
            reason = repr(error)
        else:
            self.rejections = Rejections()
            return STORED, good
        self.rejections = Rejections(self.rejections.in_a_row + 1, LATER, reason)
        return LATER, True


def host_of(peer: object) -> str:
    """The IP address of a socket's peer; "" for a Unix socket, "?" if it is unknown."""
    if isinstance(peer, tuple) and peer:
        return str(peer[0])
    return "" if peer == "" else "?"
