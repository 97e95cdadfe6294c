"""DKIM (RFC 6376): our letters signed, so that others can tell that they are from our domain.

A letter is signed once, when it has been written and before its bytes are stored; every try sends
those. dkimpy does the work; a key that it cannot use raises `ConfigError`.
"""

from __future__ import annotations

import dkim

from godaemon.errors import ConfigError

__all__ = ["Signer"]

_SIGNED = (
    *(b"From", b"To", b"Subject", b"Date", b"Message-ID", b"Reply-To", b"In-Reply-To"),
    *(b"References", b"MIME-Version", b"Content-Type", b"Auto-Submitted", b"List-Id"),
    *(b"List-Unsubscribe",),
)
"""What is signed where it is there; From once more than it is there, so that none can be added."""


class Signer:
    """Signs letters for a domain, by the key whose other half stands in DNS under `selector`.

    `key` is the private key in PEM form (RSA), or as dkimpy's own tool writes it (Ed25519).
    """

    def __init__(self, domain: str, selector: str, key: bytes) -> None:
        self._domain, self._selector, self._key = domain.encode(), selector.encode(), key
        self._algorithm = b"rsa-sha256" if b"-----BEGIN" in key else b"ed25519-sha256"
        try:
            self.sign(b"From: a@a.example\r\n\r\nA trial.\r\n")
        except Exception as fault:  # whatever the library makes of what is in the file
            raise ConfigError(
                "The DKIM key cannot be used: it must be an RSA private key in PEM form"
                " (openssl genrsa -out dkim.key 2048).",
                detail=f"{fault!r}",
            ) from fault

    def sign(self, raw: bytes) -> bytes:
        """The letter with its signature above it."""
        there = {
            line.partition(b":")[0].lower() for line in raw.partition(b"\r\n\r\n")[0].split(b"\r\n")
        }
        names = [name.lower() for name in _SIGNED if name.lower() in there]
        signature: bytes = dkim.sign(
            raw,
            self._selector,
            self._domain,
            self._key,
            canonicalize=(b"relaxed", b"relaxed"),
            signature_algorithm=self._algorithm,
            include_headers=[*names, b"from"],
        )
        return signature + raw
