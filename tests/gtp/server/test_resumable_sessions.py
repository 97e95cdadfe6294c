"""Sessions that outlive their connections, and people whom nobody knows, on the daemon's side."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from godaemon.rules.points import Color
from gtp.client.syntax import CAUGHT_UP, GOODBYE
from gtp.server.connection import Peer
from tests.gtp.server.test_connection import Daemon, Wire, daemon
from tests.support.waiting import come

NAME = "session-1"
UP = CAUGHT_UP.decode()


async def take_seat(one: Daemon, *lines: str, name: str = NAME) -> Wire:
    """A new connection of a session, and the answers to its first lines taken."""
    wire = await Wire.to(one)
    for line in (f"godaemon-seat 1 white {name}".rstrip(), *lines):
        if line.startswith("#"):
            wire.send(line)
        else:
            assert (await wire.ask(line)).startswith("="), line
    return wire


async def test_a_pending_move_outlives_its_connection(tmp_path: Path) -> None:
    """The next connection brings the cursor back, and may still take the move back."""
    async with daemon(tmp_path) as one:
        first = await take_seat(one, UP, "1 play b D4", "2 play w C3")
        first.writer.transport.abort()
        second = await take_seat(one, "1 play b D4", "2 play w C3", UP)
        assert await second.ask("3 undo") == "=3"
        assert await second.ask("4 play w E5") == "=4"
        second.send("5 genmove b")
        await come(lambda: one.seat.waiting)
        assert one.seat.log[-1] == "released E5"
        assert "released C3" not in one.seat.log
        second.send(GOODBYE.decode())
        assert await second.rest() == b"?5 interrupted\n\n"


async def test_a_session_that_nobody_takes_up(tmp_path: Path) -> None:
    """After the quiet seconds its pending move is released, as if it had stayed."""
    async with daemon(tmp_path) as one:
        one.handler.quiet_seconds = 0.05
        wire = await take_seat(one, UP, "1 play b D4", "2 play w C3")
        wire.writer.transport.abort()
        await come(lambda: one.seat.log == ["pending C3", "released C3"])
        await come(lambda: all(task.done() for task in one.sessions))


async def test_goodbye(tmp_path: Path) -> None:
    """The controller has left: nothing is waited for, and nothing after it is read."""
    async with daemon(tmp_path) as one:
        wire = await take_seat(one, UP, "1 play b D4", "2 play w C3")
        wire.send(f"3 name\n{GOODBYE.decode()}\n4 name")
        assert await wire.rest() == b"=3 godaemon\n\n"
        assert one.seat.log == ["pending C3", "released C3"]


async def test_a_connection_that_only_seems_to_be_there(tmp_path: Path) -> None:
    """Its wait ends without a word when the session is taken up; the move goes to the new one."""
    async with daemon(tmp_path) as one:
        first = await take_seat(one, UP, "1 play b D4", "2 play w C3")
        first.send("3 genmove b")
        await come(lambda: one.seat.waiting)
        second = await take_seat(one, "1 play b D4", "2 play w C3", UP)
        second.send("3 genmove b")
        assert await first.rest() == b""
        await come(lambda: one.seat.waiting)
        await one.seat.mail("b E5")
        assert await second.response() == "=3 E5"
        second.send(GOODBYE.decode())
        await second.rest()


async def test_another_name_takes_nothing_over(tmp_path: Path) -> None:
    """Two programs may sit in one seat, each in its own session."""
    async with daemon(tmp_path) as one:
        first = await take_seat(one, UP, "1 play b D4")
        second = await take_seat(one, UP, name="session-2")
        assert await first.ask("2 name") == "=2 godaemon"
        for wire in (first, second):
            wire.send(GOODBYE.decode())
            await wire.rest()


async def test_a_connection_that_breaks_before_it_has_caught_up(tmp_path: Path) -> None:
    """The move that was pending on the one before is not forgotten."""
    async with daemon(tmp_path) as one:
        first = await take_seat(one, UP, "1 play b D4", "2 play w C3")
        first.writer.transport.abort()
        second = await take_seat(one, "1 play b D4")
        second.writer.transport.abort()
        one.handler.quiet_seconds = 0.05
        third = await take_seat(one)
        third.writer.transport.abort()
        await come(lambda: "released C3" in one.seat.log)


async def test_what_is_sent_again_is_not_done_again(tmp_path: Path) -> None:
    """The serial tells, on whichever connection."""
    async with daemon(tmp_path) as one:
        first = await take_seat(one, UP)
        assert (await first.ask("5 godaemon-say hello")).startswith("=5")
        first.writer.transport.abort()
        second = await take_seat(one, UP)
        assert (await second.ask("5 godaemon-say hello")).startswith("=5")
        assert (await second.ask("6 godaemon-say hello")).startswith("=6")
        assert len(one.seat.events) == 2
        second.send(GOODBYE.decode())
        await second.rest()


async def test_the_daemon_stops(tmp_path: Path) -> None:
    """Who can take the session up again is not told that the wait was interrupted."""
    async with daemon(tmp_path) as one:
        wire = await take_seat(one, UP, "1 play b D4", "2 play w C3")
        wire.send("3 genmove b")
        await come(lambda: one.seat.waiting)
        await one.stop()
        assert await wire.rest() == b""
        assert one.seat.log == ["pending C3", "released C3"]


class TestStrangers:
    """People whom nobody knows: a key, or nothing."""

    @pytest.mark.parametrize(
        "line", ["name", "godaemon-seat 1 black", "godaemon-board 1", "", "x" * 300]
    )
    async def test_without_a_key(self, tmp_path: Path, line: str) -> None:
        """One line, one refusal."""
        async with daemon(tmp_path) as one:
            one.peer = Peer("1.2.3.4", "1.2.3.4", known=False)
            wire = await Wire.to(one)
            assert (await wire.ask(line)).startswith("? a seat is taken here by its key")
            assert await wire.rest() == b""

    async def test_a_wrong_key(self, tmp_path: Path) -> None:
        """Is refused in the daemon's words."""
        async with daemon(tmp_path) as one:
            one.peer = Peer("1.2.3.4", "1.2.3.4", known=False)
            wire = await Wire.to(one)
            assert await wire.ask("godaemon-key no-key") == "? this key opens no seat"
            assert await wire.rest() == b""

    async def test_silence(self, tmp_path: Path) -> None:
        """Who says nothing is not waited for."""
        async with daemon(tmp_path) as one:
            one.peer = Peer("1.2.3.4", "1.2.3.4", known=False)
            one.handler.greeting_seconds = 0.05
            wire = await Wire.to(one)
            assert (await wire.rest()).startswith(b"? a seat is taken here")

    async def test_a_key(self, tmp_path: Path) -> None:
        """The colour is the key's; lines may be long from then on."""
        async with daemon(tmp_path) as one:
            one.peer = Peer("1.2.3.4", "1.2.3.4", known=False)
            wire = await Wire.to(one)
            assert await wire.ask("godaemon-key white-key") == "="
            assert one.seat.color is Color.WHITE
            assert await wire.ask("name " + "x" * 1000) == "= godaemon"
            wire.writer.write_eof()
            await wire.rest()

    async def test_a_key_that_is_taken_back(self, tmp_path: Path) -> None:
        """Its session ends where it is, and what was pending is forgotten; others go on."""
        async with daemon(tmp_path) as one:
            mine, other = await Wire.to(one), await Wire.to(one)
            assert await other.ask("godaemon-key black-key") == "="
            assert await mine.ask("godaemon-key white-key") == "="
            await mine.ask("play b D4")
            assert await mine.ask("play w C3") == "="
            del one.keys["white-key"]
            await one.handler.end_revoked_sessions(frozenset({2}))
            assert await mine.ask("name") == "= godaemon"
            await one.handler.end_revoked_sessions(frozenset({1}))
            assert await mine.rest() == b""
            assert one.seat.log == ["pending C3", "taken back"]
            assert await other.ask("name") == "= godaemon"
            other.writer.write_eof()
            await other.rest()


async def test_crowds_in_one_session(tmp_path: Path) -> None:
    """Connections of one name that come together: one is left, and nothing hangs."""
    async with daemon(tmp_path) as one:
        wires = await asyncio.gather(*(Wire.to(one) for _ in range(8)))
        for wire in wires:
            wire.send(f"godaemon-seat 1 white {NAME}\n{UP}")
        await asyncio.gather(*(wire.response() for wire in wires))
        ended = await asyncio.gather(*(still_there(wire) for wire in wires))
        assert sorted(ended) == [False] * 7 + [True]
        for wire in wires:
            wire.send(GOODBYE.decode())
            wire.writer.close()


async def still_there(wire: Wire) -> bool:
    wire.send("1 name")
    try:
        return await wire.response() == "=1 godaemon"
    except (asyncio.IncompleteReadError, ConnectionError):
        return False
