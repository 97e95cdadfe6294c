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
from tests.support.daemon import free_port
from tests.support.waiting import PATIENCE, until

CONFIG = places.ROOT / "config" / "postfix"
ADDRESS = "go@go.example.org"

_BASE = """
compatibility_level = 3.6
queue_directory = {folder}/queue
data_directory = {folder}/data
maillog_file = {folder}/log/postfix
maillog_file_prefixes = {folder}/log
daemon_directory = /usr/lib/postfix/sbin
command_directory = /usr/sbin
mail_owner = postfix
setgid_group = postdrop
myhostname = mx.example.org
mydestination =
mynetworks = 127.0.0.0/8
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
alias_maps =
alias_database =
smtp_dns_support_level = disabled
smtp_host_lookup = native
default_transport = {others}
relay_transport = error:not by the transport map
notify_classes =
minimal_backoff_time = 1s
maximal_backoff_time = 1s
queue_run_delay = 1s
transport_retry_time = 1s
default_destination_concurrency_failed_cohort_limit = 0
lmtp_connection_cache_on_demand = no
in_flow_delay = 0
smtpd_client_connection_rate_limit = 0
"""
_MAILBOXES = """
virtual_mailbox_domains = players.example
virtual_mailbox_maps = inline:{{ alice@players.example=here bob@players.example=here }}
virtual_transport = lmtp:inet:127.0.0.1:{port}
"""
_SERVICES = """
127.0.0.1:{port} inet n - n - - smtpd
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 1 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
relay unix - - n - - smtp
showq unix n - n - - showq
error unix - - n - - error
retry unix - - n - - error
lmtp unix - - n - - lmtp
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
"""


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
        self._base = _BASE.format(folder=folder, others=others)
        if mailboxes:
            self._base += _MAILBOXES.format(port=mailboxes)
        (self._etc / "master.cf").write_text(_SERVICES.format(port=self.port), encoding="utf-8")
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
