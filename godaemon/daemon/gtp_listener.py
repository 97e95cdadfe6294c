"""The GTP listeners: accept programs by Unix socket and TCP, and shut their sessions down cleanly.

On the Unix socket the kernel identifies the peer; on TCP everybody needs a key. There is a limit on
connections from one source, and a timeout for TLS handshakes. The answer to a wrong key is delayed,
and does not reveal whether the game exists. Raises `ConfigError`, and `Temporary` for an address in
use.
"""

import asyncio
import resource
import socket
import ssl
from contextlib import closing, nullcontext, suppress
from functools import partial

import structlog

from godaemon.daemon.core import Startup
from godaemon.errors import Temporary
from godaemon.system.acceptor import Acceptor
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
        self._checks: set[asyncio.Task[None]] = set()
        self._acceptors: list[Acceptor] = []
        self._group = -1
        self.certificate: Certificate | None = None
        self.tcp: str | None = None

    async def open(self, startup: Startup) -> None:
        """Listen on the Unix socket, and on TCP if that is configured."""
        gtp, environ, passed = startup.settings.gtp, startup.environ, startup.passed
        sockets = await listen(gtp.socket, passed, group=gtp.group)
        self._group = gtp.socket.stat().st_gid
        self._acceptors.append(Acceptor(sockets, partial(self._serve, certificate=None)))
        if gtp.listen is None:
            return
        sockets = await listen(gtp.address, passed, failure="Go programs cannot connect")
        if gtp.tls_certificate is not None and gtp.tls_key is not None:
            self.certificate = Certificate(
                gtp.tls_certificate.path(environ), gtp.tls_key.path(environ)
            )
        serve = partial(self._serve, certificate=self.certificate)
        self._acceptors.append(Acceptor(sockets, serve))
        self.tcp = name_of(sockets[0])

    def end_revoked_sessions(self, games: frozenset[int] | None) -> None:
        """Disconnect programs in these games (None: in all) whose seat keys were revoked."""
        if games is None or games:
            task = asyncio.create_task(self._handler.end_revoked_sessions(games))
            self._checks.add(task)
            task.add_done_callback(self._checks.discard)

    @property
    def count(self) -> int:
        """The number of open connections."""
        return sum(len(acceptor.taken) for acceptor in self._acceptors)

    async def close(self, patience: float) -> None:
        """Stop listening, and end all sessions; they have `patience` seconds to finish."""
        for acceptor in self._acceptors:
            await acceptor.close()
        self._handler.stopping.set()
        sessions = [session for acceptor in self._acceptors for session in acceptor.taken]
        if sessions:
            await asyncio.wait(sessions, timeout=patience)
        for session in sessions:
            session.cancel()

    async def _serve(self, connection: socket.socket, certificate: Certificate | None) -> None:
        """Serve one connection; peers that need a key are logged, and their number is limited."""
        with suppress(OSError), closing(connection):
            peer = self._peer_of(connection)
            try:
                with nullcontext() if peer.known else self._sources.let_in(peer.source):
                    reader, writer = await _open_streams(connection, certificate)
                    if not peer.known:
                        _log.info("gtp.connected", peer=peer.name)
                    await self._handler.serve(reader, writer, peer)
            except Temporary as refusal:
                _log.warning("gtp.too-many", peer=peer.name)
                if certificate is None:
                    connection.send(encode(Reply(ok=False, text=f"{AGAIN}: {refusal.public}")))
            except ssl.SSLError as fault:
                _log.info("gtp.handshake-failed", peer=peer.name, detail=str(fault.reason))

    def _peer_of(self, connection: socket.socket) -> Peer:
        if connection.family == socket.AF_UNIX:
            user, groups = peer_of(connection)
            name = f"uid {user}"
            return Peer(name, name, may_connect(user, groups, self._group))
        notice_silence(connection)
        host = str(connection.getpeername()[0])
        return Peer(host, source_of(host), known=False)


async def _open_streams(
    connection: socket.socket, certificate: Certificate | None
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=_BUFFER)
    protocol = asyncio.StreamReaderProtocol(reader)
    context, patience = None, None
    if certificate is not None:
        certificate.refresh()
        context, patience = certificate.context, HANDSHAKE_SECONDS
    transport, _ = await loop.connect_accepted_socket(
        lambda: protocol, connection, ssl=context, ssl_handshake_timeout=patience
    )
    return reader, asyncio.StreamWriter(transport, protocol, reader, loop)


def max_connections() -> int:
    """The limit on connections: three quarters of the file descriptors."""
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0] * 3 // 4
