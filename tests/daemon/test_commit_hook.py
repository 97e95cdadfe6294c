"""The commit hooks: the transaction that queues a letter also claims it."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from godaemon.daemon.app import claim_hook
from godaemon.games.notices import Kind, Notice
from godaemon.storage.unit_of_work import Unit
from godaemon.storage.writer import WriterThread
from mailgate.delivery.composing_thread import ComposingThread
from mailgate.delivery.outbox_worker import BATCH, OutboxWorker
from mailgate.letters.compose import Composer
from tests.support.hand_clock import HandClock
from tests.support.played_games import ADDRESS, KEY
from tests.support.stores import NOW, fresh
from tests.support.waiting import come

pytestmark = pytest.mark.sqlite("its file, which is made here")
ALICE = "alice@a.example"


class Carrier:
    """A delivery that records the recipients in order, once its gate is open."""

    def __init__(self) -> None:
        self.taken: list[str] = []
        self.gate = asyncio.Event()
        self.gate.set()

    async def deliver(self, recipient: str, sender: str, raw: bytes, uid: str) -> None:
        """Take it."""
        del sender, raw, uid
        await self.gate.wait()
        self.taken.append(recipient)

    async def close(self) -> None:
        """Nothing is open."""


class House:
    """A store with its writer, a carrier, and the worker between them, as in a daemon."""

    def __init__(self, writer: WriterThread, batch: int = BATCH) -> None:
        self.writer, self.carrier = writer, Carrier()
        self.commits: list[float] = []
        writer.on_commit_timed = self.commits.append
        self.clock = HandClock(NOW)
        composer = Composer(KEY, ADDRESS, "Go by mail", invitation_days=14)
        self.worker = OutboxWorker(
            *(writer, ComposingThread(composer), self.carrier, self.clock, writer),
            retry_first=5,
            retry_limit=900,
            give_up_days=5,
            batch=batch,
        )
        writer.before_commit.append(claim_hook(asyncio.get_running_loop(), self.worker))

    async def queue(self, *to: str) -> None:
        """Owe a letter to each, in one transaction."""

        def work(unit: Unit) -> None:
            for address in to:
                unit.outbox.queue(Notice(Kind.HELP, address), NOW)

        await self.writer.run(work)

    def leased(self, unit: Unit) -> int:
        """The number of claimed letters."""
        row = unit.connection.exec_driver_sql("SELECT count(*) FROM outbox WHERE lease IS NOT NULL")
        return int(row.scalar_one())


@asynccontextmanager
async def house(folder: Path, batch: int = BATCH) -> AsyncIterator[House]:
    """A house at work; its first look at the outbox is over."""
    with WriterThread(fresh(folder)) as writer:
        made = House(writer, batch)
        task = asyncio.create_task(made.worker.run())
        await come(lambda: made.clock.waiting)
        try:
            yield made
        finally:
            made.carrier.gate.set()
            await made.worker.close(5)
            await task


async def test_a_letter_costs_three_commits(tmp_path: Path) -> None:
    """It is queued and claimed, then stored, then sent; a rollback sends none."""
    async with house(tmp_path) as made:
        before = len(made.commits)
        await made.queue(ALICE)
        await come(lambda: len(made.commits) == before + 3)
        assert made.carrier.taken == [ALICE]
        counts = await made.writer.run(lambda unit: unit.outbox.status_counts())
        assert counts == {"waiting": 0, "sent": 1, "undeliverable": 0}

        def undone(unit: Unit) -> None:
            unit.outbox.queue(Notice(Kind.HELP, ALICE), NOW)
            raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            await made.writer.run(undone)
        await made.queue("bob@b.example")
        await come(lambda: len(made.carrier.taken) == 2)
        assert made.carrier.taken == [ALICE, "bob@b.example"]


async def test_letters_beyond_the_batch_follow_in_turn(tmp_path: Path) -> None:
    """None is sent twice."""
    async with house(tmp_path, batch=4) as made:
        everybody = [f"player{number:02}@a.example" for number in range(30)]
        made.carrier.gate.clear()
        for address in everybody:
            await made.queue(address)
        assert await made.writer.run(made.leased) <= 8
        made.carrier.gate.set()
        await come(lambda: len(made.carrier.taken) >= 30)
        assert sorted(made.carrier.taken) == everybody


async def test_letters_to_one_person_keep_their_order(tmp_path: Path) -> None:
    """Whether the hook or the worker claims them."""
    async with house(tmp_path) as made:
        sent: list[str] = []

        async def note(recipient: str, sender: str, raw: bytes, uid: str) -> None:
            del recipient, sender, raw
            sent.append(uid)

        made.carrier.deliver = note  # type: ignore[method-assign]

        def work(unit: Unit) -> str:
            return unit.outbox.queue(Notice(Kind.HELP, ALICE), NOW)

        hooks, made.writer.before_commit = made.writer.before_commit, []
        first = await made.writer.run(work)  # the worker has to find it
        made.writer.before_commit = hooks
        made.worker.notify()
        while not made.worker._claiming:  # noqa: ASYNC110 - one turn too late is too late
            await asyncio.sleep(0)
        second = made.writer.run_sync(work)  # the loop hears of both at once
        await come(lambda: len(sent) == 2)
        assert sent == [first, second]


async def test_a_stopped_worker_claims_nothing(tmp_path: Path) -> None:
    """New letters stay in the outbox for the next start."""
    async with house(tmp_path) as made:
        await made.worker.close(5)
        await made.queue(ALICE)
        assert await made.writer.run(made.leased) == 0
    assert made.carrier.taken == []


async def test_a_letter_claimed_at_the_end_waits_for_the_next_start(tmp_path: Path) -> None:
    """The worker does not begin it."""
    async with house(tmp_path) as made:

        def work(unit: Unit) -> Callable[[], None]:
            unit.outbox.queue(Notice(Kind.HELP, ALICE), NOW)
            return made.worker.claim_queued(unit)

        made.writer.before_commit.clear()
        begin = await made.writer.run(work)
        await made.worker.close(5)
        begin()
        assert not made.worker._running
        assert await made.writer.run(made.leased) == 1
