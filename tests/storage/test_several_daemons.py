"""Leases, pending moves, locks and news of several daemons on one database."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest
import sqlalchemy as sa

from godaemon.errors import ConfigError, NotAllowed, Temporary
from godaemon.games.notices import Kind, Notice
from godaemon.games.stored_values import KeptNotice, OrphanedWork
from godaemon.storage import several_daemons
from godaemon.storage.connections import connect, read_url
from godaemon.storage.database import Database, open_database
from godaemon.storage.migrations import CHANNEL, LEAVE, PRESENT, take_lock
from godaemon.storage.several_daemons import DEAD_AFTER, Holder, Lock, lock_if_dead
from godaemon.storage.unit_of_work import Unit
from godaemon.storage.writer import Committed, WriterThread
from godaemon.system.clock import Clock
from tests.support import stores
from tests.support.site import cut_all
from tests.support.stores import NOW, new_database
from tests.support.waiting import PATIENCE, come

TURN = Notice(Kind.HELP, "alice@a.example", answers="")


class TwoWriters:
    """Two daemons' writers on one store."""

    def __init__(self, database: Database) -> None:
        self.first, self.second = (WriterThread(database, one).start() for one in (1, 2))


@pytest.fixture
def two(tmp_path: Path) -> Iterator[TwoWriters]:
    """Two writers on a file; there owners do not matter."""
    with closing(stores.fresh(tmp_path)) as database:
        both = TwoWriters(database)
        yield both
        both.first.close()
        both.second.close()


def test_a_lease_belongs_to_its_daemon_until_that_dies(two: TwoWriters) -> None:
    """Then another daemon gets it, and the first one is told."""
    two.first.run_sync(lambda unit: unit.outbox.queue(TURN, NOW))
    (due,) = two.first.run_sync(lambda unit: unit.outbox.claim(NOW, 60, 9))
    assert two.second.run_sync(lambda unit: unit.outbox.end_leases(NOW, 2)) == 0
    much_later = NOW + timedelta(days=1)
    assert not two.second.run_sync(lambda unit: unit.outbox.claim(much_later, 60, 9))
    assert two.first.run_sync(lambda unit: unit.outbox.has_lease(due.id))
    assert two.first.run_sync(lambda unit: unit.outbox.store_letter(due.id, "<1@go>", b"letter"))
    assert two.second.run_sync(lambda unit: unit.outbox.end_leases(NOW, 1)) == 1
    assert not two.first.run_sync(lambda unit: unit.outbox.has_lease(due.id))
    (second,) = two.second.run_sync(lambda unit: unit.outbox.claim(NOW, 60, 9))
    assert (second.id, second.letter) == (due.id, b"letter")
    assert not two.first.run_sync(lambda unit: unit.outbox.has_lease(due.id))
    assert not two.first.run_sync(lambda unit: unit.outbox.store_letter(due.id, "<2@go>", b"other"))
    assert two.second.run_sync(lambda unit: unit.outbox.has_lease(due.id))


def test_only_the_lease_holder_records_an_outcome(two: TwoWriters) -> None:
    """A daemon that was declared dead changes nothing when it wakes up."""
    two.first.run_sync(lambda unit: unit.outbox.queue(TURN, NOW))
    (due,) = two.first.run_sync(lambda unit: unit.outbox.claim(NOW, 60, 9))
    two.second.run_sync(lambda unit: unit.outbox.end_leases(NOW, 1))
    two.second.run_sync(lambda unit: unit.outbox.claim(NOW, 60, 9))
    assert not two.first.run_sync(lambda unit: unit.outbox.retry_later(due.id, "451", NOW))
    assert not two.first.run_sync(lambda unit: unit.outbox.mark_undeliverable(due.id, "554", NOW))
    assert two.second.run_sync(lambda unit: unit.outbox.has_lease(due.id))
    two.second.run_sync(lambda unit: unit.outbox.mark_sent(due.id, NOW))
    assert not two.first.run_sync(lambda unit: unit.outbox.mark_undeliverable(due.id, "554", NOW))
    assert two.first.run_sync(lambda unit: unit.outbox.status_counts())["sent"] == 1


