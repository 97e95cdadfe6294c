"""A whole game at a mail provider that loses what follows a +, with a real Dovecot."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.dovecot import dovecot
from tests.support.letters import agreement, html, plain
from tests.support.mailgame import begin
from tests.support.mailto import board_clicks, button_clicks
from tests.wire.test_imap import OURS, ImapPlayer, living, people

pytestmark = pytest.mark.peer("dovecot")


def click(player: ImapPlayer, said: str) -> None:
    """Click what says this in the letter that was taken last, and press Send."""
    assert player.newest is not None
    page = html(player.newest)
    link = {**board_clicks(page), **button_clicks(page)}[said]
    letter = player._letter(link.body, link.to)
    letter["Subject"] = link.subject
    player.post(letter)


def test_a_whole_game_by_clicks_and_replies(tmp_path: Path) -> None:
    """Alice clicks, Bob replies; no address in any letter has a +, and no letter is refused."""
    with dovecot() as server:
        daemon = living(tmp_path, server.port)
        config = daemon.config.read_text(encoding="utf-8")
        daemon.config.write_text(f"{config}\n[mail]\nplus_addressing = false\n", encoding="utf-8")
        with daemon:
            alice, bob = people(server, daemon)
            number = begin(alice, bob, "5x5 rules chinese")
            words = ("C3", "B2", "B3", "pass", "pass")
            for at, said in enumerate(words, start=1):
                if at % 2:
                    click(alice, said)
                else:
                    bob.reply(said)
                if at < len(words):
                    (bob if at % 2 else alice).expect("your-turn")
            bob.expect("scoring-started")
            bob.agree()
            alice.expect("done")
            click(alice, agreement(alice.expect("scoring-started")))
            for player in (alice, bob):
                player.expect("finished")
                assert player.kinds().count("refused") == 0
                for letter in player.letters().values():
                    assert OURS in str(letter["Reply-To"] or OURS)
                    assert not re.search(r"go(\+|%2B)", html(letter) + plain(letter))
            assert daemon.game(number)["phase"] == "finished"
