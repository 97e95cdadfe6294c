"""The syntax of GTP: bytes to lines, lines to requests, replies to bytes; and greetings.

Both ends of a connection use it. It never fails: any line is a request, perhaps for an unknown
command. A greeting is the first line of a connection, and is answered like a command. It names a
seat and proves the right to it:

    godaemon-seat 34 black [SESSION]      on the Unix socket, by the peer's credentials
    godaemon-key 34-b-MAC [SESSION]       on any socket, by the key to the seat

SESSION is a random word of the program. A later connection with the same word resumes the session:
commands have serial numbers as ids, so that none is done twice, and `CAUGHT_UP` ends the replay of
answered commands. `GOODBYE` ends the session.

On the Unix socket a first line can also be a request about a free board, whose answer ends the
connection. BEFORE, NOW and BOARD are SGF records, each packed into one word:

    godaemon-board 7                      the engine, our network; BOARD (0: an empty one)
    godaemon-save 7 BEFORE NOW            save board 7, or (0) a new one; the answer is its number
    godaemon-move PID black 0 BOARD       the engine's move (1: it captures dead stones first)
"""

import re
from collections import namedtuple

MAX_LINE = 2**16
"""Maximum bytes in a line."""

TOO_LONG = b"line-too-long"
"""Replaces a line that is too long, after its id; no command has this name."""
CUT_OFF = b"line-cut-off"
"""Replaces the last line of a seat's input if it has no line end, after its id."""
_LABEL = re.compile(rb"\s*([0-9]{1,10}) ")

MAX_INT = 2**31 - 1
"""The largest int, and the largest id (3.2.1)."""

Arguments = tuple[str, ...]
"""The words after a command's name."""

_CLEANING = dict.fromkeys([*range(32), 127, 0xFEFF]) | {ord("\t"): " "}
"""Deletes control characters and a byte order mark; turns tabs into blanks (3.1)."""
_LONE = re.compile("[\ud800-\udc7f\udd00-\udfff]")
"""Surrogates that `surrogateescape` cannot encode."""
_CONTROLS = dict.fromkeys([*range(9), *range(11, 32), 127])


class Request(namedtuple("Request", "id name arguments")):
    """A request for a command; `name` is empty if the line has only an id."""

    __slots__ = ()
    id: int | None
    name: str
    arguments: Arguments


class Reply(namedtuple("Reply", "ok text")):
    """The outcome of a command: success or failure, and its text."""

    __slots__ = ()
    ok: bool
    text: str


class LineBuffer:
    """Joins pieces into lines; keeps only the id of a line longer than `longest` bytes."""

    def __init__(self, longest: int = MAX_LINE) -> None:
        self.longest = longest
        self._rest = bytearray()
        self._stand_in = b""

    def feed(self, data: bytes) -> list[bytes]:
        """Add a piece; returns the lines that it completes."""
        *lines, rest = data.split(b"\n")
        if lines:
            first = bytes(self._rest + lines[0]) if self._rest else lines[0]
            lines[0] = self._stand_in or first
            self._rest.clear()
            self._stand_in = b""
        self._rest += rest
        if len(self._rest) > self.longest:
            self._stand_in = self._stand_in or _stand_in_for(self._rest)
            self._rest.clear()
        return [line if len(line) <= self.longest else _stand_in_for(line) for line in lines]

    def end(self) -> list[bytes]:
        """End of input: the unterminated tail is the last line."""
        return self.feed(b"\n") if self._rest or self._stand_in else []

    def end_seat(self) -> list[bytes]:
        """End of a seat's input: `CUT_OFF` for the unterminated tail, which may be half a move."""
        return [_stand_in_for(line, CUT_OFF) for line in self.end() if parse(line)]


def _stand_in_for(line: bytes | bytearray, name: bytes = TOO_LONG) -> bytes:
    if line.lstrip()[:1] in (b"", b"#"):
        return b"#"  # blank lines and comments have no answer, however long
    label = _LABEL.match(line)
    return label[1] + b" " + name if label else name


