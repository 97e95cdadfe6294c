"""The engine on standard input and output, in this process and as a program."""

import os
import re
import resource
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import chdir, suppress
from tempfile import TemporaryFile
from typing import Self
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from godaemon.engine import Choice, Reading
from godaemon.rules.points import Color
from godaemon.rules.position import Position
from gtp.board import stdio
from gtp.board.board_session import COMMANDS, BoardSession
from gtp.board.free_board import never
from gtp.board.stdio import INTERRUPTED
from gtp.client.syntax import MAX_LINE, parse
from tests.gtp.board.test_board_session import FirstPoint
from tests.support import places
from tests.support.examples import examples
from tests.support.played_board import PlayedBoard
from tests.support.waiting import PATIENCE, until

ROOT = places.ROOT
ENGINE = [sys.executable, "-m", "godaemon", "gtp", "--level", "3"]


def served(sent: bytes, session: BoardSession | None = None) -> bytes:
    """The output of a session in this process for an input file."""
    with TemporaryFile() as stdin, TemporaryFile() as stdout:
        stdin.write(sent)
        stdin.seek(0)
        load = BoardSession if session is None else lambda: session
        assert stdio.run(load, stdin.fileno(), stdout.fileno()) == 0
        stdout.seek(0)
        return stdout.read()


def test_quit_and_the_end_of_input_end_the_program() -> None:
    """A last line without a line end is answered; nothing after `quit` is."""
    assert served(b"") == b""
    assert served(b"quit\nname\nname\n") == b"= \n\n"
    assert served(b"1 name\r\n\r\n# words\n2 protocol_version") == b"=1 godaemon\n\n=2 2\n\n"


def test_the_end_of_the_input_ends_an_analysis() -> None:
    """No further line could end it."""
    assert served(b"1 boardsize 7\n2 kata-analyze 1\n").startswith(b"=1 \n\n=2\ninfo move ")


def test_a_very_long_line_is_refused() -> None:
    """With and without a line end, as by a daemon."""
    long = b"3 play b D4 " + b"x" * MAX_LINE
    assert served(long + b"\nplay w D4\n" + long) == (
        b"?3 line too long\n\n= \n\n?3 line too long\n\n"
    )


class Waiting:
    """An engine that thinks until stopped; first it does something to the streams."""

    def __init__(self, first: Callable[[], object]) -> None:
        self._first = first

    def genmove(
        self, position: Position, color: Color, *, stop: Callable[[], bool] = never, **_: object
    ) -> Choice:
        """A pass, once it is stopped; fails where it is not within ten seconds."""
        self._first()
        until(stop, "being stopped")
        return Choice()

    def read_dead_stones(self, position: Position) -> Reading:
        return Reading(frozenset())


class Pipes:
    """A controller's two pipes, and a session in this process at their other ends."""

    def __init__(self) -> None:
        theirs, self.to_us = os.pipe()
        self.from_us, ours = os.pipe()
        self._files = [os.fdopen(theirs, "rb"), os.fdopen(ours, "wb")]
        self._open = {self.to_us, self.from_us}

    def serve(self, first: Callable[[], object]) -> int:
        """Answer all input, thinking as `Confirmations` does; returns the exit status."""
        stdin, stdout = (file.fileno() for file in self._files)
        session = BoardSession(PlayedBoard(lambda: Waiting(first)))
        return stdio.run(lambda: session, stdin, stdout)

    def send(self, data: bytes) -> None:
        os.write(self.to_us, data)

    def read_output(self) -> bytes:
        return os.read(self.from_us, 2**16)

    def hang_up(self) -> None:
        """Close the session's end, so that its reader gets end of file."""
        self._files[1].close()

    def close(self, end: int) -> None:
        self._open.discard(end)
        os.close(end)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for file in self._files:
            with suppress(BrokenPipeError):
                file.close()
        for end in self._open:
            os.close(end)


