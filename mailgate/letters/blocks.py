"""The blocks of a letter, the same for its text and its HTML.

In the words of a block, a line between backticks can be sent: it is a link in HTML, and shown as it
is in text. A line between double backticks is no link but an example: the reader changes a part.

Each link opens a new email with one command in it (RFC 6068). Its token is in the address, or in
the subject if the address cannot carry one. The rest of the subject is the game's, by which Gmail
and Outlook file the email with the game.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal
from urllib.parse import quote

from godaemon.diagrams.symbols import Part
from godaemon.rules.points import Point
from godaemon.texts.catalogue import say

MAX_LINK_START = 250
"""Maximum characters in a link before its command, if a short subject can achieve that."""


def body(*lines: str) -> str:
    """Lines joined for the body of a mailto link (RFC 6068, 5)."""
    return "\r\n".join(lines)


@dataclass(frozen=True)
class MailtoReply:
    """The reply that a link opens: its address and its subject; `short` is for long letters."""

    address: str
    subject: str
    short: str
    full: bool = True
    """True if each link on a board names its point; False if styles in the head draw the board."""
    tag: str = ""
    """The token, if the address cannot carry it: it is added to every subject."""

    def fit_subject(self) -> "MailtoReply":
        """This reply, with the short subject if its links would be very long."""
        return self if len(self.start) <= MAX_LINK_START else replace(self, subject=self.short)

    def shorter_forms(self) -> "Iterator[MailtoReply]":
        """This reply in ever shorter forms; the last has no subject."""
        yield self
        yield replace(self, subject=self.short)
        yield self.with_brief_subject()
        yield replace(self.with_brief_subject(), subject="")

    def with_brief_subject(self) -> "MailtoReply":
        """This reply with one word as its subject, for a board that the page's head draws."""
        return replace(self, subject="Go", full=False)

    def href(self, text: str) -> str:
        return self.start + quote(text, safe="")

    @cached_property
    def start(self) -> str:
        """The start of every link; the percent-encoded command follows it."""
        words = f"{self.subject} {self.tag}".strip()
        encoded = quote(words, safe=":", errors="replace")
        subject = f"subject={encoded}&" if words else ""
        return f"mailto:{quote(self.address, safe='@')}?{subject}body="


@dataclass(frozen=True, slots=True)
class Words:
    """A paragraph; experienced players can skip a `small` one."""

    words: str
    small: bool = False


def words(*sentences: str, small: bool = False) -> tuple[Words, ...]:
    """A paragraph of the sentences that are not empty; () if all are empty."""
    text = join_sentences(*sentences)
    return (Words(text, small),) if text else ()


def join_sentences(*sentences: str) -> str:
    """The sentences that are not empty, in one paragraph."""
    return " ".join(filter(None, sentences))


def own_line(line: str) -> str:
    """A line to send; `yes` and `no` in the reader's language, all others as they are."""
    return say(line) if line in ("yes", "no") else line


@dataclass(frozen=True, slots=True)
class Choices:
    """Replies to send: each with its text, of one line or more, and its effect.

    HTML has the `buttons`, if any, instead of the rows; text without rows only asks for a reply.
    """

    rows: tuple[tuple[str, str], ...] = ()
    label: str = ""
    """The label before each reply; "" is `Reply with:`. With any other label HTML has no links."""
    buttons: tuple[tuple[str, str], ...] = ()
    """The words on each button, and the line that it sends."""
    words: str = ""
    """Other replies, in words."""
    clicks: str = ""
    """HTML's words instead of `words` if the board can be clicked."""
    is_awaited: bool = True
    """Whether the first of several replies is a filled button."""

    @classmethod
    def from_keys(cls, lines: Mapping[str, str]) -> "Choices":
        """Choices of lines, each with the message key of its effect."""
        return cls(tuple((own_line(line), say(key)) for line, key in lines.items()))


@dataclass(frozen=True, slots=True)
class Quote:
    """A person's words, below a heading that names the person."""

    heading: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Diagram:
    """A board by its seven-state rows (top row first), with the last move marked.

    `taken` are the points that the last move emptied, which HTML shows and text names elsewhere.
    `sends` has the line that a click on a point sends. `reply` is shown below the board; the HTML
    source has it above, so that a screen reader reads it before all the points.
    """

    rows: tuple[str, ...]
    last: Point | None = None
    sends: Mapping[Point, str] = field(default_factory=dict)
    taken: tuple[Point, ...] = ()
    reply: Choices | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under a head; with `figures` all columns but the first are aligned to the right."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    figures: bool = True
    total: bool = False
    """Whether the last row is the sum of the others."""


@dataclass(frozen=True, slots=True)
class Offer:
    """One of several games: its blocks below a title, whose links in HTML write to `reply`.

    The lines of plain text, and those of clicks on the board, name the game, because they reply to
    the whole list.
    """

    title: str
    words: str
    blocks: "tuple[Block, ...]"
    reply: MailtoReply


@dataclass(frozen=True, slots=True)
class Items:
    """A list of short texts."""

    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Paste:
    """One line to copy as it is, which is never broken."""

    line: str


Block = Part | Words | Choices | Quote | Diagram | Table | Offer | Items | Paste


@dataclass(frozen=True, slots=True)
class LetterBlocks:
    """One letter: its first line, which mail programs show beside the subject, and the rest."""

    first: str
    blocks: tuple[Block, ...]
    record: bool = False
    """Whether the game's record is attached."""
    client: bool = False
    """Whether the client for Go programs is attached."""
    picture: Literal["", "kifu", "film"] = ""
    """The picture of the game that HTML shows instead of the board: of all moves, or animated."""
    counted: bool = True
    """Whether a `done` may answer it; False if the count it shows is not the game's."""
    agreement: str = "done"
    """The lines that agree to the count as it shows it; "" if it asks which marks are right."""
