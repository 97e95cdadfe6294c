"""Whole games with real mail programs, through servers that are killed.

A Postfix delivers all letters: to godaemon by SMTP, by LMTP or into its mailbox, and to players. A
Dovecot has all mailboxes. Alice uses neomutt. Daemon, Postfix and Dovecot are killed meanwhile, and
at the end the books must balance.

GODAEMON_KILLS=30 GODAEMON_SEED=7 python -m pytest -s THIS_FILE plays until after the last kill.
"""

import os
import random
import re
import shutil
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from godaemon.games.events import CLOCK_EVENTS
from godaemon.records.sgf import parse_sgf
from tests.support import stores
from tests.support.daemon import LiveDaemon
from tests.support.dovecot import PASSWORD, Dovecot, dovecot
from tests.support.letters import plain
from tests.support.mailboxes import MailboxPlayer
from tests.support.mailgame import begin, word
from tests.support.neomutt import NeomuttPlayer
from tests.support.postfix import ADDRESS, Postfix
from tests.support.waiting import PATIENCE, until

pytestmark = pytest.mark.peer("postfix", "dovecot", "dovecot-lmtpd", "neomutt")

MOVES = (
    "E5 F5 E4 F4 E6 F6 E3 F3 E7 F7 E2 F2 E8 F8 E1 F1 E9 A1 A2 F9 B1 C7 pass pass".split()  # noqa: SIM905
)
"""Two walls; White's A1 is captured by B1, and C7 is dead at the end."""
DEAD, RESULT = "C7", "B+2.5"
ROADS = {0: "smtp", 8: "lmtp", 16: "imap"}
"""After how many moves letters come in another way."""
KILLS, SEED = int(os.environ.get("GODAEMON_KILLS", "6")), int(os.environ.get("GODAEMON_SEED", "5"))


@dataclass
class Post:
    """All of it."""

    daemon: LiveDaemon
    postfix: Postfix
    dovecot: Dovecot
    alice: NeomuttPlayer
    bob: MailboxPlayer
    roads: dict[str, str]
    held: threading.Lock = field(default_factory=threading.Lock)
    """Held while a server is started, killed or changed."""

    def take(self, road: str) -> None:
        """Bring letters by another road from now on."""
        with self.held:
            self.postfix.route(self.roads[road])

    def quiet(self) -> None:
        """Return when nothing is on its way any more."""
        for _ in range(2):
            until(lambda: not self.postfix.queued(), "Postfix's queue is empty")
            until(lambda: not self.daemon.ask("status")["letters"]["waiting"], "sent")
        until(lambda: set(self.dovecot.flags()) <= {"\\Seen"}, "the mailbox is read")

    def rows(self, query: str) -> list[tuple[str, ...]]:
        return [tuple(row) for row in stores.run_on(self.daemon.folder / "state", query)]


@pytest.fixture
def post() -> Iterator[Post]:
    """The three servers, and the two players."""
    folder = Path(tempfile.mkdtemp(prefix="godaemon-"))
    folder.chmod(0o755)
    secret = folder / "imap.password"
    secret.write_text(PASSWORD)
    secret.chmod(0o600)
    with dovecot(delivers=True) as server:
        postfix = Postfix(folder / "postfix", mailboxes=server.lmtp_port)
        daemon = LiveDaemon(
            folder,
            f'[mail]\naddress = "{ADDRESS}"\n[mail.lmtp]\nlisten = "unix:{folder}/lmtp.sock"\n'
            'group = "postfix"\n'
            f'[mail.imap]\nhost = "127.0.0.1"\nport = {server.port}\nsecurity = "none"\n'
            f'user = "go"\npassword = {{ file = "{secret}" }}\n',
            smarthost=postfix.url,
            outgoing="retry_first = 0.5\nretry_limit = 1\n",
        )
        roads = {
            "smtp": f"smtp:[127.0.0.1]:{daemon.port}",
            "lmtp": f"lmtp:unix:{folder}/lmtp.sock",
            "imap": f"lmtp:inet:127.0.0.1:{server.lmtp_port}",
        }
        postfix.route(roads["smtp"])
        alice = NeomuttPlayer("alice@players.example", "Alice", postfix, server, folder / "alice")
        bob = MailboxPlayer("bob@players.example", "Bob", postfix, server)
        try:
            daemon.start()
            postfix.start()
            yield Post(daemon, postfix, server, alice, bob, roads)
            assert daemon.stop() == 0
        finally:
            postfix.stop()
            daemon.stop()
            for player in (alice, bob):
                player.leave()
            for peer in (postfix, server, daemon):  # shown where a test has failed
                sys.stderr.write(f"--- {type(peer).__name__}\n{peer.log()[-6000:]}\n")
            shutil.rmtree(folder)


