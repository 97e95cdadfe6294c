"""Connections to a daemon, by its Unix socket or by TCP, and the greeting that opens them.

Plain and blocking, and quick to import. Raises `ConnectionRefused` where the daemon said no for
good, and `OSError` for all that may pass.
"""

from __future__ import annotations

import socket
from collections import namedtuple
from contextlib import suppress

from gtp.client.encryption import Encrypted
from gtp.client.handshake import AGAIN

CONNECT_SECONDS = 15.0
ANSWER_SECONDS = 45.0
"""How long the daemon has to answer a greeting; a wrong key it answers late."""

LONGEST_ANSWER = 2000
"""Bytes in an answer to a greeting."""

_SILENCE = {"TCP_KEEPIDLE": 60, "TCP_KEEPINTVL": 20, "TCP_KEEPCNT": 4, "TCP_USER_TIMEOUT": 140_000}
"""Seconds, but for the last; after so long without a sign of life a connection is broken."""


class ConnectionRefused(Exception):
    """The daemon will not have us; the reason is a sentence for the person."""


class NotNow(ConnectionError):
    """The daemon was reached, and did not let us in; another time it may."""


class Silence(ConnectionError):
    """Whoever is there closed the connection without a word."""


class Unix(namedtuple("Unix", "path")):
    """The daemon's socket on this machine."""

    __slots__ = ()
    path: str

    def __str__(self) -> str:
        return self.path

    def connect(self) -> socket.socket:
        """A connection."""
        link = socket.socket(socket.AF_UNIX)
        try:
            link.connect(self.path)
        except OSError:
            link.close()
            raise
        return link


class Tcp(namedtuple("Tcp", "host port tls ca", defaults=(None,))):
    """A daemon elsewhere.

    With `tls` its certificate is checked, by what stands in `ca` alone where that names a file.
    """

    __slots__ = ()
    host: str
    port: int
    tls: bool
    ca: str | None

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"

    def connect(self) -> Encrypted | socket.socket:
        """A connection."""
        link = socket.create_connection((self.host, self.port), CONNECT_SECONDS)
        try:
            notice_silence(link)
            return Encrypted(link, self.host, self.ca) if self.tls else link
        except BaseException:
            link.close()
            raise


def is_local(host: str) -> bool:
    """True where only this machine answers."""
    return host == "localhost" or host.startswith("127.") or host == "::1"


def read_address(text: str) -> tuple[str, int]:
    """The two halves of HOST:PORT, an IPv6 host standing in brackets; raises `ValueError`."""
    host, _, port = text.rpartition(":")
    if host.startswith("[") and host.endswith("]"):
        host = host[1:-1]
    elif ":" in host:
        host = ""
    if not (host and port.isascii() and port.isdecimal() and 0 < int(port) < 65536):
        raise ValueError(f"{text!r} is not HOST:PORT")
    return host, int(port)


def notice_silence(link: socket.socket) -> None:
    """Have a TCP connection end when the other side is not there any more."""
    link.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    for name, value in _SILENCE.items():
        option = getattr(socket, name, None)
        if option is not None:  # Linux has them all
            with suppress(OSError):
                link.setsockopt(socket.IPPROTO_TCP, option, value)


def dial(address: Unix | Tcp, greeting: bytes) -> Encrypted | socket.socket:
    """A connection on which the greeting was accepted; raises `ConnectionRefused` or `OSError`.

    Without a greeting nothing is said, and the next word is the controller's.
    """
    link = address.connect()
    try:
        if greeting:
            link.settimeout(ANSWER_SECONDS)
            link.sendall(greeting + b"\n")
            _check(_answer(link).decode("utf-8", "replace").strip())
        link.settimeout(None)
    except BaseException:
        link.close()
        raise
    return link


def _answer(link: Encrypted | socket.socket) -> bytes:
    """One response, and not a byte more: what follows it is the controller's."""
    answer = b""
    while not answer.endswith(b"\n\n"):
        data = link.recv(1)
        if not data and not answer:
            raise Silence("the connection was closed without a word")
        if not data or len(answer) > LONGEST_ANSWER:
            raise NotNow("the daemon closed the connection")
        answer += data
        if answer[:1] not in b"=?":
            raise NotNow("what answers there is no godaemon; look again at what follows --connect")
    return answer


def _check(answer: str) -> None:
    if answer.startswith("="):
        return
    reason = answer.removeprefix("?").strip()
    if reason.startswith(AGAIN):
        raise NotNow(reason)
    raise ConnectionRefused(reason)
