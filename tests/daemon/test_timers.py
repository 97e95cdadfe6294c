"""The timer of clocks: it ends games once, also after a restart, and never by a wrong clock."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path

from godaemon.daemon.timers import ring_clocks
from godaemon.games import events as ev
from godaemon.system.clock import GRACE, TimeSeen
from tests.support.gateway import Gateway
from tests.support.hand_clock import HandClock

DAY = 86_400.0


async def _run(gateway: Gateway, file: Path, *steps: float) -> None:
    """A daemon's life: it starts, and its clock is turned by these steps."""
    seen, clock = TimeSeen(file), HandClock(gateway.now)
    games = gateway.games

    def now_games(unit):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202 - as gateway.games
        gateway.now = clock.now()
        made = games(unit)
        made.lost = seen.lost
        return made

    task = asyncio.create_task(ring_clocks(gateway.writer, now_games, clock, seen.in_grace))
    for step in steps:
        await _settled(clock)
        clock.advance(step)
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


def _ends(gateway: Gateway) -> list[str]:
    log = gateway.writer.state.logs[1]
    return [one.event.result for one in log if isinstance(one.event, ev.Finished)]


def _table() -> Gateway:
    gateway = Gateway()
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    gateway.start(alice, bob, "9x9 as black 2h each")
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


async def test_nothing_ends_while_a_clock_may_be_wrong(tmp_path: Path) -> None:
    """A month is left out: there is grace, and then the player has all of their time again."""
    gateway = await asyncio.to_thread(_table)
    file = tmp_path / "clock"
    await _run(gateway, file, 300.0, 30 * DAY, *[590.0] * 12)
    assert _ends(gateway) == []
    in_grace = int(GRACE.total_seconds() / 590)
    await _run(gateway, file, *[590.0] * (in_grace - 14))
    assert _ends(gateway) == []
    await _run(gateway, file, *[590.0] * 4)
    assert _ends(gateway) == ["W+T"]
