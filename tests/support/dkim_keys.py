"""DKIM keys, made with the `openssl` command on demand."""

import functools
import subprocess


def private_key(kind: str = "pkcs8", name: str = "first") -> bytes:
    """A private key in PEM format; different names give different keys.

    "pkcs8" and "pkcs1" are two encodings of one RSA key of 2048 bits; "rsa512" is too short; "ec"
    and "ed25519" are no RSA keys; "locked" has a passphrase.
    """
    return _made(kind, name)


@functools.cache
def _made(kind: str, name: str) -> bytes:
    if kind == "pkcs1":
        return _openssl("rsa", "-traditional", text=_made("pkcs8", name))
    if kind == "locked":
        command = ["pkcs8", "-topk8", "-passout", "pass:secret"]
        return _openssl(*command, text=_made("pkcs8", name))
    algorithm = {
        "pkcs8": ["RSA", "-pkeyopt", "rsa_keygen_bits:2048"],
        "rsa512": ["RSA", "-pkeyopt", "rsa_keygen_bits:512"],
        "ec": ["EC", "-pkeyopt", "ec_paramgen_curve:prime256v1"],
        "ed25519": ["ED25519"],
    }
    return _openssl("genpkey", "-algorithm", *algorithm[kind])


def record(name: str = "first") -> bytes:
    """The DNS record of the RSA key of that name (RFC 6376, 3.6.1)."""
    pem = _openssl("rsa", "-pubout", text=_made("pkcs8", name))
    lines = [line for line in pem.split(b"\n") if line and not line.startswith(b"-")]
    return b"v=DKIM1; k=rsa; p=" + b"".join(lines)


def dns(name: bytes, timeout: int = 5) -> bytes:
    """Resolver for `dkim.verify`: the first key's record for our domain or localhost, else b""."""
    selector, _, domain = name.partition(b"._domainkey.")
    ours = selector == b"sel" and domain in {b"go.example.", b"localhost."}
    return record() if ours else b""


def _openssl(*command: str, text: bytes = b"") -> bytes:
    return subprocess.run(["openssl", *command], input=text, check=True, capture_output=True).stdout
