"""Words that are safe in our letters: whether they would be obeyed, and who would see them. Pure.

No line of what we write may be read as a command when it comes back quoted.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from mailgate.language.parser import is_command_line

_ODD = re.compile(r"[^\n -~]")
_HIDDEN = {*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0xFEFF}


obeyed = lru_cache(maxsize=4096)(is_command_line)
"""Whether a line would be obeyed; the same lines stand in most letters."""


def paragraph(words: str) -> str:
    """A paragraph; with a word before it where the whole of it, read alone, would be a command."""
    return f"News: {words}" if obeyed(words.replace("`", "")) else words


def printable(text: str) -> str:
    """The text without control characters, broken characters, or marks that turn its direction."""
    if text.isascii() and text.replace("\n", "").isprintable():
        return text
    return _ODD.sub(lambda found: _visible(found[0]), text.expandtabs(4))


@lru_cache(maxsize=4096)
def _visible(mark: str) -> str:
    hidden = unicodedata.category(mark) in {"Cc", "Cs", "Zl", "Zp"} or ord(mark) in _HIDDEN
    return "" if hidden else mark
