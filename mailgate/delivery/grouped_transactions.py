"""The outbox's book: what its letters ask of the store, in as few transactions as can be.

What a work raises undoes the works beside it too, so each of them is done again, alone; and only
who asked for it hears of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

from godaemon.games.ports import Outbox, Unit
from mailgate.delivery.batcher import Batcher

__all__ = ["GroupedTransactions", "OutboxUnit", "Runner"]

T = TypeVar("T")

MOST = 64
"""How many works go into one transaction: letters that come in must get their turn."""
SOON = 0.02
"""Seconds that a note may wait for company."""


class OutboxUnit(Unit, Outbox, Protocol):
    """A transaction with the outbox in it."""


class Runner(Protocol):
    """The writer, as the post needs it."""

    async def run(self, work: Callable[[OutboxUnit], T]) -> T:
        """Run work in a transaction; after COMMIT, return what it returns."""


class GroupedTransactions:
    """A `Runner` that does what is waiting in one transaction of another's."""

    def __init__(self, writer: Runner) -> None:
        self._writer = writer
        self._works = Batcher[Callable[[OutboxUnit], Any], Any](self._done, MOST)

    async def run(self, work: Callable[[OutboxUnit], T]) -> T:
        """Run work in a transaction with whatever else waits; after COMMIT, return its result."""
        result: T = await self._works.ask(work)
        return result

    async def note(self, work: Callable[[OutboxUnit], None]) -> None:
        """The same for what nobody waits for: with the next work that cannot wait, or soon."""
        await self._works.ask(work, SOON)

    async def _done(self, works: Sequence[Callable[[OutboxUnit], Any]]) -> Sequence[Any]:
        try:
            return await self._writer.run(lambda desk: [work(desk) for work in works])
        except Exception as fault:  # noqa: BLE001 - told to whose work it was
            return [fault] if len(works) == 1 else [await self._alone(work) for work in works]

    async def _alone(self, work: Callable[[OutboxUnit], Any]) -> Any:  # noqa: ANN401 - the work's own
        try:
            return await self._writer.run(work)
        except Exception as fault:  # noqa: BLE001 - the same
            return fault
