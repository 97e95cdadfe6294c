"""The first line of a connection: which seat a program wants, and how it shows that it may.

    godaemon-seat 34 black [SESSION]      on the Unix socket, by the peer's credentials
    godaemon-key 34-b-MAC [SESSION]       on any socket, by the key to the seat
    godaemon-board 7                      on the Unix socket: a free board that was left
    godaemon-board 0                      the same: the one that the program replays now

It is answered like a command. With a SESSION, a word that the program has made up, the connection
can break and be taken up by another: commands carry their serials as ids, so that one sent again is
not done twice; a comment ends the replay of those that were answered, another says goodbye. Pure.
"""

from __future__ import annotations

import re
from collections import namedtuple

CAUGHT_UP = b"# godaemon-caught-up"
"""What a program sends once it has brought a new connection to where the old one was."""

GOODBYE = b"# godaemon-goodbye"
"""What it sends when its controller has ended: the connection is not broken, but over."""

AGAIN = "try again later"
"""How a refusal begins that need not be the last word."""

_GREETING = (
    rb"\s*(?:godaemon-seat (?P<game>[0-9]{1,18}) (?P<color>black|white)"
    rb"|godaemon-key (?P<key>[0-9A-Za-z-]{1,64}))"
    rb"(?: (?P<session>[0-9A-Za-z_-]{8,64}))?\s*"
    rb"|\s*godaemon-board (?P<board>[0-9]{1,18})\s*"
)


class BySeat(namedtuple("BySeat", "game color session", defaults=("",))):
    """The seat of a colour in a game; empty `session` for a connection that is not taken up."""

    __slots__ = ()
    game: int
    color: str
    """`black` or `white`."""
    session: str

    def line(self) -> bytes:
        """The line that asks for it."""
        return f"godaemon-seat {self.game} {self.color} {self.session}".rstrip().encode()


class ByKey(namedtuple("ByKey", "key session", defaults=("",))):
    """Whichever seat a key opens."""

    __slots__ = ()
    key: str
    session: str

    def __repr__(self) -> str:
        return "ByKey(...)"  # no log shows a key

    def line(self) -> bytes:
        """The line that asks for it."""
        return f"godaemon-key {self.key} {self.session}".rstrip().encode()


class ByBoard(namedtuple("ByBoard", "number")):
    """A free board that is kept, by its number; 0 for the one that is replayed now."""

    __slots__ = ()
    number: int

    def line(self) -> bytes:
        """The line that asks for it."""
        return f"godaemon-board {self.number}".encode()


def read_greeting(line: bytes) -> BySeat | ByKey | ByBoard | None:
    """The greeting that a first line is; None for any other line."""
    found = re.fullmatch(_GREETING, line)
    if found is None:
        return None
    if found["board"]:
        return ByBoard(int(found["board"]))
    session = (found["session"] or b"").decode("ascii")
    if found["key"]:
        return ByKey(found["key"].decode("ascii"), session)
    return BySeat(int(found["game"]), found["color"].decode("ascii"), session)
