"""Accepts connections from listening sockets, and survives a shortage of descriptors or memory.

Without a free file descriptor, asyncio's own server retries and logs a hundred times a second, and
uvloop's drops new connections or stops listening. Here new connections wait in the kernel's queue.
"""

import asyncio
import contextlib
import errno
import socket
from collections.abc import Awaitable, Callable, Sequence

import structlog

LINE_LIMIT = 16 * 1024 * 1024
"""The limit on the length of a line in a stream, in bytes."""
_SHORTAGES = {errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM}
_PAUSE = 1.0
"""Seconds to pause after a shortage of descriptors or memory."""

Session = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
Take = Callable[[socket.socket], Awaitable[object]]

_log = structlog.get_logger("godaemon")


class Acceptor:
    """Accepts connections on bound sockets until closed; runs `take` for each one as a task."""

    def __init__(self, listeners: Sequence[socket.socket], take: Take) -> None:
        self._listeners, self._take = listeners, take
        for listener in listeners:
            listener.setblocking(False)  # noqa: FBT003 - its only argument
        self.taken: set[asyncio.Task[object]] = set()
        """The tasks of `take` that run."""
        self._tasks = [asyncio.create_task(self._accept(one)) for one in listeners]

    async def close(self) -> None:
        """Stop accepting; open connections stay."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for listener in self._listeners:
            listener.close()

    async def _accept(self, listener: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                connection, _ = await loop.sock_accept(listener)
            except OSError as fault:
                if fault.errno in _SHORTAGES:
                    address = listener.getsockname()
                    _log.warning("socket.not-accepted", detail=f"at {address}: {fault.strerror}")
                    await asyncio.sleep(_PAUSE)
                continue
            task = asyncio.ensure_future(self._take(connection))
            self.taken.add(task)
            task.add_done_callback(self._end_task)

    def _end_task(self, task: asyncio.Task[object]) -> None:
        self.taken.discard(task)
        fault = None if task.cancelled() else task.exception()
        if not isinstance(fault, OSError | None):  # an OSError means that the client hung up
            _log.error("socket.fault", exc_info=fault)


def protocol_handler(protocol: Callable[[], asyncio.Protocol]) -> Take:
    """A handler that serves each connection with a new protocol."""

    async def _take(connection: socket.socket) -> None:
        with contextlib.ExitStack() as until_taken:
            until_taken.callback(connection.close)
            loop = asyncio.get_running_loop()
            await loop.connect_accepted_socket(protocol, connection)
            until_taken.pop_all()

    return _take


def stream_handler(session: Session) -> Take:
    """A handler that serves each connection as two streams; cancellation is not logged."""

    async def _serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(asyncio.CancelledError):  # asyncio logs it as an error
            await session(reader, writer)

    return protocol_handler(
        lambda: asyncio.StreamReaderProtocol(asyncio.StreamReader(limit=LINE_LIMIT), _serve)
    )
