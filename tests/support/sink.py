"""A mail server that keeps every letter; it runs in a thread."""

import threading
from email.message import EmailMessage
from pathlib import Path
from typing import Self

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from tests.support.daemon import free_port
from tests.support.letters import parsed
from tests.support.players import MailPlayer
from tests.support.waiting import PATIENCE


class Sink:
    """Keeps (recipient, letter) in `taken`, in order of arrival."""

    def __init__(self) -> None:
        self.port = free_port()
        self.taken: list[tuple[str, bytes]] = []
        self._lock = threading.Lock()
        self._controller = Controller(
            self, hostname="127.0.0.1", port=self.port, ready_timeout=PATIENCE
        )

    @property
    def url(self) -> str:
        """Its URL for `[mail.outgoing] smarthost`."""
        return f"smtp://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        self._controller.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._controller.stop()

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802
        assert isinstance(envelope.content, bytes)
        with self._lock:
            for recipient in envelope.rcpt_tos:
                self.taken.append((recipient, envelope.content))
        return "250 OK"


class SinkPlayer(MailPlayer):
    """A player whose letters arrive at a sink; duplicates count once."""

    def __init__(self, address: str, name: str, port: int, sink: Sink) -> None:
        super().__init__(address, name, port, Path("/nonexistent"))
        self._sink = sink
        self._seen = 0

    def letters(self) -> dict[str, EmailMessage]:
        while self._seen < len(self._sink.taken):
            recipient, raw = self._sink.taken[self._seen]
            self._seen += 1
            if recipient == self.address:
                letter = parsed(raw)
                self._files.setdefault(str(letter["Message-ID"]), letter)
        return self._files
