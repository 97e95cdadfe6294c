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
from tests.support.waiting import PATIENCE, until


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def test_text_is_written_in_order(tmp_path: Path) -> None:
    """Surrogates are escaped."""
    with (tmp_path / "log").open("wb") as log:
        stream = LossyStream(log.fileno())
        for number in range(300):
            print(number, "D4 \udcff", file=stream)
        stream.drain(PATIENCE)
    assert (tmp_path / "log").read_text() == "".join(f"{n} D4 \\udcff\n" for n in range(300))
    assert stream.lost == 0


@pytest.mark.parametrize("trouble", [closed_terminal, dead_pipe, full_disk])
def test_lost_lines_are_counted(trouble: Callable[[ExitStack], int], stack: ExitStack) -> None:
    """The writer goes on."""
    stream = LossyStream(trouble(stack))
    for _ in range(3):
        stream.write("letter.accepted\n")
    stream.drain(PATIENCE)
    assert stream.lost == 3


def test_a_full_pipe_blocks_nobody(stack: ExitStack, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines are lost until the reader reads again."""
    monkeypatch.setattr(lossy_stream, "STUCK_SECONDS", 0.05)
    monkeypatch.setattr(lossy_stream, "MAX_QUEUED", 5)
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


def test_a_torn_line_does_not_damage_the_next(stack: ExitStack, tmp_path: Path) -> None:
    """As on a disk that was full for a while."""
    code = (
        "import resource, sys; from godaemon.system.lossy_stream import LossyStream;"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (10, resource.RLIM_INFINITY));"
        "stream = LossyStream(1); stream.write('first\\n'); stream.drain(9);"
        "stream.write('second\\n'); stream.drain(9);"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (99, resource.RLIM_INFINITY));"
        "stream.write('third\\n'); stream.drain(9); sys.exit(stream.lost)"
    )
    log = stack.enter_context((tmp_path / "log").open("wb"))
    done = subprocess.run([sys.executable, "-c", code], stdout=log, check=False, timeout=PATIENCE)
    assert (tmp_path / "log").read_text() == "first\nseco\nthird\n"
    assert done.returncode == 1


def test_a_non_blocking_descriptor_loses_no_line(stack: ExitStack) -> None:
    """Another process may have set the flag on a shared terminal."""
    reader, writer = full_pipe(stack)
    os.set_blocking(writer, False)
    stream = LossyStream(writer)
    stream.write("first\n")
    seen = b""
    while not seen.endswith(b"first\n"):
        seen = seen[-10:] + os.read(reader, 65536)
    assert stream.lost == 0


def test_a_terminal_is_recognized(stack: ExitStack) -> None:
    """The log's style depends on it."""
    main, other = pty.openpty()
    stack.callback(os.close, main)
    stack.callback(os.close, other)
    assert LossyStream(other).isatty()
    assert not LossyStream(full_disk(stack)).isatty()


def test_no_other_file_becomes_standard_error() -> None:
    """If descriptor 2 is closed, the next opened file would be: a database, for example."""
    code = (
        "import os; os.close(0); os.close(2); from godaemon.system import lossy_stream;"
        "import sys; sys.stderr = None; lossy_stream.install();"
        "sys.stderr.write('lost\\n'); sys.stderr.drain(9);"
        "print(os.open('/', os.O_RDONLY) > 2, sys.stderr.lost)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "True 1\n"
