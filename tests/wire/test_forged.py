"""Letters that the mail server in front says are forged, through a real daemon that trusts it."""

from __future__ import annotations

from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import pytest

from tests.support.daemon import LiveDaemon
from tests.support.mailgame import begin
from tests.support.players import MailPlayer
from tests.support.waiting import until

FAILED = "mx.example.org; dmarc=fail (p=reject dis=none) header.from=players.example"


@pytest.fixture
def daemon(tmp_path: Path) -> Iterator[LiveDaemon]:
    """A daemon behind a mail server whose word it takes."""
    with LiveDaemon(tmp_path, '[mail]\ntrusted_authserv_id = "mx.example.org"\n') as live:
        yield live


class Forger(MailPlayer):
    """Somebody who has Alice's letters, and writes as she would."""

    def post(self, letter: EmailMessage) -> None:
        """By the server in front, which notes what it found."""
        letter["Authentication-Results"] = FAILED
        super().post(letter)


def test_a_forged_letter_plays_nothing_and_writes_to_nobody(
    daemon: LiveDaemon, alice: MailPlayer, bob: MailPlayer
) -> None:
    """Alice is asked about the one with her token, and of the other nobody hears but the log."""
    number = begin(alice, bob, "9x9")
    forger = Forger(alice.address, alice.name, daemon.port, daemon.mail)
    for text in ("resign", "help", "new 9x9 vs carol@players.example"):
        forger.write(text)
    forger.reply("resign", alice.newest)
    question = alice.expect("confirm")
    assert "forged" in str(question.get_body(("plain",)))
    assert daemon.game(number)["phase"] == "playing"
    until(lambda: daemon.log().count("failure of DMARC") == 3, "three lines in the log")
    assert daemon.ask("status")["forged"] == 4
    alice.reply("no", question)
    alice.expect("refused")
    assert daemon.game(number)["result"] is None
    assert alice.kinds() == ["confirm", "invited", "started", "confirm", "refused"]
    assert not (daemon.mail / "carol@players.example").exists()
