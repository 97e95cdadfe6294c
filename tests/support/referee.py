"""Two GTP engines and a referee who relays their moves and asks both for the score."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import NamedTuple, Self

Ask = Callable[[str], str]
"""Sends a command and gives the text of a response that succeeded."""


class Program:
    """An engine in a process of its own."""

    def __init__(self, command: Sequence[str], cwd: str | None = None) -> None:
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, cwd=cwd)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        tb: TracebackType | None,
    ) -> None:
        if error is None:
            self.ask("quit")
            assert self._process.wait(10) == 0
        else:
            self._process.kill()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                stream.close()
        self._process.wait(10)

    def ask(self, line: str) -> str:
        """The text of the response to a command, which must succeed."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        stdin.write(f"{line}\n")
        stdin.flush()
        lines = [stdout.readline()]
        while lines[-1] not in {"\n", ""}:
            lines.append(stdout.readline())
        return succeeded(line, "".join(lines))


def succeeded(line: str, response: str) -> str:
    """The text of a response; fails the test where the command has failed."""
    assert response.startswith("="), f"{line}: {response}"
    return response[1:].strip()


class Match(NamedTuple):
    """A game that was played to two passes, and what each engine says it came to."""

    moves: tuple[str, ...]
    scores: tuple[str, str]
    """By Black and by White."""


def play(black: Ask, white: Ask, *, size: int, komi: float) -> Match:
    """One game: every move is asked of one engine and must be accepted by the other."""
    for ask in (black, white):
        for line in (f"boardsize {size}", "clear_board", f"komi {komi}"):
            ask(line)
    moves: list[str] = []
    while moves[-2:] != ["pass", "pass"]:
        assert len(moves) < 6 * size * size, "the game does not end"
        mover, other, color = (white, black, "w") if len(moves) % 2 else (black, white, "b")
        vertex = mover(f"genmove {color}")
        if vertex.lower() == "resign":
            return Match(tuple(moves), ("resigned", "resigned"))
        other(f"play {color} {vertex}")
        moves.append(vertex.lower())
    return Match(tuple(moves), (black("final_score"), white("final_score")))
