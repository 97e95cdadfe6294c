"""The GTP doors: let programs in by a Unix socket or TCP, and end their sessions in good order.

On the Unix socket the kernel says who is there; on TCP nobody is known, and all need a key. Each
source has so many connections; a TLS handshake that does not end is cut off. Raises `ConfigError`.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import resource
import socket
import ssl
from collections.abc import Iterator
from pathlib import Path

import structlog

from godaemon.errors import Temporary
from godaemon.system.sockets import open_socket, open_tcp, peer_of
from godaemon.system.source_limits import SourceLimits, source_of
from godaemon.system.tls import Certificate
from gtp.client.connect import notice_silence
from gtp.client.framing import Reply, encode
from gtp.client.handshake import AGAIN
from gtp.server.connection import ConnectionHandler, Peer

MODE = 0o660
"""Who may play by the Unix socket: the daemon's own user and the socket's group."""

HANDSHAKE_SECONDS = 10.0
"""How long a TLS handshake may take."""

_BUFFER = 2**16
_OUT_OF_FILES = {errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM}
_log = structlog.get_logger("godaemon.gtp")


class GtpListeners:
    """Listens, and has a `ConnectionHandler` serve each connection."""

    def __init__(self, porter: ConnectionHandler, sources: SourceLimits) -> None:
        self._porter = porter
        self._sources = sources
        self._sessions: set[asyncio.Task[None]] = set()
        self._looking: set[asyncio.Task[None]] = set()
        self._unix: asyncio.Server | None = None
        self._group = -1
        self._listener: socket.socket | None = None
        self._accepting: asyncio.Task[None] | None = None
        self._certificate: Certificate | None = None

    async def open(self, path: Path, group: str | None = None) -> None:
        """Listen on a Unix socket; raises `ConfigError`."""
        self._unix = await open_socket(self._by_unix, path, mode=MODE, group=group)
        self._group = _group_of(path)

    async def open_tcp(self, host: str, port: int, certificate: Certificate | None) -> str:
        """Listen on TCP, by TLS where there is a certificate; gives HOST:PORT as it is."""
        self._listener = await open_tcp(host, port)
        self._certificate = certificate
        self._accepting = asyncio.create_task(self._accept(self._listener))
        bound = self._listener.getsockname()
        shown = f"[{bound[0]}]" if ":" in bound[0] else bound[0]
        return f"{shown}:{bound[1]}"

    def refresh(self) -> None:
        """Look whether there is a new certificate."""
        if self._certificate is not None:
            self._certificate.refresh()

    def rekeyed(self, games: frozenset[int]) -> None:
        """Show those out whose keys to seats of these games were taken back."""
        if games:
            task = asyncio.create_task(self._porter.rekeyed(games))
            self._looking.add(task)
            task.add_done_callback(self._looking.discard)
            task.add_done_callback(_forget)

    @property
    def count(self) -> int:
        """How many connections there are."""
        return len(self._sessions)

    async def close(self, patience: float) -> None:
        """Let nobody in any more, release pending moves, and end all sessions."""
        if self._unix is not None:
            self._unix.close()
        if self._accepting is not None:
            self._accepting.cancel()
            await asyncio.gather(self._accepting, return_exceptions=True)
        if self._listener is not None:
            self._listener.close()
        self._porter.stopping.set()
        if self._sessions:
            await asyncio.wait(self._sessions, timeout=patience)
        for session in self._sessions:
            session.cancel()

    # -- Unix ----------------------------------------------------------------------------------
    async def _by_unix(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        peer = peer_of(writer.get_extra_info("socket"))
        known = peer.may(self._group)
        _log.info("gtp.connected", peer=f"uid {peer.uid}", pid=peer.pid, known=known)
        guest = Peer(f"uid {peer.uid}", f"uid {peer.uid}", known)
        with self._counted():
            if known:
                await self._porter.serve(reader, writer, guest)
            else:
                await self._limited(reader, writer, guest)

    async def _limited(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, guest: Peer
    ) -> None:
        try:
            with self._sources.let_in(guest.source):
                await self._porter.serve(reader, writer, guest)
        except Temporary as refusal:
            _log.warning("gtp.too-many", peer=guest.peer)
            writer.write(encode(Reply(ok=False, text=f"{AGAIN}: {refusal.public}")))
            writer.close()

    # -- TCP -----------------------------------------------------------------------------------
    async def _accept(self, listener: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                connection, address = await loop.sock_accept(listener)
            except OSError as fault:
                if fault.errno in _OUT_OF_FILES:
                    _log.warning("gtp.not-accepted", detail=str(fault))
                    await asyncio.sleep(1)
                continue
            task = asyncio.create_task(self._by_tcp(connection, str(address[0])))
            task.add_done_callback(_forget)

    async def _by_tcp(self, connection: socket.socket, host: str) -> None:
        guest = Peer(host, source_of(host), known=False)
        with contextlib.suppress(OSError), contextlib.closing(connection), self._counted():
            notice_silence(connection)
            try:
                with self._sources.let_in(guest.source):
                    reader, writer = await self._streams(connection)
                    _log.info("gtp.connected", peer=guest.peer)
                    await self._porter.serve(reader, writer, guest)
            except Temporary as refusal:
                _log.warning("gtp.too-many", peer=guest.peer)
                if self._certificate is None:
                    connection.send(encode(Reply(ok=False, text=f"{AGAIN}: {refusal.public}")))
            except ssl.SSLError as fault:
                _log.info("gtp.handshake-failed", peer=guest.peer, detail=str(fault.reason))

    async def _streams(
        self, connection: socket.socket
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """The connection as streams, after the handshake where there is a certificate."""
        loop = asyncio.get_running_loop()
        reader = asyncio.StreamReader(limit=_BUFFER)
        protocol = asyncio.StreamReaderProtocol(reader)
        context, patience = None, None
        if self._certificate is not None:
            self._certificate.refresh()
            context, patience = self._certificate.context, HANDSHAKE_SECONDS
        transport, _ = await loop.connect_accepted_socket(
            lambda: protocol, connection, ssl=context, ssl_handshake_timeout=patience
        )
        return reader, asyncio.StreamWriter(transport, protocol, reader, loop)

    @contextlib.contextmanager
    def _counted(self) -> Iterator[None]:
        task = asyncio.current_task()
        if task is None:  # asyncio runs each session as a task of its own
            raise AssertionError
        self._sessions.add(task)
        try:
            yield
        finally:
            self._sessions.discard(task)


def _group_of(path: Path) -> int:
    return path.stat().st_gid


def most_connections() -> int:
    """How many connections there may be in all: some files must be left for all else."""
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0] * 3 // 4


def _forget(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (fault := task.exception()) is not None:
        _log.error("gtp.fault", exc_info=fault)
