"""A session on a free board: a line in, a response out, and nothing in between is remembered twice.

Needs no event loop, no socket and no daemon. A fault of ours answers `internal error`, is handed
to `report`, and leaves the session alive.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractContextManager, nullcontext

from godaemon.errors import IllegalMove, Refusal
from gtp.board.commands import ANY, FREE
from gtp.board.free_board import FreeBoard, never
from gtp.client.framing import Reply, Request, encode, parse
from gtp.syntax import UNKNOWN_COMMAND

Thinking = Callable[[], AbstractContextManager[Callable[[], bool]]]
"""What surrounds a slow command; it gives a function that tells when to come to an end."""


def log_fault(fault: Exception) -> None:
    """Put a fault of ours into the log; where nobody set one up, nothing is printed."""
    import logging  # noqa: PLC0415 - most sessions have no fault, and all start sooner

    log = logging.getLogger("gtp")
    if not log.hasHandlers():
        log.addHandler(logging.NullHandler())  # else Python prints it on standard error
    log.error("a command failed", exc_info=fault)


def _undisturbed() -> AbstractContextManager[Callable[[], bool]]:
    return nullcontext(never)


class BoardSession:
    """The commands of a free board, for one controller.

    `local` sessions belong to the operator's own terminal and may read files; `options` name the
    commands that are there only where they are wanted (`kgs-chat`); `over` is true once `quit` has
    been answered. A slow command runs inside `thinking()`.
    """

    def __init__(
        self,
        board: FreeBoard | None = None,
        *,
        local: bool = False,
        options: Collection[str] = (),
        report: Callable[[Exception], None] = log_fault,
        thinking: Thinking = _undisturbed,
    ) -> None:
        self.board = board or FreeBoard()
        self.local = local
        self.over = False
        self.stop: Callable[[], bool] = never
        self.thinking = thinking
        self._report = report
        self._commands = {
            one.name: one
            for one in (*ANY, *FREE)
            if (local or not one.local) and (not one.option or one.option in options)
        }
        self._names = tuple(sorted(one.name for one in self._commands.values() if one.listed))

    def names(self) -> Sequence[str]:
        """The commands that the session names when it is asked for a list."""
        return self._names

    def knows(self, name: str) -> bool:
        """Whether the session has a command of that name."""
        return name in self._commands

    def end(self) -> None:
        """Let the session end once this command is answered."""
        self.over = True

    def slow(self, line: bytes) -> bool:
        """Whether the answer to a line may take a while."""
        request = parse(line)
        command = request and self._commands.get(request.name)
        return bool(command and command.slow)

    def answer(self, line: bytes) -> bytes:
        """The response to a line: one frame, or nothing for a comment or a blank line."""
        request = parse(line)
        if request is None:
            return b""
        return encode(self._reply(request), request.id)

    def _reply(self, request: Request) -> Reply:
        command = self._commands.get(request.name)
        if command is None:
            return Reply(ok=False, text=UNKNOWN_COMMAND)
        try:
            if command.slow:
                with self.thinking() as self.stop:
                    return Reply(ok=True, text=command.handle(self, request.arguments))
            return Reply(ok=True, text=command.handle(self, request.arguments))
        except IllegalMove:
            return Reply(ok=False, text="illegal move")
        except Refusal as refusal:
            return Reply(ok=False, text=refusal.public)
        except Exception as fault:  # noqa: BLE001 - the controller's game must not end with it
            self._report(fault)
            return Reply(ok=False, text="internal error")
