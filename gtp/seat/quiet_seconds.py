"""The main loop of a seat, with the timer of its pending move.

A move that a program plays at a seat stays pending for `quiet_seconds`, and can be taken back. Then
it is released: it is played in the game.
"""

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

    A pending move is then released at once. Its quiet seconds run from the command that made it
    pending; later commands, such as polls, do not prolong them.
    """
    timed_move: Move | tuple[Point, ...] | None = None
    timer: asyncio.Future[None] | None = None
    try:
        while not session.over:
            if session.pending != timed_move:
                _cancel(timer)
                timed_move = session.pending
                timer = None if timed_move is None else asyncio.ensure_future(sleep(quiet_seconds))
            if timer and await first_of(lines.wait_for_line(), asyncio.shield(timer)):
                timed_move = timer = None  # after a temporary failure the timer starts again
                await session.release_pending()
                continue
            line = await lines.take()
            if line is None:
                break
            response = await session.handle(line)
            if response:
                await send(response)
    except ConnectionError:
        pass  # a broken connection is an end, too
    finally:
        _cancel(timer)
    await session.release_pending()


def _cancel(timer: asyncio.Future[None] | None) -> None:
    if timer is not None:
        timer.cancel()
