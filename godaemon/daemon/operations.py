"""What an operator asks of a running daemon, beside how it is itself: games, letters, keys.

The names of the requests are those of the control socket (`godaemon.control`); the answers are
JSON. Raises what the rooms below raise, whose sentence the operator reads.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

import structlog

from godaemon.daemon import store_queries
from godaemon.games import suspension
from godaemon.games.ports import Unit
from godaemon.games.service import GameService
from godaemon.storage.unit import SqlUnit
from godaemon.storage.writer import WriterThread
from godaemon.system.clock import Clock
from godaemon.system.signing_keys import SigningKeys
from mailgate.delivery.outbox_worker import OutboxWorker
from mailgate.handling.intake import Intake
from mailgate.letters.compose import Composer

_log = structlog.get_logger("godaemon")


@dataclass(frozen=True, slots=True)
class Operations:
    """The parts of a daemon that an operator's requests concern."""

    writer: WriterThread
    games: Callable[[Unit], GameService]
    reception: Intake
    postman: OutboxWorker
    composer: Composer
    keys: SigningKeys
    clock: Clock

    def requests(self) -> Mapping[str, Callable[..., Awaitable[Any]]]:
        """What can be asked, by name."""
        return {
            "games": self._list,
            "show": lambda number: self._ask(lambda games: store_queries.show(games, number)),
            "sgf": lambda number: self._ask(lambda games: store_queries.sgf(games, number)),
            "boards": lambda: self.writer.run(store_queries.boards),
            "board": lambda number: self.writer.run(lambda unit: unit.board(number)),
            "quarantine": lambda: self.writer.run(store_queries.quarantine),
            "queue": lambda: self.writer.run(store_queries.queue),
            "mailboxes": lambda: self.writer.run(store_queries.mailboxes),
            "retry": self._retry,
            "revive": self._revive,
            "rotate-key": self._rotate_key,
        }

    async def _ask(self, question: Callable[[GameService], Any]) -> Any:  # noqa: ANN401 - JSON
        return await self.writer.run(lambda unit: question(self.games(unit)))

    async def _list(self, before: int | None = None) -> list[dict[str, Any]]:
        """A page of the list of games, the newest first."""
        return await self.writer.run(
            lambda unit: store_queries.games(unit, before, store_queries.PAGE)
        )

    async def _retry(self, number: int, what: str) -> dict[str, Any]:
        """Handle a quarantined letter again, or send an undeliverable one."""
        if what == "letter":
            outcome = await self.reception.retry(number)
            return {"event": outcome.event, "game": outcome.game}
        now = self.clock.now()
        await self.writer.run(lambda unit: unit.revive(number, now))
        self.postman.notify()
        return {"event": "queued"}

    async def _revive(self, address: str) -> dict[str, Any]:
        """Let letters go to a suspended address again."""

        def work(unit: SqlUnit) -> bool:
            store_queries.known_mailbox(unit, address)
            return suspension.reached(self.games(unit), address)

        revived = await self.writer.run(work)
        self.postman.notify()
        return {"revived": revived}

    async def _rotate_key(self) -> dict[str, Any]:
        """Sign with a new key from now on."""
        await asyncio.to_thread(self.keys.rotate)
        self.composer.sign_with(self.keys.signing)
        days = self.keys.grace().days
        _log.info("key.rotated", grace_days=days)
        return {"days": days}
