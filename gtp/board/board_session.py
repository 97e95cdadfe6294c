"""A session on a free board: takes a line, and returns its response.

Needs no event loop, socket or daemon. A bug of ours is answered `internal error` and reported; the
session goes on.
"""

from collections.abc import Callable

from gtp.board.commands import BOARD_COMMANDS
from gtp.board.free_board import FreeBoard, never
from gtp.client.syntax import Reply, Request, parse
from gtp.command_table import Session
from gtp.every_session import POSITION_COMMANDS, SESSION_COMMANDS

COMMANDS = SESSION_COMMANDS | POSITION_COMMANDS | BOARD_COMMANDS


class BoardSession(Session):
    """The commands of a free board, for one controller."""

    def __init__(self, board: FreeBoard | None = None) -> None:
        super().__init__(COMMANDS)
        self.board = board or FreeBoard()
        self.flush: Callable[[], object] = lambda: None
        """Sends the answers so far, before a slow command."""
        self.stop: Callable[[], bool] = never
        """Returns True if the running command should stop."""
        self.has_line: Callable[[], bool] = lambda: True
        self._early_lines: list[bytes] = []
        self.send: Callable[[bytes], object] = self._early_lines.append
        """Sends the early lines of an answer; by default they are kept until its end."""
        self._request = Request(None, "", ())

    def wait(self) -> None:
        """Called before each wait for the controller's next line."""

    def close(self) -> None:
        """Called when the controller has gone."""

    def answer(self, line: bytes) -> bytes:
        """The response to a line: one frame, or nothing for a comment or a blank line."""
        request = parse(line)
        if request is None:
            return b""
        self._request = request
        self._early_lines.clear()
        ending = self.end_answer(request, self._reply(request))
        return b"".join((*self._early_lines, ending))

    def tell(self, line: str) -> None:
        """Send a line of the answer while the command still runs."""
        self.send(self.early_line(self._request, line))

    def _reply(self, request: Request) -> Reply:
        command = self.commands.get(request.name)
        if command is None:
            return self.unknown_reply(request)
        target = self.board.position if request.name in POSITION_COMMANDS else self
        try:
            if command.slow:
                self.flush()
            return Reply(ok=True, text=command.run(target, request.arguments) or "")
        except ConnectionError:  # an early line could not be sent: the controller has gone
            raise
        except Exception as fault:  # noqa: BLE001 - a bug must not end the controller's game
            return self.failure_reply(fault)
