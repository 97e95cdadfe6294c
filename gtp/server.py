"""The daemon's side of the GTP socket: each connection is a free board, or a seat in a game.

A connection whose first line is `godaemon-seat N black|white` is answered `=` and becomes that
seat, or is answered `? reason` and closed. Input is always read, also while a command waits or
thinks. Who may connect is the socket's business (its mode and owner), not ours.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from contextlib import suppress

import structlog

from godaemon.errors import GodaemonError
from godaemon.rules.points import Color
from gtp.freeboard import FreeBoard
from gtp.freesession import FreeSession
from gtp.lines import Lines, first_of
from gtp.session import QUIET_SECONDS, SeatSession, Table, converse
from gtp.syntax import Reply, Request, encode

SEAT_LINE = "godaemon-seat {game} {color}"
"""The first line of a connection that wants a seat."""

OpenSeat = Callable[[int, Color], Awaitable[Table]]
"""Finds the seat of a colour in a game; raises `Refusal` where nobody can sit there."""

_SEAT = re.compile(rb"\s*godaemon-seat ([0-9]{1,18}) (black|white)\s*")
_CHUNK = 2**16
_log = structlog.get_logger("godaemon.gtp")


async def serve_session(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    *,
    open_seat: OpenSeat,
    quiet_seconds: float = QUIET_SECONDS,
    make_board: Callable[[], FreeBoard] = FreeBoard,
    stopping: asyncio.Event | None = None,
) -> None:
    """Serve one connection to its end, and close it.

    When `stopping` is set the connection ends as if the controller had: a waiting command answers
    `? interrupted`, a pending move is released, and what was asked before is still answered.
    """
    lines = Lines()
    reading = asyncio.create_task(_read(reader, lines, stopping or asyncio.Event()))

    async def send(data: bytes) -> None:
        writer.write(data)
        await writer.drain()

    try:
        with suppress(ConnectionError):
            await _serve(lines, send, open_seat, quiet_seconds, make_board)
    finally:
        reading.cancel()
        await asyncio.gather(reading, return_exceptions=True)
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()


async def _serve(
    lines: Lines,
    send: Callable[[bytes], Awaitable[None]],
    open_seat: OpenSeat,
    quiet_seconds: float,
    make_board: Callable[[], FreeBoard],
) -> None:
    first = await lines.take()
    wanted = _SEAT.fullmatch(first or b"")
    if wanted is None:
        await _free_board(FreeSession(make_board(), report=_report), first, lines, send)
        return
    color = Color.BLACK if wanted[2] == b"black" else Color.WHITE
    try:
        table = await open_seat(int(wanted[1]), color)
    except GodaemonError as refusal:
        await send(encode(Reply(ok=False, text=refusal.public)))
        return
    await send(encode(Reply(ok=True, text="")))
    session = _seat_session(table, lines, game=int(wanted[1]), seat=color.word)
    await converse(session, lines, send, quiet_seconds=quiet_seconds)


def _seat_session(table: Table, lines: Lines, *, game: int, seat: str) -> SeatSession:
    """A session that logs each of its commands, and our faults."""
    log = _log.bind(game=game, seat=seat)

    def note(request: Request, reply: Reply) -> None:
        log.info("gtp.command", command=request.name, ok=reply.ok)

    def report(fault: Exception) -> None:
        log.error("gtp.fault", exc_info=fault)

    return SeatSession(table, lines.stirred, report=report, note=note)


def _report(fault: Exception) -> None:
    _log.error("gtp.fault", exc_info=fault)


async def _free_board(
    session: FreeSession,
    line: bytes | None,
    lines: Lines,
    send: Callable[[bytes], Awaitable[None]],
) -> None:
    while line is not None:
        if session.slow(line):
            response = await asyncio.to_thread(session.answer, line)
        else:
            response = session.answer(line)
        if response:
            await send(response)
        if session.over:
            return
        line = await lines.take()


async def _read(reader: asyncio.StreamReader, lines: Lines, stopping: asyncio.Event) -> None:
    """Feed the lines until the controller ends or we do."""
    await first_of(_feed(reader, lines), stopping.wait())
    lines.end()


async def _feed(reader: asyncio.StreamReader, lines: Lines) -> None:
    with suppress(ConnectionError):
        while data := await reader.read(_CHUNK):
            lines.feed(data)
            await lines.room()
