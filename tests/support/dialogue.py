"""GTP dialogues as data: the lines a controller sends, and the expected responses.

`> line` is sent. Below it stands the response as on the wire, without its final blank line. `...`
at the end of a line matches any text, a line `...` any lines. A line without a response below it
must not be answered. Lines that begin with `;` are comments.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from godaemon.engine import fallback, house, network_dead_stones, review


class Exchange(NamedTuple):
    """A line and its response; "" if it must not be answered."""

    place: int
    """The line's number in the file."""
    sent: bytes
    expected: str


def read(path: Path) -> list[Exchange]:
    r"""Parse a dialogue file; `\x00` in a sent line stands for a byte."""
    exchanges: list[Exchange] = []
    for place, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
        if line.startswith(";") or (not line and not exchanges):
            continue
        if line.startswith(">"):
            sent = line[2:].encode().decode("unicode_escape").encode("latin-1")
            exchanges.append(Exchange(place, sent, ""))
        elif line:
            last = exchanges[-1]
            joined = f"{last.expected}\n{line}" if last.expected else line
            exchanges[-1] = last._replace(expected=joined)
    return exchanges


def matches(expected: str, response: bytes) -> bool:
    """True if a response matches, and is framed correctly."""
    if not expected:
        return response == b""
    if not response.endswith(b"\n\n") or b"\n\n" in response[:-1]:
        return False
    pattern = re.escape(expected).replace("\\\n\\.\\.\\.", r"(\n.+)*").replace(r"\.\.\.", r".*")
    got = "\n".join(line.rstrip() for line in response.decode("utf-8")[:-2].split("\n"))
    return re.fullmatch(pattern, got) is not None


def differences(path: Path, answer: Callable[[bytes], bytes]) -> list[str]:
    """The differences between a session's responses and the file, one line each."""
    found = []
    for place, sent, expected in read(path):
        response = answer(sent)
        if not matches(expected, response):
            found.append(f"{path.name}:{place}: {sent!r} expected {expected!r}, got {response!r}")
    return found


def think_little(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let our player look at few positions: dialogues test the protocol, not the moves."""
    for module, name in (
        *((house, "_VISITS_PER_REPORT"), (network_dead_stones, "_MAX_MOVES"), (review, "_VISITS")),
        *((fallback, "_READING_PLAYOUTS"), (fallback, "_MIN_READING_PLAYOUTS")),
    ):
        monkeypatch.setattr(module, name, 1)
