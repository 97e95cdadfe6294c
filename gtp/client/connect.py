"""Connections to a daemon, by its Unix socket or by TCP, and the greeting that opens them.

Blocking, and quick to import. Raises `ConnectionRefused` if the daemon refuses us for good, and
`OSError` if a later attempt may succeed; `advice` gives the reason and the remedy.
"""

import socket
import threading
from collections import namedtuple
from contextlib import suppress

from gtp.client.syntax import AGAIN

CONNECT_SECONDS = 15.0
ANSWER_SECONDS = 45.0
"""Timeouts in seconds; the daemon delays its answer to a greeting with a wrong key."""

MAX_ANSWER = 2000
"""Maximum bytes in an answer to a greeting."""

CHUNK = 2**16
"""Maximum bytes of one read."""

_SILENCE = {"TCP_KEEPIDLE": 60, "TCP_KEEPINTVL": 20, "TCP_KEEPCNT": 4, "TCP_USER_TIMEOUT": 140_000}
"""TCP options that break a silent connection, in seconds; the last one is in milliseconds."""


class ConnectionRefused(Exception):
    """The daemon refused us for good; the reason is a sentence for the player."""


class NotAdmitted(ConnectionError):
    """The daemon answered, but did not admit us; a later attempt may succeed."""


class NoAnswer(ConnectionError):
    """The connection was closed without an answer."""


_PARTIAL_CHAIN, _STRICT = 0x80000, 0x20
"""X509_V_FLAG_PARTIAL_CHAIN and X509_V_FLAG_X509_STRICT, which old Pythons do not name."""


class TlsSocket:
    """A socket with TLS, which one thread can read while another writes.

    A socket of `ssl` cannot do both at once. Here encrypted data passes through memory, under a
    lock that is never held while waiting. The peer's certificate is checked before any data is
    sent. Raises `ssl.SSLError`, which is an `OSError`.
    """

    def __init__(self, link: socket.socket, host: str, ca: str | None) -> None:
        import ssl  # noqa: PLC0415 - takes most of our start time

        context = ssl.create_default_context(cafile=ca)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        if ca is not None:  # it may be the server's own, self-signed certificate
            flags = (context.verify_flags | _PARTIAL_CHAIN) & ~_STRICT
            context.verify_flags = ssl.VerifyFlags(flags)
        self._link = link
        self.settimeout, self.shutdown, self.close = link.settimeout, link.shutdown, link.close
        self._incoming, self._outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = context.wrap_bio(self._incoming, self._outgoing, server_hostname=host)
        self._wanting, self._ended = ssl.SSLWantReadError, ssl.SSLZeroReturnError
        self._lock, self._sending = threading.Lock(), threading.Lock()
        while not self._try_handshake():
            self._take_in()

    def recv(self, size: int) -> bytes:
        """Wait for bytes; b"" at the end."""
        while True:
            with self._lock:
                try:
                    return self._tls.read(size)
                except self._wanting:
                    pass
                except self._ended:
                    return b""
            self._take_in()

    def sendall(self, data: bytes) -> None:
        """Encrypt and send all bytes, or raise `OSError`."""
        with self._sending:
            with self._lock:
                view = memoryview(data)
                while view:
                    view = view[self._tls.write(view) :]
                encrypted = self._outgoing.read()
            self._link.sendall(encrypted)

    def _try_handshake(self) -> bool:
        try:
            self._tls.do_handshake()
        except self._wanting:
            return False
        finally:  # alerts are sent, too
            self._link.sendall(self._outgoing.read())
        return True

    def _take_in(self) -> None:
        data = self._link.recv(CHUNK)
        with self._lock:
            if data:
                self._incoming.write(data)
            else:
                self._incoming.write_eof()


class Tcp(namedtuple("Tcp", "host port tls ca", defaults=(None,))):
    """A daemon on another machine.

    With `tls` its certificate is checked; if `ca` names a file, only against that.
    """

    __slots__ = ()
    host: str
    port: int
    tls: bool
    ca: str | None

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"


def is_local(host: str) -> bool:
    """True for loopback addresses."""
    return host == "localhost" or host.startswith("127.") or host == "::1"


def read_address(text: str) -> tuple[str, int]:
    """The host and port of HOST:PORT; an IPv6 host is in brackets. Raises `ValueError`."""
    host, _, port = text.rpartition(":")
    if host.startswith("[") and host.endswith("]"):
        host = host[1:-1]
    elif ":" in host:
        host = ""
    if not (host and port.isascii() and port.isdecimal() and 0 < int(port) < 65536):
        raise ValueError(f"{text!r} is not HOST:PORT")
    return host, int(port)


