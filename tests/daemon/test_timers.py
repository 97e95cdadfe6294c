"""The timer of clocks: it ends games once, also after a restart, and never by a wrong clock."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

import pytest

from godaemon.daemon.timers import ring_clocks
from godaemon.games import events as ev
from godaemon.games.running_clocks import RunningClocks
from godaemon.system.clock import TimeSeen
from tests.support.gateway import Gateway, Person
from tests.support.hand_clock import HandClock

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
        made.lost = seen.lost
        return made

    task = asyncio.create_task(ring_clocks(gateway.writer, now_games, clock, seen, receiving))
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


def _ends(gateway: Gateway, game: int = 1) -> list[str]:
    log = gateway.writer.state.logs[game]
    return [one.event.result for one in log if isinstance(one.event, ev.Finished)]


def _table(time: str = "2h each") -> Gateway:
    gateway = Gateway()
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    gateway.start(alice, bob, f"9x9 as black {time}")
    gateway.play(alice, bob, "D4 E5")
    gateway.send()
    return gateway


async def test_the_flag_falls_once_also_after_a_restart(tmp_path: Path) -> None:
    """Whoever looks at the clock later finds the game over."""
    gateway = await asyncio.to_thread(_table)
    await _run(gateway, tmp_path / "clock", *[300.0] * 12)
    assert _ends(gateway) == []
    for _ in range(3):
        await _run(gateway, tmp_path / "clock", *[300.0] * 14)
    assert _ends(gateway) == ["W+T"]


async def test_what_was_left_out_is_given_back(tmp_path: Path) -> None:
    """A month is left out: the player has all of their time again, and what mail servers take."""
    gateway = await asyncio.to_thread(_table)
    file = tmp_path / "clock"
    await _run(gateway, file, 300.0, 30 * DAY, *[300.0] * 12)
    assert _ends(gateway) == []
    await _run(gateway, file, *[300.0] * 53)
    assert _ends(gateway) == []
    await _run(gateway, file, *[300.0] * 12)
    assert _ends(gateway) == ["W+T"]


async def test_nothing_ends_soon_after_a_start(tmp_path: Path) -> None:
    """The answer that was sent in time may still have to be fetched."""
    gateway = await asyncio.to_thread(_table)
    file = tmp_path / "clock"
    await _run(gateway, file, *[300.0] * 23)
    for _ in range(3):
        await _run(gateway, file, 300.0, 300.0)
    assert _ends(gateway) == []
    await _run(gateway, file, *[300.0] * 4)
    assert _ends(gateway) == ["W+T"]


async def test_nobody_loses_while_no_letter_can_come_in(tmp_path: Path) -> None:
    """And the time for which that was so is given back, also after a restart."""
    gateway = await asyncio.to_thread(_table)
    file = tmp_path / "clock"
    await _run(gateway, file, *[300.0] * 50, receiving=lambda: False)
    assert _ends(gateway) == []
    await _run(gateway, file, *[300.0] * 60)
    assert _ends(gateway) == []
    await _run(gateway, file, *[300.0] * 20)
    assert _ends(gateway) == ["W+T"]


async def test_a_game_that_cannot_be_read_stops_no_other_clock(tmp_path: Path) -> None:
    """It is looked at again every hour; the others ring in time."""
    gateway = await asyncio.to_thread(_table)
    carol, dan = gateway.person("Carol"), gateway.person("Dan")
    await asyncio.to_thread(_begin_second, gateway, carol, dan)
    logs = gateway.writer.state.logs
    logs[1] = logs[1][1:]
    gateway.cache.clear()
    await _run(gateway, tmp_path / "clock", *[300.0] * 30)
    assert _ends(gateway, 2) == ["W+T"]
    alarm = gateway.writer.state.summaries[1].alarm
    assert alarm is not None
    assert timedelta() <= alarm - gateway.now <= timedelta(hours=1)


def _begin_second(gateway: Gateway, carol: Person, dan: Person) -> None:
    gateway.start(carol, dan, "9x9 as black 2h each")
    carol.reply("D4")
    dan.reply("E5")
    gateway.send()


async def test_no_flag_falls_in_a_pause(tmp_path: Path) -> None:
    """Nor in a restart within it; what was left when it began is left when it ends."""
    gateway = await asyncio.to_thread(_table)
    file = tmp_path / "clock"
    await _run(gateway, file, *[300.0] * 12)
    TimeSeen(file).pause(gateway.now, "")
    for _ in range(3):
        await _run(gateway, file, *[300.0] * 30)
    assert _ends(gateway) == []
    TimeSeen(file).resume(gateway.now)
    deadline = gateway.writer.state.summaries[1].deadline
    assert deadline is not None
    assert deadline < gateway.now
    await _run(gateway, file, *[300.0] * 10)
    assert _ends(gateway) == []
    await _run(gateway, file, *[300.0] * 4)
    assert _ends(gateway) == ["W+T"]


@pytest.mark.parametrize("restarted", [False, True])
async def test_all_clocks_are_looked_at_once_time_was_set_back(
    tmp_path: Path, *, restarted: bool
) -> None:
    """A vacation that was over by a clock two days ahead goes on; soon after a start, too."""
    gateway = await asyncio.to_thread(_table, "3 days per move")
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
    assert len(clock.off(clock.turn).vacations) == 1


async def test_a_daemon_that_began_ahead_of_time_ends_games(tmp_path: Path) -> None:
    """Emails have settled soon after the clock is set back, and not once that future comes."""
    gateway = await asyncio.to_thread(_table)
    begin = gateway.now
    gateway.now += timedelta(days=40)
    await _run(gateway, tmp_path / "clock", 300.0, -40 * DAY, *[300.0] * 30)
    assert gateway.now < begin + timedelta(hours=3)
    assert _ends(gateway) == ["W+T"]


async def test_a_fault_with_one_game_stops_no_other_clock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever one game's clock comes upon, the others ring in time, and no timer ends."""
    gateway = await asyncio.to_thread(_table)
    carol, dan = gateway.person("Carol"), gateway.person("Dan")
    await asyncio.to_thread(_begin_second, gateway, carol, dan)
    ring_one = RunningClocks.ring_one

    def _ring_one(clocks: RunningClocks, number: int) -> None:
        if number == 1:
            raise ZeroDivisionError
        ring_one(clocks, number)

    monkeypatch.setattr(RunningClocks, "ring_one", _ring_one)
    await _run(gateway, tmp_path / "clock", *[300.0] * 40)
    assert _ends(gateway) == []
    assert _ends(gateway, 2) == ["W+T"]
