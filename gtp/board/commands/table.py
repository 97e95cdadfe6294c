"""What the commands act on: any session, and the session of a free board; and their tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from gtp.board.free_board import FreeBoard
from gtp.client.framing import Arguments
from gtp.registry import Registry


class Host(Protocol):
    """What every session is to the administrative commands."""

    def names(self) -> Sequence[str]:
        """The commands that the session names when it is asked for a list."""

    def knows(self, name: str) -> bool:
        """Whether the session has a command of that name."""

    def end(self) -> None:
        """Let the session end once this command is answered."""


class FreeHost(Host, Protocol):
    """A session that holds a free board."""

    @property
    def board(self) -> FreeBoard:
        """The board."""

    @property
    def local(self) -> bool:
        """Whether the session is the operator's own, and may read and write files."""

    def stop(self) -> bool:
        """Whether the command that is being answered should come to its end."""


ANY: Registry[Callable[[Host, Arguments], str]] = Registry()
"""The commands that every session has."""

FREE: Registry[Callable[[FreeHost, Arguments], str]] = Registry()
"""The commands of a free board, beside those."""
