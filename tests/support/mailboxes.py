"""Players with mailboxes at a real Dovecot, who send through a real Postfix."""

import contextlib
import imaplib
import time
from email.message import EmailMessage
from pathlib import Path

from tests.support.dovecot import PASSWORD, Dovecot
from tests.support.letters import parsed
from tests.support.players import MailPlayer
from tests.support.postfix import Postfix

POLL_INTERVAL = 0.05
"""Minimum seconds between two polls of a mailbox."""


class MailboxPlayer(MailPlayer):
    """A player; duplicates of a letter count once, and `copies` has all of them."""

    def __init__(self, address: str, name: str, postfix: Postfix, dovecot: Dovecot) -> None:
        super().__init__(address, name, postfix.port, Path("/nonexistent"))
        self.copies: dict[str, list[bytes]] = {}
        """All copies of letters in the mailbox, by Message-ID."""
        self.posted: list[str] = []
        """The Message-IDs of the letters that Postfix accepted."""
        self._postfix, self._server = postfix, dovecot
        self._client: imaplib.IMAP4 | None = None
        self._last_uid, self._polled = 0, 0.0

    def letters(self) -> dict[str, EmailMessage]:
        """All letters so far by Message-ID; those already fetched while Dovecot is down."""
        if time.monotonic() - self._polled > POLL_INTERVAL:
            try:
                self._fetch()
            except (OSError, imaplib.IMAP4.error):
                self.leave()
            self._polled = time.monotonic()
        return self._files

    def _fetch(self) -> None:
        if self._client is None:
            self._client = imaplib.IMAP4("127.0.0.1", self._server.port, timeout=30)
            self._client.login(self.address.partition("@")[0], PASSWORD)
        self._client.select("INBOX", readonly=True)
        _, found = self._client.uid("SEARCH", f"UID {self._last_uid + 1}:*")
        for uid in sorted(map(int, found[0].split())):
            if uid > self._last_uid:
                _, pieces = self._client.uid("FETCH", str(uid), "(BODY.PEEK[])")
                (raw,) = [piece[1] for piece in pieces if isinstance(piece, tuple)]
                self._keep(raw)
                self._last_uid = uid

    def _keep(self, raw: bytes) -> None:
        letter = parsed(raw)
        self._files.setdefault(str(letter["Message-ID"]), letter)
        self.copies.setdefault(str(letter["Message-ID"]), []).append(raw)

    def leave(self) -> None:
        if self._client is not None:
            with contextlib.suppress(OSError, imaplib.IMAP4.error):
                self._client.shutdown()
            self._client = None

    def post(self, letter: EmailMessage) -> None:
        """Send a letter, repeatedly until Postfix answers 250."""
        self._postfix.take(self.address, letter)
        self.posted.append(str(letter["Message-ID"]))
