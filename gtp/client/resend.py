"""Commands and their answers, remembered so that a broken connection can be taken up again.

Each command goes to the daemon with a serial in place of its id. After a break, the answered ones
that moved the cursor are sent again, their answers swallowed, and then those without an answer,
under the serials that they had: nothing is lost, doubled or out of order. Pure; raises `Broken`.
"""

from __future__ import annotations

import re
from collections import deque, namedtuple

from gtp.client.handshake import CAUGHT_UP, GOODBYE
from gtp.client.syntax import LONGEST, LineBuffer, Reply, encode, is_interrupt, parse

RESETS = frozenset(["boardsize", "rectangular_boardsize", "clear_board"])
"""What begins the record anew: nothing before it need be sent again."""

MOVES = frozenset(
    [
        *("play", "undo", "gg-undo", "gogui-play_sequence", "gogui-setup", "gogui-setup_player"),
        *("fixed_handicap", "place_free_handicap", "set_free_handicap"),
    ]
)
"""What moves the cursor along the record, beside `genmove`."""

INTERRUPT = b"# interrupt"
INTERRUPTED = "interrupted"

_FRAME = re.compile(rb"([=?])([0-9]*)( ?.*)", re.DOTALL)


class Broken(Exception):
    """The connection is worth no more: what came over it answers nothing, or it has ended."""


class Unanswered(namedtuple("Unanswered", "serial id name words")):
    """A command without its answer; serial 0 is an interrupt."""

    __slots__ = ()
    serial: int
    id: int | None
    name: str
    words: bytes
    """Its name and arguments, as they are sent."""

    def line(self) -> bytes:
        """The line that is sent."""
        return b"%d %s\n" % (self.serial, self.words) if self.serial else INTERRUPT + b"\n"

    def answered(self, ok: bool, text: str) -> bytes:  # noqa: FBT001 - as in Reply
        """Our own answer to it."""
        return encode(Reply(ok, text), self.id)


class Conversation:
    """A controller's talk with the daemon, over as many connections as it takes."""

    def __init__(self) -> None:
        self.ended = False
        """Whether the controller has ended."""
        self.over = False
        """Whether `quit` was answered."""
        self._serial = 0
        self._unanswered: deque[Unanswered] = deque()
        self._done: list[tuple[int, bytes]] = []
        self._swallow = 0
        self._lines = LineBuffer(LONGEST)
        self._frame = b""

    @property
    def waiting(self) -> bool:
        """True while a command has no answer."""
        return bool(self._unanswered)

    @property
    def replaying(self) -> bool:
        """True while a new connection is brought to where the old one was."""
        return self._swallow > 0

    @property
    def done(self) -> bool:
        """True once the controller has ended, and has all its answers."""
        return self.ended and not self._unanswered

    @property
    def length(self) -> int:
        """The number of commands without an answer."""
        return len(self._unanswered)

    # -- the controller ------------------------------------------------------------------------
    def from_controller(self, data: bytes) -> bytes:
        """Take in what the controller says, in pieces of any size; gives what to send."""
        return b"".join(map(self._ask, self._lines.feed(data)))

    def end(self) -> bytes:
        """The controller has ended; gives what to send."""
        self.ended = True
        return b"".join((*map(self._ask, self._lines.end()), GOODBYE, b"\n"))

    def _ask(self, line: bytes) -> bytes:
        request = parse(line)
        if request is None:
            if not (self._unanswered and is_interrupt(line)):
                return b""
            command = Unanswered(0, None, "", b"")
        else:
            self._serial += 1
            words = " ".join((request.name, *request.arguments))
            sent = words.encode("utf-8", "surrogateescape")
            command = Unanswered(self._serial, request.id, request.name, sent)
        self._unanswered.append(command)
        return command.line()

    # -- the daemon ----------------------------------------------------------------------------
    def from_daemon(self, data: bytes) -> bytes:
        """Take in what the daemon says; gives what the controller is to read. Raises `Broken`."""
        *whole, self._frame = (self._frame + data).split(b"\n\n")
        return b"".join(map(self._answer, whole))

    def _answer(self, frame: bytes) -> bytes:
        found = _FRAME.fullmatch(frame)
        if found is None:
            raise Broken
        if self._swallow:
            self._swallow -= 1
            return b""
        self._drop_interrupts()
        if not self._unanswered or int(found[2] or b"-1") != self._unanswered[0].serial:
            raise Broken
        command = self._unanswered.popleft()
        self._drop_interrupts()
        if found[1] == b"=":
            self._note(command, found[3].decode("utf-8", "replace").strip())
        label = b"" if command.id is None else b"%d" % command.id
        return found[1] + label + found[3] + b"\n\n"

    def _drop_interrupts(self) -> None:
        """Interrupts of commands that are answered mean nothing any more."""
        while self._unanswered and not self._unanswered[0].serial:
            self._unanswered.popleft()

    def _note(self, command: Unanswered, text: str) -> None:
        """Remember a command that was obeyed, as far as it moved the cursor."""
        if command.name == "quit":
            self.over = True
        elif command.name in RESETS:
            self._done.clear()
        elif command.name == "undo" and self._done and self._done[-1][1].startswith(b"play "):
            self._done.pop()
        elif command.name in MOVES:
            self._done.append((command.serial, command.words))
        elif command.name == "genmove" and text.lower() != "resign":
            color = command.words.split()[1]
            self._done.append((command.serial, b"play %s %s" % (color, text.encode())))

    # -- breaks --------------------------------------------------------------------------------
    def resend(self) -> bytes:
        """All that is to be sent over a new connection, in place of all that was sent before."""
        self._frame = b""
        self._swallow = len(self._done)
        replay = (b"%d %s\n" % done for done in self._done)
        rest = (command.line() for command in self._unanswered)
        goodbye = [GOODBYE + b"\n"] if self.ended else []
        return b"".join((*replay, CAUGHT_UP + b"\n", *rest, *goodbye))

    def give_up_waiting(self) -> bytes:
        """Without a connection: end a `genmove` that the controller wants to wait for no longer.

        That is one with something behind it. Its answer moves nothing, here or there.
        """
        given = []
        while len(self._unanswered) > 1 and self._unanswered[0].name == "genmove":
            given.append(self._unanswered.popleft().answered(ok=False, text=INTERRUPTED))
            self._drop_interrupts()
        return b"".join(given)

    def refuse(self, reason: str) -> bytes:
        """All that is unanswered, answered with a failure."""
        commands = [command for command in self._unanswered if command.serial]
        self._unanswered.clear()
        return b"".join(command.answered(ok=False, text=reason) for command in commands)
