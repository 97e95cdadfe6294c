"""A mail server in the test's event loop with configured answers; it keeps the letters.

async with NextHop() as hop:
hop.answers["bob@players.example"] = "450 4.2.1 full"
... hop.taken ...
"""

import asyncio
import ssl
from pathlib import Path
from typing import Self

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from tests.support.certificate import localhost
from tests.support.daemon import free_port


def trusting_context() -> ssl.SSLContext:
    """A TLS context that trusts the certificate for localhost."""
    return ssl.create_default_context(cafile=localhost())


class NextHop:
    """Takes letters on a port of 127.0.0.1; can be stopped and restarted."""

    def __init__(
        self,
        *,
        security: str = "none",
        login: tuple[str, str] | None = None,
        certificate: Path | None = None,
    ) -> None:
        self.port = free_port()
        self.taken: list[tuple[str, str, bytes]] = []
        """(envelope sender, recipient, letter), in the order of arrival."""
        self.answers: dict[str, str] = {}
        """Answers to RCPT by recipient; 250 for others."""
        self.after_data: list[str] = []
        """Answers to the next DATA commands; then 250."""
        self._security, self._login = security, login
        self._certificate = certificate
        self._server: asyncio.Server | None = None
        self._open: set[asyncio.BaseTransport] = set()

    async def start(self) -> None:
        """Listen; the port is the same after a restart."""
        loop = asyncio.get_running_loop()
        tls = self._tls() if self._security == "tls" else None
        self._server = await loop.create_server(self._session, "127.0.0.1", self.port, ssl=tls)

    async def stop(self) -> None:
        """Close all connections, and stop listening."""
        if self._server is not None:
            self._server.close()
        for transport in self._open:
            transport.close()
        self._open.clear()
        await asyncio.sleep(0)

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    def _tls(self) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self._certificate or localhost())
        return context

    def _session(self) -> SMTP:
        hop = self

        class Protocol(SMTP):
            def connection_made(self, transport: asyncio.BaseTransport) -> None:
                hop._open.add(transport)
                super().connection_made(transport)

        return Protocol(
            self,
            enable_SMTPUTF8=True,
            tls_context=self._tls() if self._security == "starttls" else None,
            authenticator=self._check if self._login else None,
            auth_required=self._login is not None and self._security == "starttls",
            auth_require_tls=self._security != "tls",  # aiosmtpd does not see implicit TLS
        )

    def _check(
        self, _server: SMTP, _session: Session, _envelope: Envelope, _kind: str, data: object
    ) -> AuthResult:
        assert isinstance(data, LoginPassword)
        given = (data.login.decode(), data.password.decode())
        return AuthResult(success=given == self._login, handled=False)

    async def handle_RCPT(  # noqa: N802 - the protocol's verb
        self,
        _server: SMTP,
        _session: Session,
        envelope: Envelope,
        address: str,
        _options: list[str],
    ) -> str:
        """Answer from `answers`, else 250."""
        answer = self.answers.get(address)
        if answer is None:
            envelope.rcpt_tos.append(address)
        return answer or "250 2.1.5 OK"

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802
        """Answer from `after_data`, else take the letter."""
        if self.after_data:
            return self.after_data.pop(0)
        assert isinstance(envelope.content, bytes)
        for recipient in envelope.rcpt_tos:
            self.taken.append(((envelope.mail_from or "").strip("<>"), recipient, envelope.content))
        return "250 2.0.0 OK"
