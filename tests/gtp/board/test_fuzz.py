"""Any bytes in any pieces: each command gets exactly one response."""

import re
from contextlib import chdir
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gtp.board import stdio
from gtp.board.board_session import COMMANDS, BoardSession
from gtp.board.free_board import FreeBoard
from gtp.client.syntax import parse
from tests.gtp.board.test_board_session import FirstPoint
from tests.gtp.board.test_stdio import served
from tests.support import places
from tests.support.examples import examples

ROOT = places.ROOT
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
    session = BoardSession(FreeBoard(engine=FirstPoint))
    session.report = faults.append
    with chdir(tmp_path_factory.getbasetemp()), patch.object(stdio, "_CHUNK", size):
        assert frames(served(data, session)) == expected(data)
    assert faults == []
