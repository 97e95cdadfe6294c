"""Letters before they are parsed: on arrival, held, or in quarantine."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class InboundLetter:
    """A letter as it arrived, with its envelope (RFC 5321 2.3.1)."""

    recipient: str
    sender: str  # the envelope's sender; empty for a bounce
    raw: bytes
    network: str = ""  # the network that it came from; "" if that is unknown
    trusted: bool = False
    """True if our own mail server may have sent it, whose verdict on its author counts."""


@dataclass(frozen=True, slots=True)
class HeldLetter:
    """A letter that waits for a yes from the seat's own address."""

    id: int
    game: int
    side: str  # the seat that it would act for: "proposer" or "invited"
    sender: str  # the address that is not known yet
    letter: InboundLetter
    nonce: str


@dataclass(frozen=True, slots=True)
class QuarantinedLetter:
    """A letter that our own fault kept from being handled."""

    id: int
    letter: InboundLetter
    fault: str  # the traceback
    at: datetime
