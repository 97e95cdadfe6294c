"""The hand-over of letters: a way out as their worker needs one, its patience, and the envelope."""

from __future__ import annotations

import re
from typing import Protocol

from godaemon.errors import Undeliverable
from godaemon.games.notices import Notice

_STATUS = re.compile(r"\b[45]\.\d{1,3}\.\d{1,3}\b")
_PLAIN = re.compile(r"[^\s<>(),;:\\\"\x00-\x1f]+@[^\s<>(),;\\\"\x00-\x1f@]+")


class Delivery(Protocol):
    """A way out for letters."""

    async def deliver(self, recipient: str, sender: str, raw: bytes, uid: str) -> None:
        """Hand over one letter; `sender` is the envelope's, "" for none.

        Raises `Temporary` where another try may help, `Undeliverable` where none will.
        """

    async def close(self) -> None:
        """Let go of what is kept open."""


class Retry(Protocol):
    """The waits between tries, in seconds; `godaemon.config`'s [mail.outgoing] is one."""

    @property
    def retry_first(self) -> float:
        """The wait after the first try that failed; it doubles each time."""

    @property
    def retry_limit(self) -> float:
        """The longest wait."""

    @property
    def give_up_days(self) -> int:
        """After how many days a letter is set aside."""


def status_in(said: str, otherwise: str) -> str:
    """The enhanced status code (RFC 3463) in what a server says; another where it gives none."""
    found = _STATUS.search(said)
    return found[0] if found else otherwise


def check_envelope(recipient: str, sender: str = "", *, program: bool = False) -> None:
    """Raise `Undeliverable` for addresses that a server or program could take for something else.

    A program could take one for an option.
    """
    plain = _PLAIN.fullmatch(recipient) and (not sender or _PLAIN.fullmatch(sender))
    if not plain or (program and recipient.startswith("-")):
        raise Undeliverable("Nobody can be written to there.", detail=f"address {recipient!r}")


def envelope_sender(notice: Notice, own: str) -> str:
    """MAIL FROM of a letter: empty for what answers a letter at once (RFC 3834, 3.3).

    An empty one is never answered or bounced, so two programs cannot write to each other for ever.
    What we send of our own accord carries an address of its `own`, so that we hear of boxes that
    are gone.
    """
    return "" if notice.answers else own
