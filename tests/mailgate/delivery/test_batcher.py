"""Questions that are answered together, and the works of the outbox that share a transaction."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TypeVar

import pytest

from godaemon.errors import Temporary
from mailgate.delivery.batcher import Batcher
from mailgate.delivery.grouped_transactions import GroupedTransactions, OutboxUnit
from tests.support.memory_store import MemoryUnit, MemoryWriter

T = TypeVar("T")


class Rounds:
    """Answers numbers with their doubles, once it may; notes who came with whom."""

    def __init__(self) -> None:
        self.gate = asyncio.Event()
        self.rounds: list[list[int]] = []

    async def answer(self, numbers: Sequence[int]) -> Sequence[int | Exception]:
        """Odd ones fail."""
        self.rounds.append(list(numbers))
        await self.gate.wait()
        if 13 in numbers:
            raise LookupError
        return [number * 2 if number % 2 == 0 else ValueError(number) for number in numbers]


async def test_who_comes_while_others_are_served_goes_next() -> None:
    """The first goes at once, the others together, no more than so many, in their order."""
    rounds = Rounds()
    together = Batcher[int, int](rounds.answer, 3)
    asked = [asyncio.create_task(together.ask(0))]
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    asked += [asyncio.create_task(together.ask(number)) for number in (2, 4, 6, 8)]
    await asyncio.sleep(0)
    rounds.gate.set()
    assert await asyncio.gather(*asked) == [0, 4, 8, 12, 16]
    assert rounds.rounds == [[0], [2, 4, 6], [8]]


async def test_a_failure_is_its_own() -> None:
    """One that fails costs the others nothing; a round that fails costs all who are in it."""
    rounds = Rounds()
    rounds.gate.set()
    together = Batcher[int, int](rounds.answer, 2)
    asked = [together.ask(number) for number in (2, 3, 13, 4, 6)]
    found = await asyncio.gather(*asked, return_exceptions=True)
    assert [type(one) for one in found] == [int, ValueError, LookupError, LookupError, int]


async def test_who_has_gone_stops_nobody() -> None:
    """A question whose asker was cancelled is answered to nobody."""
    rounds = Rounds()
    together = Batcher[int, int](rounds.answer, 5)
    gone, stays = (asyncio.create_task(together.ask(number)) for number in (2, 4))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    gone.cancel()
    rounds.gate.set()
    assert await stays == 8
    assert gone.cancelled()


async def test_the_patient_wait_for_company() -> None:
    """No round begins for their sake at once, but they go along with the next, and are not lost."""
    rounds = Rounds()
    rounds.gate.set()
    together = Batcher[int, int](rounds.answer, 5)
    patient = asyncio.create_task(together.ask(2, 60.0))
    await asyncio.sleep(0)
    assert rounds.rounds == []
    assert await together.ask(4) == 8
    assert await patient == 4
    assert await together.ask(6, 0.001) == 12
    assert rounds.rounds == [[2, 4], [6]]


class Counted(MemoryWriter):
    """Counts its transactions."""

    count = 0

    async def run(self, work: Callable[[MemoryUnit], T]) -> T:
        """One more."""
        self.count += 1
        await asyncio.sleep(0)
        return await super().run(work)


def _failing(_desk: OutboxUnit) -> None:
    raise Temporary("No.")


async def test_one_transaction_serves_many() -> None:
    """What a work raises is told to whoever asked for it; the others are done all the same."""
    writer = Counted()
    ledger = GroupedTransactions(writer)
    numbers = await asyncio.gather(*(ledger.run(lambda desk: desk.create()) for _ in range(20)))
    assert numbers == list(range(1, 21))
    assert writer.count <= 2
    fine, bad, also = await asyncio.gather(
        ledger.run(lambda desk: desk.create()),
        ledger.note(_failing),
        ledger.run(lambda desk: desk.create()),
        return_exceptions=True,
    )
    assert (fine, also) == (21, 22)
    assert isinstance(bad, Temporary)


async def test_a_store_that_fails_is_everybodys_trouble() -> None:
    """Each hears of it once, and the next work is tried again."""
    writer = Counted()
    writer.failing = True
    ledger = GroupedTransactions(writer)
    with pytest.raises(Temporary):
        await ledger.run(lambda desk: desk.create())
    writer.failing = False
    assert await ledger.run(lambda desk: desk.create()) == 1