def parse(line: bytes | str) -> Request | None:
    """The request in a line; None for blank lines and comments.

    As 3.1 demands, removes control characters and comments, and turns tabs into blanks. A first
    word that is a number from 0 to 2^31-1 is the id. Bytes that are not UTF-8 become surrogates,
    as in Python's file names, so that `loadsgf` finds such files.

    >>> parse("7 play black Q16 # a comment")
    Request(id=7, name='play', arguments=('black', 'Q16'))
    """
    if isinstance(line, bytes):
        line = line.decode("utf-8", "surrogateescape")
    if not line.isprintable():
        line = line.translate(_CLEANING)
    words = line.partition("#")[0].split(" ")
    if "" in words:
        words = [word for word in words if word]
        if not words:
            return None
    first = words[0]
    label = small_int(first)
    if label is not None:
        return Request(label, words[1] if len(words) > 1 else "", tuple(words[2:]))
    return Request(None, first, tuple(words[1:]))


def is_interrupt(line: bytes) -> bool:
    """True for GoGui's comment `# interrupt`."""
    text = line.decode("utf-8", "replace").translate(_CLEANING)
    return re.fullmatch(r"\s*#\s*interrupt\s*", text) is not None


def encode(reply: Reply, number: int | None = None) -> bytes:
    r"""An encoded response: `=7 text`, and exactly one blank line, at its end.

    There is always a blank after the sign and id, because GoGui takes the text after the first
    blank of the whole response. A text may begin with a new line; other blank lines are left out,
    since a client would take them for the end.

    >>> encode(Reply(ok=True, text="Q16"), 7)
    b'=7 Q16\n\n'
    """
    sign = "=" if reply.ok else "?"
    label = "" if number is None else number
    text = reply.text
    if not text.isprintable():
        first, *rest = _LONE.sub("\ufffd", text).translate(_CONTROLS).split("\n")
        text = "\n".join([first, *(line for line in rest if line.strip())])
    return f"{sign}{label} {text}\n\n".encode("utf-8", "surrogateescape")


def small_int(text: str) -> int | None:
    """A word as an int (3.2.1), perhaps with leading zeroes; None if it is none."""
    if not (text.isascii() and text.isdecimal()):
        return None
    digits = text.lstrip("0") if len(text) > 10 else text
    if len(digits) > 10:
        return None
    value = int(digits or "0")
    return value if value <= MAX_INT else None


# -- greetings -------------------------------------------------------------------------------------
CAUGHT_UP = b"# godaemon-caught-up"
"""Sent by a program once it has replayed its commands on a new connection."""

GOODBYE = b"# godaemon-goodbye"
"""Sent when the controller has ended: the connection is not broken."""

AGAIN = "try again later"
"""The first words of a refusal that is not final."""

_GREETING = (
    rb"\s*(?:godaemon-seat (?P<game>[0-9]{1,18}) (?P<color>black|white)"
    rb"|godaemon-key (?P<key>[0-9A-Za-z-]{1,64}))"
    rb"(?: (?P<session>[0-9A-Za-z_-]{8,64}))?\s*"
    rb"|\s*(?P<board>godaemon-board [0-9]{1,18}|godaemon-save [0-9]{1,18} \S+ \S+"
    rb"|godaemon-move [0-9]+ (?:black|white) [01] \S+)\s*"
)


class SeatGreeting(namedtuple("SeatGreeting", "game color session", defaults=("",))):
    """A greeting for a colour's seat in a game; `session` is empty if it cannot be resumed."""

    __slots__ = ()
    game: int
    color: str
    """`black` or `white`."""
    session: str

    def line(self) -> bytes:
        """The first line of a connection."""
        return f"godaemon-seat {self.game} {self.color} {self.session}".rstrip().encode()


class KeyGreeting(namedtuple("KeyGreeting", "key session", defaults=("",))):
    """A greeting for the seat that a key opens."""

    __slots__ = ()
    key: str
    session: str

    def __repr__(self) -> str:
        return "KeyGreeting(...)"  # no log shows a key

    def line(self) -> bytes:
        return f"godaemon-key {self.key} {self.session}".rstrip().encode()


class BoardRequest(namedtuple("BoardRequest", "words")):
    """A request about a free board, in words."""

    __slots__ = ()
    words: Arguments


def read_greeting(line: bytes) -> SeatGreeting | KeyGreeting | BoardRequest | None:
    """The greeting in a first line; None for any other line."""
    found = re.fullmatch(_GREETING, line)
    if found is None:
        return None
    if found["board"]:
        return BoardRequest(tuple(found["board"].decode("ascii").split()))
    session = (found["session"] or b"").decode("ascii")
    if found["key"]:
        return KeyGreeting(found["key"].decode("ascii"), session)
    return SeatGreeting(int(found["game"]), found["color"].decode("ascii"), session)
