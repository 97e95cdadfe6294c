"""Words as they are passed on to another player, into the record and into our letters.

Pure; raises nothing.
"""

from __future__ import annotations

import re

from godaemon.games.seat_keys import KEY_PATTERN
from godaemon.records.printable import printable
from mailgate.tokens import HELD_PATTERN, LISTED_PATTERN, TOKEN_PATTERN

MAX_MESSAGE = 2_000  # how many characters of a message are passed on
_SECRET = rf"(?i)[+<]?(?:{TOKEN_PATTERN}|{HELD_PATTERN}|{LISTED_PATTERN}|{KEY_PATTERN})"


def clean_message(text: str) -> str:
    """Words without control marks, and without the tokens and keys that let their reader move.

    At most `MAX_MESSAGE` characters, and one blank line between paragraphs.
    """
    plain = printable(re.sub(_SECRET, "", text[: 4 * MAX_MESSAGE]))
    lines = "\n".join(line.rstrip() for line in plain.split("\n"))
    tidy = re.sub(r"\n{3,}", "\n\n", lines).strip()
    return tidy if len(tidy) <= MAX_MESSAGE else tidy[: MAX_MESSAGE - 1].rstrip() + "…"
