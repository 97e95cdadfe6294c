"""The quiet seconds of a pending move, and the loop that serves a seat by them.

A move that a program plays at a seat stays pending for `quiet_seconds`, and may be taken back.
Then the move is released: it is played in the game.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from godaemon.rules.points import Point
from godaemon.rules.position import Move
from gtp.read_ahead import ConnectionLines, first_of
from gtp.seat.seat_session import SeatSession


async def converse(
    session: SeatSession,
    lines: ConnectionLines,
    send: Callable[[bytes], Awaitable[None]],
    *,
    quiet_seconds: float,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> None:
    """Serve a seat until `quit`, the end of the lines, or a broken connection.

    In each case a pending move is released first. Its quiet seconds run from the command that made
    it pending; later commands, such as a poll, do not prolong them.
    """
    timed: Move | tuple[Point, ...] | None = None
    timer: asyncio.Future[None] | None = None
    try:
        while not session.over:
            if session.pending != timed:
                _cancel(timer)
                timed = session.pending
                timer = None if timed is None else asyncio.ensure_future(sleep(quiet_seconds))
            if timer and await first_of(lines.wait_for_line(), asyncio.shield(timer)):
                timed = timer = None  # in temporary trouble the move stays pending: once more
                await session.release_pending()
                continue
            line = await lines.take()
            if line is None:
                break
            response = await session.handle(line)
            if response:
                await send(response)
    except ConnectionError:
        pass  # it has gone without a word, which is an end too
    finally:
        _cancel(timer)
    await session.release_pending()


def _cancel(timer: asyncio.Future[None] | None) -> None:
    if timer is not None:
        timer.cancel()
