"""The GTP listeners: accept programs by Unix socket and TCP, and shut their sessions down cleanly.

On the Unix socket the kernel identifies the peer; on TCP everybody needs a key. There is a limit on
connections from one source, and a timeout for TLS handshakes. The answer to a wrong key is delayed,
and does not reveal whether the game exists. Raises `ConfigError`, and `Temporary` for an address in
use.
"""

import asyncio
import contextlib
import resource
import socket
import ssl
from collections.abc import Iterator, Mapping

import structlog

from godaemon.config.settings import Gtp
from godaemon.errors import Temporary
from godaemon.system.acceptor import Acceptor, stream_handler
from godaemon.system.passed_sockets import NONE_PASSED, PassedSockets
from godaemon.system.sockets import listen, may_connect, name_of, peer_of
from godaemon.system.source_limits import SourceLimits, source_of
from godaemon.system.tls import Certificate
from gtp.client.connect import notice_silence
from gtp.client.syntax import AGAIN, Reply, encode
from gtp.server import ConnectionHandler, Peer

HANDSHAKE_SECONDS = 10.0
"""Timeout of a TLS handshake, in seconds."""

_BUFFER = 2**16
_log = structlog.get_logger("godaemon.gtp")


class GtpListeners:
    """Listens; a `ConnectionHandler` serves each connection. `tcp` is HOST:PORT, or None."""

    def __init__(self, handler: ConnectionHandler, sources: SourceLimits) -> None:
        self._handler = handler
        self._sources = sources
        self._sessions: set[asyncio.Task[None]] = set()
        self._checks: set[asyncio.Task[None]] = set()
        self._acceptors: list[Acceptor] = []
        self._group = -1
        self.certificate: Certificate | None = None
        self.tcp: str | None = None

    async def open(
        self, gtp: Gtp, environ: Mapping[str, str], passed: PassedSockets = NONE_PASSED
    ) -> None:
        """Listen on the Unix socket, and on TCP if that is configured."""
        sockets = await listen(gtp.socket, passed, group=gtp.group)
        self._acceptors.append(Acceptor(sockets, stream_handler(self._serve_unix)))
        self._group = gtp.socket.stat().st_gid
        if gtp.listen is None:
            return
        sockets = await listen(gtp.address, passed, failure="Go programs cannot be let in")
        if gtp.tls_certificate is not None and gtp.tls_key is not None:
            self.certificate = Certificate(
                gtp.tls_certificate.path(environ), gtp.tls_key.path(environ)
            )
        self._acceptors.append(Acceptor(sockets, self._serve_tcp))
        self.tcp = name_of(sockets[0])

    def end_revoked_sessions(self, games: frozenset[int] | None) -> None:
        """Disconnect programs in these games (None: in all) whose seat keys were revoked."""
        if games is None or games:
            task = asyncio.create_task(self._handler.end_revoked_sessions(games))
            self._checks.add(task)
            task.add_done_callback(self._checks.discard)

    @property
    def count(self) -> int:
        return len(self._sessions)

    async def close(self, patience: float) -> None:
        """Stop listening, and end all sessions; they have `patience` seconds to finish."""
        for acceptor in self._acceptors:
            await acceptor.close()
        self._handler.stopping.set()
        if self._sessions:
            await asyncio.wait(self._sessions, timeout=patience)
        for session in self._sessions:
            session.cancel()

    # -- Unix ----------------------------------------------------------------------------------
    async def _serve_unix(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        user, groups = peer_of(writer.get_extra_info("socket"))
        known, name = may_connect(user, groups, self._group), f"uid {user}"
        peer = Peer(name, name, known)
        if not known:
            _log.info("gtp.connected", peer=name)
        try:
            with (
                self._count_session(),
                contextlib.nullcontext() if known else self._sources.let_in(name),
            ):
                await self._handler.serve(reader, writer, peer)
        except Temporary as refusal:
            _log.warning("gtp.too-many", peer=peer.name)
            writer.write(encode(Reply(ok=False, text=f"{AGAIN}: {refusal.public}")))
            writer.close()

    # -- TCP -----------------------------------------------------------------------------------
    async def _serve_tcp(self, connection: socket.socket) -> None:
        with contextlib.suppress(OSError), contextlib.closing(connection), self._count_session():
            host = str(connection.getpeername()[0])
            peer = Peer(host, source_of(host), known=False)
            notice_silence(connection)
            try:
                with self._sources.let_in(peer.source):
                    reader, writer = await self._open_streams(connection)
                    _log.info("gtp.connected", peer=peer.name)
                    await self._handler.serve(reader, writer, peer)
            except Temporary as refusal:
                _log.warning("gtp.too-many", peer=peer.name)
                if self.certificate is None:
                    connection.send(encode(Reply(ok=False, text=f"{AGAIN}: {refusal.public}")))
            except ssl.SSLError as fault:
                _log.info("gtp.handshake-failed", peer=peer.name, detail=str(fault.reason))

    async def _open_streams(
        self, connection: socket.socket
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        loop = asyncio.get_running_loop()
        reader = asyncio.StreamReader(limit=_BUFFER)
        protocol = asyncio.StreamReaderProtocol(reader)
        context, patience = None, None
        if self.certificate is not None:
            self.certificate.refresh()
            context, patience = self.certificate.context, HANDSHAKE_SECONDS
        transport, _ = await loop.connect_accepted_socket(
            lambda: protocol, connection, ssl=context, ssl_handshake_timeout=patience
        )
        return reader, asyncio.StreamWriter(transport, protocol, reader, loop)

    @contextlib.contextmanager
    def _count_session(self) -> Iterator[None]:
        task = asyncio.current_task()
        if task is None:  # asyncio runs each session as a task of its own
            raise AssertionError
        self._sessions.add(task)
        try:
            yield
        finally:
            self._sessions.discard(task)


def max_connections() -> int:
    """The limit on connections: three quarters of the file descriptors."""
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0] * 3 // 4
