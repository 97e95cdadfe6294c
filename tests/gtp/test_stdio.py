"""The engine on standard input and output, in this process and as a program of its own."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from gtp.freesession import FreeSession
from gtp.stdio import INTERRUPTED, run

ROOT = Path(__file__).parents[2]
ENGINE = [sys.executable, "-m", "gtp"]


def answers(sent: bytes) -> bytes:
    """All that a session in this process writes for all that it reads."""
    out = io.BytesIO()
    assert run(io.BytesIO(sent), out) == 0
    return out.getvalue()


def start() -> subprocess.Popen[bytes]:
    """The engine in a process of its own, with all three streams on pipes."""
    pipe = subprocess.PIPE
    return subprocess.Popen(ENGINE, cwd=ROOT, stdin=pipe, stdout=pipe, stderr=pipe)


def test_end_of_file_ends_it() -> None:
    """A last line without a line end is answered too, and then the program ends."""
    assert answers(b"") == b""
    assert answers(b"1 name\r\n\r\n# words\n2 protocol_version") == b"=1 godaemon\n\n=2 2\n\n"


def test_nothing_follows_quit() -> None:
    """What comes after quit is not answered, though it had arrived with it."""
    assert answers(b"quit\nname\nname\n") == b"= \n\n"


def test_ten_thousand_pipelined_commands() -> None:
    """Commands sent without waiting are all answered, in their order."""
    sent = b"".join(b"%d protocol_version\n" % number for number in range(10_000))
    assert answers(sent) == b"".join(b"=%d 2\n\n" % number for number in range(10_000))


def test_a_very_long_line() -> None:
    """A line is as long as it is: there is no limit to cut it at."""
    assert (
        answers(b"play b D4 " + b"x" * 3_000_000 + b"\nplay w D4\n") == b"= \n\n? illegal move\n\n"
    )


class Trickle(io.RawIOBase):
    """A stream that gives its bytes a few at a time."""

    def __init__(self, data: bytes) -> None:
        self._data = io.BytesIO(data)

    def readable(self) -> bool:
        """It is for reading."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        """At most three bytes."""
        data = self._data.read(min(3, len(buffer)))
        buffer[: len(data)] = data
        return len(data)


def test_half_lines() -> None:
    """A line that arrives in pieces is one line."""
    out = io.BytesIO()
    stream = io.BufferedReader(Trickle(b"5 na\x00me\r\nboardsize 9\nplay b J9"))
    assert run(stream, out) == 0
    assert out.getvalue() == b"=5 godaemon\n\n= \n\n= \n\n"


class Interrupted(io.BytesIO):
    """A stream at which Ctrl-C is pressed."""

    def read1(self, _: int | None = -1, /) -> bytes:
        """Raises what Python raises for it."""
        raise KeyboardInterrupt


def test_ctrl_c_ends_it() -> None:
    """Ctrl-C gives the exit status that shells know, and no traceback."""
    assert run(Interrupted(), io.BytesIO()) == INTERRUPTED


def test_the_program_answers_before_it_hears_more() -> None:
    """Each response arrives while standard input stays open, and quit really ends the process."""
    with start() as engine:
        assert engine.stdin is not None
        assert engine.stdout is not None
        for line, response in ((b"name", b"= godaemon\n"), (b"7 boardsize 9", b"=7 \n")):
            engine.stdin.write(line + b"\n")
            engine.stdin.flush()
            assert engine.stdout.readline() == response
            assert engine.stdout.readline() == b"\n"
        engine.stdin.write(b"quit\n")
        engine.stdin.flush()
        assert engine.stdout.read() == b"= \n\n"
        assert engine.wait(10) == 0


def test_a_reader_who_has_gone() -> None:
    """A broken pipe ends the program without a word."""
    with start() as engine:
        assert engine.stdout is not None
        assert engine.stdin is not None
        assert engine.stderr is not None
        engine.stdout.close()
        engine.stdin.write(b"name\n" * 10)
        engine.stdin.close()
        assert engine.stderr.read() == b""
        assert engine.wait(10) == 0


def test_ctrl_c_at_the_program() -> None:
    """An interrupt from the terminal ends the program without a traceback."""
    with start() as engine:
        assert engine.stdin is not None
        assert engine.stdout is not None
        assert engine.stderr is not None
        engine.stdin.write(b"name\n")
        engine.stdin.flush()
        engine.stdout.readline()
        engine.send_signal(signal.SIGINT)
        assert engine.wait(10) == INTERRUPTED
        assert engine.stderr.read() == b""


@pytest.mark.parametrize("module", ["asyncio", "typer", "structlog", "godaemon.engine", "sgfmill"])
def test_the_first_answer_loads_no_more_than_it_needs(module: str) -> None:
    """The event loop, the command line and the engine are not loaded to answer a handshake."""
    code = (
        "import io, sys, gtp.stdio;"
        "gtp.stdio.run(io.BytesIO(b'name\\nlist_commands\\nboardsize 9\\n'), io.BytesIO());"
        f"sys.exit({module!r} in sys.modules)"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    assert (
        subprocess.run([sys.executable, "-c", code], env=environment, check=False).returncode == 0
    )


def test_a_session_can_be_handed_in() -> None:
    """The caller may choose the session, and with it the rules."""
    out = io.BytesIO()
    run(io.BytesIO(b"loadsgf x\n"), out, session=FreeSession())
    assert out.getvalue() == b"? unknown command\n\n"


@pytest.mark.parametrize(("words", "status"), [(["japanese"], 0), (["checkers"], 2)])
def test_the_rules_can_be_named(words: list[str], status: int) -> None:
    """The module's one argument is a ruleset; another is refused with the names there are."""
    done = subprocess.run(
        [*ENGINE, *words], cwd=ROOT, input=b"showboard\n", capture_output=True, check=False
    )
    assert done.returncode == status
    said = done.stdout if status == 0 else done.stderr
    assert b"japanese" in said