def test_an_interrupt_ends_the_thinking() -> None:
    """`# interrupt` is read while a command thinks; later lines wait."""
    with Pipes() as pipes:
        pipes.send(b"1 name\n2 genmove b\n3 protocol_version\n")

        def first() -> None:
            assert pipes.read_output() == b"=1 godaemon\n\n"  # nothing is held back meanwhile
            pipes.send(b"4 version\n# inter")
            pipes.send(b"rupt\n5 name\n")
            pipes.close(pipes.to_us)

        assert pipes.serve(first) == 0
        output = pipes.read_output()
    assert output.startswith(b"=2 pass\n\n=3 2\n\n=4 ")
    assert output.endswith(b"\n\n=5 godaemon\n\n")


def test_an_interrupt_cuts_short_all_commands_before_it() -> None:
    """Those that come after it think on."""
    with Pipes() as pipes:
        pipes.send(b"genmove b\ngenmove w\n# interrupt\n3 genmove b\n")
        calls: list[int] = []

        def first() -> None:
            calls.append(1)
            if len(calls) == 3:
                pipes.send(b"#interrupt\n")
                pipes.close(pipes.to_us)

        assert pipes.serve(first) == 0
        assert pipes.read_output() == b"= pass\n\n= pass\n\n=3 pass\n\n"


def test_a_controller_that_goes_away_ends_the_program() -> None:
    """It ends the thinking first."""
    with Pipes() as pipes:
        pipes.send(b"genmove b\nname\n")
        assert pipes.serve(lambda: pipes.close(pipes.from_us)) == 0


def test_commands_that_arrive_during_a_thought_are_answered_in_order() -> None:
    """Ten thousand of them, more than a pipe holds."""
    with Pipes() as pipes:
        output: list[bytes] = []
        reading = threading.Thread(target=lambda: output.extend(iter(pipes.read_output, b"")))

        def write() -> None:
            for start in range(0, 10_000, 2_000):
                lines = range(start, start + 2_000)
                pipes.send(b"".join(b"%d protocol_version\n" % number for number in lines))
            pipes.send(b"# interrupt\n")
            pipes.close(pipes.to_us)

        writing = threading.Thread(target=write)

        def first() -> None:
            reading.start()
            writing.start()

        pipes.send(b"genmove b\n")
        assert pipes.serve(first) == 0
        writing.join(PATIENCE)
        pipes.hang_up()
        reading.join(PATIENCE)
    answered = b"".join(b"=%d 2\n\n" % number for number in range(10_000))
    assert b"".join(output) == b"= pass\n\n" + answered


@pytest.mark.parametrize("interrupted", [True, False], ids=["ctrl-c", "broken pipe"])
def test_the_program_ends_silently(interrupted: bool) -> None:
    """No traceback goes to the terminal."""
    pipe = subprocess.PIPE
    with subprocess.Popen(ENGINE, cwd=ROOT, stdin=pipe, stdout=pipe, stderr=pipe) as engine:
        assert engine.stdin is not None
        assert engine.stdout is not None
        assert engine.stderr is not None
        engine.stdin.write(b"name\n")
        engine.stdin.flush()
        engine.stdout.readline()
        if interrupted:
            engine.send_signal(signal.SIGINT)
        else:
            engine.stdout.close()
            engine.stdin.write(b"name\n" * 10)
            engine.stdin.close()
        assert engine.wait(PATIENCE) == (INTERRUPTED if interrupted else 0)
        assert engine.stderr.read() == b""


LATER = {
    *("asyncio", "argparse", "structlog", "godaemon.engine", "sgfmill", "pathlib"),
    *("dataclasses", "difflib", "importlib.resources", "json", "threading", "unicodedata"),
}


def test_a_handshake_loads_no_engine() -> None:
    """Nor the event loop and the command line: a GUI waits for it."""
    code = (
        "import sys; from gtp.board import board_session, stdio;"
        f"stdio.run(board_session.BoardSession); sys.exit(str({LATER!r} & {{*sys.modules}} or ''))"
    )
    environment, lines = {**os.environ, "PYTHONPATH": str(ROOT)}, b"list_commands\nboardsize 9\n"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=environment, input=lines, capture_output=True, check=False)
    assert done.stderr.strip() == b""


