"""The timers of a daemon, over a store on the disk and a clock that is turned by hand."""

from __future__ import annotations

import asyncio
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

from godaemon.daemon.timers import send_daily
from godaemon.games import commands as cmd
from godaemon.games.calls import Caller
from godaemon.games.email_settings import choose
from godaemon.games.game_cache import GameCache
from godaemon.games.model import Seat
from godaemon.games.notices import Kind
from godaemon.games.player_calendar import schedule
from godaemon.games.service import Chance, GameService
from godaemon.games.store_protocols import Unit
from godaemon.rules.points import Color, Size
from godaemon.storage.database import open_database
from godaemon.storage.writer import WriterThread
from mailgate.handling.player_games import send_digests
from tests.support import stores
from tests.support.hand_clock import HandClock
from tests.support.limits import Limits
from tests.support.waiting import come

START = datetime(2026, 11, 23, 3, 0, tzinfo=UTC)


async def day(path: Path, clock: HandClock, hours: int, *, begin: bool = False) -> int:
    """Let a daemon's timer run for some hours; how many emails of the day there are by then."""

    def games(unit: Unit) -> GameService:
        chance = Chance(lambda: Color.BLACK, lambda: "nonce")
        return GameService(unit, GameCache(), clock.now(), chance, Limits())

    def play(unit: Unit) -> None:
        caller = Caller("test", "alice@a.example")
        wanted = cmd.Propose("bob@b.example", Size(9, 9), color=Color.BLACK)
        number = games(unit).propose(wanted, caller, vouched=True).after.id
        games(unit).act(number, Seat.INVITED, [cmd.Yes()], Caller("test", "bob@b.example"))
        choose(unit, caller.address, emails=cmd.EmailLevel.DAILY)
        schedule(unit, caller.address, clock.now(), wanted=True)

    with closing(open_database(stores.url(path))) as database:
        writer = WriterThread(database).start()
        if begin:
            await writer.run(play)
        work = send_daily(writer, lambda unit: send_digests(games(unit)), clock, lambda _: False)
        timer = asyncio.create_task(work)
        for _ in range(hours * 4):
            await come(lambda: clock.waiting)
            clock.advance(900)
        await come(lambda: clock.waiting)
        timer.cancel()
        long_ago = START - timedelta(days=1)
        found = await writer.run(lambda unit: unit.outbox.owed_since([Kind.GAMES], long_ago))
        await asyncio.to_thread(writer.close)
        return found


async def test_the_email_of_the_day_comes_once(tmp_path: Path) -> None:
    """However often the daemon is started again, and wherever its clock is set."""
    clock = HandClock(START)
    assert await day(tmp_path, clock, 3, begin=True) == 0
    assert await day(tmp_path, clock, 2) == 1
    assert await day(tmp_path, clock, 1) == 1
    clock.step(-7200)
    assert await day(tmp_path, clock, 3) == 1
    clock.step(86_400)
    assert await day(tmp_path, clock, 1) == 2
    assert await day(tmp_path, clock, 24) == 3
