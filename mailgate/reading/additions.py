"""Additions: what programs, companies and lists set above and below a letter. Pure; raises nothing.

They are known by how a line of folded spaces begins.
"""

from __future__ import annotations

import re

from mailgate.reading.program_phrases import phrases, words

_SENT_FROM = phrases("sent-from")
_SENDING = phrases("sent-by", "sending", after=r"\s")
_SENT_LAST = words("sent-last")
_MAKE = phrases("make")
_LONGEST = 100
_FOOTER = phrases("footer")
_OPENS = phrases("notice-opens", after=r"\b")
_LETTER = phrases("notice-letter", before=r"\b", after=r"\b")
_SAYS = phrases("notice-says", before=r"\b")
_NEAR, _FAR = 75, 215
"""Characters to the letter that a notice is about, and on to what it says."""
_MARKS = re.compile(r"^\W{1,12}")
_WARNING = phrases("warning", after=r"\b")
_WARNED = 60
"""So many characters further on a warning says of what it warns."""
_BANNER = phrases("banner")


def is_added(line: str) -> bool:
    """True for a line that a program or a company set below a letter."""
    if _SENT_FROM.begins(line) or is_footer(line):
        return True
    sent = _SENDING.begins(line) or line.rstrip(". ").endswith(_SENT_LAST)
    return bool(sent) and len(line) <= _LONGEST and any(_MAKE.found(line))


def is_footer(line: str) -> bool:
    """True for what companies, virus scanners and lists set below every letter."""
    if _FOOTER.begins(line):
        return True
    opened = _OPENS.begins(line)
    rest = line[opened.end() :] if opened else ""
    letters = _LETTER.found(rest[:_NEAR])
    return any(any(_SAYS.found(rest[letter.end() :][:_FAR])) for letter in letters)


def is_banner(line: str) -> bool:
    """True for a mail server's warning of letters from outside, which it sets above them."""
    plain = _MARKS.sub("", line)
    warned = _WARNING.begins(plain)
    last = warned.end() + _WARNED if warned else 0
    return bool(_BANNER.begins(plain)) or (
        last > 0 and any(one.start() <= last for one in _BANNER.found(plain))
    )
