"""The certificate that a TLS server shows, read again whenever its files have changed.

A new pair of files is tried aside first: where it is no good, the old one stays in force. Raises
`ConfigError` where there is none that is good, and where one that was asked for is none.
"""

from __future__ import annotations

import ssl
from pathlib import Path

import structlog

from godaemon.errors import ConfigError

_log = structlog.get_logger("godaemon")


class Certificate:
    """A certificate with its chain, and its private key; `context` is what a server needs.

    `refresh` and `renew` belong to the thread that uses the context: one that changes during a
    handshake breaks OpenSSL (SSL_CTX_use_certificate(3)).
    """

    def __init__(self, certificate: Path, key: Path) -> None:
        self._files = (certificate, key)
        self.context = self._fresh()
        self._trouble = ""
        self._seen = self._stamps()

    def refresh(self) -> str:
        """Put changed files in force, for connections from now on; the log says how it went.

        Returns why the files as they are cannot be; "" where they are.
        """
        stamps = self._stamps()
        if stamps == self._seen:
            return self._trouble
        self._seen = stamps
        try:
            self.renew()
        except ConfigError as fault:
            _log.warning("certificate.not-renewed", detail=str(fault))
        else:
            _log.info("certificate.renewed")
        return self._trouble

    def renew(self) -> None:
        """Put the files in force as they are; raises `ConfigError`, and keeps the old, if bad."""
        try:
            self._fresh()
            self._load(self.context)
        except ConfigError as fault:
            self._trouble = fault.public
            raise
        self._trouble = ""

    def _fresh(self) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        self._load(context)
        return context

    def _load(self, context: ssl.SSLContext) -> None:
        certificate, key = self._files
        try:
            # Without a password OpenSSL asks for that of an encrypted key at the terminal.
            context.load_cert_chain(certificate, key, password="")
        except ssl.SSLError as fault:
            raise ConfigError(
                f"The certificate {certificate} and the key {key} do not work together, or are not"
                " in PEM form.",
                detail=str(fault),
            ) from fault
        except OSError as fault:
            raise ConfigError(
                f"The certificate {certificate} or its key {key} cannot be read:"
                f" {fault.strerror or fault}."
            ) from fault

    def _stamps(self) -> tuple[tuple[int, int] | None, ...]:
        return tuple(map(_stamp, self._files))


def _stamp(file: Path) -> tuple[int, int] | None:
    try:
        found = file.stat()
    except OSError:
        return None
    # Unlike the time of its content, this changes with who may read it.
    return found.st_ctime_ns, found.st_ino
