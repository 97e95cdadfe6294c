"""Commands that the client repeats after a broken connection: each once, in order."""

import re
import socket
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gtp.client import relay as relay_module
from gtp.client.relay import ENDING_SECONDS, QUITTING_SECONDS, Relay
from gtp.client.resend import BrokenConversation, Conversation
from gtp.client.syntax import (
    CAUGHT_UP,
    GOODBYE,
    MAX_LINE,
    KeyGreeting,
    LineBuffer,
    Reply,
    SeatGreeting,
    encode,
    parse,
    read_greeting,
)
from tests.support import places
from tests.support.blocks import read_blocks
from tests.support.waiting import until

CONVERSATIONS = read_blocks(places.ROOT / "tests" / "gtp" / "dialogues" / "conversations.txt")
MARKS = {"UP": CAUGHT_UP.decode(), "BYE": GOODBYE.decode(), "|": "\n"}


def outcome(talk: Conversation, kind: str) -> bytes:
    """The bytes that follow an event which is no line of either side."""
    match kind:
        case "again":
            return talk.resend()
        case "give up":
            return talk.give_up_waiting()
        case "refuse":
            return talk.refuse("no such seat")
    return talk.end()


@pytest.mark.parametrize("text", CONVERSATIONS.values(), ids=CONVERSATIONS)
def test_a_conversation_survives_broken_connections(text: str) -> None:
    """Each command is sent once, in order, and answered once, as the file says."""
    talk, passed_on = Conversation(), b""
    lines = text.splitlines()
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        words = re.sub(r"UP|BYE|\|", lambda mark: MARKS[mark[0]], line[2:]).encode()
        if following == "broken":
            with pytest.raises(BrokenConversation):
                talk.from_daemon(words)
        elif line.startswith(">"):
            passed_on = talk.from_controller(words)
        elif line.startswith("<"):
            passed_on = talk.from_daemon(words)
        elif line.startswith("! "):
            passed_on = outcome(talk, line[2:])
        elif line.startswith("="):
            assert passed_on == words, line
        elif line.startswith("is "):
            assert bool(getattr(talk, line.split()[-1])) == ("not" not in line), line


def test_a_very_long_line_counts_as_an_unknown_command() -> None:
    """It is not stored."""
    talk = Conversation()
    assert talk.from_controller(b"x" * (MAX_LINE + 1)) == b""
    assert talk.from_controller(b"y\nname\n") == b"1 line-too-long\n2 name\n"


@pytest.mark.parametrize("pieces", [1, 3])
def test_a_very_long_line_keeps_its_id(pieces: int) -> None:
    """Bug: a controller that matches answers by id waited forever."""
    lines, line = LineBuffer(MAX_LINE), b" 12 y" + b"y" * MAX_LINE + b"\n"
    step = len(line) // pieces + 1
    found = [one for at in range(0, len(line), step) for one in lines.feed(line[at : at + step])]
    commands = [one for one in map(parse, found) if one is not None]
    assert [encode(Reply(ok=False, text="no"), one.id) for one in commands] == [b"?12 no\n\n"]


class Daemon:
    """A seat that counts its moves and answers commands, over any connection."""

    def __init__(self) -> None:
        self.connect()

    def connect(self) -> None:
        """A new connection begins at the start, as a new session does."""
        self.moves: list[str] = []
        self._line = b""

    def serve(self, data: bytes) -> bytes:
        *lines, self._line = (self._line + data).split(b"\n")
        return b"".join(self._answer(line.decode()) for line in lines)

    def _answer(self, line: str) -> bytes:
        if line.startswith("#"):
            return b""
        serial, name, *arguments = line.split()
        text = ""
        match name:
            case "clear_board":
                self.moves.clear()
            case "play":
                self.moves.append(arguments[1])
            case "genmove":
                text = f"A{len(self.moves) + 1}"
                self.moves.append(text)
            case "undo" if not self.moves:
                return f"?{serial} cannot undo\n\n".encode()
            case "undo":
                self.moves.pop()
            case "count":
                text = str(len(self.moves))
        return f"={serial} {text}\n\n".encode()


