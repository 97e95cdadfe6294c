"""Sessions that outlive their connections: named by the program, taken up by its next connection.

Needs an event loop, and no socket. A name is worth nothing for another seat or another door.
"""

from __future__ import annotations

import asyncio
from collections.abc import Hashable
from dataclasses import dataclass

from gtp.client.framing import parse
from gtp.client.handshake import CAUGHT_UP
from gtp.seat.seat_session import SeatSession


class NamedSession(SeatSession):
    """A seat whose program says the serial of each command, as its id."""

    caught_up = False
    """Whether this connection has brought the cursor back to where the last one had it."""

    async def handle(self, line: bytes) -> bytes:
        """The response to a line, under the serial that it was given first."""
        if line.strip() == CAUGHT_UP:
            self.caught_up = True
        request = parse(line)
        if request is not None and request.id is not None:
            self.serial = request.id - 1  # it counts one on for each command
        return await super().handle(line)


@dataclass(slots=True)
class ResumableSession:
    """One connection's turn at a session.

    `left` is the session of a connection before it whose pending move this one has not come to yet.
    """

    session: SeatSession
    talk: asyncio.Task[None]
    left: SeatSession | None = None

    def heir(self) -> SeatSession | None:
        """Whose pending move would be forgotten if nobody took this session up."""
        caught_up = not isinstance(self.session, NamedSession) or self.session.caught_up
        return self.session if caught_up else self.left

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
        heir = None
        while (old := self._going.get(name)) is not None:
            await old.stop()
            heir = old.heir()
            if self._going.get(name) is old:
                del self._going[name]
        return heir

    def begin(self, name: Hashable, sitting: ResumableSession) -> None:
        """Let a connection have its turn."""
        self._going[name] = sitting

    def end(self, name: Hashable, sitting: ResumableSession) -> bool:
        """Its turn is over; False where another connection has taken the session up."""
        if self._going.get(name) is not sitting:
            return False
        del self._going[name]
        return True
