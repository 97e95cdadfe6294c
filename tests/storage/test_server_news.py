"""News between daemons on one server reach all others soon."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from functools import partial

import pytest
import sqlalchemy as sa

from godaemon.errors import ConfigError
from godaemon.storage import several_daemons
from godaemon.storage.connections import connect, read_url
from godaemon.storage.database import open_database
from godaemon.storage.migrations import CHANNEL, LEAVE, PRESENT, take_lock
from godaemon.storage.several_daemons import Holder, Lock
from godaemon.storage.unit_of_work import Unit
from godaemon.storage.writer import Committed
from godaemon.system.clock import Clock
from tests.support.site import cut_all
from tests.support.stores import new_database
from tests.support.waiting import PATIENCE, come

pytestmark = pytest.mark.peer("postgresql")


@dataclass
class NewsListener:
    """A listener that records what it gets."""

    heard: list[object] = field(default_factory=list)

    def receive(self, news: Committed) -> None:
        """Record a commit of another daemon."""
        self.heard.append(news)

    def news_lost(self) -> None:
        """Note that no news can arrive for a while."""
        self.heard.append("deaf")

    def catch_up(self) -> None:
        """Anything may have been committed."""
        self.heard.append("again")


@pytest.fixture(scope="module")
def url(server: str) -> str:
    url = new_database(server)
    open_database(url).close()
    return url


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
    """A daemon's part in this, and its task that listens."""
    with closing(Holder(url)) as daemon:
        await asyncio.to_thread(daemon.open)
        tasks = [asyncio.create_task(daemon.watch_others(Clock()))]
        tasks.append(asyncio.create_task(daemon.listen(ears)))
        try:
            yield daemon, tasks[1]
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)


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


async def test_news_does_not_wait_for_a_poll(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A move arrives without waiting for the next poll."""
    monkeypatch.setattr(several_daemons, "BEAT", 600.0)
    ears, some = NewsListener(), Committed(frozenset({7}), False)
    async with listening(url, ears):
        await asyncio.to_thread(tell, url, Holder(url), some)
        await come(lambda: ears.heard == [some])


async def test_news_during_a_poll_arrives(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the poll's answer, not with the next news."""
    slow = sa.text("SELECT 77 FROM pg_sleep(0.5) WHERE :purpose > 0")
    monkeypatch.setattr(several_daemons, "_DEAD_HOLDERS", slow)
    ears, some = NewsListener(), Committed(frozenset({7}), False)
    async with listening(url, ears):
        await asyncio.to_thread(tell, url, Holder(url), some)
        await come(lambda: ears.heard == [some])


async def test_a_cut_connection_is_restored(url: str) -> None:
    """Everything is checked again; then news arrives as before."""
    ears, some = NewsListener(), Committed(frozenset({7}), False)
    async with listening(url, ears):
        await asyncio.to_thread(cut_all, url)
        await come(lambda: ears.heard[-1:] == ["again"])
        assert "deaf" in ears.heard
        await asyncio.to_thread(tell, url, Holder(url), some)
        await come(lambda: ears.heard[-1:] == [some])


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