COMMANDS = st.lists(
    st.sampled_from(["play b C3", "genmove w", "undo", "clear_board", "count", "12 count"]),
    max_size=25,
)
BREAKS = st.lists(st.tuples(st.integers(0, 25), st.integers(0, 40), st.integers(0, 60)), max_size=8)


@given(COMMANDS, BREAKS)
def test_broken_connections_change_no_answer(
    commands: list[str], breaks: list[tuple[int, int, int]]
) -> None:
    """However often and wherever they break."""
    whole = Daemon()
    expected = [
        whole.serve(f"{serial} {line.removeprefix('12 ')}\n".encode())
        for serial, line in enumerate(commands, start=1)
    ]
    talk, daemon, answers = Conversation(), Daemon(), b""
    cut = {at: (up, down) for at, up, down in breaks}
    for at, line in enumerate(commands):
        sent = talk.from_controller(f"{line}\n".encode())
        if at in cut:
            up, down = cut[at]
            answers += talk.from_daemon(daemon.serve(sent[:up])[:down])
            daemon.connect()
            sent = talk.resend()
        answers += talk.from_daemon(daemon.serve(sent))
    found = answers.decode().split("\n\n")[:-1]
    for line, one, other in zip(commands, found, expected, strict=True):
        label = "12" if line.startswith("12 ") else ""
        serial, _, text = other.decode().strip()[1:].partition(" ")
        assert serial
        assert one[1:].partition(" ") == (label, " ", text)
        assert one[:1].encode() == other[:1]
    assert daemon.moves == whole.moves


@given(st.binary(max_size=200))
def test_greetings_are_written_as_they_were_read(line: bytes) -> None:
    """Every accepted line is written back unchanged."""
    found = read_greeting(line)
    if isinstance(found, KeyGreeting | SeatGreeting):
        assert read_greeting(found.line()) == found


def test_a_greeting_hides_its_key_from_logs() -> None:
    """Both forms are read, with a session and without."""
    for greeting in (KeyGreeting("34-b-abc"), KeyGreeting("34-b-abc", "0123456789abcdef")):
        assert read_greeting(greeting.line() + b"\r") == greeting
        assert "34-b" not in repr(greeting)
    assert read_greeting(b"godaemon-key 34-b-abc short") is None
    assert read_greeting(b"godaemon-key") is None


@pytest.mark.parametrize(
    ("lines", "seconds"), [(b"quit\n", QUITTING_SECONDS), (b"play b D4\nquit\n", ENDING_SECONDS)]
)
def test_the_client_waits_longer_if_a_move_came_before_quit(lines: bytes, seconds: float) -> None:
    """After `quit` alone there is nothing to deliver."""
    relay = Relay("socket", b"")
    before = time.monotonic()
    for data in (lines, b""):
        relay._pass_on(data)
    assert before + seconds <= relay._deadline <= time.monotonic() + seconds


def test_a_command_reconnects_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bug: after an outage a Go program waited up to 15 seconds more, whatever it asked."""
    assert relay_module._LONGEST_WAIT <= 5
    monkeypatch.setattr(relay_module, "_FIRST_WAIT", 600.0)
    monkeypatch.setattr(relay_module, "_LONGEST_WAIT", 600.0)
    tries: list[float] = []

    def dial(*_: object) -> socket.socket:
        tries.append(time.monotonic())
        raise ConnectionRefusedError

    monkeypatch.setattr(relay_module, "dial", dial)
    relay = Relay("socket", b"")
    relay._admitted = True
    relay._start_thread(relay._keep_connected)
    until(lambda: len(tries) == 1, "it is tried")
    for count in (2, 3):
        relay._pass_on(b"name\n")
        until(lambda count=count: len(tries) == count, "it is tried for a command")  # type: ignore[misc]