def test_a_wrong_clock_ends_no_lease_of_others(two: TwoWriters) -> None:
    """By a slow clock it lasts too long; only waiting retries are due now."""
    for _ in range(3):
        two.first.run_sync(lambda unit: unit.outbox.queue(TURN, NOW))
    (leased,) = two.first.run_sync(lambda unit: unit.outbox.claim(NOW, 900, 1))
    (mine, waits) = two.second.run_sync(lambda unit: unit.outbox.claim(NOW, 900, 9))
    far = NOW + timedelta(days=1)
    assert two.second.run_sync(lambda unit: unit.outbox.retry_later(waits.id, "451", far))
    behind = NOW - timedelta(hours=1)
    latest = NOW - timedelta(minutes=30)
    assert two.second.run_sync(lambda unit: unit.outbox.pull_back(behind, latest)) == 2
    assert two.first.run_sync(lambda unit: unit.outbox.has_lease(leased.id))
    second = two.second.run_sync(lambda unit: unit.outbox.claim(behind, 900, 9))
    assert [due.id for due in second] == [mine.id, waits.id]


def test_pending_moves_belong_to_their_daemon_until_that_dies(two: TwoWriters) -> None:
    """One at a seat; then another daemon takes them over with the notices, once."""
    game = two.first.run_sync(lambda unit: unit.games.create())
    kept = KeptNotice(Kind.YOUR_TURN, 0, 1, "digest")
    two.first.run_sync(lambda unit: unit.seats.save_pending_move(game, "black", "D4", 7))
    two.first.run_sync(lambda unit: unit.seats.keep_notice(game, "white", kept))
    with pytest.raises(NotAllowed, match="a move at this seat will soon be sent"):
        two.second.run_sync(lambda unit: unit.seats.save_pending_move(game, "black", "C3", 7))
    two.second.run_sync(lambda unit: unit.seats.save_pending_move(game, "black", None, 7))
    assert two.second.run_sync(lambda unit: unit.seats.take_over(2)) == OrphanedWork([], [])
    left = OrphanedWork([(game, "black", "D4", 7)], [(game, "white")])
    assert two.second.run_sync(lambda unit: unit.seats.take_over(1)) == left
    assert two.first.run_sync(lambda unit: unit.seats.take_over(1)) == OrphanedWork([], [])
    assert two.first.run_sync(lambda unit: unit.seats.take_over(2)) == left
    two.first.run_sync(lambda unit: unit.seats.save_pending_move(game, "black", "C3", 8))
    assert two.first.run_sync(lambda unit: unit.seats.take_over(1)).moves == [
        (game, "black", "C3", 8)
    ]


def test_a_pending_move_passes_to_the_daemon_that_repeats_it(two: TwoWriters) -> None:
    """Its program has reconnected there after its daemon died."""
    game = two.first.run_sync(lambda unit: unit.games.create())
    two.first.run_sync(lambda unit: unit.seats.save_pending_move(game, "black", "D4", 7))
    two.second.run_sync(lambda unit: unit.seats.save_pending_move(game, "black", "D4", 7))
    assert two.second.run_sync(lambda unit: unit.seats.take_over(1)).moves == []
    two.second.run_sync(lambda unit: unit.seats.save_pending_move(game, "black", "C3", 7))
    assert two.second.run_sync(lambda unit: unit.seats.take_over(2)).moves == [
        (game, "black", "C3", 7)
    ]


@pytest.fixture(scope="module")
def url(server: str) -> str:
    url = new_database(server)
    open_database(url).close()
    return url


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """No daemon counts as dead because this machine is slow."""
    monkeypatch.setattr(several_daemons, "DEAD_AFTER", PATIENCE)


@asynccontextmanager
async def running_holder(url: str) -> AsyncIterator[Holder]:
    with closing(Holder(url)) as holder:
        await asyncio.to_thread(holder.open)
        keeping = asyncio.create_task(holder.watch_others(Clock()))
        try:
            yield holder
        finally:
            keeping.cancel()
            await asyncio.wait([keeping])


class ExclusiveTask:
    """A daemon's task that holds an exclusive lock until `end`."""

    def __init__(self, holder: Holder) -> None:
        self.now, self.ended = False, asyncio.Event()
        self.task = asyncio.create_task(self._do(holder))

    async def _do(self, holder: Holder) -> None:
        try:
            async with holder.exclusive(Lock.GAME, 7):
                self.now = True
                await self.ended.wait()
        finally:
            self.now = False

    async def end(self) -> None:
        self.ended.set()
        await self.task


async def test_exclusive_is_immediate_on_sqlite(tmp_path: Path) -> None:
    """There is one daemon."""
    holder = Holder(f"sqlite:///{tmp_path}/godaemon.db")
    async with holder.exclusive(Lock.DUTY):
        assert (holder.id, holder.several) == (None, False)


