"""DKIM signatures (RFC 6376), which prove that our letters are from our domain.

A letter is signed once, before its bytes are stored, and every try sends those bytes. dkimpy does
the work. A key that it cannot use, or that verifiers would reject, raises `ConfigError`; so does an
Ed25519 key (RFC 8463), because the large providers do not check those.
"""

import dkim

from godaemon.errors import ConfigError

_FROZEN_FIELDS = (
    *(b"from", b"to", b"cc", b"subject", b"date", b"reply-to", b"message-id"),
    *(b"mime-version", b"content-type"),
)
"""Fields that are signed once more than they occur, so that nobody can add one."""
_SIGNED_FIELDS = (
    *(*_FROZEN_FIELDS, b"in-reply-to", b"references", b"auto-submitted"),
    *(b"list-id", b"list-unsubscribe"),
)
"""Fields that are signed if they occur."""
MIN_BITS, MAX_BITS = 1024, 4096  # sizes that every verifier must support (RFC 8301, 3.2)
_MAKE = "Make a valid one: openssl genrsa -out dkim.key 2048"


class DkimSigner:
    """Signs letters for a domain; DNS has the public key under `selector`.

    `key` is the private RSA key in PEM form, PKCS #1 or #8, as openssl writes it.
    """

    def __init__(self, domain: str, selector: str, key: bytes) -> None:
        self._domain, self._selector, self._key = domain.encode(), selector.encode(), key
        fault = _find_fault(key)
        if fault:
            raise ConfigError(f"The DKIM key cannot be used: {fault} {_MAKE}")
        try:
            self.sign(b"From: a@a.example\r\n\r\nA trial.\r\n")
        except Exception as error:  # dkimpy may raise anything for a malformed key
            public = f"The DKIM key cannot be used: it does not sign. {_MAKE}"
            raise ConfigError(public, detail=f"{error!r}") from error

    def matches_record(self, record: str) -> bool:
        """True if our signatures verify with this DNS record of the key."""
        signed = self.sign(b"From: a@a.example\r\n\r\nA trial.\r\n")
        verified: bool = dkim.verify(signed, dnsfunc=lambda *_, **__: record.encode())
        return verified

    def sign(self, raw: bytes) -> bytes:
        """The letter with its signature above it."""
        lines = raw.partition(b"\r\n\r\n")[0].split(b"\r\n")
        present = {line.partition(b":")[0].lower() for line in lines}
        names = [name for name in _SIGNED_FIELDS if name in present]
        signature: bytes = dkim.sign(
            raw,
            self._selector,
            self._domain,
            self._key,
            canonicalize=(b"relaxed", b"relaxed"),
            include_headers=[*names, *_FROZEN_FIELDS],
        )
        return signature + raw


def _find_fault(key: bytes) -> str:
    """The reason why a key cannot be used; "" for a good one."""
    if b"ENCRYPTED" in key:
        return "it is protected by a passphrase, which the daemon cannot enter."
    try:
        bits = dkim.parse_pem_private_key(key)["modulus"].bit_length()
    except (dkim.UnparsableKeyError, LookupError, ValueError, TypeError):
        return (
            "it must be an RSA private key in PEM form; Gmail, Outlook and others check no Ed25519"
            " signatures."
        )
    if not MIN_BITS <= bits <= MAX_BITS:
        return f"it has {bits} bits; others accept {MIN_BITS} to {MAX_BITS}."
    return ""