def notice_silence(link: socket.socket) -> None:
    """Let the system end a TCP connection whose other side no longer answers."""
    link.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    for name, value in _SILENCE.items():
        option = getattr(socket, name, None)
        if option is not None:  # Linux has all of them
            with suppress(OSError):
                link.setsockopt(socket.IPPROTO_TCP, option, value)


def dial(address: str | Tcp, greeting: bytes) -> TlsSocket | socket.socket:
    """A connection on which the greeting was accepted; a string is the path of a Unix socket.

    Raises `ConnectionRefused` or `OSError`.
    """
    if isinstance(address, Tcp):
        plain = socket.create_connection((address.host, address.port), CONNECT_SECONDS)
    else:
        plain = socket.socket(socket.AF_UNIX)
    link: TlsSocket | socket.socket = plain
    try:
        if not isinstance(address, Tcp):
            plain.connect(address)
        else:
            notice_silence(plain)
            if address.tls:
                link = TlsSocket(plain, address.host, address.ca)
        link.settimeout(ANSWER_SECONDS)
        link.sendall(greeting + b"\n")
        _require_success(link)
        link.settimeout(None)
    except BaseException:
        plain.close()
        raise
    return link


def _require_success(link: TlsSocket | socket.socket) -> None:
    """Read one response and no further byte: the rest is for the controller."""
    answer = b""
    while not answer.endswith(b"\n\n"):
        data = link.recv(1)
        if not data and not answer:
            raise NoAnswer("the connection was closed without an answer")
        if not data or len(answer) > MAX_ANSWER:
            raise NotAdmitted("the daemon closed the connection")
        answer += data
        if answer[:1] not in b"=?":
            raise NotAdmitted("that program is not a godaemon; check the address after --connect")
    reason = answer[1:].decode("utf-8", "replace").strip()
    if reason.startswith(AGAIN):
        raise NotAdmitted(reason)
    if answer.startswith(b"?"):
        raise ConnectionRefused(reason)


# -- reasons and remedies --------------------------------------------------------------------------
_BY_ITSELF = "is self-signed; ask its operator for the certificate, and add --ca FILE"
_BY_UNKNOWN = (
    "has a signer that this computer does not know; add --ca FILE with the signer's certificate"
    " (with Python from python.org on a Mac, first open Install Certificates.command)"
)
_CERTIFICATE = {
    9: "is not valid yet; is the clock of this computer right?",
    10: "has expired; its operator must renew it",
    18: _BY_ITSELF,
    19: _BY_ITSELF,
    20: _BY_UNKNOWN,
    21: _BY_UNKNOWN,
    62: "is for another name; give the name in the certificate after --connect",
    64: "is for another name; give the name in the certificate after --connect",
}
"""The problem of a certificate, by OpenSSL's X509_V_ERR numbers."""

_NOT_TLS = {"WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE", "HTTP_REQUEST", "UNKNOWN_PROTOCOL"}
"""OpenSSL's reasons for an answer that is not TLS, in its various versions."""


def advice(fault: Exception, address: str | Tcp) -> str:
    """The reason why a connection failed, and the remedy."""
    if isinstance(fault, NoAnswer) and isinstance(address, Tcp) and not address.tls:
        return (
            f"{address} closed the connection without an answer, as a port with TLS does; add --tls"
        )
    problem = _CERTIFICATE.get(getattr(fault, "verify_code", 0))
    if problem is not None:
        return f"{address} cannot be trusted: its certificate {problem}"
    if getattr(fault, "reason", "") in _NOT_TLS:
        return f"{address} does not use TLS; if that is intended, add --no-tls"
    if isinstance(fault, NotAdmitted):
        return str(fault)
    if isinstance(address, Tcp) and isinstance(fault, OSError) and not hasattr(fault, "reason"):
        return _network_reason(fault, address)
    return f"{address} cannot be reached: {fault}"


def _network_reason(fault: OSError, address: Tcp) -> str:
    if isinstance(fault, socket.gaierror):
        return (
            f"no computer called {address.host} was found: check the address after --connect,"
            " and whether your network is up"
        )
    return (
        f"{address} cannot be reached: it is not running, or your network is down"
        f" ({fault.strerror or fault}). Try again later, or answer by email"
    )
