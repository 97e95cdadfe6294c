"""`godaemon gtp` beside a daemon: a free board of this process, whose record the daemon saves.

Each request to the daemon is a connection of its own (`gtp.client.syntax`). If the daemon goes
away, the board goes on, and is saved once one runs again. Only an engine that the operator has
configured for free boards plays in the daemon.
"""

from __future__ import annotations

import os
import random
import select
import socket
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from math import inf
from time import monotonic
from typing import TYPE_CHECKING

from godaemon.errors import GodaemonError, Refusal, Temporary
from godaemon.rules.points import Color
from gtp.argument_readers import vertex
from gtp.board.board_session import BoardSession
from gtp.board.free_board import FreeBoard, never

if TYPE_CHECKING:  # a session that only replays needs no player
    from godaemon.engine import Choice, LiveAnalysis
    from godaemon.records.record import Record

SAVE_DELAY = 1.0
"""Seconds between a change of the board and its saving."""

RETRY_DELAY = 5.0
"""Seconds between two attempts to reach a daemon."""

PATIENCE = 1.0
"""Timeout of the daemon's answer, in seconds; Sabaki waits three for our exit."""

_POLL = 0.05
"""Seconds between checks whether to stop waiting for the daemon."""
_CHUNK = 2**16
_STDIN = 0


class KeptBoard(BoardSession):
    """A session on a free board that a daemon saves."""

    def __init__(self, path: str, number: int = 0) -> None:
        """Begin a new board, or resume one by number; raises `Refusal` or `Temporary`."""
        self._path, self._number = path, number
        self._saved: Record | None = None
        self._sgf = ""
        """The record as the daemon last stored it."""
        self._due = monotonic() + SAVE_DELAY
        self._input = select.poll()
        self._input.register(_STDIN, select.POLLIN)
        plays, network, packed = self._open()
        super().__init__(EngineBoard(plays, self.ask) if plays else FreeBoard())
        if network and os.access(network, os.R_OK):
            from pathlib import Path  # noqa: PLC0415 - rarely configured

            self.board.network = Path(network)
        if number:
            from gtp.board.game_file import record_of, unpack  # noqa: PLC0415 - few resume

            self._sgf = unpack(packed).decode()
            self.board.load(self._sgf.encode())
            self._saved = record_of(self.board)

    def _open(self) -> tuple[str, str, str]:
        """The daemon's engine for free boards, its network, and the board's packed record."""
        try:
            first, _, packed = self.ask(f"godaemon-board {self._number}", PATIENCE).partition("\n")
        except OSError as fault:
            if self._number:
                raise Temporary("the daemon does not answer", detail=str(fault)) from fault
            return "", "", ""
        plays, _, network = first.partition(" ")
        return plays, network, packed

    def wait(self) -> None:
        """Wait for the controller's next line; save a change in a quiet moment."""
        while not self._input.poll(1000 * max(0.0, self._due - monotonic())):
            if self._save():
                return

    def answer(self, line: bytes) -> bytes:
        """The response to a line; saves a change that is due, in case lines never pause."""
        answer = super().answer(line)
        if monotonic() > self._due:
            self._save()
        return answer

    def close(self) -> None:
        """Save the final board, if a daemon runs."""
        self._save()

    def _save(self) -> bool:
        """Save the board if it has changed; returns whether the daemon has it.

        A record that does not continue the saved one is saved as a new board.
        """
        self._due = monotonic() + SAVE_DELAY
        if not self.board.position.moves:
            return True
        from godaemon.records.sgf import format_sgf  # noqa: PLC0415 - not before the first answer
        from gtp.board.game_file import is_same_game, pack, record_of  # noqa: PLC0415

        record = record_of(self.board)
        if record == self._saved:
            return True
        number = self._number if self._saved and is_same_game(self._saved, record) else 0
        try:
            sgf = format_sgf(record)
            packed = pack(self._sgf.encode()), pack(sgf.encode())
            self._number = int(self.ask(f"godaemon-save {number} {' '.join(packed)}", PATIENCE))
        except (OSError, GodaemonError):
            self._due += RETRY_DELAY
            return False
        self._saved, self._sgf = record, sgf
        return True

    def ask(self, line: str, seconds: float, stop: Callable[[], bool] = never) -> str:
        """The daemon's answer to a request; raises `Refusal`, or `OSError` if there is none."""
        answer, end = b"", monotonic() + seconds
        with socket.socket(socket.AF_UNIX) as link:
            link.settimeout(_POLL)
            link.connect(self._path)
            link.sendall(line.encode() + b"\n")
            while not answer.endswith(b"\n\n"):
                if stop() or monotonic() > end:
                    raise TimeoutError
                with suppress(TimeoutError):
                    if not (data := link.recv(_CHUNK)):
                        raise ConnectionError
                    answer += data
        text = answer[2:-2].decode()
        if not answer.startswith(b"="):
            raise Refusal(text)
        return text


class EngineBoard(FreeBoard):
    """A free board on which the operator's engine, in the daemon, chooses the moves."""

    def __init__(self, plays: str, ask: Callable[[str, float, Callable[[], bool]], str]) -> None:
        super().__init__()
        self.plays, self._ask = plays, ask

    def choose(
        self,
        color: Color,
        seconds: float | None,
        stop: Callable[[], bool],
        analysis: LiveAnalysis | None = None,  # noqa: ARG002 - only our own player reports
        *,
        cleanup: bool,
    ) -> Choice:
        """The engine's move; a simple move if it fails, is stopped or is too slow."""
        from godaemon.engine import Choice, fallback  # noqa: PLC0415 - as above
        from godaemon.records.sgf import format_sgf  # noqa: PLC0415
        from gtp.board.game_file import pack, record_of  # noqa: PLC0415

        position, komi = self.position, self.player_komi
        end = inf if seconds is None else monotonic() + seconds
        with suppress(OSError, GodaemonError):
            board = pack(format_sgf(replace(record_of(self), komi=komi)).encode())
            line = f"godaemon-move {os.getpid()} {color.word} {cleanup:d} {board}"
            move = self._ask(line, end - monotonic(), stop)
            if move.lower() == "resign":
                return Choice(resigns=True)
            point = vertex((move,), 0)
            if point is None or position.is_legal(color, point):
                return Choice(point)
        rng = random.Random()  # noqa: S311 - moves, no secret
        point = fallback.choose_move(
            position, color, komi=komi, rng=rng, halt=lambda: stop() or monotonic() > end
        )
        return Choice(point)
