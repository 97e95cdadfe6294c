"""The timers: clocks, daily emails and pruning; none acts on a wrong clock."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from structlog.testing import capture_logs

from godaemon.daemon import timers
from godaemon.games import commands as cmd
from godaemon.games import events as ev
from godaemon.games import running_clocks
from godaemon.games.game_cache import GameCache
from godaemon.games.model import Phase, Seat
from godaemon.games.notices import Kind
from godaemon.games.player_calendar import schedule_daily_email
from godaemon.games.player_settings import Preferences
from godaemon.games.service import GameService, Randomness
from godaemon.games.service_calls import Caller
from godaemon.games.stored_values import Unit
from godaemon.games.wanted_emails import change_preferences
from godaemon.rules.points import Color, Size
from godaemon.storage import packed_logs
from godaemon.storage.database import open_database
from godaemon.storage.deletion import PRUNE_BATCH
from godaemon.storage.writer import WriterThread
from godaemon.system.outages_and_pauses import TimeSeen
from tests.support import stores
from tests.support.gateway import Gateway, Person
from tests.support.hand_clock import HandClock
from tests.support.limits import Limits
from tests.support.waiting import come

DAY = 86_400.0


async def _run(
    gateway: Gateway, file: Path, *steps: float, receiving: Callable[[], bool] = lambda: True
) -> None:
    """A daemon's life: it starts, and its clock is turned by these steps."""
    seen, clock = TimeSeen(file), HandClock(gateway.now)
    games = gateway.games

    def now_games(unit):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202 - as gateway.games
        gateway.now = clock.now()
        made = games(unit)
        made.lost = seen.lost_time
        return made

    core: Any = SimpleNamespace(writer=gateway.writer, games=now_games, clock=clock, seen=seen)
    task = asyncio.create_task(timers.check_clocks(core, receiving))
    for step in steps:
        await _settled(clock)
        (clock.advance if step > 0 else clock.step)(step)
    await _settled(clock)
    gateway.now = clock.now()
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


async def _settled(clock: HandClock) -> None:
    for _ in range(20):
        await asyncio.sleep(0)
        if clock.waiting:
            return


def _results(gateway: Gateway, game: int = 1) -> list[str]:
    log = gateway.writer.state.logs[game]
    return [one.event.result for one in log if isinstance(one.event, ev.Finished)]


def _game_with_clocks(time: str = "2h each") -> Gateway:
    gateway = Gateway()
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    gateway.start(alice, bob, f"9x9 as black {time}")
    gateway.play(alice, bob, "D4 E5")
    gateway.send()
    return gateway


MINUTES = 300.0
"""Five of them, which is how often the clocks are turned here."""


@pytest.mark.parametrize(
    "runs",
    [
        pytest.param([(12, ""), (14, "W+T"), (14, "W+T"), (14, "W+T")], id="the flag falls once"),
        pytest.param([(23, ""), *[(2, "")] * 3, (4, "W+T")], id="nothing ends soon after a start"),
        pytest.param(
            [(1, ""), ("month", ""), (12, ""), (53, ""), (12, "W+T")],
            id="what was left out is given back, and what mail servers take",
        ),
        pytest.param(
            [("deaf", ""), (60, ""), (20, "W+T")], id="nobody loses while no letter can come in"
        ),
        pytest.param(
            [(12, ""), ("pause", ""), *[(30, "")] * 3, ("resume", ""), (10, ""), (4, "W+T")],
            id="no flag falls during a pause; afterwards both have the time that was left",
        ),
        pytest.param([("ahead", "W+T")], id="a daemon that began ahead of time ends games"),
    ],
)
async def test_when_the_flag_falls(tmp_path: Path, runs: list[tuple[int | str, str]]) -> None:
    """Each run is a daemon that lives for some periods of five minutes, and the result then."""
    gateway = await asyncio.to_thread(_game_with_clocks)
    file, begin = tmp_path / "clock", gateway.now
    for steps, ended in runs:
        match steps:
            case "month":
                await _run(gateway, file, 30 * DAY)
            case "deaf":
                await _run(gateway, file, *[MINUTES] * 50, receiving=lambda: False)
            case "pause":
                TimeSeen(file).pause(gateway.now, "")
            case "resume":
                TimeSeen(file).resume(gateway.now)
            case "ahead":
                gateway.now += timedelta(days=40)
                await _run(gateway, file, MINUTES, -40 * DAY, *[MINUTES] * 30)
                assert gateway.now < begin + timedelta(hours=3)
            case int(number):
                await _run(gateway, file, *[MINUTES] * number)
        assert "".join(_results(gateway)) == ended


