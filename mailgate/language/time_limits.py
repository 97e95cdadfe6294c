"""Time limits, as people write them into a proposal: `3 days per move`, `1h + 5x30 byo-yomi`.

Pure; raises nothing. No game has a clock yet, so they are found in order to be told so.
"""

from __future__ import annotations

import re

_ADDRESS = re.compile(r"\S*@\S*")
_UNTIMED = re.compile(
    r"(?i)\b(?:untimed|(?:with)?(?:no|out) (?:any )?(?:clocks?|time(?: limits?| controls?)?))\b"
)
"""What says that nobody's time is limited, as is so in any case."""
_NUMBER = r"(?<![\w.-])(?:\d{1,4}[ -]?|(?:an?|one|two|three|five|seven|ten)[ -])"
_UNIT = r"(?:days?|d|weeks?|hours?|hrs?|h|minutes?|mins?|m|seconds?|secs?|s)(?![\w.-])"
_EACH = (
    r"(?: ?(?:per|an?|each|every|for|/)){0,2} ?(?:the )?(?:move|stone|turn|game|player|side|each)"
)
_PERIODS = r"\d{1,2} ?x ?(?:\d{1,4} ?s\b|[1-6][05](?= ?byo))"
_SYSTEM = r"\b(?:byo-?yomi|canadian|fischer|sudden death|overtime)\b"
_AMOUNT = rf"(?:{_NUMBER}{_UNIT}(?:{_EACH}s?\b)?|{_PERIODS}|{_SYSTEM})"
_LIMIT = re.compile(
    r"(?i)(?:\b(?:with|at|in|within|time(?: limit)?:?) )?"
    rf"{_AMOUNT}(?:[ ,;+]*(?:and |plus )?{_AMOUNT})*"
    r"|\b(?:with (?:a )?)?(?:clocks?|time (?:limits?|controls?)|main time)\b"
)


def split_time(text: str) -> tuple[str, str]:
    """The time limit that a proposal's words name, or "", and the words without it.

    >>> split_time("9x9 vs bob@example.org 3 days per move")
    ('3 days per move', '9x9 vs bob@example.org')
    >>> split_time("9x9 untimed vs 3d@example.org")
    ('', '9x9 vs 3d@example.org')
    """
    addresses = iter(_ADDRESS.findall(text))
    plain = _UNTIMED.sub(" ", _ADDRESS.sub("@", text))
    limit = _LIMIT.search(plain)
    rest = re.sub("@", lambda _: next(addresses), _LIMIT.sub(" ", plain))
    return (limit[0].strip() if limit else ""), " ".join(rest.split())
