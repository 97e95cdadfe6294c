"""The interface of transports for letters, and the check of each letter's addresses."""

import re
from typing import Protocol

from godaemon.errors import Undeliverable

_PLAIN = re.compile(r"[^\s<>(),;:\\\"\x00-\x1f]+@[^\s<>(),;\\\"\x00-\x1f@]+")


class Delivery(Protocol):
    """A transport for letters: a server, a program or folders."""

    async def deliver(self, recipient: str, sender: str, raw: bytes, uid: str) -> None:
        """Hand over one letter; `sender` is the envelope's, or "".

        Raises `Temporary` if another try may help, `Undeliverable` if none will.
        """

    async def close(self) -> None:
        """Close connections, if any are kept."""


def check_envelope(recipient: str, sender: str = "", *, program: bool = False) -> None:
    """Raise `Undeliverable` for addresses that a server, or a program's options, could misread."""
    plain = _PLAIN.fullmatch(recipient) and (not sender or _PLAIN.fullmatch(sender))
    if not plain or (program and recipient.startswith("-")):
        raise Undeliverable(
            "We cannot send emails to such an address.", detail=f"address {recipient!r}"
        )
