"""The new text of a letter: its sender's words, down to the first sign of anything else.

Raises nothing. Reading stops at the first boundary, if in doubt one line too early: a quoted
`resign` must never be read, but a lost word of chat does no harm. The text below a quotation of `>`
lines is read only if nothing but a greeting is above it, for people who answer below.
"""

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Sequence
from enum import Enum
from functools import lru_cache
from itertools import accumulate

from mailgate.address import Address
from mailgate.reading.additions import is_added, is_banner, is_footer, strip_sign_off
from mailgate.reading.attribution import (
    MAILBOX,
    WRAPPED,
    begins_attribution,
    ends_attribution,
    find_attribution,
    find_heading,
    has_mailbox_and_date,
    is_dated,
    may_end_attribution,
)
from mailgate.reading.our_sentences import FULL, find_our_sentence, is_ours, strip_our_text
from mailgate.reading.program_phrases import phrases, words

MAX_LINE = 2_000
MAX_LINES = 2_000
MAX_NEW = 3_000  # characters of new text that are read: half as many again as are passed on

_INVISIBLE = dict.fromkeys(
    [
        *(*range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070), 0xFEFF, 0xAD),
        *(*range(0xFE00, 0xFE10), *range(0xE0000, 0xE0080), 0x34F, 0x61C, 0x180E),
        0x1427,  # some mail programs put it into letters that they track
        *(0x115F, 0x1160, 0x3164, 0xFFA0),  # Hangul fillers: invisible, though Unicode letters
    ]
)
_SPACE = re.compile(r"[\s\x00-\x1f\x7f-\x9f]")
_QUOTE = re.compile(r"(?:[A-Z]{1,3})?[>＞|│┃]")
_RULE = re.compile(r"(?:[-_=–—―─━═]\s?){2,}|[*~]{4,}|[—–]")
_TITLE_RULE = re.compile(r"(?:[-=–—]{2,}+|_{3,}+)\s?[^\s\d].{1,160}?\s?(?:[-=–—]{2,}+|_{3,}+):?")
_TABLE_TOP = "|----"
_TABLE = re.compile(r"\|----|.{0,80}?---\s?\d{1,4}[./-]\d{1,2}[./-]\d{1,4} [\d:. APMapm]{4,16}---")
"""The start of a quotation by HCL Notes: an ASCII table, or `Al ---20.11.2026 10:00:00---`."""
_JOINED_LINE = re.compile(r"(.{10,400}?@.{0,120}?[:：])\s+(\S.*)")
_LABEL = re.compile(r"\*{0,2}([^\W\d_][^:*]{0,25}?)\s?\*{0,2}\s?:\*{0,2}(?=\s|$)\s*(.{0,200})")
_FIELDS = {
    label: field
    for field in ("from", "sent", "to", "cc", "subject", "reply-to")
    for label in words(field)
}
"""A header field's translated label, and which field it is."""
_TITLES = frozenset(words("title"))
"""Titles above a quoted or forwarded letter, between two rules or alone."""
_SHORTEST_ADDED = 10
_LONGEST_MARK = 2  # characters of a line that marks a signature; a longer one is a rule
_MAX_SIGNATURE = 2  # more lines than this below our marker are our letter, not just a signature
_LONGEST_BANNER = 8
_UNWRAPPED = 120  # a line of this length was not wrapped


class Boundary(Enum):
    """The kinds of boundaries that end the new text."""

    QUOTE = "quote"
    ATTRIBUTION = "attribution"
    HEADING = "heading"  # an attribution without a date or a mailbox: `The vicar wrote:`
    RULE = "rule"
    OURS = "ours"
    HEADER = "header"
    OTHER = "other"


def new_text(
    text: str, *, writer: Address | None = None, greets: Callable[[str], bool] = str.isspace
) -> tuple[str, ...]:
    """The lines that the writer wrote now, folded, without blank ones at either end.

    `greets` returns True for a greeting; below a lone greeting the answer may follow the quotation.
    """
    lines = _fold_lines(text)
    boundaries = _find_boundaries(tuple(lines))
    end = _next_boundary(boundaries, 0, len(lines))
    written = _strip_blank_lines(_lines_above(lines, end, boundaries.get(end)))
    if end < len(lines) and all(map(greets, filter(None, written))):
        start = _find_text_below(lines, boundaries, end)
        stop = _next_boundary(boundaries, start, len(lines))
        written = _strip_blank_lines([*written, "", *_strip_blank_lines(lines[start:stop])])
    return strip_sign_off(written, *((writer.address, writer.name) if writer else ()))


