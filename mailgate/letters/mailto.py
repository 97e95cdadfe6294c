"""The links of our letters: each opens a reply in which one command is written already. Pure.

RFC 6068: everything but letters, digits and a few marks is percent-encoded, `+` too, because some
programs would read it as a blank. A click is a new letter and no reply, so the token that it needs
stands in the address, or in the subject where that cannot carry it; the rest of the subject is the
game's, by which Gmail and Outlook file it with the game.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from urllib.parse import quote

LONGEST = 250
"""How many characters a link has at most before the command that it sends, if that can be."""


def body(*lines: str) -> str:
    """Lines to send as the body of a link has them (RFC 6068, 5)."""
    return "\r\n".join(lines)


@dataclass(frozen=True)
class MailtoReply:
    """The reply that a link of a letter opens: its address and its subject.

    `short` is a subject that serves as well where the links would make a letter too long.
    """

    address: str
    subject: str
    short: str
    full: bool = True
    """True where each link on a board names its point, and the board needs no head of the page."""
    tag: str = ""
    """The token, where the address cannot carry it: every subject ends in it."""

    def fitting(self) -> MailtoReply:
        """The same, or with the short subject where the links would be very long."""
        return self if len(self.start) <= LONGEST else replace(self, subject=self.short)

    def steps(self) -> Iterator[MailtoReply]:
        """The same in ever fewer characters; without a subject, which programs ask for, at last."""
        yield self
        yield replace(self, subject=self.short)
        yield self.brief()
        yield replace(self.brief(), subject="")

    def brief(self) -> MailtoReply:
        """The same with a word for a subject, for a board that is drawn by the page's head."""
        return replace(self, subject="Go", full=False)

    def href(self, said: str) -> str:
        """The link that opens a letter which says this."""
        return self.start + quote(said, safe="")

    @cached_property
    def start(self) -> str:
        """What all links begin with; the command, percent-encoded, stands behind it."""
        words = f"{self.subject} {self.tag}".strip()
        subject = f"subject={_words(words)}&" if words else ""
        return f"mailto:{quote(self.address, safe='@')}?{subject}body="


def _words(text: str) -> str:
    """Percent-encoded; in broken characters of somebody's name nothing is kept."""
    return quote(text.encode("utf-8", "replace"), safe=":")