def test_the_name_is_answered_before_a_board_is_loaded() -> None:
    """Not even `typing` and `socket` are loaded, which take as long as the answer."""
    code = (
        "import sys; from gtp.board import stdio;"
        "stdio.run(lambda: sys.exit("
        "bool({'typing', 'socket', 'godaemon.rules', 'gtp.command_table'} & {*sys.modules})))"
    )
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); {code}"
    command = [sys.executable, "-I", "-S", "-c", code]
    done = subprocess.run(
        command, input=b"7 name\nname 1\nboardsize 9\n", capture_output=True, check=True
    )
    assert done.stdout == b"=7 godaemon\n\n= godaemon\n\n"


def test_options_choose_the_board() -> None:
    """The network is loaded at the first move, so that a wrong one stops no handshake."""
    words = ("--network", "x", "--rules", "tromp-taylor")
    commands = b"gogui-title\nshowboard\n"
    done = subprocess.run(
        [*ENGINE, *words], cwd=ROOT, input=commands, capture_output=True, check=True
    )
    assert b"level 3" in done.stdout
    assert b"tromp-taylor rules" in done.stdout


LITTLE = 200 * 2**20
"""Bytes: several times what the answer to `name` takes."""


def test_an_endless_line_takes_little_memory() -> None:
    """It is answered by its id once it ends; so are the lines after it."""

    def limit_memory() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (LITTLE, LITTLE))

    with subprocess.Popen(
        [*ENGINE, "--level", "1"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        preexec_fn=limit_memory,  # noqa: PLW1509 - no thread runs here
    ) as engine:
        assert engine.stdin is not None
        engine.stdin.write(b"7 name ")
        for _ in range(LITTLE // 2**20):
            engine.stdin.write(bytes(2**20))
        output, _ = engine.communicate(b"\n8 name\n9 " + b"x" * 2**20)
    assert output == b"?7 line too long\n\n=8 godaemon\n\n?9 line too long\n\n"


FRAME = re.compile(rb"([=?])([0-9]*)(?: [^\n]*|\n(?:info|play) [^\n]*)(?:\n[^\n]+)*\n\n")
NAMES = sorted({*COMMANDS} - {"quit"})
ARGUMENTS = ["b", "w", "D4", "e5", "K10", "pass", "2", "9", "19", "-1", "6.5", "dead", "japanese"]

WORDS = st.sampled_from([*NAMES, *ARGUMENTS, "quit", "#", "# interrupt", "12", "2147483648"])
TEXTS = st.lists(WORDS, max_size=6).map(lambda words: " ".join(words).encode())
NOISE = st.binary(max_size=40) | st.sampled_from(
    [b"\x00", b"\r", b"\xff\xfe", b"\xef\xbb\xbfname", "nämé".encode(), b"\t\t", b"x" * 70_000]
)
LINES = st.tuples(TEXTS | NOISE, st.sampled_from([b"\n", b"\r\n", b"\n\n", b"\x00\n"]))


def frames(output: bytes) -> list[bytes]:
    """The ids of the responses in an output that holds nothing else, empty where there is none."""
    at, found = 0, []
    while at < len(output):
        frame = FRAME.match(output, at)
        assert frame is not None, output[at : at + 200]
        found.append(frame[2])
        at = frame.end()
    return found


def expected(data: bytes) -> list[bytes]:
    """The ids of the commands in an input, up to the one that ends it."""
    found = []
    for line in data.split(b"\n"):
        request = parse(line)
        if request is not None:
            found.append(b"" if request.id is None else b"%d" % request.id)
            if request.name == "quit":
                break
    return found


@given(st.lists(LINES, max_size=25), st.binary(max_size=12), st.integers(1, 90))
@settings(max_examples=examples(150))
def test_each_command_gets_one_frame(
    tmp_path_factory: pytest.TempPathFactory,
    lines: list[tuple[bytes, bytes]],
    rest: bytes,
    size: int,
) -> None:
    """Random bytes, long lines, all line ends and half lines; `printsgf D4` writes a file."""
    data = b"".join(text + end for text, end in lines) + rest
    faults = list[Exception]()
    session = BoardSession(PlayedBoard(FirstPoint))
    session.report = faults.append
    with chdir(tmp_path_factory.getbasetemp()), patch.object(stdio, "_CHUNK", size):
        assert frames(served(data, session)) == expected(data)
    assert faults == []
