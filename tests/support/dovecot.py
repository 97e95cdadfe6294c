"""A real Dovecot with Maildirs in a temporary folder, and one password for all users.

With `delivers` it also takes letters by LMTP at `lmtp_port` (package dovecot-lmtpd). The local part
of a recipient, without its +tag, names the mailbox.
"""

import contextlib
import imaplib
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from pathlib import Path

from tests.support import places
from tests.support.blocks import read_blocks
from tests.support.daemon import free_port
from tests.support.waiting import PATIENCE, until

PASSWORD = 'open "sesame" \\ 9'
"""The password of all users, with characters that IMAP must quote."""

_FILES = read_blocks(places.DATA / "dovecot.txt")


LMTP = Path("/usr/lib/dovecot/lmtp")
"""Dovecot's LMTP server, from the package dovecot-lmtpd."""


def no_delivery() -> str:
    """The name of the package for LMTP if it is missing, else ""."""
    return "" if LMTP.exists() else "dovecot-lmtpd"


class Dovecot:
    """The server: IMAP at `port`; with `tls` it offers STARTTLS, and IMAPS at `tls_port`."""

    def __init__(
        self, folder: Path, extra: str = "", *, tls: Path | None = None, delivers: bool = False
    ) -> None:
        self.folder = folder
        self.lmtp_port = free_port() if delivers else 0
        if delivers:
            extra += _FILES["lmtp"].format(port=self.lmtp_port)
        self.port = free_port()
        self.tls_port = free_port() if tls else 0
        nobody = pwd.getpwnam("nobody")
        ssl = "no"
        if tls:
            ssl = f"yes\nssl_cert = <{tls}\nssl_key = <{tls}"
        self._config = folder / "dovecot.conf"
        self._config.write_text(
            _FILES["imap"].format(
                folder=folder,
                ssl=ssl,
                port=self.port,
                tls_port=self.tls_port,
                uid=nobody.pw_uid,
                gid=nobody.pw_gid,
                extra=extra,
            )
        )
        for name in ("mail", "home"):
            (folder / name).mkdir()
            shutil.chown(folder / name, nobody.pw_uid, nobody.pw_gid)
        for name in ("go", "alice", "bob", "go@godaemon.example"):
            self._allow(name)
        self._process: subprocess.Popen[bytes] | None = None

    def _allow(self, user: str) -> None:
        with (self.folder / "passwd").open("a") as users:
            users.write(f"{user}:{PASSWORD}\n")

    def start(self) -> None:
        """Start it, and wait for its greeting."""
        until(self._up, "Dovecot greets")

    def _up(self) -> bool:
        """True if it greets; restarts it if it has exited, as its port may still be in use."""
        if self._process is None or self._process.poll() is not None:
            self._launch()
        return self._greets()

    def _launch(self) -> None:
        with (self.folder / "stderr").open("ab") as errors:
            self._process = subprocess.Popen(
                ["dovecot", "-F", "-c", self._config],
                stdout=subprocess.DEVNULL,
                stderr=errors,
                start_new_session=True,
            )

    def _greets(self) -> bool:
        with contextlib.suppress(OSError, imaplib.IMAP4.error):
            imaplib.IMAP4("127.0.0.1", self.port, timeout=30).shutdown()
            return True
        return False

    def kill(self) -> None:
        """Send SIGKILL to it and all its children.

        Also removes its locks on Maildirs: Dovecot would wait two minutes for a dead owner if
        another process has that pid by then.
        """
        self._end(signal.SIGKILL)
        for lock in (self.folder / "mail").rglob("dovecot-uidlist.lock"):
            lock.unlink(missing_ok=True)

    def stop(self) -> None:
        """Send SIGTERM; closes the sessions."""
        self._end(signal.SIGTERM)

    def _end(self, number: signal.Signals) -> None:
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, number)
            self._process.wait(PATIENCE)
            self._process = None

    def log(self) -> str:
        path = self.folder / "log"
        return path.read_text() if path.exists() else ""

    @contextmanager
    def session(self, folder: str = "INBOX") -> Iterator[imaplib.IMAP4]:
        """An IMAP session with a folder selected, as another mail program has it."""
        client = imaplib.IMAP4("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            client.login("go", PASSWORD)
            client.select(folder)
            yield client
        finally:
            client.shutdown()

    def put(self, raw: bytes) -> None:
        with self.session() as client:
            answer, lines = client.append("INBOX", "", "", raw)
            assert answer == "OK", lines

    def flags(self, folder: str = "INBOX") -> list[str]:
        r"""The flags of each letter in order, without \Recent."""
        with self.session(folder) as client:
            _, lines = client.uid("FETCH", "1:*", "(FLAGS)")
        texts = [line.decode() for line in lines if isinstance(line, bytes)]
        found = [text.partition("FLAGS (")[2].rstrip(")").split() for text in texts]
        return [" ".join(flag for flag in each if flag != "\\Recent") for each in found]


@contextmanager
def dovecot(
    extra: str = "", *, tls: Path | None = None, delivers: bool = False
) -> Iterator[Dovecot]:
    """A running Dovecot in a temporary folder."""
    with tempfile.TemporaryDirectory(prefix="godaemon-imap-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        server = Dovecot(folder, extra, tls=tls, delivers=delivers)
        try:
            server.start()
            yield server
        finally:
            server.kill()


def delivered(letter: EmailMessage, to: str, sender: str = "alice@players.example") -> bytes:
    """A letter as a mail server files it, with its envelope in Return-Path and Delivered-To."""
    raw = letter.as_bytes(policy=letter.policy.clone(linesep="\r\n"))
    return f"Return-Path: <{sender}>\r\nDelivered-To: {to}\r\n".encode() + raw
