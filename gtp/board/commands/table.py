"""The table of a free board's commands, and what they act on."""

from __future__ import annotations

from typing import Protocol

from gtp.board.free_board import FreeBoard
from gtp.command_table import CommandTable


class FreeHost(Protocol):
    """A session that holds a free board."""

    @property
    def board(self) -> FreeBoard:
        """The board."""

    @property
    def local(self) -> bool:
        """True if the session is the operator's own, and may read and write files."""

    def stop(self) -> bool:
        """True if the running command should come to its end."""

    def stirred(self) -> bool:
        """True if something has come behind it, even an empty line."""

    def tell(self, line: str) -> None:
        """Send a line of the answer before the command has come to its end."""


FREE = CommandTable()
"""The commands of a free board, beside those of every session."""
