"""A game by mail through Debian's own Postfix, with our configuration lines.

Both services share a private network, so that port 25 is free.
"""

import ctypes
import fcntl
import re
import shutil
import smtplib
import socket
import struct
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from email.message import EmailMessage
from pathlib import Path

import pytest

from tests.support import places
from tests.support.letters import plain
from tests.support.mailgame import begin
from tests.support.players import MailPlayer
from tests.support.systemd_box import Box
from tests.support.waiting import until

pytestmark = [pytest.mark.slow, pytest.mark.peer("postfix")]

SNIPPET = places.ROOT / "config" / "postfix"
HOST = "mail.example.org"
ANSWERS = f"""\
postfix postfix/main_mailer_type select Internet Site
postfix postfix/mailname string {HOST}
postfix postfix/destinations string {HOST}, localhost
"""
"""What Debian asks who installs Postfix: the kind that most choose, and the machine's name."""
NETWORK = "network.service"
CLONE_NEWNET, SIOCSIFFLAGS, IFF_UP = 0x40000000, 0x8914, 1


class LocalUser(MailPlayer):
    """A local user, who sends by SMTP to port 25 and reads a Maildir."""

    def __init__(self, box: Box, name: str, godaemon: str) -> None:
        home = f"/home/{name}"
        super().__init__(f"{name}@{HOST}", name.title(), 25, box.root)
        self.folder = box.root / home[1:] / "Maildir"
        self._box, self._godaemon = box, godaemon
        box.run("useradd", "--create-home", name, check=False)
        shutil.rmtree(self.folder, ignore_errors=True)
        (self.folder.parent / ".forward").write_text(f"{home}/Maildir/\n", encoding="ascii")

    def write(self, text: str, to: str = "") -> None:
        super().write(text, to or self._godaemon)

    def post(self, letter: EmailMessage) -> None:
        with ThreadPoolExecutor(1, initializer=_enter_network, initargs=(self._box,)) as alone:
            alone.submit(super().post, letter).result()


def _enter_network(box: Box) -> None:
    """Take this thread into the network of both services, and see that it has a loopback."""
    namespace = f"/proc/{box.leader}/root/proc/{box.property('MainPID', NETWORK)}/ns/net"
    with Path(namespace).open("rb") as network:
        assert ctypes.CDLL(None).setns(network.fileno(), CLONE_NEWNET) == 0
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_of_it:
        fcntl.ioctl(any_of_it, SIOCSIFFLAGS, struct.pack("16sh", b"lo", IFF_UP))


@pytest.fixture(scope="module")
def debian(box: Box) -> Iterator[Box]:
    """The box with Postfix's files as its installation writes them, and a network for both."""
    for name in ("main.cf", "master.cf"):
        (box.root / "etc/postfix" / name).unlink()
    (box.root / "answers").write_text(ANSWERS, encoding="ascii")
    box.run("debconf-set-selections", "/answers")
    box.run("hostname", HOST)
    box.run("dpkg-reconfigure", "--frontend=noninteractive", "postfix")
    box.run("cmp", "/etc/postfix/master.cf", "/usr/share/postfix/master.cf.dist")
    box.run("cp", "/etc/postfix/main.cf", "/etc/postfix/main.cf.installed")
    box.run(
        "systemd-run",
        f"--unit={NETWORK}",
        "-pType=exec",
        "-pPrivateNetwork=yes",
        "sleep",
        "infinity",
    )
    with ThreadPoolExecutor(1) as alone:
        alone.submit(_enter_network, box).result()
    joins = f"[Unit]\nJoinsNamespaceOf={NETWORK}\n"
    drop_ins = [
        box.root / f"etc/systemd/system/{name}.service.d" for name in ("godaemon", "postfix@")
    ]
    for folder in drop_ins:
        folder.mkdir(exist_ok=True)
        (folder / "network.conf").write_text(f"{joins}[Service]\nPrivateNetwork=yes\n")
    held = box.root / "etc/systemd/system/godaemon-smtp.socket"
    away = held.rename(held.with_suffix(".away"))  # the daemon listens itself, in that network
    box.run("systemctl", "daemon-reload")
    yield box
    away.rename(held)
    for folder in drop_ins:
        (folder / "network.conf").unlink()
    box.run("systemctl", "daemon-reload")
    box.run("systemctl", "stop", NETWORK)


