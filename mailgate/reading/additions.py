"""Additions: the lines that programs, companies and lists put above and below a letter.

Raises nothing. Some are recognised by the beginning of a line. Others may also be a person's own
words, so they are only removed from the end: "Sent from ...", an advertisement, a card with the
writer's address.
"""

import re
from collections.abc import Sequence

from mailgate.reading.program_phrases import phrases, words

_SENT_FROM = phrases("sent-from")
_SENDING = phrases("sent-by", "sending", after=r"\s")
_SENT_LAST = words("sent-last")
_MAKE = phrases("make")
_MAX_LINE = 100
_FOOTER = phrases("footer")
_OPENS = phrases("notice-opens", after=r"\b")
_LETTER = phrases("notice-letter", before=r"\b", after=r"\b")
_SAYS = phrases("notice-says", before=r"\b")
_MAX_TO_LETTER = 75  # characters to the word for the letter
_MAX_TO_VERB = 215  # characters from there to the notice's verb
_MARKS = re.compile(r"^\W{1,12}")
_WARNING = phrases("warning", after=r"\b")
_MAX_TO_SUBJECT = 60  # characters within which a warning names its subject
_BANNER = phrases("banner")


def is_added(line: str) -> bool:
    """True for a line that a program or a company puts below a letter."""
    if _SENT_FROM.match_at(line) or is_footer(line):
        return True
    sent = _SENDING.match_at(line) or line.rstrip(". ").endswith(_SENT_LAST)
    return bool(sent) and len(line) <= _MAX_LINE and any(_MAKE.find_all(line))


def is_footer(line: str) -> bool:
    """True for a line that companies, virus scanners and lists put below every letter."""
    if _FOOTER.match_at(line):
        return True
    opening = _OPENS.match_at(line)
    rest = line[opening.end() :] if opening else ""
    letters = _LETTER.find_all(rest[:_MAX_TO_LETTER])
    return any(any(_SAYS.find_all(rest[letter.end() :][:_MAX_TO_VERB])) for letter in letters)


def is_banner(line: str) -> bool:
    """True for a mail server's warning above letters from outside."""
    plain = _MARKS.sub("", line)
    warning = _WARNING.match_at(plain)
    last = warning.end() + _MAX_TO_SUBJECT if warning else 0
    return any(one.start() <= last for one in _BANNER.find_all(plain))


_SENT_BY = phrases("sent-by", after=r"\s")
_SENT_AT_END = words("sent-at-end")
_MAX_WORDS, _MAX_TITLES = 7, 3
_ADVERTISEMENT = re.compile(
    r"(?:yahoo|aol|at&t|gmx|web\.de|zoho|rediff) ?mail(?: app)? ?[:：–-] ?[^.?!]{3,60}"
    r"|(?:typeapp|bluemail)(?: for \w+)?"
)
_CLASSIFIED = re.compile(
    r"(?:classification|sensitivity|klassifi[zk]ierung|clasificación|classificazione|classificação"
    r"|classificatie) ?: ?(?:p[uú]b|open|öffentl|general|intern|confiden|vertraul|restrict|unclass)"
    r"[\w -]{0,30}"
)
"""The label that a company has its programs set on every letter."""
_LINK = re.compile(r"\s?[(<\[]\s?(?:https?://|mailto:)[^\s)>\]]*\s?[)>\]].*$")
_LINKED = re.compile(r"\[([^\[\]]{1,80})\]")
_MAIL_LABEL = re.compile(r"\b(?:e-?mail|mail(?:to)?|e|m|邮箱(?:地址)?|邮件|电子邮件)\s?[:：]")


def strip_sign_off(lines: Sequence[str], address: str = "", name: str = "") -> tuple[str, ...]:
    """A letter's new text without the lines of its program; `address` is its writer's.

    >>> strip_sign_off(["D4", "", "Sent via Superhuman ( https://sprh.example/x )"])
    ('D4',)
    >>> strip_sign_off(["D4", "", "Bob", "bob@example.org"], "bob@example.org", "Bob")
    ('D4',)
    """
    text, has_card = list(lines), False
    while text:
        is_card = _is_own_address(text[-1], address, name)
        if text[-1] and not is_card and not _signs_off(text[-1]):
            break
        text.pop()
        has_card |= is_card
        if has_card and text and text[-1].casefold() == name.casefold():
            text.pop()
    end = _find_titles(text, {*name.casefold().split()})
    return strip_sign_off(text[:end], address) if end < len(text) else tuple(text)


def _find_titles(lines: Sequence[str], name: set[str]) -> int:
    """The index of the writer's name if titles and places end the letter below it."""
    for at in range(len(lines) - 1, max(len(lines) - 1 - _MAX_TITLES, 1), -1):
        if not _is_title(lines[at]):
            break
        if name & {*lines[at - 1].casefold().split()[:1]} and _is_title(lines[at - 1]):
            return at - 1
    return len(lines)


def _is_title(line: str) -> bool:
    """True for a few words with capitals and no number."""
    words = line.split()
    has_capitals = all(word[0].isupper() or len(word) < 4 for word in words)
    return 0 < len(words) <= _MAX_WORDS and has_capitals and not re.search(r"\d|[.:!?]$", line)


def _signs_off(line: str) -> bool:
    plain = _LINKED.sub(r"\1", _LINK.sub("", line)).casefold().strip(" .*_")
    if len(plain.split()) > _MAX_WORDS:
        return False
    sent = _SENT_BY.match_at(plain) or plain.endswith(_SENT_AT_END)
    return bool(sent or _ADVERTISEMENT.fullmatch(plain) or _CLASSIFIED.fullmatch(plain))


def _is_own_address(line: str, address: str, name: str) -> bool:
    """True for the writer's own address with nothing but a label and their name."""
    plain, own = line.casefold(), address.casefold()
    if not own or own not in plain:
        return False
    rest = _MAIL_LABEL.sub("", plain.replace(own, " ").replace(name.casefold() or own, " "))
    return re.search(r"[^\W\d_]", rest) is None
