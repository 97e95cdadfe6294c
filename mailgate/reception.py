"""Where letters arrive, whatever road they came by: read, handled in one transaction, or parked.

`take` returns once the letter is safe (committed), and raises `Temporary` only where it could not
be kept. A fault of ours parks the letter in quarantine with its traceback and tells its sender.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import structlog

from godaemon.errors import Temporary, Unreadable
from godaemon.games.store import Inbound, Parked, Unit, Writer
from mailgate.inbound import Clerk, Outcome, read

_log = structlog.get_logger("godaemon.mail")


@dataclass(frozen=True, slots=True)
class Reception:
    """Takes letters in, through the one writer."""

    writer: Writer
    clerk: Clerk
    now: Callable[[], datetime]

    async def take(self, inbound: Inbound) -> Outcome:
        """Keep a letter and do what it asks; raises `Temporary`, after which nothing has happened."""
        try:
            outcome = await self._handle(inbound, self.clerk.handle)
        except Temporary:
            raise
        except Exception:  # ours, whatever it is: the letter must not be lost for it
            outcome = await self._park(inbound, traceback.format_exc())
        return outcome

    async def retry(self, number: int) -> Outcome:
        """Take a letter out of quarantine and handle it; a fault puts it back. Raises `Unknown`."""

        def work(unit: Unit) -> Outcome:
            parked = unit.unpark(number)
            return self.clerk.again(unit, read(parked.letter), self.now())

        outcome = await self.writer.run(work)
        _tell(outcome, "", number)
        return outcome

    async def parked(self) -> list[Parked]:
        """The letters in quarantine."""
        return list(await self.writer.run(lambda unit: unit.parked()))

    async def _handle(self, inbound: Inbound, handle: Callable[..., Outcome]) -> Outcome:
        try:
            letter = read(inbound)
        except Unreadable as fault:
            _log.info("letter.ignored", peer=inbound.sender, detail=fault.public)
            return Outcome("ignored", detail=fault.public)
        outcome = await self.writer.run(lambda unit: handle(unit, letter, self.now()))
        _tell(outcome, letter.letter.message_id, None, inbound.sender)
        return outcome

    async def _park(self, inbound: Inbound, fault: str) -> Outcome:
        def work(unit: Unit) -> int:
            number = unit.park(inbound, fault, self.now())
            self.clerk.apologise(unit, inbound, self.now())
            return number

        number = await self.writer.run(work)
        _log.error("letter.quarantined", letter=number, detail=fault)
        return Outcome("quarantined", detail=str(number))


def _tell(outcome: Outcome, message_id: str, number: int | None, peer: str = "") -> None:
    """One line for each letter."""
    keys: dict[str, Any] = {
        "game": outcome.game,
        "seat": outcome.seat,
        "message_id": message_id or None,
        "letter": number,
        "peer": peer or None,
        "detail": outcome.detail or None,
    }
    _log.info(f"letter.{outcome.event}", **{key: value for key, value in keys.items() if value is not None})
