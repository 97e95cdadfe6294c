"""A real Postfix on loopback, in its own folder, with the lines of config/postfix.

It takes letters at `port`, and delivers those for go@go.example.org to godaemon, those for players
to their mailboxes if configured, and all others to a sink. Needs root.
"""

import os
import shutil
import signal
import smtplib
import socket
import stat
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from email.message import EmailMessage
from email.utils import getaddresses
from pathlib import Path

from tests.support import places
from tests.support.blocks import read_blocks
from tests.support.daemon import free_port
from tests.support.waiting import PATIENCE, until

CONFIG = places.ROOT / "config" / "postfix"
ADDRESS = "go@go.example.org"

_FILES = read_blocks(places.DATA / "postfix.txt")


def missing() -> str:
    """The missing part that it needs to run here, or ""."""
    if not Path("/usr/sbin/postfix").exists():
        return "postfix"
    return "" if os.geteuid() == 0 else "root, for Postfix"


class Postfix:
    """Delivers letters for godaemon as `route` says, all others by SMTP to port `sink`.

    With `mailboxes` letters to alice@ and bob@players.example go by LMTP to this port.
    """

    def __init__(
        self, folder: Path, sink: int | None = None, *, mailboxes: int | None = None
    ) -> None:
        self.folder, self.port = folder, free_port()
        self._etc = folder / "etc"
        for name in ("queue", "data", "etc", "log"):
            (folder / name).mkdir(parents=True)
        folder.chmod(0o755)
        shutil.chown(folder / "data", "postfix")
        shutil.copy(CONFIG / "godaemon-recipients", self._etc)
        others = f"smtp:[127.0.0.1]:{sink}" if sink else "error:nobody lives there"
        self._base = _FILES["main"].format(folder=folder, others=others) + "\n"
        if mailboxes:
            self._base += _FILES["mailboxes"].format(port=mailboxes) + "\n"
        services = _FILES["services"].format(port=self.port)
        (self._etc / "master.cf").write_text(f"{services}\n", encoding="utf-8")
        self._master: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Its URL for `[mail.outgoing] smarthost`."""
        return f"smtp://127.0.0.1:{self.port}"

    def route(self, to: str) -> None:
        """Deliver letters for godaemon to a transport ("lmtp:unix:/PATH") from now on."""
        ours = (CONFIG / "main.cf").read_text(encoding="utf-8")
        changed = ours.replace("lmtp:inet:127.0.0.1:8024", to)
        changed = changed.replace("/etc/postfix", str(self._etc))
        assert to in changed
        (self._etc / "main.cf").write_text(self._base + changed, encoding="utf-8")
        if self._master is not None:
            self._run("/usr/sbin/postfix", "-c", str(self._etc), "reload")
            until(self._greets, "Postfix takes letters")

    def start(self) -> None:
        """Start it, and wait until it takes letters."""
        if not (self.folder / "queue" / "active").exists():  # creates its folders; slow
            self._run("/usr/sbin/postfix", "-c", str(self._etc), "check")
        until(self._up, "Postfix takes letters")

    def _up(self) -> bool:
        """True if it takes letters; restarts it if it has exited, as its port may be in use."""
        if self._master is None or self._master.poll() is not None:
            self._launch()
        return self._greets()

    def _launch(self) -> None:
        with (self.folder / "log" / "master").open("ab") as log:
            self._master = subprocess.Popen(
                ["/usr/lib/postfix/sbin/master", "-c", str(self._etc), "-d"],
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def _greets(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=30) as line:
                return line.recv(3) == b"220"
        except OSError:
            return False

    def take(self, sender: str, letter: EmailMessage) -> None:
        """Send a letter, repeatedly until the answer is 250."""
        to = [address for _, address in getaddresses([str(letter["To"])])]
        raw = letter.as_bytes(policy=letter.policy.clone(linesep="\r\n"))
        until(lambda: self._send(sender, to, raw), "Postfix takes a letter")

    def _send(self, sender: str, to: Sequence[str], raw: bytes) -> bool:
        try:
            with smtplib.SMTP("127.0.0.1", self.port, timeout=30) as server:
                server.sendmail(sender, to, raw)
        except (OSError, smtplib.SMTPException):
            return False
        return True

    def kill(self) -> None:
        """Send SIGKILL to all its processes, which are one session."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        self._end(signal.SIGTERM)

    def _end(self, number: signal.Signals) -> None:
        if self._master is not None:
            with suppress(ProcessLookupError):  # it may have exited
                os.killpg(self._master.pid, number)
            self._master.wait(PATIENCE)
            self._master = None

    def queued(self) -> int:
        """Number of letters in its queue, without incomplete ones, which are not executable."""
        folders = ("maildrop", "incoming", "active", "deferred")
        found = [self.folder / "queue" / name for name in folders]
        return sum(1 for folder in found for path in folder.rglob("*") if _complete(path))

    def log(self) -> str:
        path = self.folder / "log" / "postfix"
        return path.read_text(encoding="utf-8") if path.exists() else ""

    def _run(self, *command: str) -> None:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=PATIENCE, check=False
        )
        assert done.returncode == 0, done.stderr


def _complete(path: Path) -> bool:
    """True if a file of the queue is a complete letter."""
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return False
    return stat.S_ISREG(mode) and bool(mode & stat.S_IXUSR)
