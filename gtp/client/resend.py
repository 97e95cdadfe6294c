"""A memory of commands and answers, so that a broken connection can be resumed.

Each command goes to the daemon with a serial number instead of its id. After a break, answered
commands that moved the cursor are sent again, and their answers dropped. Unanswered commands
follow, with their old serials. So none is lost, done twice or out of order. Raises
`BrokenConversation`.
"""

import re
from collections import deque, namedtuple

from gtp.client.syntax import CAUGHT_UP, GOODBYE, LineBuffer, Reply, encode, is_interrupt, parse

RESTARTS = frozenset(["boardsize", "rectangular_boardsize", "clear_board"])
"""Commands of a seat that make all earlier ones irrelevant."""
MOVES = {"play", "undo", "gg-undo", "gogui-play_sequence", "gogui-setup", "gogui-setup_player"}
MOVES |= {"fixed_handicap", "place_free_handicap", "set_free_handicap"}
"""Commands that move the cursor, as genmove does."""

ANALYSES = frozenset(["lz-analyze", "kata-analyze"])
"""Commands that answer line by line, until the next line of input, even an empty one."""

INTERRUPT = b"# interrupt\n"

_FRAME = re.compile(rb"([=?])([0-9]*)( ?.*)", re.DOTALL)


class BrokenConversation(Exception):
    """The connection was lost, or an answer matches no command."""


class Unanswered(namedtuple("Unanswered", "serial id name words interrupted", defaults=(False,))):
    """A command without an answer so far."""

    __slots__ = ()
    serial: int
    id: int | None
    name: str
    words: bytes
    """The command's name and arguments."""
    interrupted: bool
    """True if an interrupt has followed it."""

    def lines(self) -> bytes:
        interrupt = INTERRUPT if self.interrupted else b""
        return b"%d %s\n%s" % (self.serial, self.words, interrupt)

    def label(self) -> bytes:
        """The id before its answer."""
        return b"" if self.id is None else b"%d" % self.id


