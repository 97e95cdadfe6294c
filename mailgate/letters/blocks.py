"""Blocks that a letter is made of, the same for its text and its HTML. Pure values.

In the words of a block, what stands between two backticks is something to be sent: HTML makes a
link of it, text shows it as it is.

Each link opens a reply in which one command is written already (RFC 6068). A click is a new letter
and no reply, so the token that it needs stands in the address, or in the subject where that cannot
carry it; the rest of the subject is the game's, by which Gmail and Outlook file it with the game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from urllib.parse import quote

from godaemon.diagrams.symbols import Part
from godaemon.rules.points import Point
from godaemon.texts.catalogue import say

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
        """This reply, with the short subject where its links would be very long."""
        return self if len(self.start) <= LONGEST else replace(self, subject=self.short)

    def steps(self) -> Iterator[MailtoReply]:
        """This reply in ever shorter forms; for the last, mail programs ask for a subject."""
        yield self
        yield replace(self, subject=self.short)
        yield self.brief()
        yield replace(self.brief(), subject="")

    def brief(self) -> MailtoReply:
        """This reply with one word as its subject, for a board that the page's head draws."""
        return replace(self, subject="Go", full=False)

    def href(self, said: str) -> str:
        return self.start + quote(said, safe="")

    @cached_property
    def start(self) -> str:
        """What all links begin with; the command, percent-encoded, stands behind it."""
        words = f"{self.subject} {self.tag}".strip()
        subject = f"subject={_quoted(words)}&" if words else ""
        return f"mailto:{quote(self.address, safe='@')}?{subject}body="


def _quoted(text: str) -> str:
    return quote(text.encode("utf-8", "replace"), safe=":")


@dataclass(frozen=True, slots=True)
class Words:
    """A paragraph; a `small` one explains, and may be skipped by who knows the game."""

    words: str
    small: bool = False


def words(*sentences: str, small: bool = False) -> tuple[Words, ...]:
    """A paragraph of those sentences that are not empty; nothing where all are."""
    told = joined(*sentences)
    return (Words(told, small),) if told else ()


def joined(*sentences: str) -> str:
    """The sentences that are not empty, in one paragraph."""
    return " ".join(filter(None, sentences))


@dataclass(frozen=True, slots=True)
class Choices:
    """Replies that can be sent: each its text, of one line or more, and what it does.

    Where there are `buttons`, HTML has them instead of the rows.
    """

    rows: tuple[tuple[str, str], ...]
    label: str = ""
    """What stands before each, "" for `Reply with:`; with another one HTML has no links."""
    buttons: tuple[tuple[str, str], ...] = ()
    """The words of each, and what it sends."""
    words: str = ""
    """What else can be replied."""
    clicks: str = ""
    """What HTML says instead of `words` where the board can be clicked."""

    @classmethod
    def of(cls, lines: Mapping[str, str]) -> Choices:
        """Lines to send, each with the key of what it does."""
        return cls(tuple((line, say(key)) for line, key in lines.items()))


@dataclass(frozen=True, slots=True)
class Todo:
    """A request to the reader, where a board to click on is in the letter.

    Text has `words`, and so has the HTML of a letter whose points cannot be clicked; else HTML has
    `clicks`. In HTML `buttons` follow either, each its words and what it sends.
    """

    words: str
    clicks: str
    buttons: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Quote:
    """Somebody's own words, under a line that says whose they are."""

    whose: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Diagram:
    """A board by its seven-state rows (top row first), with the last move marked.

    `taken` are the points that the last move emptied, which HTML shows and text names elsewhere.
    `sends` is what a click on a point sends. What can be replied is seen below the board; in HTML
    it is written above it, so that who hears the letter need not go through every point first.
    """

    rows: tuple[str, ...]
    last: Point | None = None
    sends: Mapping[Point, str] = field(default_factory=dict)
    taken: tuple[Point, ...] = ()
    reply: Todo | Choices | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under a head; all columns but the first are set to the right where `figures`."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    figures: bool = True
    total: bool = False
    """Whether the last row is the sum of the others."""
    small: bool = False
    """Whether it may be skipped by who knows the game."""


@dataclass(frozen=True, slots=True)
class Offer:
    """One of several games that wait: what it is about, and what can be replied.

    HTML has `buttons`, each its words and what it sends, which write to `reply`; text has `rows`,
    which name the game, because they answer the letter as a whole, as a click on its board does.
    """

    title: str
    words: str
    said: tuple[Quote, ...]
    """What the other player has said since the reader's last move."""
    buttons: tuple[tuple[str, str], ...]
    rows: Choices
    reply: MailtoReply
    board: Diagram | None = None


@dataclass(frozen=True, slots=True)
class Items:
    """A list of short things."""

    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Paste:
    """One line to copy as it is: it is never broken, however long it is."""

    line: str


@dataclass(frozen=True, slots=True)
class Cut:
    """A part of a board."""

    part: Part


Block = Cut | Words | Choices | Todo | Quote | Diagram | Table | Offer | Items | Paste


@dataclass(frozen=True, slots=True)
class LetterBlocks:
    """One letter: its first line, which mail programs show beside the subject, and the rest."""

    first: str
    blocks: tuple[Block, ...]
    record: bool = False
    """Whether the game's record is attached."""
    client: bool = False
    """Whether the program by which Go programs come here is attached."""
    kifu: bool = False
    """Whether HTML shows the picture of the whole game in the place of the board."""
    film: bool = False
    """Whether it shows there how the game went, move by move."""
    counted: bool = True
    """Whether a `done` may answer it; False where it shows another count than the game's."""
