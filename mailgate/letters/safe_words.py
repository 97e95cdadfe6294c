"""Words that are safe in our letters: whether they would be obeyed, and who would see them. Pure.

No line of what we write may be read as a command when it comes back quoted.
"""

from __future__ import annotations

from functools import lru_cache

from godaemon.texts.catalogue import say
from mailgate.language.parser import is_command_line

obeyed = lru_cache(maxsize=4096)(is_command_line)
"""Whether a line would be obeyed; the same lines stand in most letters."""


EXAMPLES = frozenset(["name Margaret", "i am 5 kyu, Berlin"])
"""What nobody would send as it stands."""


def paragraph(words: str) -> str:
    """A paragraph; with a word before it where the whole of it, read alone, would be a command."""
    return say("news", words=words) if obeyed(words.replace("`", "")) else words