def lines_within_quotation(text: str, read: Collection[str] = ()) -> tuple[str, ...]:
    """The lines between and below the `>` lines of a quotation, without their wrapped ends.

    The lines in `read` (the new text) are left out. The others are not read, and its writer should
    know. Below the header of a letter everything is that letter, with what it quotes.
    """
    lines = _fold_lines(text)
    boundaries = _find_boundaries(tuple(lines))
    quoted = [index for index, kind in boundaries.items() if kind is Boundary.QUOTE]
    start = min(quoted, default=len(lines))
    added = (
        at
        for at, kind in boundaries.items()
        if kind is Boundary.HEADER or (at > start and kind in (Boundary.OTHER, Boundary.RULE))
    )
    known = {"", *read}
    return _limit_lines(
        lines[index]
        for index in range(start, min(added, default=len(lines)))
        if lines[index] not in known and index not in boundaries and len(lines[index - 1]) < FULL
    )


def words_below_heading(text: str) -> tuple[str, ...]:
    r"""The lines below a heading or a rule that may be the writer's own; () for a program's.

    They are not read, and their writer should know: people repeat letters and poems. They are not
    the writer's if a quotation or text of ours follows.

    >>> words_below_heading("D4\n\nMy aunt wrote:\nWe are well.")
    ('My aunt wrote:', 'We are well.')
    """
    lines = _fold_lines(text)
    boundaries = _find_boundaries(tuple(lines))
    start = _next_boundary(boundaries, 0, len(lines))
    others = {at: kind for at, kind in sorted(boundaries.items()) if kind not in _OWN}
    end = next(iter(others), len(lines))
    found = [lines[at] for at in range(start, end) if boundaries.get(at) is not Boundary.RULE]
    follows = next((kind for kind in others.values() if kind is not Boundary.OTHER), None)
    is_quoted = follows in (Boundary.QUOTE, Boundary.OURS) or find_our_sentence(found) is not None
    is_rule = boundaries.get(start) is Boundary.RULE
    added = is_rule and any(_ADDED.find_all(" ".join(found)))
    return () if is_quoted or added else strip_sign_off(_strip_blank_lines(found))


_OWN = (Boundary.HEADING, Boundary.RULE)
"""Boundaries that people write, too."""


def words_within_quotation(lines: Sequence[str]) -> tuple[str, ...]:
    r"""A few words in lines of or below a quotation; () if a program may have added them.

    >>> words_within_quotation(lines_within_quotation("D4\n\n> How are you?\n\nFine, and you?"))
    ('Fine, and you?',)
    """
    found = strip_sign_off(_strip_blank_lines(lines))
    whole = " ".join(found)
    added = any(is_footer(line) or is_banner(line) for line in found)
    courtesy = whole.count(" ") < _COURTESY
    if added or courtesy or len(whole) > _MAX_LENGTH or any(_ADDED.find_all(whole)):
        return ()
    return found


_COURTESY = 2  # minimum spaces: fewer words are only a courtesy
_MAX_LENGTH = 240  # characters; additions of companies and lists are longer, or have known phrases
_ADDED = phrases("added", before=r"\b", after=r"\b")
"""Phrases that programs put below a letter and people rarely write."""


@lru_cache(maxsize=2)  # the lines of one letter are needed several times
def _fold_lines(text: str) -> list[str]:
    lines = [fold_space(line[:MAX_LINE]) for line in text.split("\n")[:MAX_LINES]]
    plain = [line for whole in lines for line in _split_joined_line(whole)]
    return plain[_count_banner_lines(plain) :]


def _split_joined_line(line: str) -> tuple[str, ...]:
    """A line, split in two if Yahoo's apps joined an attribution and the first quoted words."""
    found = _JOINED_LINE.match(line) if "@" in line and begins_attribution(line) else None
    if found and find_attribution([found[1]], 0) is not None:
        return found[1], found[2]
    return (line if line != "&nbsp;" else "",)


def _count_banner_lines(lines: list[str]) -> int:
    """The number of lines at the top that warn of mail from outside."""
    top = next((index for index, line in enumerate(lines) if line), 0)
    if not lines or len(lines[top]) < _SHORTEST_ADDED or not is_banner(lines[top]):
        return 0
    end = top + 1
    while end < min(len(lines), top + _LONGEST_BANNER) and (
        is_banner(lines[end])
        or (len(lines[end - 1]) >= FULL and len(lines[end - 1]) < _UNWRAPPED and " " in lines[end])
    ):
        end += 1
    return end


def _lines_above(lines: list[str], end: int, boundary: Boundary | None) -> list[str]:
    """The lines above the first boundary, without lines of a program or of our letter."""
    if boundary is Boundary.OURS:
        above = strip_our_text(lines[:end], quoted=sum(map(bool, lines[end:])) > _MAX_SIGNATURE)
        return above[: find_heading(above, len(above))]
    if (sentence := find_our_sentence(lines[:end])) is not None:
        return lines[:sentence]
    if boundary in (Boundary.QUOTE, Boundary.ATTRIBUTION, Boundary.HEADING):
        return lines[: find_heading(lines, end)]
    return lines[:end]


def fold_space(line: str) -> str:
    """A line with ordinary spaces only, stripped, and without invisible characters."""
    if line.isascii() and line.isprintable():  # the usual case
        return line.strip()
    visible = line.translate(_INVISIBLE)
    return _SPACE.sub(" ", visible).strip()


