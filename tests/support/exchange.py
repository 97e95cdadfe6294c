"""Gateways and mail robots exchange letters until none is left.

The real composer writes every letter of ours, which travels as bytes with its envelope. A `Robot`
takes a letter and returns its answers.
"""

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from email.message import EmailMessage
from email.utils import getaddresses

from mailgate.address import strip_tag
from mailgate.letters.letter_data import load_letter_data
from mailgate.reading.inbound_letter import InboundLetter
from tests.support.gateway import Gateway
from tests.support.letters import parsed


@dataclass(frozen=True, slots=True)
class Mail:
    """A letter in transit. `sender` is the envelope's; "" is the null sender."""

    sender: str
    recipient: str
    raw: bytes

    @property
    def letter(self) -> EmailMessage:
        return parsed(self.raw)


Robot = Callable[[Mail], Iterable[Mail]]


class Exchange:
    """Delivers letters between gateways and robots; `transit` changes each as a server does."""

    def __init__(
        self,
        *gateways: Gateway,
        robots: Mapping[str, Robot] | None = None,
        transit: Callable[[bytes], bytes] = lambda raw: raw,
    ) -> None:
        self._gateways = {gateway.address: gateway for gateway in gateways}
        self._robots, self._transit = robots or {}, transit
        self._written = dict.fromkeys(self._gateways, 0)

    def queued_mails(self, gateway: Gateway) -> list[Mail]:
        """Compose the letters that a gateway has queued since the last call."""
        composer, fresh = gateway.composer, []
        for due in gateway.outbox[self._written[gateway.address] :]:
            composed = composer.compose(load_letter_data(gateway.snapshot(), due))
            sender = "" if due.notice.answers else composer.return_path(due.uid)
            fresh.append(Mail(sender, due.notice.to, composed.raw))
        self._written[gateway.address] = len(gateway.outbox)
        return fresh

    def settle(self, *begun: Mail) -> int:
        """Deliver letters until none is left; returns their number, at most a thousand."""
        way, count = deque(begun), 0
        while True:
            for gateway in self._gateways.values():
                way.extend(self.queued_mails(gateway))
            if not way:
                return count
            count += 1
            assert count <= 1_000, "it never ends"
            way.extend(self._delivered(way.popleft()))

    def _delivered(self, mail: Mail) -> Iterable[Mail]:
        gateway = self._gateways.get(strip_tag(mail.recipient).lower())
        if gateway is not None:
            gateway.take(InboundLetter(mail.recipient, mail.sender, self._transit(mail.raw)))
            return ()
        robot = self._robots.get(mail.recipient)
        return robot(mail) if robot is not None else ()


def answer(mail: Mail, text: str) -> Mail:
    """A robot's answer without any header of automatic mail."""
    answered, author = mail.letter, mail.recipient
    to = getaddresses([str(answered["Reply-To"] or answered["From"])])[0][1]
    letter = EmailMessage()
    letter["From"] = author
    letter["To"] = to
    letter["Subject"] = f"Re: {answered['Subject']}"
    letter["Message-ID"] = f"<{abs(hash((mail.raw, text, to)))}@{author.partition('@')[2]}>"
    letter["In-Reply-To"] = str(answered["Message-ID"])
    letter["References"] = f"{answered['References'] or ''} {answered['Message-ID']}".strip()
    letter.set_content(f"{text}\n")
    return Mail(author, to, letter.as_bytes())


def without(*prefixes: str) -> Callable[[bytes], bytes]:
    """A `transit` that removes header fields by the prefixes of their lower-case names."""

    def transit(raw: bytes) -> bytes:
        letter = parsed(raw)
        for name in {name for name in letter if name.lower().startswith(prefixes)}:
            del letter[name]
        return letter.as_bytes()

    return transit
