"""The store of letters that came in, as `godaemon.storage` provides it inside `Writer.run`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from godaemon.games.store_protocols import Unit
from mailgate.reading.inbound_letter import InboundLetter


@dataclass(frozen=True, slots=True)
class HeldLetter:
    """A letter that waits for a yes from the seat's own address."""

    id: int
    game: int
    side: str  # whose seat it would act for: "proposer" or "invited"
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


class InboxStore(Protocol):
    """Letters that came in."""

    def first_time(self, fingerprint: str, message_id: str, at: datetime) -> bool:
        """Remember a letter; False if it was here before."""

    def hold(self, game: int, side: str, sender: str, letter: InboundLetter, nonce: str) -> int:
        """Keep a letter until its seat's address has said yes; returns its number."""

    def held(self, number: int) -> HeldLetter | None:
        """A letter that is being held."""

    def held_from(self, game: int, side: str, sender: str) -> Sequence[HeldLetter]:
        """The letters of one address that wait for one seat, the oldest first."""

    def forget_held(self, number: int) -> None:
        """Forget a held letter."""

    def quarantine(self, letter: InboundLetter, fault: str, at: datetime) -> int:
        """Put a letter into quarantine; returns its number."""

    def quarantined(self) -> Sequence[QuarantinedLetter]:
        """All letters in quarantine, the oldest first."""

    def quarantined_count(self) -> int:
        """How many letters are in quarantine."""

    def release_quarantined(self, number: int) -> QuarantinedLetter:
        """Take a letter out of quarantine; raises `Unknown`."""


class MailUnit(Unit, Protocol):
    """One transaction, with the letters that came in."""

    @property
    def inbox(self) -> InboxStore:
        """Letters that came in."""
