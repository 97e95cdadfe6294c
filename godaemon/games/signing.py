"""The MAC at the end of a reply token or a seat key, which only who has the secret can write. Pure.

Here, because tokens of `mailgate` and keys of `godaemon.games` speak for the seats of games, and
this is the lowest room that both may import.
"""

from __future__ import annotations

import base64
import hmac
import json


def mac(secret: bytes, size: int, *fields: str | int) -> str:
    """HMAC-SHA256 over the fields, cut to `size` bytes, in lower-case base32.

    >>> mac(b"secret", 10, "seat", 34, "b")
    'zftbuinq4ircayso'
    """
    # JSON keeps the fields apart: no two lists of fields have one text.
    text = json.dumps(fields, separators=(",", ":"))
    digest = hmac.digest(secret, text.encode(), "sha256")
    return base64.b32encode(digest[:size]).decode("ascii").lower()
