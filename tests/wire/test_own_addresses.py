"""A real daemon with addresses on two domains, each with its own key."""

import os
import signal
import smtplib
from collections.abc import Iterator
from email.message import EmailMessage
from functools import partial
from pathlib import Path

import dkim
import pytest

from tests.support.daemon import LiveDaemon
from tests.support.dkim_keys import private_key, record
from tests.support.sink import Sink, SinkPlayer
from tests.support.waiting import until

pytestmark = pytest.mark.peer("openssl")

MAIN, CLUB = "go@go.example", "play@club.example"
RECORDS = {b"a._domainkey.go.example.": "first", b"b._domainkey.club.example.": "second"}


@pytest.fixture
def sink() -> Iterator[Sink]:
    with Sink() as taking:
        yield taking


@pytest.fixture
def daemon(tmp_path: Path, sink: Sink) -> Iterator[LiveDaemon]:
    """A daemon of two addresses, each with its name and its key."""
    keys = []
    for name in ("first", "second"):
        keys.append(tmp_path / f"{name}.key")
        keys[-1].touch(mode=0o600)
        keys[-1].write_bytes(private_key(name=name))
    live = LiveDaemon(
        tmp_path,
        f'[mail]\naddress = "{MAIN}"\n[[mail.addresses]]\naddress = "{CLUB}"\nname = "Club"\n'
        f'dkim_key = {{ file = "{keys[1]}" }}\ndkim_selector = "b"\n',
        smarthost=sink.url,
        outgoing=f'dkim_key = {{ file = "{keys[0]}" }}\ndkim_selector = "a"\n',
    )
    with live:
        yield live


def signed(raw: bytes, **newer: str) -> bool:
    """Whether a letter is believed, by what DNS has of both domains; `newer` keys by selector."""

    def ask(name: bytes, timeout: int = 5) -> bytes:
        selector = name.partition(b".")[0].decode()
        return record(newer.get(selector, RECORDS[name])) if name in RECORDS else b""

    return bool(dkim.verify(raw, dnsfunc=ask))


def test_two_domains_and_a_restart(daemon: LiveDaemon, sink: Sink) -> None:
    """Each player's letters are from where they wrote to, and are signed for that domain.

    So it is after a restart; without the address they come from the main one, and the game goes on.
    """
    player = partial(SinkPlayer, port=daemon.port, sink=sink)
    alice, bob = player("alice@a.example", "Alice"), player("bob@b.example", "Bob")
    alice.write(f"new 9x9 as black vs {bob.address}", CLUB)
    alice.expect("confirm")
    assert f"emails in:      {MAIN}, {CLUB} by SMTP at" in daemon.command("status").stdout
    alice.reply("yes")
    invitation = bob.expect("invitation")
    assert invitation["From"] == f"Club <{CLUB}>"
    bob.reply("accept")
    alice.expect("started")

    daemon.kill()
    daemon.start()
    alice.reply("D4")
    turn = bob.expect("your-turn")
    token = str(turn["Reply-To"]).partition("+")[2].partition("@")[0]
    elsewhere = EmailMessage()
    elsewhere["Reply-To"] = f"go+{token}@go.example"
    for name in ("Subject", "Message-ID"):
        elsewhere[name] = turn[name]
    bob.reply("E5", to=elsewhere, quote=False)
    alice.expect("your-turn")
    alice.reply("F6")
    assert bob.expect("your-turn")["From"] == f"Go by mail <{MAIN}>"

    for to, raw in sink.taken:
        ours = CLUB if b"From: Club <" in raw else MAIN
        assert signed(raw), (to, raw)
        assert f"d={ours.partition('@')[2]};".encode() in raw
    assert {b"From: Club <" in raw for to, raw in sink.taken if to == alice.address} == {True}

    daemon.stop()
    text = daemon.config.read_text().partition("[[mail.addresses]]")[0]
    daemon.config.write_text(text)
    daemon.start()
    bob.reply("G7")
    last = alice.expect("your-turn")
    assert last["From"] == f"Go by mail <{MAIN}>"
    alice.reply("D7", to=last)
    bob.expect("your-turn")
    assert signed(sink.taken[-1][1])


def test_a_reload_uses_a_new_dkim_key_of_one_address(daemon: LiveDaemon, sink: Sink) -> None:
    """The other address keeps its own key."""
    alice = SinkPlayer("alice@a.example", "Alice", daemon.port, sink)
    (daemon.folder / "second.key").write_bytes(private_key(name="third"))
    assert "restart" not in daemon.command("reload").stdout
    for ours in (CLUB, MAIN):
        alice.write("help", ours)
        alice.expect("help")
        assert signed(sink.taken[-1][1], b="third")
        assert signed(sink.taken[-1][1]) == (ours == MAIN)
    file = daemon.folder / "letter.eml"
    file.write_text(f"From: alice@a.example\nTo: {CLUB}\n\nhelp\n", encoding="utf-8")
    assert daemon.json("mail", "explain", str(file))["to"] == CLUB


def test_a_reload_adds_and_removes_addresses(daemon: LiveDaemon, sink: Sink) -> None:
    """A retired address is answered, but sends nothing new; a removed one is unknown."""
    player = partial(SinkPlayer, port=daemon.port, sink=sink)
    alice, bob = player("alice@a.example", "Alice"), player("bob@b.example", "Bob")
    before, late = daemon.config.read_text(), "late@go.example"
    added = f'{before}\n[[mail.addresses]]\naddress = "{late}"\nname = "Late"\n'
    daemon.config.write_text(added)
    with pytest.raises(smtplib.SMTPRecipientsRefused):
        alice.write("help", late)
    assert "restart" not in daemon.command("reload").stdout
    alice.write(f"new 9x9 as black vs {bob.address}", late)
    assert alice.expect("confirm")["From"] == f"Late <{late}>"
    assert signed(sink.taken[-1][1])
    alice.reply("yes")
    assert "late+" in bob.expect("invitation")["Reply-To"]

    daemon.config.write_text(added + "retired = true\n")
    os.kill(daemon.pid, signal.SIGHUP)
    until(lambda: daemon.log().count("daemon.reloaded") == 2, "SIGHUP was heard")
    bob.reply("accept")
    assert bob.expect("started")["From"] == f"Go by mail <{MAIN}>"

    daemon.config.write_text(before)
    daemon.command("reload")
    with pytest.raises(smtplib.SMTPRecipientsRefused):
        alice.write("help", late)
