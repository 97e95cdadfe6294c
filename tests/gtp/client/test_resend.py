"""What a program asks again after a broken connection: each command once, in order, and no more."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gtp.client.resend import Broken, Conversation
from gtp.client.syntax import (
    CAUGHT_UP,
    GOODBYE,
    LONGEST,
    ByKey,
    BySeat,
    LineBuffer,
    Reply,
    encode,
    parse,
    read_greeting,
)

UP = CAUGHT_UP.decode()


def again(talk: Conversation) -> list[str]:
    """The lines that a new connection begins with."""
    return talk.resend().decode().splitlines()


def test_ids_become_serials_and_come_back() -> None:
    """The controller's own ids, or none, are on what it reads; the daemon sees serials."""
    talk = Conversation()
    assert talk.from_controller(b"007 name\nver") == b"1 name\n"
    assert talk.from_controller(b"sion\n\n# a comment\n") == b"2 version\n"
    assert talk.from_daemon(b"=1 godae") == b""
    assert (
        talk.from_daemon(b"mon\n\n?2 no such\nthing\n\n") == b"=7 godaemon\n\n? no such\nthing\n\n"
    )
    assert not talk.unanswered_count


def test_what_moved_the_cursor_is_asked_again() -> None:
    """Answered moves under their own serials, then what has no answer; nothing else."""
    talk = Conversation()
    sent = b"boardsize 9\nkomi 6.5\nplay b D4\nplay b E5\ngenmove w\nplay b C3\nname\n"
    talk.from_controller(sent)
    talk.from_daemon(b"=1 \n\n=2 \n\n=3 \n\n?4 illegal move\n\n=5 F6\n\n")
    assert again(talk) == ["3 play b D4", "5 play w F6", UP, "6 play b C3", "7 name"]
    assert talk.from_daemon(b"=3 \n\n=5 \n\n") == b"", "the controller has read these"
    assert talk.from_daemon(b"=6 \n\n=7 godaemon\n\n") == b"= \n\n= godaemon\n\n"


def test_a_refused_replay_is_swallowed_too() -> None:
    """The game may have gone on otherwise; the controller learns of it by its next command."""
    talk = Conversation()
    talk.from_controller(b"play b D4\n")
    talk.from_daemon(b"=1 \n\n")
    talk.resend()
    talk.from_controller(b"name\n")
    assert talk.from_daemon(b"?1 illegal move\n\n=2 godaemon\n\n") == b"= godaemon\n\n"


@pytest.mark.parametrize("reset", ["boardsize 9", "clear_board", "rectangular_boardsize 9 9"])
def test_a_new_beginning_forgets_the_old(reset: str) -> None:
    """As the cursor does."""
    talk = Conversation()
    talk.from_controller(f"play b D4\n{reset}\nset_free_handicap C3 G7\nundo\n".encode())
    talk.from_daemon(b"=1 \n\n=2 \n\n=3 \n\n=4 \n\n")
    assert again(talk) == ["3 set_free_handicap C3 G7", "4 undo", UP]


def test_what_was_undone_is_not_played_again() -> None:
    """Going to and fro on the record does not make the replay longer."""
    talk = Conversation()
    for at in range(100):
        talk.from_controller(b"play b D4\nundo\n")
        talk.from_daemon(b"=%d \n\n=%d \n\n" % (2 * at + 1, 2 * at + 2))
    assert again(talk) == [UP]


def test_neither_resign_nor_a_failure_moves() -> None:
    """They are no moves of the record."""
    talk = Conversation()
    talk.from_controller(b"genmove w\ngenmove w\n")
    talk.from_daemon(b"=1 resign\n\n?2 interrupted\n\n")
    assert again(talk) == [UP]


def test_an_interrupt_is_passed_on_in_its_place() -> None:
    """Behind what it ends, on whichever connection; without that it means nothing."""
    talk = Conversation()
    assert talk.from_controller(b"# interrupt\n") == b""
    assert talk.from_controller(b"genmove w\n # interrupt\n") == b"1 genmove w\n# interrupt\n"
    assert again(talk) == [UP, "1 genmove w", "# interrupt"]
    assert talk.from_daemon(b"?1 interrupted\n\n") == b"? interrupted\n\n"
    assert again(talk) == [UP]


def test_a_wait_that_nobody_wants_ends_without_a_daemon() -> None:
    """Only a genmove, and only with something behind it: all else may have had its effect."""
    talk = Conversation()
    talk.from_controller(b"4 genmove w\n")
    assert talk.give_up_waiting() == b""
    talk.from_controller(b"# interrupt\n")
    assert talk.give_up_waiting() == b"?4 interrupted\n\n"
    talk.from_controller(b"play b D4\n5 genmove w\nname\n")
    assert talk.give_up_waiting() == b""
    assert again(talk) == [UP, "2 play b D4", "3 genmove w", "4 name"]


def test_the_end() -> None:
    """A last line without its end is a command; goodbye is said again where it may be lost."""
    talk = Conversation()
    assert talk.from_controller(b"quit") == b""
    assert talk.end() == b"1 quit\n" + GOODBYE + b"\n"
    assert again(talk) == [UP, "1 quit", GOODBYE.decode()]
    assert not talk.over
    talk.from_daemon(b"=1 \n\n")
    assert talk.over
    assert talk.done


def test_giving_up() -> None:
    """Each command that waits is told why, with its own id."""
    talk = Conversation()
    talk.from_controller(b"1 name\n# interrupt\nversion\n")
    assert talk.refuse("no such seat") == b"?1 no such seat\n\n? no such seat\n\n"
    assert not talk.unanswered_count