class Killer(threading.Thread):
    """Kills one of the three at random moments, each as often, and starts it again at once."""

    def __init__(self, post: Post, kills: int) -> None:
        super().__init__(daemon=True)
        self._post, self._luck = post, random.Random(SEED)
        victims = (post.daemon, post.postfix, post.dovecot)
        self._victims = [victims[number % 3] for number in range(kills)]
        self._luck.shuffle(self._victims)
        self.fault: BaseException | None = None
        self.kills: Counter[str] = Counter()

    def run(self) -> None:
        """Kill, start, kill ..."""
        pause = threading.Event()
        try:
            for victim in self._victims:
                pause.wait(self._luck.uniform(0.1, 4.0))
                with self._post.held:
                    victim.kill()
                    self.kills[type(victim).__name__] += 1
                    victim.start()
        except BaseException as fault:  # noqa: BLE001 - told by the test's own thread
            self.fault = fault


def whole_game(post: Post) -> int:
    """From the invitation to the result at both; the game's number."""
    alice, bob = post.alice, post.bob
    number = begin(alice, bob, "9x9 komi 6.5 rules japanese")
    for played, move in enumerate(MOVES):
        if played in ROADS:
            post.take(ROADS[played])
        mover, other = (alice, bob) if played % 2 == 0 else (bob, alice)
        mover.reply(move)
        if played < len(MOVES) - 1:
            other.expect("your-turn")
    for player in (alice, bob):
        player.expect("scoring-started")
    alice.reply(f"dead {DEAD}")
    bob.expect("marks-changed")
    alice.expect("marks-changed")
    bob.reply("done")
    alice.expect("done")
    alice.reply("done")
    for player in (alice, bob):
        assert f"by {RESULT[2:]} points" in plain(player.expect("finished"))
    return number


def quoted(player: NeomuttPlayer) -> None:
    """Neomutt answered letters of ours, quoted them below the words, and named them."""
    answers = [letter for letter in player.sent if letter["In-Reply-To"]]
    assert len(answers) > len(player.sent) // 2
    for letter in answers:
        answered = str(letter["In-Reply-To"])
        assert answered in player.copies
        assert answered in str(letter["References"])
        words, _, quotation = str(letter.get_payload()).partition("wrote:\n")
        assert words
        assert all(line.startswith(">") for line in quotation.split("\n") if line)


def letters_in(post: Post) -> Counter[str]:
    """Each letter that Postfix took from a player was done, once; how many came by each road."""
    posted = Counter(post.alice.posted + post.bob.posted)
    assert set(posted.values()) == {1}
    assert Counter(known for (known,) in post.rows("SELECT message_id FROM inbox")) == posted
    clocks = ", ".join(f"'{kind.__name__.lower()}'" for kind in CLOCK_EVENTS)
    acts = post.rows(
        "SELECT cause FROM event WHERE kind <> 'finished'"
        f" AND NOT (kind IN ({clocks}) AND cause IN ('outbox', 'timer'))"
    )
    assert Counter(cause.removeprefix("letter:") for (cause,) in acts) == posted
    status = post.daemon.ask("status")
    assert (status["quarantine"], status["letters"]["undeliverable"]) == (0, 0)
    ways = {
        "smtp": f"127.0.0.1]:{post.daemon.port},",
        "lmtp": "lmtp.sock]",
        "imap": f"127.0.0.1]:{post.dovecot.lmtp_port},",
    }
    brought = [
        line
        for line in post.postfix.log().splitlines()
        if "to=<go" in line and "status=sent" in line
    ]
    roads = Counter({way: sum(mark in line for line in brought) for way, mark in ways.items()})
    assert all(roads.values()), roads
    return roads


_TRACE = re.compile(rb"(?:(?:Return-Path|Delivered-To|Received):.*\r?\n(?:[ \t].*\r?\n)*)+")


def letters_out(post: Post) -> Counter[str]:
    """Each mailbox has exactly the notices to its owner; duplicates count once."""
    queued = post.rows("SELECT recipient, message_id, status FROM outbox")
    assert {status for _, _, status in queued} == {"sent"}
    found: Counter[str] = Counter()
    for player in (post.alice, post.bob):
        player.letters()
        assert "refused" not in player.kinds()
        assert set(player.copies) == {known for to, known, _ in queued if to == player.address}
        for copies in player.copies.values():
            assert len({_TRACE.sub(b"", raw, count=1) for raw in copies}) == 1
            found["notices"] += 1
            found["duplicates"] += len(copies) - 1
    return found


@pytest.mark.slow
@pytest.mark.timeout(900 + 20 * KILLS)
def test_games_with_neomutt_postfix_and_dovecot_that_are_killed(post: Post) -> None:
    """Every letter has one effect, every notice is in one mailbox, and the games are as played."""
    killer, games = Killer(post, KILLS), list[int]()
    killer.start()
    while not games or killer.is_alive():
        games.append(whole_game(post))
    killer.join(PATIENCE)
    assert killer.fault is None, killer.fault
    post.quiet()
    for number in games:
        kept = parse_sgf(post.daemon.command("sgf", str(number)).stdout.encode())
        assert ([word(move) for move in kept.moves], kept.result) == (list(MOVES), RESULT)
    figures = [dict(count) for count in (killer.kills, letters_in(post), letters_out(post))]
    print(f"{len(games)} games; {figures}")  # noqa: T201 - figures
    assert "Traceback" not in post.daemon.log()
    quoted(post.alice)
