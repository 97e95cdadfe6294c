"""The authentication of seats: by a key, or without one where the socket vouches for the program.

Looks keys up in the one writer's transactions. A wrong key is answered late, and always with the
same words: nobody learns from them whether there is such a game.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

import structlog

from godaemon.errors import NotAllowed
from godaemon.games.seat_keys import key_is_valid, parse_key
from godaemon.games.service import GameService
from godaemon.games.store_protocols import Unit, Writer
from godaemon.rules.points import Color
from godaemon.system.source_limits import SourceLimits
from gtp.seat.seat_session import SeatGame
from gtp.server.connection import Peer

_log = structlog.get_logger("godaemon.gtp")


@dataclass(frozen=True, slots=True)
class SeatAuthenticator:
    """Knows the keys to all seats. `secrets` signed them; `seat` gives one to play for."""

    secrets: Callable[[], Sequence[bytes]] = field(repr=False)
    writer: Writer[Unit]
    games: Callable[[Unit], GameService]
    seat: Callable[[int, Color], Awaitable[SeatGame]]
    sources: SourceLimits
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep

    async def by_seat(self, game: int, color: Color) -> SeatGame:
        """A seat, for one who needs no key; raises `Unknown` or `WrongPhase`."""
        return await self.seat(game, color)

    async def by_key(self, key: str, peer: Peer) -> SeatGame:
        """The seat that a key opens; raises `NotAllowed` after a while where it opens none."""
        found = parse_key(key)
        if found is None or not await self.good(key):
            count, wait = self.sources.wrong_key(peer.source)
            _log.warning("gtp.wrong-key", peer=peer.name, count=count)
            await self.sleep(wait)
            raise NotAllowed(
                "this key opens no seat (any more): answer an email of your game with gui, and"
                " paste the line that you get"
            )
        return await self.by_seat(found.game, found.color)

    async def good(self, key: str) -> bool:
        """True where a key opens a seat now."""
        if (found := parse_key(key)) is None:
            return False

        def _work(unit: Unit) -> bool:
            games = self.games(unit)
            return any(
                key_is_valid(unit.seats, games.game, secret, found) for secret in self.secrets()
            )

        return await self.writer.run(_work)