def test_quit_never_fails() -> None:
    """Its answer comes without a daemon too, behind those to the commands before it."""
    talk = Conversation()
    talk.from_controller(b"1 name\n2 quit\n")
    assert talk.quits
    assert talk.refuse("away") == b"?1 away\n\n=2 \n\n"
    assert not talk.quits


@pytest.mark.parametrize("frame", [b"=2 \n\n", b"= \n\n", b"godaemon\n\n", b"=1 \n\n=2 \n\n"])
def test_an_answer_to_something_else(frame: bytes) -> None:
    """It breaks the connection, and is not passed on."""
    talk = Conversation()
    talk.from_controller(b"name\n")
    with pytest.raises(Broken):
        talk.from_daemon(frame)


def test_a_line_that_is_too_long() -> None:
    """It is not kept, and stands as a command that nobody knows."""
    talk = Conversation()
    assert talk.from_controller(b"x" * (LONGEST + 1)) == b""
    assert talk.from_controller(b"y\nname\n") == b"1 line-too-long\n2 name\n"


@pytest.mark.parametrize("pieces", [1, 3])
def test_a_line_that_is_too_long_keeps_its_id(pieces: int) -> None:
    """Bug: a controller that knows answers by their ids waited for its own for ever."""
    lines, line = LineBuffer(LONGEST), b" 12 y" + b"y" * LONGEST + b"\n"
    step = len(line) // pieces + 1
    found = [one for at in range(0, len(line), step) for one in lines.feed(line[at : at + step])]
    asked = [one for one in map(parse, found) if one is not None]
    assert [encode(Reply(ok=False, text="no"), one.id) for one in asked] == [b"?12 no\n\n"]


def test_an_analysis_is_passed_on_as_it_comes() -> None:
    """Line by line, under the controller's id; a bare line, or any other, ends it over there."""
    talk = Conversation()
    assert talk.from_controller(b"5 kata-analyze 10\n") == b"1 kata-analyze 10\n"
    assert talk.from_daemon(b"=1\n") == b"=5\n", "its sign comes at once"
    assert talk.from_daemon(b"info a\ninfo") == b"info a\n"
    assert talk.from_daemon(b" b\n") == b"info b\n"
    assert talk.from_controller(b"\nname\n") == b"# interrupt\n2 name\n"
    assert talk.from_daemon(b"info c\n\n=2 godaemon\n\n") == b"info c\n\n= godaemon\n\n"
    assert talk.from_controller(b"\n") == b"", "nothing goes on that it could end"


def test_a_choice_told_aloud_is_played_again_after_a_break() -> None:
    """Its lines are passed on as they come, a bare line ends nothing, and no other is chosen."""
    talk = Conversation()
    talk.from_controller(b"5 kata-genmove_analyze b 10\n")
    assert talk.from_controller(b"\n") == b""
    assert talk.from_daemon(b"=1\ninfo a\n") == b"=5\ninfo a\n"
    assert talk.from_daemon(b"play D4\n\n") == b"play D4\n\n"
    assert again(talk) == ["1 play b D4", UP]


@pytest.mark.parametrize("end", [b"info d\n\n", b"\n"])
def test_an_analysis_over_two_connections_has_one_answer(end: bytes) -> None:
    """What had come is not taken back, and its sign is not said twice."""
    talk = Conversation()
    talk.from_controller(b"kata-analyze 10\n")
    assert talk.from_daemon(b"=1\ninfo a\ninf") == b"=\ninfo a\n"
    assert again(talk) == [UP, "1 kata-analyze 10"]
    assert talk.from_daemon(b"=1\ninfo c\n" + end) == b"info c\n" + end
    assert not talk.unanswered_count


@pytest.mark.parametrize("told", [b"", b"=1\ninfo a\n"])
def test_an_analysis_that_cannot_go_on(told: bytes) -> None:
    """Its answer ends, by a reason where nothing of it was told: the program may ask again."""
    for end in ("refused", "given up", "not known"):
        talk = Conversation()
        talk.from_controller(b"kata-analyze 10\nname\n")
        talk.from_daemon(told)
        talk.resend()
        rest = {
            "refused": lambda one: one.from_daemon(b"?1 others\n\n=2 godaemon\n\n"),
            "given up": lambda one: one.give_up_waiting(),
            "not known": lambda one: one.refuse("no such seat"),
        }[end](talk)
        reasons = {"refused": b"others", "given up": b"interrupted", "not known": b"no such seat"}
        assert rest.startswith(b"\n" if told else b"? " + reasons[end] + b"\n\n"), end


class Daemon:
    """A cursor that counts its moves, and answers what it is asked, over any connection."""

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
def test_the_controller_never_notices(
    commands: list[str], breaks: list[tuple[int, int, int]]
) -> None:
    """However often and wherever connections break, the answers are those of one that holds."""
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
def test_any_first_line(line: bytes) -> None:
    """Is read or is none, and what is read is written the same."""
    found = read_greeting(line)
    if isinstance(found, ByKey | BySeat):
        assert read_greeting(found.line()) == found


def test_greetings() -> None:
    """Both forms, with a session and without; a key shows itself to no log."""
    for greeting in (ByKey("34-b-abc"), ByKey("34-b-abc", "0123456789abcdef")):
        assert read_greeting(greeting.line() + b"\r") == greeting
        assert "34-b" not in repr(greeting)
    assert read_greeting(b"godaemon-key 34-b-abc short") is None
    assert read_greeting(b"godaemon-key") is None
