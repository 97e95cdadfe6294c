"""Several daemons on one PostgreSQL: work in hand belongs to its daemon until it dies."""

import secrets
import shutil
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

import pytest

from godaemon.storage.connections import connect, read_url
from tests.support import places, stores
from tests.support.daemon import LiveDaemon, free_port
from tests.support.gui import Gui
from tests.support.mailgame import begin
from tests.support.players import MailPlayer
from tests.support.site import member
from tests.support.waiting import until

pytestmark = pytest.mark.peer("postgresql")
DUTY, MAILBOX = "daemon.on-duty", "imap.trouble"
EXTRA = """[mail]
token_key = {{ file = "{key}" }}
[mail.imap]
host = "127.0.0.1"
port = {port}
security = "none"
user = "go"
password = {{ file = "{password}" }}
[engines.thinker]
command = ["{python}", "{engine}", "hangs", "C3", "--once", "{hung}"]
seconds = 300
contained = false
"""


class Site:
    """Daemons on one database, with one key, one mailbox and one engine; and people who write.

    Nobody answers at the mailbox.
    """

    def __init__(self, url: str, folder: Path) -> None:
        self.url, self.folder = url, folder
        self.daemons: list[LiveDaemon] = []
        self.key, self.hung = folder / "token.key", folder / "hung"
        password = folder / "password"
        for file in (self.key, password):
            file.write_bytes(secrets.token_hex(32).encode("ascii"))
            file.chmod(0o600)
        self.extra = EXTRA.format(
            key=self.key,
            port=free_port(),
            password=password,
            hung=self.hung,
            python=sys.executable,
            engine=places.FAKE_ENGINE,
        )

    def start(self) -> None:
        daemon = member(self.url, self.folder / f"host{len(self.daemons)}", self.extra)
        text = daemon.config.read_text(encoding="utf-8")
        text = text.replace("quiet_seconds = 0.3", "quiet_seconds = 3600")
        daemon.config.write_text(text, encoding="utf-8")
        self.daemons.append(daemon)
        daemon.start()

    def two(self) -> tuple[LiveDaemon, LiveDaemon]:
        """Two that run; the first one did before."""
        while len(running := [one for one in self.daemons if one.running]) < 2:
            self.start()
        return running[0], running[1]

    def await_takeover(self) -> None:
        """Wait until the live daemons have taken over from a dead one."""
        engine = connect(read_url(self.url))
        with engine.begin() as connection:
            connection.exec_driver_sql(
                "INSERT INTO kept (game, color, kind, since, until, digest, holder)"
                " SELECT max(id), 'black', 'your-turn', 0, 0, '', 1 FROM game"
            )

        def is_taken_over() -> bool:
            with engine.begin() as connection:
                return not connection.exec_driver_sql("SELECT * FROM kept WHERE holder = 1").all()

        until(is_taken_over, "a dead daemon is taken over")
        engine.dispose()

    def people(self, daemon: LiveDaemon) -> tuple[MailPlayer, MailPlayer]:
        """Alice and Bob, who write to that daemon; always others."""
        mark = secrets.token_hex(4)
        alice, bob = (
            MailPlayer(f"{name.lower()}{mark}@players.example", name, daemon.port, daemon.mail)
            for name in ("Alice", "Bob")
        )
        return alice, bob


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Daemons on a server, stopped at the end; none of them has had a fault of its own."""
    with stores.postgresql_server() as server:
        site = Site(server.url, tmp_path_factory.mktemp("site"))
        try:
            yield site
        finally:
            for daemon in site.daemons:
                daemon.stop()
    assert not [one for one in site.daemons if "Traceback" in one.log()]


def moves(daemon: LiveDaemon, game: int) -> int:
    return int(daemon.game(game)["move_number"])


def played(daemon: LiveDaemon, game: int, count: int) -> bool:
    """True once that many moves have been made."""
    return moves(daemon, game) == count


def asked(daemon: LiveDaemon) -> int:
    """The number of moves requested from its engine."""
    files = (daemon.folder / "state" / "engines").rglob("heard")
    return sum(path.read_text(encoding="utf-8").count("genmove") for path in files)


def key(daemon: LiveDaemon) -> bytes:
    return (daemon.folder / "state" / "token.key").read_bytes()


@contextmanager
def pending(daemon: LiveDaemon, game: int, vertex: str) -> Iterator[None]:
    """Black has just played that, at a GUI, and may take it back for an hour."""
    with ExitStack() as stack:
        gui = Gui(daemon.gtp("--game", str(game), "--as", "black"))
        stack.callback(gui.kill)
        gui.ask(f"play black {vertex}")
        yield


def test_another_daemon_plays_the_pending_move_of_a_killed_one(site: Site) -> None:
    """A move that was acknowledged at a seat is not lost."""
    first, second = site.two()
    alice, bob = site.people(first)
    game = begin(alice, bob, "9x9")
    with pending(first, game, "C3"):
        first.kill()
        until(partial(played, second, game, 1), "it is played")
    bob.expect("your-turn")


def test_another_daemon_thinks_for_a_killed_one(site: Site) -> None:
    """Only one daemon runs an engine for a game; after its death another does."""
    site.hung.unlink(missing_ok=True)
    first, second = site.two()
    alice, _ = site.people(first)
    alice.write("new 9x9 as black vs thinker")
    alice.expect("confirm")
    alice.reply("yes")
    game = int(str(alice.expect("started")["X-Godaemon-Game"]))
    alice.reply("E5")
    until(site.hung.exists, "it thinks")
    thinker = first if asked(first) else second
    other = second if thinker is first else first
    site.await_takeover()
    assert (asked(other), moves(other, game)) == (0, 1)
    thinker.kill()
    until(partial(played, other, game, 2), "it moves")
    assert asked(other) == 1


def test_one_daemon_reads_the_mailbox(site: Site) -> None:
    """After its death another reads it, and runs the timers."""
    both = site.two()
    until(lambda: any(DUTY in one.log() for one in both), "one is on duty")
    (first,) = [one for one in both if DUTY in one.log()]
    (second,) = [one for one in both if one is not first]
    until(lambda: MAILBOX in first.log(), "it reads the mailbox")
    assert MAILBOX not in second.log()
    first.kill()
    until(lambda: DUTY in second.log(), "it is on duty")
    until(lambda: MAILBOX in second.log(), "it reads the mailbox")


def test_the_signing_key_changes_while_one_daemon_runs(site: Site) -> None:
    """While others run it is refused; afterwards its files are copied to them."""
    first, second = site.two()
    alice, bob = site.people(first)
    game = begin(alice, bob, "9x9")
    refused = second.command("rotate-key", check=False)
    assert (refused.returncode, "Stop all but this one" in refused.stderr) == (1, True)
    first.stop()
    until(lambda: second.command("rotate-key", check=False).returncode == 0, "the other is gone")
    for name in ("token.key", "token.key.old"):
        shutil.copy(second.folder / "state" / name, first.folder / "state")
    first.start()
    alice.port = second.port
    alice.reply("C3")
    bob.expect("your-turn")
    bob.port = first.port
    bob.reply("D4")
    alice.expect("your-turn")
    assert (moves(first, game), key(first)) == (2, key(second))
    site.key.write_bytes(key(second))  # for those that the next tests start
