"""A letter as it arrives, before anything of it is read: its envelope and its bytes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class InboundLetter:
    """A letter as it arrived, with its envelope (RFC 5321 2.3.1)."""

    recipient: str
    sender: str  # the envelope's sender; empty for a bounce
    raw: bytes
    network: str = ""  # the network that it came from; "" if that is unknown
    trusted: bool = False
    """True if who brought it may be our own mail server, whose word on its sender counts."""
