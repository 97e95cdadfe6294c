"""Words as they are passed on to another player, into the record and into our letters.

Pure; raises nothing.
"""

from __future__ import annotations

import re

from godaemon.games.seat_keys import KEY_PATTERN
from godaemon.records.printable import printable
from mailgate.tokens import HELD_PATTERN, LISTED_PATTERN, TOKEN_PATTERN

MAX_MESSAGE = 2_000
"""How many characters of a message are passed on."""


def clean_message(text: str) -> str:
    """Words as they are passed on: without control marks and tokens.

    At most `MAX_MESSAGE` characters and one blank line between paragraphs. Signatures and quotes
    are gone already (`new_text`). A token of ours, or the key to a seat, would let its reader
    move for the sender.
    """
    text = re.sub(
        rf"(?i)(?:\+|<)?(?:{TOKEN_PATTERN}|{HELD_PATTERN}|{LISTED_PATTERN}|{KEY_PATTERN})",
        "",
        text[: 4 * MAX_MESSAGE],
    )
    lines = "\n".join(line.rstrip() for line in printable(text).split("\n"))
    tidy = re.sub(r"\n{3,}", "\n\n", lines).strip()
    return tidy if len(tidy) <= MAX_MESSAGE else tidy[: MAX_MESSAGE - 1].rstrip() + "…"