@pytest.mark.peer("postgresql")
@pytest.mark.usefixtures("patient")
async def test_one_daemon_at_a_time_holds_a_lock(url: str) -> None:
    """Another gets it when the first finishes or dies; other games are not affected."""
    async with running_holder(url) as first, running_holder(url) as third:
        one = ExclusiveTask(first)
        await come(lambda: one.now)
        async with running_holder(url) as second:
            two = ExclusiveTask(second)
            async with third.exclusive(Lock.GAME, 8):
                assert not two.now
            await one.end()
            await come(lambda: two.now)
            again = ExclusiveTask(first)
            two.task.cancel()
        await come(lambda: again.now)
        await again.end()


@pytest.mark.peer("postgresql")
@pytest.mark.usefixtures("patient")
async def test_a_lost_connection_keeps_free_locks(url: str) -> None:
    """A lock that another daemon took meanwhile is lost, and its task is told."""
    async with running_holder(url) as first:
        one = ExclusiveTask(first)
        await come(lambda: one.now)
        cut_all(url)
        async with first.exclusive(Lock.GAME, 9):  # it has looked since
            assert one.now
        async with running_holder(url) as second:
            two = ExclusiveTask(second)
            while not two.now:
                cut_all(url)
                async with first.exclusive(Lock.GAME, 9), second.exclusive(Lock.GAME, 10):
                    await come(lambda: one.now != two.now)
            with pytest.raises(TimeoutError):
                await one.task
            await two.end()


@pytest.mark.peer("postgresql")
async def test_a_dead_daemons_work_is_taken_over_once(url: str) -> None:
    """Not as soon as its connection is lost; then by one of the others."""
    database = open_database(url)
    async with running_holder(url) as first:
        async with running_holder(url) as second:
            assert second.id is not None
            dead = second.id
            with WriterThread(database, dead) as writer:
                writer.run_sync(lambda unit: unit.outbox.queue(TURN, NOW))
                (due,) = writer.run_sync(lambda unit: unit.outbox.claim(NOW, 60, 9))
            with database.connect() as connection, connection.begin():
                assert not lock_if_dead(connection, dead)
            async with first.exclusive(Lock.GAME, 9):
                assert dead not in first.dead_daemons()
            began = asyncio.get_running_loop().time()
        await come(lambda: dead in first.dead_daemons())
        assert asyncio.get_running_loop().time() - began > DEAD_AFTER * 0.9
        with database.connect() as connection, connection.begin():
            assert lock_if_dead(connection, dead)
            assert Unit(connection).outbox.end_leases(NOW, dead) == 1
            Unit(connection).outbox.mark_sent(due.id, NOW)
        await come(lambda: dead not in first.dead_daemons())
    database.close()


@pytest.mark.peer("postgresql")
async def test_a_forgotten_daemons_work_is_taken_over(url: str) -> None:
    """It lived on after it was taken for dead, and is registered nowhere."""
    database = open_database(url)
    with closing(database), WriterThread(database, 77) as forgotten:
        forgotten.run_sync(lambda unit: unit.outbox.queue(TURN, NOW))
        (due,) = forgotten.run_sync(lambda unit: unit.outbox.claim(NOW, 60, 9))
        async with running_holder(url) as first:
            await come(lambda: 77 in first.dead_daemons())
            with WriterThread(database, first.id) as writer:
                assert writer.run_sync(lambda unit: lock_if_dead(unit.connection, 77))
                assert writer.run_sync(lambda unit: unit.outbox.end_leases(NOW, 77)) == 1
                (second,) = writer.run_sync(lambda unit: unit.outbox.claim(NOW, 60, 9))
                assert second.id == due.id
                writer.run_sync(lambda unit: unit.outbox.mark_sent(due.id, NOW))
            await come(lambda: 77 not in first.dead_daemons())