@pytest.mark.parametrize("unreadable", [True, False])
async def test_a_faulty_game_stops_no_other_clock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, unreadable: bool
) -> None:
    """It is tried again every hour."""
    gateway = await asyncio.to_thread(_game_with_clocks)
    carol, dan = gateway.person("Carol"), gateway.person("Dan")
    await asyncio.to_thread(_begin_second, gateway, carol, dan)
    ring_one = running_clocks.act_on_alarm

    def _check_one(games: GameService, number: int) -> None:
        if number == 1:
            raise ZeroDivisionError
        ring_one(games, number)

    if unreadable:
        logs = gateway.writer.state.logs
        logs[1] = logs[1][1:]
        gateway.cache.clear()
    else:
        monkeypatch.setattr(running_clocks, "act_on_alarm", _check_one)
    await _run(gateway, tmp_path / "clock", *[MINUTES] * 30)
    assert (_results(gateway), _results(gateway, 2)) == ([], ["W+T"])
    alarm = gateway.writer.state.summaries[1].alarm
    assert alarm is not None
    assert timedelta() <= alarm - gateway.now <= timedelta(hours=1)


def _begin_second(gateway: Gateway, carol: Person, dan: Person) -> None:
    gateway.start(carol, dan, "9x9 as black 2h each")
    carol.reply("D4")
    dan.reply("E5")
    gateway.send()


@pytest.mark.parametrize("restarted", [False, True])
async def test_all_clocks_are_examined_after_time_was_set_back(
    tmp_path: Path, *, restarted: bool
) -> None:
    """A vacation that was over by a clock two days ahead goes on."""
    gateway = await asyncio.to_thread(_game_with_clocks, "3 days per move")
    file, alice = tmp_path / "clock", gateway.person("Alice")
    await asyncio.to_thread(alice.reply, "vacation 1 day")
    await _run(gateway, file, 300.0, 2 * DAY)
    await asyncio.to_thread(alice.reply, "weekends off")
    back = (-2 * DAY, *[300.0] * 4)
    if restarted:
        gateway.now -= timedelta(days=2)
        await _run(gateway, file)
        back = back[1:]
    await _run(gateway, file, *back)
    clock = gateway.game().clock
    assert clock is not None
    assert len(clock.days_off_of(clock.turn).vacations) == 1


START = datetime(2026, 11, 23, 3, 0, tzinfo=UTC)


async def day(path: Path, clock: HandClock, hours: int, *, begin: bool = False) -> int:
    """Let a daemon's timer run for some hours; how many emails of the day there are by then."""

    def games(unit: Unit) -> GameService:
        randomness = Randomness(lambda: Color.BLACK, lambda: "nonce")
        return GameService(unit, GameCache(), clock.now(), randomness, Limits())

    def play(unit: Unit) -> None:
        caller = Caller("test", "alice@a.example")
        wanted = cmd.Propose("bob@b.example", Size(9, 9), color=Color.BLACK)
        number = games(unit).propose(wanted, caller, vouched=True).after.id
        games(unit).act(number, Seat.INVITED, [cmd.Yes()], Caller("test", "bob@b.example"))
        change_preferences(unit, caller.address, Preferences(emails=cmd.EmailLevel.DAILY))
        schedule_daily_email(unit, caller.address, clock.now(), wanted=True)

    with closing(open_database(stores.url(path))) as database:
        writer = WriterThread(database).start()
        if begin:
            await writer.run(play)
        seen = TimeSeen(path / clock.now().isoformat())
        core: Any = SimpleNamespace(writer=writer, games=games, clock=clock, seen=seen)
        timer = asyncio.create_task(timers.send_daily(core))
        for _ in range(hours * 4):
            await come(lambda: clock.waiting)
            clock.advance(900)
        await come(lambda: clock.waiting)
        timer.cancel()
        long_ago = START - timedelta(days=1)
        found = await writer.run(lambda unit: unit.outbox.count_queued([Kind.GAMES], long_ago))
        await asyncio.to_thread(writer.close)
        return found


