"""Words that are safe in our letters: whether they would be obeyed, and who would see them. Pure.

No line of what we write may be read as a command when it comes back quoted.
"""

from __future__ import annotations

import re
from functools import lru_cache

from godaemon.texts.catalogue import say
from mailgate.language.parser import is_command_line

obeyed = lru_cache(maxsize=4096)(is_command_line)
"""Whether a line would be obeyed; the same lines stand in most letters."""


_EXAMPLES = (
    *(r"[A-Z]{1,2}\d{1,2}", r"(dead|alive) [A-Z]{1,2}\d{1,2}", r"(if|try) .*", r"accept but .*"),
    *(
        r"(name|timezone) [A-Z].*",
        r"i am \d.*",
        r"digest at .*",
        r"watch 34",
        r"new \w+ (estimates|rated) vs Bob",
    ),
    *(r"vacation 2 weeks", r"vacation until 14 July"),
)
is_example = re.compile("|".join(_EXAMPLES)).fullmatch
"""Whether a line in a sentence has something in it that its reader would choose."""


_WIDE_STOP = re.compile("(?<=[。！？]) ")
"""The blank behind a stop that is as wide as one by itself."""


def paragraph(words: str) -> str:
    """A paragraph; with a word before it where the whole of it, read alone, would be a command."""
    words = _WIDE_STOP.sub("", words)
    return say("news", words=words) if obeyed(words.replace("`", "")) else words


def pressed(words: str) -> str:
    """The words on a button, with an arrow where they would be a command on a line of their own."""
    return f"{words} →" if obeyed(words) else words
