"""The line `-- reply above this line --` in our letters. Pure; raises nothing."""

import re
from functools import cache

from godaemon.texts.catalogue import first_sentences, say

MARKER = "-- reply above this line --"
"""The line below the first sentence of our letters; nothing from there on is read."""
_BROKEN = re.compile(r"-- reply(?: above(?: this)?)?$")  # the marker, wrapped by a program


def marker() -> str:
    """The marker in the reader's language."""
    return f"-- {say('reply-above')} --"


def has_marker(line: str) -> bool:
    """True if a line in NFKC has the marker of any language, or its first words at the end."""
    folded = line.casefold()
    return any(one in folded for one in _marks()) or _BROKEN.search(line) is not None


@cache
def _marks() -> frozenset[str]:
    return frozenset(
        one.casefold() for one in (MARKER.strip("- "), *first_sentences("reply-above"))
    )
