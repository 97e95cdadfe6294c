"""A scripted GTP controller that starts an engine as a GUI does."""

import subprocess
from collections.abc import Sequence
from typing import Self

from tests.support.waiting import PATIENCE


class Gui:
    """One engine process; leaving the `with` block closes its input."""

    def __init__(self, command: Sequence[str]) -> None:
        self._process = subprocess.Popen(
            list(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(PATIENCE)
        self._process.stdout.close()

    def attach(self, size: int = 9) -> Self:
        """Send the first commands of a GUI."""
        for line in ("name", "version", "list_commands", f"boardsize {size}", "clear_board"):
            self.ask(line)
        return self

    def kill(self) -> None:
        self._process.kill()
        self._process.wait(PATIENCE)
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            pipe.close()

    def send(self, line: str) -> None:
        """Send a line without waiting."""
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def line(self) -> str:
        """Read the next line of a response; "" at its end."""
        assert self._process.stdout is not None
        return self._process.stdout.readline().rstrip("\n")

    def answer(self) -> str:
        """Read the next response, with its `=` or `?`."""
        lines = []
        while line := self.line():
            lines.append(line)
        return "\n".join(lines).strip()

    def ask(self, line: str) -> str:
        """Send a command, and return its successful response; fails on `?`."""
        self.send(line)
        answer = self.answer()
        assert answer.startswith("="), f"{line!r} was answered {answer!r}"
        return answer.removeprefix("=").strip()

    def refused(self, line: str) -> str:
        """Send a command, and return its error; fails on `=`."""
        self.send(line)
        answer = self.answer()
        assert answer.startswith("?"), f"{line!r} was answered {answer!r}"
        return answer.removeprefix("?").strip()
