"""The GTP socket: seats and requests about free boards, with the client that a GUI starts."""

import asyncio
import os
import signal
import ssl
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import cast

import pytest

from godaemon.errors import NotAllowed, Unknown
from godaemon.rules.points import Color
from gtp.client.syntax import CAUGHT_UP, GOODBYE, MAX_LINE, BoardRequest
from gtp.read_ahead import MAX_AHEAD, ConnectionLines
from gtp.server import ConnectionHandler, Peer, SeatAuthenticator
from tests.support import places
from tests.support.blocks import read_blocks
from tests.support.dialogue import matches
from tests.support.seat_game import FakeSeatGame, game
from tests.support.waiting import PATIENCE, come

CLIENT = """
import sys
from gtp.client import relay
from gtp.client.syntax import SeatGreeting
path, game, color = sys.argv[1:]
sys.exit(relay.run(path, SeatGreeting(int(game), color.lower())))
"""


class Daemon:
    """A daemon with one game, in which every seat is free."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.peer = Peer()
        self.keys = {"black-key": Color.BLACK, "white-key": Color.WHITE}
        self.handler = ConnectionHandler(
            cast(SeatAuthenticator, self), 60, self.answer_board_request
        )
        self.thinking = False
        """True while a free board waits for its move."""
        self.stopping = self.handler.stopping
        self.seat = FakeSeatGame(game(moves="b D4"), Color.BLACK)
        self.sessions: set[asyncio.Task[None]] = set()

    async def answer_board_request(self, request: BoardRequest) -> str:
        """Board 7 has a record, no other exists, and a move takes for ever."""
        if request.words == ("godaemon-board", "7"):
            return "gnugo"
        if request.words[0] == "godaemon-board":
            raise Unknown(f"There is no board {request.words[1]}.")
        self.thinking = True
        try:
            await asyncio.Event().wait()
        finally:
            self.thinking = False
        raise AssertionError

    async def open_seat(self, game: int, color: Color) -> FakeSeatGame:
        if game != 1:
            raise Unknown(f"There is no game {game}.")
        self.seat.color = color
        return self.seat

    async def open_seat_by_key(self, key: str, peer: Peer) -> FakeSeatGame:
        if not await self.is_valid_key(key):
            raise NotAllowed("this key opens no seat")
        return await self.open_seat(1, self.keys[key])

    async def is_valid_key(self, key: str) -> bool:
        return key in self.keys

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self.sessions.add(task)
        await self.handler.serve(reader, writer, self.peer)

    async def stop(self) -> None:
        """End all sessions, and wait until they have ended."""
        self.stopping.set()
        await asyncio.gather(*self.sessions)


@asynccontextmanager
async def daemon(path: Path) -> AsyncIterator[Daemon]:
    one = Daemon(path / "gtp.sock")
    server = await asyncio.start_unix_server(one.serve, one.path)
    try:
        yield one
    finally:
        server.close()
        await one.stop()


@asynccontextmanager
async def served_strangers(
    folder: Path, context: ssl.SSLContext | None = None
) -> AsyncIterator[tuple[Daemon, str]]:
    """A daemon that serves strangers by TCP, with TLS if there is a context; its address too."""
    one = Daemon(folder / "gtp.sock")
    one.peer = Peer(known=False)
    server = await asyncio.start_server(one.serve, "127.0.0.1", 0, ssl=context)
    try:
        yield one, f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()
        await one.stop()


class Wire:
    """A connection to a daemon's socket."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    @classmethod
    async def to(cls, one: Daemon) -> "Wire":
        return cls(*await asyncio.open_unix_connection(one.path, limit=2**24))

    def send(self, line: str) -> None:
        self.writer.write(f"{line}\n".encode())

    async def ask(self, line: str) -> str:
        self.send(line)
        return await self.response()

    async def response(self) -> str:
        return (await self.frame()).decode().strip()

    async def frame(self) -> bytes:
        return await asyncio.wait_for(self.reader.readuntil(b"\n\n"), PATIENCE)

    async def rest(self) -> bytes:
        data = await asyncio.wait_for(self.reader.read(), PATIENCE)
        self.writer.close()
        await self.writer.wait_closed()
        return data


class Scene:
    """Connections to a daemon, played from a file of `dialogues/connections`."""

    def __init__(self, one: Daemon) -> None:
        self.daemon = one
        self.wires: dict[str, Wire] = {}

    async def line(self, line: str) -> None:
        """Take the next line of the file."""
        rest = line[2:].strip().replace("LONG", "x" * 300)
        if line.startswith("! "):
            happens, _, words = rest.partition(" ")
            await getattr(self, f"on_{happens}")(words)
            return
        wire = self.wires.get(line[0]) or await Wire.to(self.daemon)
        self.wires[line[0]] = wire
        if line[1] == ">":
            wire.send(rest)
        else:
            expected, got = (
                (rest, await wire.rest()) if line[1] == "." else (line[1:], await wire.frame())
            )
            assert matches(expected, got), (line, got)

    async def on_eof(self, name: str) -> None:
        self.wires[name].writer.write_eof()

    async def on_cut(self, name: str) -> None:
        self.wires[name].writer.transport.abort()

    async def on_thinking(self, word: str) -> None:
        await come(lambda: self.daemon.thinking == (word == "begins"))

    async def on_waits(self, _: str) -> None:
        await come(lambda: self.daemon.seat.waiting)

    async def on_mail(self, moves: str) -> None:
        await self.daemon.seat.mail(moves)

    async def on_log(self, log: str) -> None:
        await come(lambda: ", ".join(self.daemon.seat.log) == log)

    async def on_stop(self, _: str) -> None:
        await self.daemon.stop()

    async def on_ended(self, _: str) -> None:
        await come(lambda: all(task.done() for task in self.daemon.sessions))

    async def on_stranger(self, _: str) -> None:
        self.daemon.peer = Peer("10.0.0.1", "10.0.0.1", known=False)

    async def on_quiet(self, seconds: str) -> None:
        self.daemon.handler.quiet_seconds = float(seconds)

    async def on_greeting(self, seconds: str) -> None:
        self.daemon.handler.greeting_seconds = float(seconds)

    async def on_revoke(self, words: str) -> None:
        key, game = words.split()
        self.daemon.keys.pop(key, None)
        await self.daemon.handler.end_revoked_sessions(frozenset({int(game)}))


