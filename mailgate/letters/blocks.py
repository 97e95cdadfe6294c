"""Blocks that a letter is made of, the same for its text and its HTML. Pure values.

In the words of a block, what stands between two backticks is something to be sent: HTML makes a
link of it, text shows it as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from godaemon.diagrams.part import Part
from godaemon.rules.points import Point
from mailgate.letters.mailto import MailtoReply


@dataclass(frozen=True, slots=True)
class Words:
    """A paragraph; a `small` one explains, and may be skipped by who knows the game."""

    words: str
    small: bool = False


@dataclass(frozen=True, slots=True)
class Choices:
    """Replies that can be sent: each its text, of one line or more, and what it does.

    Where there are `buttons`, HTML has them instead.
    """

    rows: tuple[tuple[str, str], ...]
    label: str = ""
    """What stands before each, "" for `Reply with:`; with another one HTML has no links."""
    clicks: str = ""
    """What HTML says instead, with `buttons`, where all of it can be clicked on the board."""
    buttons: tuple[tuple[str, str], ...] = ()
    """The words of each, and what it sends."""


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
