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
    """A connection's session, and the session `before` it on a broken connection.

    `before` has the pending move while the new session still catches up; else it is None.
    """

    session: SeatSession
    talk: asyncio.Task[None]
    before: SeatSession | None = None

    @property
    def current(self) -> SeatSession | None:
        """The session that has the pending move: the new one once it has caught up."""
        return self.session if self.session.caught_up else self.before

    async def stop(self) -> None:
        """End the conversation where it stands; what is pending stays pending."""
        self.talk.cancel()
        await asyncio.wait({self.talk})


class ResumableSessions:
    """The named sessions in progress, by a key of the caller's."""

    def __init__(self) -> None:
        self._going: dict[Hashable, ResumableSession] = {}

    async def take_over(self, name: Hashable) -> SeatSession | None:
        """Stop the session of a broken connection; returns the one that has the pending move.

        Unanswered commands of the old connection are dropped, because the client sends them again.
        So none of them can take effect after a command of the new connection.
        """
        current = None
        while (old := self._going.get(name)) is not None:
            await old.stop()
            current = old.current
            if self._going.get(name) is old:
                del self._going[name]
        return current

    def begin(self, name: Hashable, turn: ResumableSession) -> None:
        """Register a connection's session."""
        self._going[name] = turn

    def end(self, name: Hashable, turn: ResumableSession) -> bool:
        """Remove a connection's session; False if another connection has taken it over."""
        if self._going.get(name) is not turn:
            return False
        del self._going[name]
        return True
