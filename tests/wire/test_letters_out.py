"""A real daemon that sends by a program: signed letters, bounces, a new key."""

import smtplib
import sys
from collections.abc import Iterator
from pathlib import Path

import dkim
import pytest

from tests.support.daemon import LiveDaemon
from tests.support.delivery_report import report
from tests.support.dkim_keys import dns, private_key
from tests.support.mailgame import begin
from tests.support.players import MailPlayer
from tests.support.waiting import PATIENCE

pytestmark = pytest.mark.peer("openssl")

SENDMAIL = """\
import os, pathlib, sys
root, (_, sender, _, to) = pathlib.Path(sys.argv[1]), sys.argv[2:]
if (root / f"{to}.gone").exists():
    print("no such user")
    sys.exit(os.EX_NOUSER)
folder = root / to
for name in ("tmp", "new", "cur"):
    (folder / name).mkdir(parents=True, exist_ok=True)
raw = sys.stdin.buffer.read()
name = str(len(list((folder / "new").iterdir())))
(root / "envelopes").open("a").write(f"{to} {sender}\\n")
(folder / "tmp" / name).write_bytes(raw)
(folder / "tmp" / name).rename(folder / "new" / name)
"""


@pytest.fixture
def daemon(tmp_path: Path) -> Iterator[LiveDaemon]:
    """A daemon whose sendmail files letters in Maildirs, and records their envelopes."""
    live = LiveDaemon(tmp_path)
    script, key = tmp_path / "sendmail.py", tmp_path / "dkim.key"
    script.write_text(SENDMAIL)
    key.write_bytes(private_key())
    key.chmod(0o600)
    live.mail.mkdir()
    text = live.config.read_text().replace(
        f'maildir = "{live.mail}"',
        f'command = ["{sys.executable}", "{script}", "{live.mail}"]\n'
        f'dkim_key = {{ file = "{key}" }}\ndkim_selector = "sel"\nretry_first = 0.1',
    )
    live.config.write_text(text)
    with live:
        yield live


def envelopes(live: LiveDaemon, to: str) -> list[str]:
    """The envelope senders of all letters to an address."""
    lines = (live.mail / "envelopes").read_text().splitlines()
    return [sender for one, sender in (line.split() for line in lines) if one == to]


def bounces(live: LiveDaemon) -> list[dict[str, object]]:
    found: list[dict[str, object]] = live.json("mail", "bounces")
    return found


@pytest.mark.slow
def test_letters_are_signed_and_bounces_are_counted(
    daemon: LiveDaemon, alice: MailPlayer, bob: MailPlayer
) -> None:
    """The DKIM signature verifies; a bounce to the envelope sender appears in the status."""
    begin(alice, bob, "9x9")
    alice.reply("E5")
    bob.expect("your-turn")
    (newest,) = [path for path in bob.folder.glob("new/*") if b"your-turn" in path.read_bytes()]
    raw = newest.read_bytes().replace(b"\n", b"\r\n")
    assert dkim.verify(raw, dnsfunc=dns)

    sender = envelopes(daemon, bob.address)[-1]
    assert sender.startswith("go+bounce-")
    with smtplib.SMTP("127.0.0.1", daemon.port, timeout=PATIENCE) as server:
        server.sendmail("", [sender], report(to=sender))
    (box,) = bounces(daemon)
    assert (box["address"], box["score"], box["suspended"]) == (bob.address, 1.0, None)
    assert "bob@players.example" in daemon.command("mail", "bounces").stdout
    assert "550 5.1.1 no such user" in daemon.command("mail", "queue").stdout
    assert "forgotten" in daemon.command("mail", "revive", bob.address).stdout
    assert bounces(daemon) == []


def test_letters_of_a_replaced_key_can_be_answered(
    daemon: LiveDaemon, alice: MailPlayer, bob: MailPlayer
) -> None:
    """Before and after a restart; so can letters of the new key."""
    begin(alice, bob, "9x9")
    first = (daemon.folder / "state" / "token.key").read_bytes()
    assert "60 days" in daemon.command("rotate-key").stdout
    assert (daemon.folder / "state" / "token.key").read_bytes() != first
    alice.reply("E5")
    bob.expect("your-turn")
    bob.reply("C3")
    alice.expect("your-turn")
    daemon.kill()
    assert "60 days" in daemon.command("rotate-key").stdout
    daemon.start()
    alice.reply("G7")
    assert bob.expect("your-turn")