@pytest.fixture(
    scope="module", params=["a domain of its own", "an address in the machine's domain"]
)
def address(debian: Box, request: pytest.FixtureRequest) -> Iterator[str]:
    """Both services running as the lines of config/postfix have it; the address of godaemon."""
    shared, domain = "machine" in request.param, "go.example.org"
    lines = (SNIPPET / "main.cf").read_text("utf-8")
    recipients = (SNIPPET / "godaemon-recipients").read_text("utf-8")
    settings = re.findall(r'(\[mail[a-z.]*\]) +(\w+ = ".+")$', lines, re.MULTILINE)
    if shared:
        lines = re.sub(r"(?m)^(?=relay_|transport_)", "#", lines)
        lines = re.sub(r"(?m)^#(?=local_recipient|transport_maps = .*go@|recipient_del)", "", lines)
        domain = HOST
    configuration = "".join(f"{section}\n{line}\n" for section, line in settings)
    etc = debian.root / "etc"
    shipped = (etc / "godaemon/godaemon.toml").read_text("utf-8")
    for file, text in (
        ("postfix/main.cf", (etc / "postfix/main.cf.installed").read_text("utf-8") + lines),
        ("postfix/godaemon-recipients", recipients),
        ("godaemon/godaemon.toml", configuration),
    ):
        written = text.replace("go.example.org", domain).replace(
            "go\\.example", domain[:-4].replace(".", "\\.")
        )
        (etc / file).write_text(written, encoding="utf-8")
    # Debian's postfix.service only stands for postfix@-, and is well also where that did not start.
    services = ("postfix@-", "postfix", "godaemon")
    debian.run("systemctl", "stop", *services)
    debian.run("systemctl", "reset-failed")
    debian.run("systemctl", "start", *services)
    yield f"go@{domain}"
    debian.run("systemctl", "stop", *services)
    (etc / "godaemon/godaemon.toml").write_text(shipped, encoding="utf-8")


def test_a_game_by_mail_on_stock_debian(debian: Box, address: str) -> None:
    """A whole game is played; the queue is empty at the end, and nothing bounces."""
    alice, bob = (LocalUser(debian, name, address) for name in ("alice", "bob"))
    begin(alice, bob, "5x5 komi 0.5")
    for player, other, move in ((alice, bob, "C3"), (bob, alice, "C4"), (alice, bob, "pass")):
        player.reply(move)
        other.expect("your-turn")
    bob.reply("pass")
    for player in (alice, bob):
        player.expect("scoring-started")
        player.reply("done")
    for player in (alice, bob):
        assert "by half a point" in plain(player.expect("finished"))
    await_empty_queue(debian)
    assert "None" not in alice.kinds() + bob.kinds(), "a bounce"


def test_postfix_and_godaemon_agree_on_limits(debian: Box, address: str) -> None:
    """The longest letter is answered; Postfix refuses unknown addresses at once."""
    alice = LocalUser(debian, "alice", address)
    longest = int(debian.run("postconf", "-h", "message_size_limit"))
    alice.write("help\n\n" + ("x" * 68 + "\n") * (longest * 96 // 100 // 70))
    alice.expect("help")
    with pytest.raises(smtplib.SMTPRecipientsRefused, match="User unknown"):
        alice.write("help", address.replace("@", "+1-b-3-0-short@"))
    await_empty_queue(debian)
    assert "None" not in alice.kinds(), "a bounce"


def await_empty_queue(box: Box) -> None:
    """Wait until Postfix has delivered everything."""
    until(lambda: box.run("mailq") == "Mail queue is empty", "Postfix's queue is empty")
