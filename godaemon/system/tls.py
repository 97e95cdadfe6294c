"""The certificate of a TLS server, reloaded whenever its files have changed.

New files are tested first; if they are bad, the old certificate stays in use. Raises `ConfigError`
if the first files are bad, or those that `renew` loads.
"""

import ssl
from contextlib import suppress
from pathlib import Path

import structlog

from godaemon.errors import ConfigError

_log = structlog.get_logger("godaemon")


class Certificate:
    """A certificate with its chain and private key; servers use its `context`.

    Call `refresh` and `renew` only on the thread that uses the context: changing it during a
    handshake breaks OpenSSL (SSL_CTX_use_certificate(3)).
    """

    def __init__(self, certificate: Path, key: Path) -> None:
        self._files = (certificate, key)
        self.context = self._new_context()
        self._trouble = ""
        self._seen = self._stamps()

    def refresh(self) -> str:
        """Load changed files for new connections, and log that; returns their fault, or ""."""
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
        """Load the files; if they are bad, keep the old certificate and raise `ConfigError`."""
        try:
            self._new_context()
            self._load(self.context)
        except ConfigError as fault:
            self._trouble = fault.public
            raise
        self._trouble = ""

    def _new_context(self) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        self._load(context)
        return context

    def _load(self, context: ssl.SSLContext) -> None:
        certificate, key = self._files
        try:
            # Without a password argument, OpenSSL would ask for an encrypted key's at the terminal.
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

    def _stamps(self) -> list[tuple[int, int]]:
        # Unlike st_mtime, st_ctime also changes with a file's permissions.
        with suppress(OSError):
            return [(one.st_ctime_ns, one.st_ino) for one in map(Path.stat, self._files)]
        return []
