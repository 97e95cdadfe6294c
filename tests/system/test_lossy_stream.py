"""Output that never fails and never blocks."""

import os
import pty
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from godaemon.system import lossy_stream
from godaemon.system.lossy_stream import LossyStream
from tests.support.descriptors import closed_terminal, dead_pipe, full_disk, full_pipe
from tests.support.waiting import until


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def test_all_is_written_in_its_order(tmp_path: Path) -> None:
    """What no charset has is written too, in a way that can be read."""
    with (tmp_path / "log").open("wb") as log:
        stream = LossyStream(log.fileno())
        for number in range(300):
            print(number, "D4 \udcff", file=stream)
        stream.drain(10)
    assert (tmp_path / "log").read_text() == "".join(f"{n} D4 \\udcff\n" for n in range(300))
    assert stream.lost == 0


@pytest.mark.parametrize("trouble", [closed_terminal, dead_pipe, full_disk])
def test_what_cannot_be_written_is_counted(
    trouble: Callable[[ExitStack], int], stack: ExitStack
) -> None:
    """The writer goes on."""
    stream = LossyStream(trouble(stack))
    for _ in range(3):
        stream.write("letter.accepted\n")
    stream.drain(10)
    assert stream.lost == 3


def test_a_pipe_that_nobody_reads(stack: ExitStack, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for it; what it has not taken after a while is lost, until it does."""
    monkeypatch.setattr(lossy_stream, "STUCK", 0.05)
    monkeypatch.setattr(lossy_stream, "MOST", 5)
    reader, writer = full_pipe(stack)
    stream = LossyStream(writer)
    stream.write("first\n")
    until(lambda: stream.lost == 1, "it counts as lost")
    for _ in range(7):
        stream.write("next\n")
    until(lambda: stream.lost == 8, "so do those that wait, and those dropped")
    stream.drain(0.01)
    os.set_blocking(reader, False)
    seen = bytearray()

    def come() -> bool:
        try:
            seen.extend(os.read(reader, 65536))
        except BlockingIOError:
            return stream.lost == 2
        return False

    until(come, "it is read at last")
    assert bytes(seen).lstrip(b"x") == b"first\n" + b"next\n" * 5


def test_a_line_that_was_torn_does_not_spoil_the_next(stack: ExitStack, tmp_path: Path) -> None:
    """A disk that fills up in the middle of a line, and has room again later."""
    code = (
        "import resource, sys; from godaemon.system.lossy_stream import LossyStream;"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (10, resource.RLIM_INFINITY));"
        "stream = LossyStream(1); stream.write('first\\n'); stream.drain(9);"
        "stream.write('second\\n'); stream.drain(9);"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (99, resource.RLIM_INFINITY));"
        "stream.write('third\\n'); stream.drain(9); sys.exit(stream.lost)"
    )
    log = stack.enter_context((tmp_path / "log").open("wb"))
    done = subprocess.run([sys.executable, "-c", code], stdout=log, check=False, timeout=30)
    assert (tmp_path / "log").read_text() == "first\nseco\nthird\n"
    assert done.returncode == 1


def test_a_descriptor_that_others_do_not_wait_for(stack: ExitStack) -> None:
    """Whoever shares a terminal may have it so; not a line is lost for that."""
    reader, writer = full_pipe(stack)
    os.set_blocking(writer, False)
    stream = LossyStream(writer)
    stream.write("first\n")
    seen = b""
    while not seen.endswith(b"first\n"):
        seen = seen[-10:] + os.read(reader, 65536)
    assert stream.lost == 0


def test_a_terminal_is_known_for_one(stack: ExitStack) -> None:
    """The log's style goes by that."""
    main, other = pty.openpty()
    stack.callback(os.close, main)
    stack.callback(os.close, other)
    assert LossyStream(other).isatty()
    assert not LossyStream(full_disk(stack)).isatty()


def test_nothing_else_comes_to_stand_for_standard_error() -> None:
    """Where there is none, the next file opened would be: a database, say. What it says is lost."""
    code = (
        "import os; os.close(0); os.close(2); from godaemon.system import lossy_stream;"
        "import sys; sys.stderr = None; lossy_stream.install();"
        "sys.stderr.write('lost\\n'); sys.stderr.drain(9);"
        "print(os.open('/', os.O_RDONLY) > 2, sys.stderr.lost)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "True 1\n"
