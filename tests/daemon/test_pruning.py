"""A daemon lets go, once a day, what it has been done with for long."""

from __future__ import annotations

import asyncio
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

from structlog.testing import capture_logs

from godaemon.daemon.timers import Pruning
from godaemon.games.model import Phase
from godaemon.storage import event_log
from godaemon.storage.database import open_database
from godaemon.storage.deletion import ROWS_AT_ONCE
from godaemon.storage.unit_of_work import SqlUnit
from godaemon.storage.writer import WriterThread
from tests.support import stores
from tests.support.hand_clock import HandClock
from tests.support.waiting import come

START = datetime(2026, 11, 23, 3, 0, tzinfo=UTC)
MANY = ROWS_AT_ONCE * 2 + 1


def letters_come(unit: SqlUnit) -> None:
    """Many letters came at the start."""
    for number in range(MANY):
        unit.inbox.first_time(f"f{number}", "<1@a>", START)


def remembered(unit: SqlUnit) -> int:
    """Of how many letters more than a hash is kept."""
    found = unit.connection.exec_driver_sql("SELECT count(*) FROM inbox").scalar_one()
    return int(found)


async def left_after(path: Path, days: int, grace: timedelta) -> int:
    """How many letters are remembered after a daemon has run so long, in grace at its start."""
    clock = HandClock(START)
    with closing(open_database(stores.url(path))) as database:
        writer = WriterThread(database).start()
        await writer.run(letters_come)
        pruning = Pruning(writer, lambda: 60, clock, lambda now: now < START + grace)
        timer = asyncio.create_task(pruning.daily())
        while clock.now() < START + timedelta(days=days):
            await come(lambda: clock.waiting)
            clock.advance(3600)
        await come(lambda: clock.waiting)
        timer.cancel()
        left = await writer.run(remembered)
        await asyncio.to_thread(writer.close)
        return left


async def test_what_is_older_than_the_days_is_let_go_by_itself(tmp_path: Path) -> None:
    """All of it, by steps; the day before nothing is."""
    none = timedelta()
    assert await left_after(tmp_path / "one", 60, none) == MANY
    assert await left_after(tmp_path / "two", 62, none) == 0


class _Quick(HandClock):
    """A clock on which nobody waits."""

    async def wait(self, event: asyncio.Event, _seconds: float) -> bool:
        """Be there at once."""
        return event.is_set()


async def test_logs_of_games_that_were_over_by_then_are_packed(tmp_path: Path) -> None:
    """As many as there are, and their number is told in the log."""

    def end(unit: SqlUnit) -> None:
        for _ in range(event_log.AT_ONCE + 1):
            game = unit.games.create()
            unit.games.append(game, 0, [stores.move("D4")])
            row = stores.summary(game, Phase.FINISHED, START - timedelta(days=61))
            unit.games.set_summary(row, [])

    with closing(open_database(stores.url(tmp_path))) as database, WriterThread(database) as writer:
        await writer.run(end)
        pruning = Pruning(writer, lambda: 60, _Quick(START), lambda _: False)
        with capture_logs() as log:
            assert await pruning.prune() == 0
        assert log[-1]["packed"] == event_log.AT_ONCE + 1
        assert await writer.run(lambda unit: unit.games.log(1)) == [stores.move("D4")]


async def test_nothing_is_let_go_while_the_clock_may_be_wrong(tmp_path: Path) -> None:
    """A clock that jumped ahead by a year makes nothing old."""
    assert await left_after(tmp_path, 65, timedelta(days=66)) == MANY
