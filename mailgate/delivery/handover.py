"""The hand-over of letters: a way out as their worker needs one, its patience, and MAIL FROM."""

from __future__ import annotations

from typing import Protocol

from godaemon.games.notices import Notice


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


def envelope_sender(notice: Notice, own: str) -> str:
    """MAIL FROM of a letter: empty for what answers a letter at once (RFC 3834, 3.3).

    An empty one is never answered or bounced, so two programs cannot write to each other for ever.
    What we send of our own accord carries an address of its `own`, so that we hear of boxes that
    are gone.
    """
    return "" if notice.answers else own
