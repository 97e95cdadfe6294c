"""Letters from a real Dovecot's mailbox, despite failures of servers and machines."""

import re
from email.message import EmailMessage
from email.utils import getaddresses
from pathlib import Path

import pytest

from tests.support.cutter import Cutter
from tests.support.daemon import LiveDaemon
from tests.support.dovecot import PASSWORD, Dovecot, delivered, dovecot
from tests.support.letters import agreement, html, plain
from tests.support.mailgame import begin
from tests.support.mailto import board_clicks, button_clicks
from tests.support.players import MailPlayer
from tests.support.waiting import until

pytestmark = pytest.mark.peer("dovecot")

OURS = "go@localhost"


class ImapPlayer(MailPlayer):
    """Their letters go into the mailbox that the daemon watches."""

    server: Dovecot

    def post(self, letter: EmailMessage) -> None:
        to = getaddresses([str(letter["To"])])[0][1]
        self.server.put(delivered(letter, to, self.address))


def people(server: Dovecot, daemon: LiveDaemon) -> tuple[ImapPlayer, ImapPlayer]:
    alice = ImapPlayer("alice@players.example", "Alice", daemon.port, daemon.mail)
    bob = ImapPlayer("bob@players.example", "Bob", daemon.port, daemon.mail)
    alice.server = bob.server = server
    return alice, bob


def daemon_watching(folder: Path, port: int, password: str = PASSWORD) -> LiveDaemon:
    secret = folder / "imap.password"
    secret.write_text(password + "\n")
    secret.chmod(0o600)
    return LiveDaemon(
        folder,
        f'[mail.imap]\nhost = "127.0.0.1"\nport = {port}\nsecurity = "none"\nuser = "go"\n'
        f'password = {{ file = "{secret}" }}\n',
    )


def test_a_killed_daemon_handles_a_letter_once(tmp_path: Path) -> None:
    """SIGKILL between COMMIT and the mark."""
    with dovecot() as server, Cutter(("127.0.0.1", server.port)) as proxy:
        daemon = daemon_watching(tmp_path, proxy.port)
        with daemon:
            alice, bob = people(server, daemon)
            begin(alice, bob, "9x9")
            turn = alice.newest
            until(lambda: set(server.flags()) == {"\\Seen"}, "all is marked")
            proxy.hold_back = b"STORE"
            alice.reply("E5\n\nGood luck!", turn)
            until(proxy.held.is_set, "it is at that point")
            daemon.kill()
            proxy.hold_back = b""
            assert server.flags()[-1] == ""
            daemon.start()
            bob.expect("your-turn")
            until(lambda: set(server.flags()) == {"\\Seen"}, "all is marked")
            assert daemon.game(1)["move_number"] == 1
            assert bob.kinds().count("your-turn") == 1
            assert alice.kinds().count("refused") == 0


def test_a_wrong_password_is_reported_and_can_be_corrected(tmp_path: Path) -> None:
    """The daemon runs, says why no letters come, and goes on once the password is right."""
    with dovecot("auth_failure_delay = 0") as server:
        daemon = daemon_watching(tmp_path, server.port, password="wrong")
        with daemon:
            alice, _ = people(server, daemon)
            until(lambda: "does not let go in" in daemon.command("status").stdout, "it is told")
            (tmp_path / "imap.password").write_text(PASSWORD)
            alice.write("help", OURS)
            alice.expect("help")


def click(player: ImapPlayer, line: str) -> None:
    """Click what says this in the letter that was taken last, and press Send."""
    assert player.newest is not None
    page = html(player.newest)
    link = {**board_clicks(page), **button_clicks(page)}[line]
    letter = player._letter(link.body, link.to)
    letter["Subject"] = link.subject
    player.post(letter)


def test_a_game_without_plus_addresses(tmp_path: Path) -> None:
    """Alice clicks links and Bob replies; no letter is refused."""
    with dovecot() as server:
        daemon = daemon_watching(tmp_path, server.port)
        config = daemon.config.read_text(encoding="utf-8")
        daemon.config.write_text(f"{config}\n[mail]\nplus_addressing = false\n", encoding="utf-8")
        with daemon:
            alice, bob = people(server, daemon)
            number = begin(alice, bob, "5x5 rules chinese")
            words = ("C3", "B2", "B3", "pass", "pass")
            for at, word in enumerate(words, start=1):
                if at % 2:
                    click(alice, word)
                else:
                    bob.reply(word)
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
