"""The quiet seconds of a pending move, and the loop that serves a seat by them.

A move that a program plays at a seat stays pending for `quiet_seconds`, and may be taken back.
Then the move is released: it is played in the game.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Self

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

    However it ends, a pending move is released first. Its quiet seconds run from the command that
    made it pending: what a controller asks meanwhile, as those that poll do, does not prolong them.
    """
    with QuietSeconds(lambda: sleep(quiet_seconds)) as quiet:
        try:
            while not session.over:
                if await quiet.expire_before(lines.wait_for_line(), session.pending):
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
    await session.release_pending()


class QuietSeconds:
    """The time that a pending move has left to be taken back; `sleep` returns when it is over."""

    def __init__(self, sleep: Callable[[], Awaitable[None]]) -> None:
        self._sleep = sleep
        self._move: Move | tuple[Point, ...] | None = None
        self._timer: asyncio.Future[None] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._begin(None)

    async def expire_before(
        self, ready: Awaitable[None], pending: Move | tuple[Point, ...] | None
    ) -> bool:
        """Wait for a line; returns True if the time of the pending move is over first."""
        if pending != self._move:
            self._begin(pending)
        if self._timer is None:
            await ready
            return False
        over = bool(await first_of(ready, asyncio.shield(self._timer)))
        if over:
            self._begin(None)  # in temporary trouble the move stays pending, and is tried again
        return over

    def _begin(self, pending: Move | tuple[Point, ...] | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._move = pending
        self._timer = None if pending is None else asyncio.ensure_future(self._sleep())
