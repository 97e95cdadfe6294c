"""Connections to a daemon, by its Unix socket or by TCP, and the greeting that opens them.

Plain and blocking, and quick to import. Raises `ConnectionRefused` where the daemon said no for
good, and `OSError` for all that may pass.
"""

from __future__ import annotations

import os
import socket
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gtp.client.handshake import AGAIN

CONNECT_SECONDS = 15.0
ANSWER_SECONDS = 45.0
"""How long the daemon has to answer a greeting; a wrong key it answers late."""

_LONGEST = 2000
_SILENCE = {"TCP_KEEPIDLE": 60, "TCP_KEEPINTVL": 20, "TCP_KEEPCNT": 4, "TCP_USER_TIMEOUT": 140_000}
"""Seconds, but for the last; after so long without a sign of life a connection is broken."""


class ConnectionRefused(Exception):
    """The daemon will not have us; the reason is a sentence for the person."""


class NotNow(ConnectionError):
    """The daemon was reached, and did not let us in; another time it may."""


@dataclass(frozen=True, slots=True)
class Unix:
    """The daemon's socket on this machine."""

    path: Path | str

    def __str__(self) -> str:
        return os.fspath(self.path)

    def connect(self) -> socket.socket:
        """A connection."""
        link = socket.socket(socket.AF_UNIX)
        try:
            link.connect(os.fspath(self.path))
        except OSError:
            link.close()
            raise
        return link


@dataclass(frozen=True, slots=True)
class Tcp:
    """A daemon elsewhere.

    With `tls` its certificate is checked, by the authorities in `ca` alone where that names a file.
    """

    host: str
    port: int
    tls: bool
    ca: str | None = None

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"

    def connect(self) -> socket.socket:
        """A connection."""
        link = socket.create_connection((self.host, self.port), CONNECT_SECONDS)
        try:
            notice_silence(link)
            if self.tls:
                link = self._wrapped(link)
        except BaseException:
            link.close()
            raise
        return link

    def _wrapped(self, link: socket.socket) -> socket.socket:
        import ssl  # noqa: PLC0415 - most of the time that our start takes

        context = ssl.create_default_context(cafile=self.ca)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        return context.wrap_socket(link, server_hostname=self.host)


Address = Unix | Tcp


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
        message = f"{text!r} is not HOST:PORT"
        raise ValueError(message)
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


def dial(address: Address, greeting: bytes) -> socket.socket:
    """A connection on which the greeting was accepted; raises `ConnectionRefused` or `OSError`.

    Without a greeting nothing is said, and the next word is the controller's.
    """
    link = address.connect()
    try:
        if greeting:
            link.settimeout(ANSWER_SECONDS)
            link.sendall(greeting + b"\n")
            _check(_answer(link).decode("utf-8", "replace").strip())
        link.settimeout(0)
    except BaseException:
        link.close()
        raise
    return link


def _answer(link: socket.socket) -> bytes:
    """One response, and not a byte more: what follows it is the controller's."""
    answer = b""
    while not answer.endswith(b"\n\n"):
        data = link.recv(1)
        if not data or len(answer) > _LONGEST:
            raise NotNow("the daemon closed the connection")
        answer += data
    return answer


def _check(answer: str) -> None:
    if answer.startswith("="):
        return
    reason = answer.removeprefix("?").strip()
    if reason.startswith(AGAIN):
        raise NotNow(reason)
    raise ConnectionRefused(reason)


def pending(link: Any) -> bool:  # noqa: ANN401 - a socket, or one with TLS
    """True where TLS holds bytes that `select` does not see."""
    return hasattr(link, "pending") and link.pending() > 0
