"""Listening Unix sockets with the right mode from their first moment. Raises `ConfigError`."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
from collections.abc import Awaitable, Callable
from pathlib import Path

from godaemon.errors import ConfigError

Session = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]

_LINE_LIMIT = 16 * 1024 * 1024


async def open_socket(session: Session, path: Path, *, mode: int) -> asyncio.Server:
    """Listen on a Unix socket; one that a killed daemon left behind is replaced.

    The daemon's lock says that nobody else uses it. It is bound under a name of its own with its
    mode set, and renamed, so that nobody can open it too early.
    """
    fresh = path.with_name(path.name + ".new")
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with contextlib.suppress(FileNotFoundError):
            fresh.unlink()
        before = os.umask(0o777 & ~mode)
        try:
            listener.bind(str(fresh))
        finally:
            os.umask(before)
        server = await asyncio.start_unix_server(session, sock=listener, limit=_LINE_LIMIT)
        fresh.rename(path)
    except OSError as fault:
        listener.close()
        raise ConfigError(
            f"The socket {path} cannot be made: {fault.strerror or fault}."
        ) from fault
    return server
