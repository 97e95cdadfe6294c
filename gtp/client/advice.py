"""The sentence for whoever did not reach a daemon: why, and what would work. Pure."""

from __future__ import annotations

import socket

from gtp.client.connect import NotNow, Silence, Tcp, Unix

_BY_ITSELF = (
    "is signed by itself; ask whoever runs it for the file with the certificate, and add --ca FILE"
)
_BY_UNKNOWN = (
    "is signed by nobody whom this computer knows; add --ca FILE, with the certificate of whoever"
    " signed it (with Python from python.org on a Mac, first open Install Certificates.command)"
)
_CERTIFICATE = {
    9: "is not good yet; is the clock of this computer right?",
    10: "has expired; whoever runs it has to renew it",
    18: _BY_ITSELF,
    19: _BY_ITSELF,
    20: _BY_UNKNOWN,
    21: _BY_UNKNOWN,
    62: "is for another name; write --connect with the name that it is for",
    64: "is for another name; write --connect with the name that it is for",
}
"""What is wrong with a certificate, by OpenSSL's X509_V_ERR numbers."""

_NOT_TLS = {"WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE", "HTTP_REQUEST", "UNKNOWN_PROTOCOL"}
"""OpenSSL's words for an answer that is no TLS; which of them depends on its version."""


def advice(fault: Exception, address: Unix | Tcp) -> str:
    """Why an address was not reached, and what would work."""
    if isinstance(fault, Silence) and isinstance(address, Tcp) and not address.tls:
        return f"{address} closed the connection without a word, as a port with TLS does; add --tls"
    wrong = _CERTIFICATE.get(getattr(fault, "verify_code", 0))
    if wrong is not None:
        return f"{address} cannot be trusted: its certificate {wrong}"
    if getattr(fault, "reason", "") in _NOT_TLS:
        return f"{address} does not speak TLS; if it is meant not to, add --no-tls"
    if isinstance(fault, NotNow):
        return str(fault)
    if isinstance(address, Tcp) and isinstance(fault, OSError) and not hasattr(fault, "reason"):
        return _unreached(fault, address)
    return f"{address} cannot be reached: {fault}"


def _unreached(fault: OSError, address: Tcp) -> str:
    if isinstance(fault, socket.gaierror):
        return (
            f"no computer called {address.host} was found: look again at what follows --connect,"
            " and whether your network is up"
        )
    return (
        f"{address} cannot be reached: it is not running, or your network is down"
        f" ({fault.strerror or fault}). Try again later, or answer by email"
    )
