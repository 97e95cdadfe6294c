"""TLS on a connection that one thread reads while another writes.

The sockets of `ssl` are not made for both at once; here what is encrypted passes through memory,
under a lock that nobody holds while waiting. Raises `ssl.SSLError`, which is an `OSError`.
"""

from __future__ import annotations

import socket
import threading

CHUNK = 2**16
"""Bytes that are read at once."""

_PARTIAL_CHAIN, _STRICT = 0x80000, 0x20
"""X509_V_FLAG_PARTIAL_CHAIN and X509_V_FLAG_X509_STRICT, which old Pythons have no names for."""


class Encrypted:
    """A socket with TLS on it; the peer's certificate is checked before anything is said."""

    def __init__(self, link: socket.socket, host: str, ca: str | None) -> None:
        import ssl  # noqa: PLC0415 - most of the time that our start takes

        context = ssl.create_default_context(cafile=ca)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        if ca is not None:  # it may be the server's own certificate, made by hand
            flags = (context.verify_flags | _PARTIAL_CHAIN) & ~_STRICT
            context.verify_flags = ssl.VerifyFlags(flags)
        self._link = link
        self._incoming, self._outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = context.wrap_bio(self._incoming, self._outgoing, server_hostname=host)
        self._wanting, self._ended = ssl.SSLWantReadError, ssl.SSLZeroReturnError
        self._lock, self._sending = threading.Lock(), threading.Lock()
        while not self._shaken():
            self._take_in()

    def recv(self, most: int) -> bytes:
        """Some bytes, once there are any; none at the end."""
        while True:
            with self._lock:
                try:
                    return self._tls.read(most)
                except self._wanting:
                    pass
                except self._ended:
                    return b""
            self._take_in()

    def sendall(self, data: bytes) -> None:
        """Send all of it."""
        with self._sending:
            with self._lock:
                view = memoryview(data)
                while view:
                    view = view[self._tls.write(view) :]
                encrypted = self._outgoing.read()
            self._link.sendall(encrypted)

    def settimeout(self, seconds: float | None) -> None:
        """Have every wait end after so long."""
        self._link.settimeout(seconds)

    def shutdown(self, how: int) -> None:
        """End the connection, one way or both."""
        self._link.shutdown(how)

    def close(self) -> None:
        """Let go of the connection."""
        self._link.close()

    def _shaken(self) -> bool:
        try:
            self._tls.do_handshake()
        except self._wanting:
            return False
        finally:
            self._pass_on()
        return True

    def _take_in(self) -> None:
        data = self._link.recv(CHUNK)
        with self._lock:
            if data:
                self._incoming.write(data)
            else:
                self._incoming.write_eof()

    def _pass_on(self) -> None:
        """Send what the handshake has to say, its complaints too."""
        encrypted = self._outgoing.read()
        if encrypted:
            self._link.sendall(encrypted)