@pytest.mark.peer("postgresql")
@pytest.mark.usefixtures("patient")
async def test_a_daemon_without_a_heartbeat_loses_its_locks(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Meanwhile it claims nothing, as another daemon may do its work."""

    def looked(_holder: Holder, _wishes: frozenset[object]) -> None:
        raise Temporary("no more connections", detail="53300")

    async with running_holder(url) as first:
        one = ExclusiveTask(first)
        await come(lambda: one.now)
        assert first.holds_locks
        with monkeypatch.context() as broken:
            broken.setattr(Holder, "_poll_locked", looked)
            broken.setattr(several_daemons, "DEAD_AFTER", 0.1)
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(one.task, PATIENCE)
            assert not first.holds_locks
        await come(lambda: first.holds_locks)
        two = ExclusiveTask(first)
        await come(lambda: two.now)
        await two.end()


@dataclass
class NewsListener:
    """A listener that records what it gets."""

    heard: list[object] = field(default_factory=list)

    def receive(self, news: Committed) -> None:
        """Record a commit of another daemon."""
        self.heard.append(news)

    def catch_up(self) -> None:
        """Anything may have been committed."""
        self.heard.append("again")


def tell(url: str, news: Holder, *commits: Committed, text: str = "") -> None:
    """Commit with news, or send a raw text."""
    with closing(open_database(url)) as database, database.connect() as connection:
        for one in commits:
            news.tell(Unit(connection), one)
        if text:
            connection.execute(sa.text(f"NOTIFY {CHANNEL}, '{text}'"))
        connection.commit()


@asynccontextmanager
async def listening(
    url: str, ears: NewsListener
) -> AsyncIterator[tuple[Holder, asyncio.Task[None]]]:
    """A daemon's `Holder`, and its task that listens."""
    async with running_holder(url) as holder:
        task = asyncio.create_task(holder.listen(ears))
        try:
            yield holder, task
        finally:
            task.cancel()
            await asyncio.wait([task])


@pytest.mark.peer("postgresql")
async def test_news_of_other_daemons_arrives(url: str) -> None:
    """Our own is skipped; too much news arrives as a summary."""
    ears = NewsListener()
    async with listening(url, ears) as (ours, _):
        some = Committed(frozenset({3, 1}), True, frozenset({2}), frozenset({1}))
        many = Committed(frozenset(range(10**6, 10**6 + 2000)), False)
        await asyncio.to_thread(tell, url, ours, some)
        nothing = Committed(frozenset(), False)
        await asyncio.to_thread(tell, url, Holder(url), some, nothing, many)
        await come(lambda: len(ears.heard) == 2)
        assert ears.heard == [some, "again"]


SLOW = sa.text("SELECT 77 FROM pg_sleep(0.5) WHERE :purpose > 0")


@pytest.mark.peer("postgresql")
@pytest.mark.parametrize(("name", "value"), [("POLL_INTERVAL", 600.0), ("_DEAD_HOLDERS", SLOW)])
async def test_news_does_not_wait_for_a_poll(
    url: str, monkeypatch: pytest.MonkeyPatch, name: str, value: object
) -> None:
    """A move arrives long before the next poll; during a poll it comes with the answer."""
    monkeypatch.setattr(several_daemons, name, value)
    ears, some = NewsListener(), Committed(frozenset({7}), False)
    async with listening(url, ears):
        await asyncio.to_thread(tell, url, Holder(url), some)
        await come(lambda: ears.heard == [some])


@pytest.mark.peer("postgresql")
async def test_a_cut_connection_is_restored(url: str) -> None:
    """Everything is checked again; then news arrives as before."""
    ears, some = NewsListener(), Committed(frozenset({7}), False)
    async with listening(url, ears):
        await asyncio.to_thread(cut_all, url)
        await come(lambda: ears.heard[-1:] == ["again"])
        await asyncio.to_thread(tell, url, Holder(url), some)
        await come(lambda: ears.heard[-1:] == [some])


@pytest.mark.peer("postgresql")
async def test_a_daemon_leaves_on_request(url: str) -> None:
    """It says why, and uses the tables until it is closed."""
    engine = connect(read_url(url))
    with engine.connect() as newer:
        async with listening(url, NewsListener()) as (daemon, task):
            alone = partial(take_lock, newer, PRESENT, "others go on using them")
            waiting = asyncio.create_task(asyncio.to_thread(alone))
            await asyncio.to_thread(tell, url, daemon, text=LEAVE)
            with pytest.raises(ConfigError, match="Install that version here"):
                await asyncio.wait_for(asyncio.shield(task), PATIENCE)
            async with daemon.exclusive(Lock.GAME, 1):  # it has looked since
                assert not waiting.done()
            daemon.close()
            await asyncio.wait_for(waiting, PATIENCE)
            newer.invalidate()
    engine.dispose()


@pytest.mark.peer("postgresql")
async def test_invalid_news_ends_no_daemon(url: str) -> None:
    """Every user of the database can send any; valid news still arrives."""
    payloads = (LEAVE, "abcd 5", "abcd {}", "?", "abcd []", '{"outbox": 1}')
    ears, some = NewsListener(), Committed(frozenset({7}), False)
    async with listening(url, ears) as (_, task):
        for payload in payloads:
            await asyncio.to_thread(tell, url, Holder(url), some, text=payload)
        await come(lambda: ears.heard.count(some) == len(payloads))
        assert {"again"} >= {one for one in ears.heard if one != some}
        assert not task.done()
