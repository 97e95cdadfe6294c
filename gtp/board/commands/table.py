"""The table of a free board's commands, and what they act on."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Protocol

from godaemon.rules.position import Position
from gtp.board.free_board import FreeBoard
from gtp.client.syntax import Arguments
from gtp.inspection import LOOKS
from gtp.registry import Registry


class FreeHost(Protocol):
    """A session that holds a free board."""

    @property
    def board(self) -> FreeBoard:
        """The board."""

    @property
    def local(self) -> bool:
        """True where the session is the operator's own, and may read and write files."""

    def stop(self) -> bool:
        """True where the command that is being answered should come to its end."""

    def stirred(self) -> bool:
        """True where something has come behind it, were it an empty line."""

    def tell(self, line: str) -> None:
        """Send a line of the answer before the command has come to its end."""


FREE: Registry[Callable[[FreeHost, Arguments], str]] = Registry()
"""The commands of a free board, beside the administrative ones."""


def _looking(look: Callable[[Position, Arguments], str]) -> Callable[[FreeHost, Arguments], str]:
    @wraps(look)
    def _look(host: FreeHost, arguments: Arguments) -> str:
        return look(host.board.position, arguments)

    return _look


for _one in LOOKS:
    FREE.command(_one.name)(_looking(_one.handle))