def _strip_blank_lines(lines: Sequence[str]) -> tuple[str, ...]:
    written = [index for index, line in enumerate(lines) if line]
    return _limit_lines(lines[written[0] : written[-1] + 1]) if written else ()


def _limit_lines(lines: Iterable[str]) -> tuple[str, ...]:
    """The first lines, up to `MAX_NEW` characters."""
    kept = list(lines)
    ends = accumulate(len(line) + 20 for line in kept)  # each takes time of its own
    return tuple(line for line, end in zip(kept, ends, strict=True) if end <= MAX_NEW)


def first_boundary(lines: Iterable[str]) -> int:
    """The index of the first line that is not the writer's, or the number of lines."""
    folded = tuple(map(fold_space, lines))
    return _next_boundary(_find_boundaries(folded), 0, len(folded))


def _next_boundary(boundaries: dict[int, Boundary], start: int, default: int) -> int:
    return min((index for index in boundaries if index >= start), default=default)


def _find_text_below(lines: list[str], boundaries: dict[int, Boundary], top: int) -> int:
    """The start of the text below a quotation of `>` lines; the end if none is to be read."""
    start = top
    if boundaries[top] in (Boundary.ATTRIBUTION, Boundary.HEADING):
        quotes = (i for i, kind in boundaries.items() if i > top and kind is Boundary.QUOTE)
        start = min(quotes, default=top)
        if any(lines[index] for index in range(top + WRAPPED, start)):
            return len(lines)
    if boundaries[start] is not Boundary.QUOTE:
        return len(lines)
    index = start
    while index < len(lines) and (not lines[index] or _is_quoted(lines, boundaries, index)):
        index += 1
    if 0 < index < len(lines) and len(lines[index - 1]) >= FULL:
        while index < len(lines) and lines[index] and index not in boundaries:
            index += 1
        while index < len(lines) and not lines[index]:
            index += 1
    return index if index not in boundaries else len(lines)


def _is_quoted(lines: list[str], boundaries: dict[int, Boundary], index: int) -> bool:
    """True for a line of the quotation, with a mark or wrapped from one with a mark."""
    if boundaries.get(index) is Boundary.QUOTE:
        return True
    if index in boundaries or not lines[index - 1]:
        return False
    while index < len(lines) and lines[index] and index not in boundaries:
        index += 1
    return boundaries.get(index) is Boundary.QUOTE


@lru_cache(maxsize=2)  # like the lines
def _find_boundaries(lines: tuple[str, ...]) -> dict[int, Boundary]:
    plain = [unicodedata.normalize("NFKC", line) for line in lines]
    kinds = {index: _line_kind(plain, index) for index, line in enumerate(plain) if line}
    found = {index: kind for index, kind in kinds.items() if kind is not None}
    for index, line in enumerate(plain):
        start = find_attribution(plain, index) if may_end_attribution(plain, index) else None
        if start is not None:
            dated = is_dated(plain[start : index + 1])
            found.setdefault(start, Boundary.ATTRIBUTION if dated else Boundary.HEADING)
            if start < index and ends_attribution(line):  # `>:` quotes nothing
                found.pop(index, None)
    return found


def _line_kind(lines: list[str], index: int) -> Boundary | None:
    """The boundary that a line is by itself; attributions take several lines."""
    line = lines[index]
    if _QUOTE.match(line) and not line.startswith(_TABLE_TOP):
        return Boundary.QUOTE
    if is_ours(line):
        return Boundary.OURS
    if _RULE.fullmatch(line) and len(line) > _LONGEST_MARK:
        return Boundary.RULE
    if _ends_text(line):
        return Boundary.OTHER
    return Boundary.HEADER if _heads_letter(lines, index) else None


def _ends_text(line: str) -> bool:
    """True for rules, signatures, titles of forwarded letters, "Sent from my ..."."""
    if _RULE.fullmatch(line) or _TITLE_RULE.fullmatch(line) or _TABLE.match(line):
        return True
    if len(line) < _SHORTEST_ADDED and line.isascii():  # the usual case
        return False
    lowered = line.casefold()
    return lowered.strip("-_*: ") in _TITLES or is_added(lowered)


def _heads_letter(lines: list[str], index: int) -> bool:
    """True for the header of a quoted letter: From with a mailbox, or two fields."""
    if has_mailbox_and_date(lines, index):
        return True
    if ":" not in lines[index]:
        return False
    label, value = _split_field(lines[index])
    if label not in _FIELDS:
        return False
    if _FIELDS[label] == "from" and MAILBOX.search(value):
        return True
    near = {_FIELDS.get(_split_field(line)[0], "") for line in lines[index + 1 : index + 5]}
    return bool(near - {"", _FIELDS[label]})


def _split_field(line: str) -> tuple[str, str]:
    found = _LABEL.match(line)
    return (found[1].strip().casefold(), found[2]) if found else ("", "")
