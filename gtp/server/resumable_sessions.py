"""Sessions that outlive their connections: named by the program, taken up by its next connection.

Needs an event loop, and no socket. A name is worth nothing for another seat or another address.
"""

from __future__ import annotations

import asyncio
from collections.abc import Hashable
from dataclasses import dataclass

from gtp.seat.seat_session import SeatSession


@dataclass(slots=True)
class ResumableSession:
    """One connection's turn at a session, and the session that it had on the connection before.

    `before` is None if nothing was pending there that this one has not reached yet.
    """

    session: SeatSession
    talk: asyncio.Task[None]
    before: SeatSession | None = None

    @property
    def current(self) -> SeatSession | None:
        """The session whose pending move would be forgotten if nobody took this one up."""
        return self.session if self.session.caught_up else self.before

    async def stop(self) -> None:
        """End the conversation where it stands; what is pending stays pending."""
        self.talk.cancel()
        await asyncio.wait({self.talk})


class ResumableSessions:
    """The named sessions that are going on, by whatever tells them apart."""

    def __init__(self) -> None:
        self._going: dict[Hashable, ResumableSession] = {}

    async def take_over(self, name: Hashable) -> SeatSession | None:
        """End a broken connection's turn; gives the session whose pending move is still to come.

        What the old connection had received and not yet answered is dropped: its program sends it
        again. So nothing of it can happen after what the new connection sends.
        """
        current = None
        while (old := self._going.get(name)) is not None:
            await old.stop()
            current = old.current
            if self._going.get(name) is old:
                del self._going[name]
        return current

    def begin(self, name: Hashable, turn: ResumableSession) -> None:
        """Let a connection have its turn."""
        self._going[name] = turn

    def end(self, name: Hashable, turn: ResumableSession) -> bool:
        """End its turn; False if another connection has taken the session up."""
        if self._going.get(name) is not turn:
            return False
        del self._going[name]
        return True