async def test_the_daily_email_is_sent_once_a_day(tmp_path: Path) -> None:
    """However often the daemon restarts, and however its clock is set."""
    clock = HandClock(START)
    assert await day(tmp_path, clock, 3, begin=True) == 0
    assert await day(tmp_path, clock, 2) == 1
    assert await day(tmp_path, clock, 1) == 1
    clock.step(-7200)
    assert await day(tmp_path, clock, 3) == 1
    clock.step(86_400)
    assert await day(tmp_path, clock, 1) == 2
    assert await day(tmp_path, clock, 24) == 3


MANY = PRUNE_BATCH * 2 + 1


def note_many_letters(unit: Unit) -> None:
    """Record many letters at the start."""
    for number in range(MANY):
        unit.inbox.note_arrival(f"f{number}", "<1@a>", START)


def count_full_letters(unit: Unit) -> int:
    """The number of letters stored with more than a hash."""
    found = unit.connection.exec_driver_sql("SELECT count(*) FROM inbox").scalar_one()
    return int(found)


def _pruned_core(writer: WriterThread, clock: HandClock, grace: timedelta) -> Any:  # noqa: ANN401
    """What pruning uses of a daemon that keeps letters for 60 days."""
    live = SimpleNamespace(mail=SimpleNamespace(remember_days=60))
    seen = SimpleNamespace(is_in_grace=lambda now: now < START + grace)
    return SimpleNamespace(writer=writer, clock=clock, live=live, seen=seen)


async def left_after(path: Path, days: Sequence[int], grace: timedelta) -> list[int]:
    """The number of remembered letters after each of these days, with a grace at the start."""
    left = list[int]()
    clock = HandClock(START)
    with closing(open_database(stores.url(path))) as database:
        writer = WriterThread(database).start()
        await writer.run(note_many_letters)
        core = _pruned_core(writer, clock, grace)
        timer = asyncio.create_task(timers.prune_daily(core))
        for day in days:
            while clock.now() < START + timedelta(days=day):
                await come(lambda: clock.waiting)
                clock.advance(3600)
            await come(lambda: clock.waiting)
            left.append(await writer.run(count_full_letters))
        timer.cancel()
        await asyncio.to_thread(writer.close)
        return left


@pytest.mark.parametrize(("days", "grace", "left"), [([60, 62], 0, [MANY, 0]), ([65], 66, [MANY])])
async def test_old_letters_are_pruned_daily(
    tmp_path: Path, days: list[int], grace: int, left: list[int]
) -> None:
    """All of them, in steps; not a day before, nor while the clock may be wrong."""
    assert await left_after(tmp_path, days, timedelta(days=grace)) == left


class _InstantClock(HandClock):
    """A clock whose waits end at once."""

    async def wait(self, event: asyncio.Event, _seconds: float) -> bool:
        """Return at once."""
        return event.is_set()


async def test_logs_of_old_finished_games_are_packed(tmp_path: Path) -> None:
    """All of them; the log has their number."""

    def end(unit: Unit) -> None:
        for _ in range(packed_logs.PACK_BATCH + 1):
            game = unit.games.create()
            unit.games.append(game, 0, [stores.move("D4")])
            row = stores.summary(game, Phase.FINISHED, START - timedelta(days=61))
            unit.games.set_summary(row, [])

    with closing(open_database(stores.url(tmp_path))) as database, WriterThread(database) as writer:
        await writer.run(end)
        core = _pruned_core(writer, _InstantClock(START), timedelta())
        with capture_logs() as log:
            assert await timers.prune(core) == 0
        assert log[-1]["packed"] == packed_logs.PACK_BATCH + 1
        (kept,) = await writer.run(lambda unit: unit.games.log(1))
        assert (kept.event, kept.cause) == (stores.move("D4").event, "letter")