class Conversation:
    """A controller's conversation with the daemon, over any number of connections."""

    def __init__(self) -> None:
        self.ended = False
        """True once the controller has ended."""
        self.over = False
        """True once `quit` was answered."""
        self._serial = 0
        self._unanswered: deque[Unanswered] = deque()
        self._replay: list[tuple[int, bytes]] = []
        self._unwanted_answers = 0
        self._lines = LineBuffer()
        self._rest = b""
        self._frame: list[bytes] = []
        self._begun = False
        """True if the answer to the first unanswered command was sent in part."""

    @property
    def progress(self) -> tuple[int, bool]:
        """The number of the controller's commands, and whether it has ended."""
        return self._serial, self.ended

    @property
    def done(self) -> bool:
        """True once the controller has ended, and has all its answers."""
        return self.ended and not self._unanswered

    @property
    def quits(self) -> bool:
        """True while the controller's `quit` is unanswered."""
        return any(command.name == "quit" for command in self._unanswered)

    @property
    def unanswered_count(self) -> int:
        return len(self._unanswered)

    # -- the controller ------------------------------------------------------------------------
    def from_controller(self, data: bytes) -> bytes:
        """Take the controller's data, in pieces of any size; returns the data to send."""
        return b"".join(map(self._add_command, self._lines.feed(data)))

    def end(self) -> bytes:
        """Handle the end of the controller's input; returns the data to send."""
        self.ended = True
        return b"".join((*map(self._add_command, self._lines.end_seat()), GOODBYE, b"\n"))

    def _add_command(self, line: bytes) -> bytes:
        request = parse(line)
        if request is None:
            last = self._unanswered[-1] if self._unanswered else None
            if last is None or not (is_interrupt(line) or last.name in ANALYSES):
                return b""
            self._unanswered[-1] = last._replace(interrupted=True)
            return INTERRUPT
        self._serial += 1
        words = " ".join((request.name, *request.arguments))
        encoded = words.encode("utf-8", "surrogateescape")
        command = Unanswered(self._serial, request.id, request.name, encoded)
        self._unanswered.append(command)
        return command.lines()

    # -- the daemon ----------------------------------------------------------------------------
    def from_daemon(self, data: bytes) -> bytes:
        """Take the daemon's data; returns the controller's. Raises `BrokenConversation`."""
        *lines, self._rest = (self._rest + data).split(b"\n")
        return b"".join(map(self._take_line, lines))

    def _take_line(self, line: bytes) -> bytes:
        """Take a line from the daemon; returns the data for the controller."""
        if line:
            self._frame.append(line)
            return self._pass_on_line()
        frame, self._frame = b"\n".join(self._frame), []
        return self._take_answer(frame)

    def _pass_on_line(self) -> bytes:
        """The newest line of an unfinished answer to an analysis."""
        if self._unwanted_answers or not self._unanswered:
            return b""
        command = self._unanswered[0]
        if command.name not in ANALYSES or self._frame[0] != b"=%d" % command.serial:
            return b""
        begun, self._begun = self._begun, True
        if len(self._frame) > 1:
            return self._frame.pop() + b"\n"
        return b"" if begun else b"=%s\n" % command.label()

    def _take_answer(self, frame: bytes) -> bytes:
        match = _FRAME.fullmatch(frame)
        if match is None:
            raise BrokenConversation
        if self._unwanted_answers:
            self._unwanted_answers -= 1
            return b""
        if not self._unanswered or int(match[2] or b"-1") != self._unanswered[0].serial:
            raise BrokenConversation
        command = self._unanswered.popleft()
        if match[1] == b"=":
            self._remember(command, match[3].strip())
        return self._close_answer(match[1] + command.label() + match[3] + b"\n\n")

    def _close_answer(self, answer: bytes) -> bytes:
        """The answer to the first command; only its end if its lines were sent."""
        begun, self._begun = self._begun, False
        return b"\n" if begun else answer

    def _remember(self, command: Unanswered, text: bytes) -> None:
        """Remember a command that succeeded, if it moved the cursor."""
        if command.name == "quit":
            self.over = True
        elif command.name in RESTARTS:
            self._replay.clear()
        elif command.name == "undo" and self._replay and self._replay[-1][1].startswith(b"play "):
            self._replay.pop()
        elif command.name in MOVES:
            self._replay.append((command.serial, command.words))
        elif command.name == "genmove" and text.lower() != b"resign":
            color = command.words.split()[1]
            self._replay.append((command.serial, b"play %s %s" % (color, text)))

    # -- breaks --------------------------------------------------------------------------------
    def resend(self) -> bytes:
        """The data to send first on a new connection."""
        self._rest, self._frame = b"", []
        self._unwanted_answers = len(self._replay)
        replay = (b"%d %s\n" % command for command in self._replay)
        rest = (command.lines() for command in self._unanswered)
        goodbye = [GOODBYE + b"\n"] if self.ended else []
        return b"".join((*replay, CAUGHT_UP + b"\n", *rest, *goodbye))

    def give_up_waiting(self) -> bytes:
        """Fail each `genmove` or analysis that a later line interrupts, without a connection.

        The cursor does not move.
        """
        answers = []
        while self._unanswered and self._unanswered[0].name in {"genmove", *ANALYSES}:
            if len(self._unanswered) == 1 and not self._unanswered[0].interrupted:
                break
            answers.append(self._refuse_first("interrupted"))
        return b"".join(answers)

    def refuse(self, reason: str) -> bytes:
        """Fail every unanswered command but `quit`, which always succeeds."""
        answers = []
        while self._unanswered:
            answers.append(self._refuse_first(reason))
        return b"".join(answers)

    def _refuse_first(self, reason: str) -> bytes:
        """Answer the first unanswered command in place of the daemon."""
        command = self._unanswered.popleft()
        ok = command.name == "quit"
        return self._close_answer(encode(Reply(ok, "" if ok else reason), command.id))