CONNECTIONS = places.ROOT / "tests" / "gtp" / "dialogues" / "connections"
SCENES = {
    f"{path.stem}: {name}": text
    for path in sorted(CONNECTIONS.glob("*.txt"))
    for name, text in read_blocks(path).items()
}


@pytest.mark.parametrize("text", SCENES.values(), ids=SCENES)
async def test_a_connection_is_served(tmp_path: Path, text: str) -> None:
    """As the scene says, and what it leaves behind is taken up."""
    async with daemon(tmp_path) as one:
        scene = Scene(one)
        try:
            for line in text.splitlines():
                await scene.line(line)
        finally:
            for wire in scene.wires.values():
                wire.writer.close()


async def test_only_the_last_connection_of_a_session_stays(tmp_path: Path) -> None:
    """Eight come together, and none hangs."""
    async with daemon(tmp_path) as one:
        wires = await asyncio.gather(*(Wire.to(one) for _ in range(8)))
        for wire in wires:
            wire.send(f"godaemon-seat 1 white session-1\n{CAUGHT_UP.decode()}")
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


async def test_pipelined_commands_are_answered_in_order(tmp_path: Path) -> None:
    """A very long line gets an error, and a very long comment no answer."""
    async with daemon(tmp_path) as one:
        wire = await Wire.to(one)
        lines = [b"%d protocol_version\n" % number for number in range(1_000)]
        wire.send("godaemon-seat 1 white")
        long = b"x" * (MAX_LINE + 1)
        wire.writer.write(b"".join(lines) + b"# " + long + b"\n" + long + b"\nname\n")
        wire.writer.write_eof()
        answers = [b"= \n\n", *(b"=%d 2\n\n" % number for number in range(1_000))]
        assert await wire.rest() == b"".join(answers) + b"? line too long\n\n= godaemon\n\n"


async def test_a_cut_connection_ends_only_its_session(tmp_path: Path) -> None:
    """Though answers are under way."""
    async with daemon(tmp_path) as one:
        wire = await Wire.to(one)
        wire.writer.write(b"godaemon-seat 1 white\n" + b"list_commands\n" * 5000)
        await wire.response()
        wire.writer.transport.abort()
        await come(lambda: all(task.done() for task in one.sessions))
        other = await Wire.to(one)
        assert await other.ask("godaemon-seat 1 white") == "="
        assert await other.ask("name") == "= godaemon"
        other.writer.write_eof()
        await other.rest()


async def test_reading_stops_while_many_lines_wait() -> None:
    """It goes on when some are taken."""
    lines = ConnectionLines()
    lines.feed(b"name\n" * MAX_AHEAD)
    waiting = asyncio.ensure_future(lines.has_room.wait())
    await asyncio.sleep(0)
    assert not waiting.done()
    assert await lines.take() == b"name"
    await asyncio.wait_for(waiting, PATIENCE)


async def test_lines_are_joined_from_pieces() -> None:
    """Bug: the last one was carried out without its end, although it may be half a move."""
    lines = ConnectionLines()
    for piece in (b"na", b"me\nver", b"sion\n\n7 pl", b"ay b D1"):
        lines.feed(piece)
    lines.end()
    lines.end()
    taken = [await lines.take() for _ in range(5)]
    assert taken == [b"name", b"version", b"", b"7 line-cut-off", None]


async def started_client(path: Path, *words: str) -> asyncio.subprocess.Process:
    """The client program at a daemon's socket, for a seat."""
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", CLIENT, str(path), *words),
        env={**os.environ, "PYTHONPATH": str(places.ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


async def client(one: Daemon, sent: bytes, *words: str) -> tuple[int | None, bytes, bytes]:
    """The exit status and both outputs of the client program."""
    process = await started_client(one.path, *words)
    out, err = await asyncio.wait_for(process.communicate(sent), PATIENCE)
    return process.returncode, out, err


async def test_the_client_reports_why_it_gets_no_seat(tmp_path: Path) -> None:
    """On standard error, and in answer to the first command."""
    async with daemon(tmp_path) as one:
        refused = await client(one, b"name\n", "2", "BLACK")
        message = b"There is no game 2."
        assert refused == (1, b"? " + message + b"\n\n", b"godaemon gtp: " + message + b"\n")
        one.path.unlink()
        status, out, err = await client(one, b"name\n", "1", "BLACK")
        assert (status, out[:2]) == (69, b"? ")
        assert b"cannot be reached" in out
        assert err.startswith(b"godaemon gtp: ")


async def test_ctrl_c_ends_the_client_silently(tmp_path: Path) -> None:
    """Its session ends too, and the pending move is released."""
    async with daemon(tmp_path) as one:
        process = await started_client(one.path, "1", "WHITE")
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"play b D4\nplay w E5\nname\n")
        await asyncio.wait_for(process.stdout.readuntil(b"godaemon\n\n"), PATIENCE)
        process.send_signal(signal.SIGINT)
        out, err = await asyncio.wait_for(process.communicate(), PATIENCE)
        assert (process.returncode, out, err) == (130, b"", b"")
        await come(lambda: one.seat.log == ["pending E5", "released E5"])
