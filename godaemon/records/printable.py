"""Text that is safe everywhere: in a record, in an email and on a terminal."""

import re
import unicodedata
from functools import lru_cache

_UNSAFE = re.compile(r"[^\n -~]")
_HIDDEN = {*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0xFEFF}


def printable(text: str) -> str:
    r"""The text without control characters, lone surrogates and marks that change its direction.

    Line ends stay; a tab becomes a blank.

    >>> printable("red: \x9b31m, back: \u202e, and\ta tab")
    'red: 31m, back: , and a tab'
    """
    if text.replace("\n", "").isprintable():
        return text
    return _UNSAFE.sub(lambda found: _visible(found[0]), text.expandtabs(1))


@lru_cache(maxsize=4096)
def _visible(mark: str) -> str:
    hidden = unicodedata.category(mark) in {"Cc", "Cs", "Zl", "Zp"} or ord(mark) in _HIDDEN
    return "" if hidden else mark
