"""Games through a real Postfix with the lines of config/postfix.

Postfix takes the players' letters, delivers them by LMTP or SMTP, and is the smarthost; letters to
players arrive at a sink.
"""

import shutil
import smtplib
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import EmailMessage
from pathlib import Path

import pytest

from tests.support.daemon import LiveDaemon, free_port
from tests.support.mailgame import begin, recorded, word
from tests.support.postfix import ADDRESS, Postfix
from tests.support.sink import Sink, SinkPlayer
from tests.support.waiting import PATIENCE, until

pytestmark = pytest.mark.peer("postfix")

IMPATIENT = "retry_first = 0.5\nretry_limit = 1\n"
RECORD = recorded("nineteen-lines")


class Player(SinkPlayer):
    """Writes by Postfix, and tries again until it has said 250."""

    postfix: Postfix

    def write(self, text: str, to: str = ADDRESS) -> None:
        super().write(text, to)

    def post(self, letter: EmailMessage) -> None:
        """Until there is a 250; the very same letter each time."""
        self.postfix.take(self.address, letter)


@dataclass
class Post:
    """The servers and the players."""

    daemon: LiveDaemon
    postfix: Postfix
    sink: Sink
    alice: Player
    bob: Player

    def quiet(self) -> None:
        """Wait until everything is delivered."""
        until(lambda: not self.postfix.queued(), "Postfix's queue is empty")
        until(lambda: not self.daemon.ask("status")["letters"]["waiting"], "all is sent")
        until(lambda: not self.postfix.queued(), "Postfix's queue is empty")

    def kinds(self) -> Counter[str]:
        """How many different letters of each kind have arrived."""
        return Counter(self.alice.kinds() + self.bob.kinds())


@pytest.fixture
def transport(request: pytest.FixtureRequest) -> str:
    """How Postfix brings letters; a socket unless a test says otherwise."""
    return str(getattr(request, "param", "lmtp:unix"))


@pytest.fixture
def post(transport: str) -> Iterator[Post]:
    """Daemon, Postfix and sink; Postfix's user must be able to reach the socket."""
    folder = Path(tempfile.mkdtemp(prefix="godaemon-"))
    folder.chmod(0o755)
    port = free_port()
    lmtp = f"unix:{folder}/lmtp.sock" if transport == "lmtp:unix" else f"127.0.0.1:{port}"
    extra = f'[mail]\naddress = "{ADDRESS}"\n[mail.lmtp]\nlisten = "{lmtp}"\n'
    extra += 'group = "postfix"\n' if transport == "lmtp:unix" else ""
    with Sink() as sink:
        postfix = Postfix(folder / "postfix", sink.port)
        daemon = LiveDaemon(folder, extra, smarthost=postfix.url, outgoing=IMPATIENT)
        to = {
            "lmtp:unix": f"lmtp:{lmtp}",
            "lmtp:inet": f"lmtp:inet:{lmtp}",
            "smtp": f"smtp:[127.0.0.1]:{daemon.port}",
        }
        postfix.route(to[transport])
        players = [
            Player(f"{name.lower()}@players.example", name, postfix.port, sink)
            for name in ("Alice", "Bob")
        ]
        for player in players:
            player.postfix = postfix
        try:
            daemon.start()
            postfix.start()
            yield Post(daemon, postfix, sink, *players)
        finally:
            postfix.stop()
            daemon.stop()
            shutil.rmtree(folder)


@pytest.mark.parametrize(
    "transport",
    ["lmtp:unix", *(pytest.param(one, marks=pytest.mark.slow) for one in ("lmtp:inet", "smtp"))],
    indirect=True,
)
def test_a_game_goes_through_postfix(post: Post) -> None:
    """In both directions; Postfix refuses unknown addresses, and no bounce is sent."""
    alice, bob = post.alice, post.bob
    number = begin(alice, bob, f"19x19 komi {RECORD.komi:g}")
    for mover, other, move in zip((alice, bob) * 3, (bob, alice) * 3, RECORD.moves, strict=False):
        mover.reply(word(move))
        other.expect("your-turn")
    assert post.daemon.game(number)["move_number"] == 6
    with smtplib.SMTP("127.0.0.1", post.postfix.port, timeout=PATIENCE) as server:
        server.ehlo()
        server.mail("forged@players.example")
        for nobody in ("og", "go+x", "go+1-b-3-0-short"):
            assert server.rcpt(f"{nobody}@go.example.org")[0] == 550
        assert server.rcpt("postmaster@go.example.org")[0] == 250
        server.data(b"Subject: to the postmaster\r\n\r\nHello\r\n")
    post.quiet()
    assert "refused" not in post.kinds()
    assert not [to for to, _ in post.sink.taken if to.startswith("forged")]
    (kept,) = (post.daemon.folder / "state" / "postmaster" / "new").iterdir()
    assert "Subject: to the postmaster" in kept.read_text(encoding="utf-8")
