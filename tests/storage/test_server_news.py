"""News between daemons on one server: all of it is heard, by the others alone, and soon."""

from __future__ import annotations

import asyncio
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial

import pytest
import sqlalchemy as sa

from godaemon.errors import ConfigError
from godaemon.storage.connections import connect, read_url
from godaemon.storage.database import CHANNEL, LEAVE, PRESENT, open_database
from godaemon.storage.database import lock as take_lock
from godaemon.storage.locks import ServerLock
from godaemon.storage.server_news import ServerNews
from godaemon.storage.unit_of_work import SqlUnit
from godaemon.storage.writer import Committed
from godaemon.system.clock import SystemClock
from tests.support.site import cut_all
from tests.support.stores import new_database
from tests.support.waiting import come

pytestmark = pytest.mark.peer("postgresql")


@dataclass
class Ears:
    """Who hears."""

    heard: list[object] = field(default_factory=list)

    def hear(self, news: Committed) -> None:
        """Another daemon has committed this."""
        self.heard.append(news)

    def deafen(self) -> None:
        """Nothing is heard for a while."""
        self.heard.append("deaf")

    def look_again(self) -> None:
        """Anything may have been committed."""
        self.heard.append("again")


@pytest.fixture(scope="module")
def url(server: str) -> str:
    """A store on a server."""
    url = new_database(server)
    open_database(url).close()
    return url


def tell(url: str, news: ServerNews, *told: Committed, text: str = "") -> None:
    """Commit something that is told, or say just a text."""
    with closing(open_database(url)) as database, database.connect() as connection:
        for one in told:
            news.tell(SqlUnit(connection), one)
        if text:
            connection.execute(sa.text(f"NOTIFY {CHANNEL}, '{text}'"))
        connection.commit()


async def test_what_others_commit_is_heard(url: str) -> None:
    """Our own is not; of too much news it is told that there is some."""
    ears = Ears()
    with ServerLock(url) as lock:
        ours = ServerNews(lock, SystemClock())
        theirs = ServerNews(lock, SystemClock())
        listening = asyncio.create_task(ours.listen(ears))
        some = Committed(frozenset({3, 1}), True, frozenset({2}), frozenset({1}))
        many = Committed(frozenset(range(10**6, 10**6 + 2000)), False)
        await asyncio.to_thread(tell, url, ours, some)
        await asyncio.to_thread(tell, url, theirs, some, Committed(frozenset(), False), many)
        await come(lambda: len(ears.heard) == 2, 5)
        assert ears.heard == [some, "again"]
        listening.cancel()


async def test_what_is_said_while_the_connection_is_asked_for_its_health(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It comes with the answer, and does not lie there until something else is said."""
    slow, held = sa.text("SELECT 1 FROM pg_sleep(0.5)"), "godaemon.storage.locks._HELD"
    monkeypatch.setattr(held, slow)
    ears, some = Ears(), Committed(frozenset({7}), False)
    with ServerLock(url) as lock:
        ours, theirs = ServerNews(lock, SystemClock()), ServerNews(lock, SystemClock())
        listening = asyncio.create_task(ours.listen(ears))
        await asyncio.to_thread(tell, url, theirs, some)
        await come(lambda: ears.heard == [some], 5)
        listening.cancel()


async def test_a_connection_that_is_cut(url: str) -> None:
    """It is made anew, and all is looked at again; then others are heard as before."""
    ears, some = Ears(), Committed(frozenset({7}), False)
    with ServerLock(url) as lock:
        ours, theirs = ServerNews(lock, SystemClock()), ServerNews(lock, SystemClock())
        listening = asyncio.create_task(ours.listen(ears))
        await asyncio.to_thread(cut_all, url)
        await come(lambda: ears.heard[-1:] == ["again"], 5)
        await asyncio.to_thread(tell, url, theirs, some)
        await come(lambda: ears.heard[-1:] == [some], 5)
        listening.cancel()


async def test_one_that_is_asked_to_leave(url: str) -> None:
    """It does, and says why, where somebody waits for that."""
    engine = connect(read_url(url))
    with ServerLock(url) as lock, engine.connect() as newer:
        news = ServerNews(lock, SystemClock())
        listening = asyncio.create_task(news.listen(Ears()))
        alone = partial(take_lock, newer, PRESENT, "others go on using them")
        waiting = asyncio.create_task(asyncio.to_thread(alone))
        await asyncio.to_thread(tell, url, news, text=LEAVE)
        with pytest.raises(ConfigError, match="Install that version here"):
            await asyncio.wait_for(listening, 5)
        lock.release()
        await asyncio.wait_for(waiting, 5)
        newer.invalidate()
    engine.dispose()


async def test_what_is_said_beside_a_leave_that_nobody_waits_for(url: str) -> None:
    """In one transaction, whichever comes first: then all is looked at again."""
    ears, some = Ears(), Committed(frozenset({7}), False)
    with ServerLock(url) as lock:
        ours, theirs = ServerNews(lock, SystemClock()), ServerNews(lock, SystemClock())
        listening = asyncio.create_task(ours.listen(ears))
        engine = connect(read_url(url))
        with engine.begin() as connection:
            connection.exec_driver_sql(f"NOTIFY {CHANNEL}, '{LEAVE}'")
            theirs.tell(SqlUnit(connection), some)
        engine.dispose()
        await come(lambda: "again" in ears.heard, 5)
        listening.cancel()


@pytest.mark.parametrize("said", [LEAVE, "abcd 5", "abcd {}", "?", "abcd []", '{"outbox": 1}'])
async def test_what_anybody_may_say_there_ends_no_daemon(url: str, said: str) -> None:
    """Who may connect to the database can say anything; all is looked at again, at most."""
    ears, some = Ears(), Committed(frozenset({7}), False)
    with ServerLock(url) as lock:
        ours, theirs = ServerNews(lock, SystemClock()), ServerNews(lock, SystemClock())
        listening = asyncio.create_task(ours.listen(ears))
        await asyncio.to_thread(tell, url, theirs, text=said)
        await asyncio.to_thread(tell, url, theirs, some)
        await come(lambda: ears.heard[-1:] == [some], 5)
        assert ears.heard[:-1] in ([], ["again"])
        listening.cancel()
