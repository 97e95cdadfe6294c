"""Requests about the free boards of `godaemon gtp`: their records, and moves of an engine.

Each request is the first line of a connection (`gtp.client.syntax`). A failure raises a
`GodaemonError`.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import structlog

from godaemon.daemon.core import Core
from godaemon.errors import GodaemonError, Temporary
from godaemon.games import commands as cmd
from godaemon.records import replay
from godaemon.records.sgf import parse_sgf
from godaemon.rules.points import Color
from gtp.argument_readers import format_vertex
from gtp.board.free_board import DEFAULT_RULES
from gtp.board.game_file import pack, unpack
from gtp.client.syntax import BoardRequest
from gtp.engines.controller import Controller

_log = structlog.get_logger("godaemon.gtp")


@dataclass(frozen=True, slots=True)
class FreeBoards:
    """Answers the requests."""

    core: Core
    engines: Mapping[str, Controller]
    """The engines by name."""

    async def answer(self, request: BoardRequest) -> str:
        """The answer to a request; raises `GodaemonError`."""
        match request.words:
            case "godaemon-board", number:
                return await self._open(int(number))
            case "godaemon-save", number, before, now:
                return await self._save(int(number), unpack(before), unpack(now))
            case _, session, color, cleanup, board:
                return await self._choose_move(session, color, cleanup, unpack(board))
        raise AssertionError(request)

    async def _open(self, number: int) -> str:
        """The engine and the network; below them the record of a saved board, none for 0.

        Without an engine, our own player plays in each program's process.
        """
        sgf = await self.core.writer.run(lambda unit: unit.boards.sgf(number)) if number else ""
        settings = self.core.settings
        engine, network = settings.gtp.engine or "", settings.engines.network or ""
        return f"{engine} {network}\n{pack(sgf.encode())}"

    async def _save(self, number: int, before: bytes, now: bytes) -> str:
        record, at = parse_sgf(now), self.core.clock.now()
        row = now.decode(), str(record.size), len(record.moves), at
        saved = await self.core.writer.run(
            lambda unit: unit.boards.save(number, before.decode(), *row)
        )
        return str(saved)

    async def _choose_move(self, session: str, color: str, cleanup: str, board: bytes) -> str:
        record = parse_sgf(board)
        position, _ = replay.playable(record, record.ruleset or DEFAULT_RULES)
        asked = session, position, record.komi, Color.named(color)
        try:
            engine = self.engines[self.core.settings.gtp.engine or ""]
            answer = await engine.genmove(*asked, cleanup=cleanup == "1")
        except (GodaemonError, LookupError) as fault:
            _log.warning("engine.failed", detail=f"{type(fault).__name__}: {fault}")
            raise Temporary("the engine has failed") from fault
        if isinstance(answer, cmd.Resign):
            return "resign"
        return format_vertex(answer.point if isinstance(answer, cmd.Play) else None)
