"""Connections are accepted again after a shortage, by both kinds of event loop."""

import asyncio
import errno
import os
import socket
from collections.abc import Awaitable, Callable
from contextlib import closing, suppress

import pytest
import structlog
import uvloop

from godaemon.system import acceptor
from godaemon.system.acceptor import Acceptor, stream_handler
from tests.support.waiting import PATIENCE

LOOPS = (asyncio.new_event_loop, uvloop.new_event_loop)


async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(await reader.readline())
    writer.close()


def listening() -> socket.socket:
    """A listening, blocking socket on loopback."""
    return socket.create_server(("127.0.0.1", 0))


async def echoed(port: int) -> bytes:
    """The echo of a line; b"" if the connection is closed."""
    async with asyncio.timeout(PATIENCE):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        with closing(writer), suppress(ConnectionError):
            writer.write(b"hello\n")
            return await reader.read()
    return b""


@pytest.fixture(params=LOOPS, ids=["asyncio", "uvloop"])
def run(request: pytest.FixtureRequest) -> Callable[[Awaitable[None]], None]:
    """Runs something on a loop of one kind."""

    def _run(work: Awaitable[None]) -> None:
        with asyncio.Runner(loop_factory=request.param) as runner:
            runner.run(work)  # type: ignore[arg-type] # a coroutine, in each test

    return _run


Run = Callable[[Awaitable[None]], None]


def test_all_sockets_accept_connections(run: Run) -> None:
    """Closing refuses new connections, and keeps open ones."""

    async def work() -> None:
        listeners = [listening(), listening()]
        ports = [one.getsockname()[1] for one in listeners]
        taking = Acceptor(listeners, stream_handler(echo))
        assert [await echoed(port) for port in ports] == [b"hello\n"] * 2
        reader, writer = await asyncio.open_connection("127.0.0.1", ports[0])
        assert await echoed(ports[0]) == b"hello\n", "the one before is in by now"
        await taking.close()
        writer.write(b"still here\n")
        assert await reader.read() == b"still here\n"
        writer.close()
        for port in ports:
            with pytest.raises(ConnectionRefusedError):
                await asyncio.open_connection("127.0.0.1", port)

    run(work())


class Scarce(socket.socket):
    """A listening socket on a machine with a shortage, for a number of tries."""

    lacking: list[int]

    def accept(self) -> tuple[socket.socket, object]:
        """Accept a connection, or raise the next fault."""
        if self.lacking:
            fault = self.lacking.pop()
            raise OSError(fault, os.strerror(fault))
        return super().accept()


@pytest.mark.parametrize(
    ("fault", "reported"),
    [(errno.EMFILE, True), (errno.ENFILE, True), (errno.ENOMEM, True), (errno.ECONNABORTED, False)],
)
def test_connections_wait_for_the_end_of_a_shortage(
    run: Run, monkeypatch: pytest.MonkeyPatch, fault: int, reported: bool
) -> None:
    """The shortage is logged."""
    monkeypatch.setattr(acceptor, "_PAUSE", 0.001)

    async def work() -> None:
        with listening() as plain:
            scarce = Scarce(fileno=os.dup(plain.fileno()))
        scarce.lacking = [fault, fault]
        port = scarce.getsockname()[1]
        taking = Acceptor([scarce], stream_handler(echo))
        assert await echoed(port) == b"hello\n"
        await taking.close()

    with structlog.testing.capture_logs() as lines:
        run(work())
    assert [line["event"] for line in lines] == ["socket.not-accepted"] * 2 * reported


def test_a_handler_that_raises_ends_one_connection(run: Run) -> None:
    """The exception is logged."""

    async def work() -> None:
        listener = listening()
        port = listener.getsockname()[1]
        faults = [ValueError("ours"), ConnectionResetError("theirs")]

        async def take(connection: socket.socket) -> None:
            if faults:
                connection.close()
                raise faults.pop()
            await stream_handler(echo)(connection)

        taking = Acceptor([listener], take)
        assert [await echoed(port) for _ in range(3)] == [b"", b"", b"hello\n"]
        await taking.close()

    with structlog.testing.capture_logs() as lines:
        run(work())
    assert [line["event"] for line in lines] == ["socket.fault"]


def test_a_cancelled_session_is_no_error(run: Run) -> None:
    """Its connection is closed."""

    async def work() -> None:
        faults, tasks = list[object](), list[asyncio.Task[object] | None]()
        asyncio.get_running_loop().set_exception_handler(lambda _, fault: faults.append(fault))

        async def waits(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            tasks.append(asyncio.current_task())
            with closing(writer):
                writer.write(b"hello\n")
                await asyncio.Event().wait()

        listener = listening()
        door = Acceptor([listener], stream_handler(waits))
        async with asyncio.timeout(PATIENCE):
            reader, writer = await asyncio.open_connection(*listener.getsockname())
            assert await reader.readline() == b"hello\n"
            (task,) = tasks
            assert task is not None
            task.cancel()
            assert await reader.read() == b""
        writer.close()
        await door.close()
        await asyncio.sleep(0)
        assert faults == []

    run(work())
