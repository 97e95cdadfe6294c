"""The GTP socket: lets sessions in, and ends them in good order when the daemon stops."""

from __future__ import annotations

import asyncio
from pathlib import Path

from godaemon.sockets import open_socket
from gtp.server import OpenSeat, serve_session

MODE = 0o660
"""Who may play: the daemon's own user and its group."""


class GtpDoor:
    """Serves each connection as a free board or a seat; see `gtp.server`."""

    def __init__(self, open_seat: OpenSeat, *, quiet_seconds: float) -> None:
        self._open_seat = open_seat
        self._quiet_seconds = quiet_seconds
        self._stopping = asyncio.Event()
        self._sessions: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    async def open(self, path: Path) -> None:
        """Listen on a Unix socket; raises `ConfigError`."""
        self._server = await open_socket(self._session, path, mode=MODE)

    async def close(self, patience: float) -> None:
        """Let nobody in any more, release pending moves, and end all sessions."""
        if self._server is not None:
            self._server.close()
        self._stopping.set()
        if self._sessions:
            await asyncio.wait(self._sessions, timeout=patience)
        for session in self._sessions:
            session.cancel()

    async def _session(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is None:  # asyncio runs each session as a task of its own
            raise AssertionError
        self._sessions.add(task)
        try:
            await serve_session(
                reader,
                writer,
                open_seat=self._open_seat,
                quiet_seconds=self._quiet_seconds,
                stopping=self._stopping,
            )
        finally:
            self._sessions.discard(task)
