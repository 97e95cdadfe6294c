"""Several daemons on one PostgreSQL: what each has in hand is its own until it dies."""

from __future__ import annotations

import asyncio
import re
import secrets
import shutil
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

import pytest
from aiosmtpd.smtp import SMTP, Envelope, Session

from godaemon.storage.connections import connect, read_url
from tests.support import places, stores
from tests.support.daemon import LiveDaemon
from tests.support.fake_imap import FakeImap
from tests.support.gui import Gui
from tests.support.letters import parsed
from tests.support.mailgame import begin
from tests.support.sink import Sink, SinkPlayer
from tests.support.waiting import until

pytestmark = pytest.mark.peer("postgresql")
SECONDS = 8.0
"""What "within seconds" means, on a machine that has much else to do."""
DUTY = "daemon.on-duty"
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


class SlowSink(Sink):
    """Takes letters; while it is `slow`, it reads them and says nothing."""

    def __init__(self) -> None:
        super().__init__()
        self.slow = threading.Event()
        self.begun: list[tuple[str, bytes]] = []
        """What was handed to it, whether it has said so or not."""

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        """Take it, in time."""
        assert isinstance(envelope.content, bytes)
        self.begun += [(recipient, envelope.content) for recipient in envelope.rcpt_tos]
        while self.slow.is_set():  # noqa: ASYNC110 - set on another thread
            await asyncio.sleep(0.01)
        return await super().handle_DATA(server, session, envelope)

    def has(self, address: str, times: int = 1) -> bool:
        """Whether letters to somebody were handed to it so often."""
        return sum(to == address for to, _ in self.begun) >= times

    def handed_over(self) -> Counter[str]:
        """How often each letter was handed to it."""
        return Counter(str(parsed(raw)["Message-ID"]) for _, raw in self.begun)


class Site:
    """Daemons on one database, with one key, one mailbox and one engine; and people who write."""

    def __init__(self, url: str, folder: Path, sink: SlowSink, mailbox: int) -> None:
        self.url, self.folder, self.sink = url, folder, sink
        self.daemons: list[LiveDaemon] = []
        self.key, self.hung = folder / "token.key", folder / "hung"
        password = folder / "password"
        for file in (self.key, password):
            file.write_bytes(secrets.token_hex(32).encode("ascii"))
            file.chmod(0o600)
        self.extra = EXTRA.format(
            key=self.key,
            port=mailbox,
            password=password,
            hung=self.hung,
            python=sys.executable,
            engine=places.FAKE_ENGINE,
        )

    def add(self) -> LiveDaemon:
        """One more, that does not run yet."""
        folder = self.folder / f"host{len(self.daemons)}"
        folder.mkdir()
        daemon = LiveDaemon(folder, self.extra, smarthost=self.sink.url, url=self.url)
        text = daemon.config.read_text(encoding="utf-8")
        text = text.replace("quiet_seconds = 0.3", "quiet_seconds = 3600")
        daemon.config.write_text(text, encoding="utf-8")
        self.daemons.append(daemon)
        return daemon

    def start(self) -> LiveDaemon:
        """One more, that runs."""
        daemon = self.add()
        daemon.start()
        return daemon

    def two(self) -> tuple[LiveDaemon, LiveDaemon]:
        """Two that run; the first one did before."""
        while len(running := [one for one in self.daemons if one.running]) < 2:
            self.start()
        return running[0], running[1]

    def bury_one(self) -> None:
        """Have a dead daemon taken over: those that live have looked at each other by then."""
        engine = connect(read_url(self.url))
        with engine.begin() as connection:
            connection.exec_driver_sql(
                "INSERT INTO kept (game, color, kind, since, until, digest, holder)"
                " SELECT max(id), 'black', 'your-turn', 0, 0, '', 1 FROM game"
            )

        def buried() -> bool:
            with engine.begin() as connection:
                return not connection.exec_driver_sql("SELECT * FROM kept WHERE holder = 1").all()

        until(buried, "a dead daemon is taken over", SECONDS)
        engine.dispose()

    def people(self, daemon: LiveDaemon) -> tuple[SinkPlayer, SinkPlayer]:
        """Alice and Bob, who write to that daemon; always others."""
        mark = secrets.token_hex(4)
        alice, bob = (
            SinkPlayer(f"{name.lower()}{mark}@players.example", name, daemon.port, self.sink)
            for name in ("Alice", "Bob")
        )
        return alice, bob


@contextmanager
def mailbox() -> Iterator[FakeImap]:
    """A mailbox, on a loop in a thread of its own."""
    box, ended, began = FakeImap(), asyncio.Event(), threading.Event()

    async def serve() -> None:
        async with box:
            began.set()
            await ended.wait()

    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),))
    thread.start()
    began.wait()
    try:
        yield box
    finally:
        loop.call_soon_threadsafe(ended.set)
        thread.join()
        loop.close()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Daemons on a server, stopped at the end; none of them has had a fault of its own."""
    with stores.postgresql() as url, SlowSink() as sink, mailbox() as box:
        site = Site(url, tmp_path_factory.mktemp("site"), sink, box.port)
        try:
            yield site
        finally:
            sink.slow.clear()
            for daemon in site.daemons:
                daemon.stop()
    assert not [one for one in site.daemons if "Traceback" in one.log()]


def moves(daemon: LiveDaemon, game: int) -> int:
    return int(daemon.game(game)["move_number"])


def played(daemon: LiveDaemon, game: int, count: int) -> bool:
    """Whether so many moves have been."""
    return moves(daemon, game) == count


def asked(daemon: LiveDaemon) -> int:
    """How often its engine was asked for a move."""
    heard = (daemon.folder / "state" / "engines").rglob("heard")
    return sum(path.read_text(encoding="utf-8").count("genmove") for path in heard)


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


def test_a_start_takes_nothing_from_who_lives(site: Site) -> None:
    """Neither a pending move nor a letter in hand; nor does the newcomer's stop."""
    first = site.start()
    alice, bob = site.people(first)
    game = begin(alice, bob, "9x9")
    with pending(first, game, "C3"):
        site.sink.slow.set()
        other, _ = site.people(first)
        other.write("help")
        until(lambda: other.address in dict(site.sink.begun), "the letter is in hand")
        second = site.start()
        site.bury_one()
        assert moves(second, game) == 0
        site.sink.slow.clear()
        other.expect("help")
        assert second.stop() == 0
        assert moves(first, game) == 0
    assert set(site.sink.handed_over().values()) == {1}


def test_a_daemon_that_is_killed_while_it_sends(site: Site) -> None:
    """The other one hands the same letter over, and nothing else twice."""
    first, _second = site.two()
    alice, _ = site.people(first)
    site.sink.slow.set()
    alice.write("help")
    until(partial(site.sink.has, alice.address), "the letter is in hand")
    first.kill()
    until(partial(site.sink.has, alice.address, 2), "it is taken over", SECONDS)
    site.sink.slow.clear()
    alice.expect("help")
    letters = [raw for to, raw in site.sink.begun if to == alice.address]
    assert len({parsed(raw)["Message-ID"] for raw in letters}) == 1
    assert sum(count > 1 for count in site.sink.handed_over().values()) <= 1


def test_a_daemon_that_is_killed_with_a_pending_move(site: Site) -> None:
    """The other one plays it."""
    first, second = site.two()
    alice, bob = site.people(first)
    game = begin(alice, bob, "9x9")
    with pending(first, game, "C3"):
        first.kill()
        until(partial(played, second, game, 1), "it is played", SECONDS)
    bob.expect("your-turn")


def test_a_program_that_sits_down_elsewhere_with_its_own_move(site: Site) -> None:
    """It is taken at once, were it pending with the dead one still; and so is another after it."""
    first, second = site.two()
    alice, bob = site.people(first)
    game = begin(alice, bob, "9x9")
    with pending(first, game, "C3"):
        first.kill()
        with Gui(second.gtp("--game", str(game), "--as", "black")) as gui:
            for line in ("boardsize 9", "clear_board", "play black C3"):
                gui.ask(line)
            gui.send("genmove white")
            bob.port = second.port
            bob.expect("your-turn")
            bob.reply("D4")
            assert gui.answer() == "= D4"


def test_a_daemon_that_is_killed_while_it_thinks(site: Site) -> None:
    """One thinks about a game, and when it dies the other."""
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
    site.bury_one()
    assert (asked(other), moves(other, game)) == (0, 1)
    thinker.kill()
    until(partial(played, other, game, 2), "it moves", SECONDS)
    assert asked(other) == 1


def test_a_mailbox_is_read_by_one(site: Site) -> None:
    """And when that dies, by the other; with it go the timers."""
    both = site.two()
    (first,) = [one for one in both if DUTY in one.log()]
    (second,) = [one for one in both if one is not first]
    first.kill()
    until(lambda: DUTY in second.log(), "it is on duty", SECONDS)
    until(lambda: "imap.connected" in second.log(), "it reads the mailbox")


def test_a_key_is_changed_by_the_only_one(site: Site) -> None:
    """While others run it is refused; then its files are copied to them, and all go on."""
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


def test_a_key_of_ones_own_is_refused(site: Site) -> None:
    """Exit 78, and where the right one is; so is none, where others have one."""
    site.two()
    stranger, other = site.add(), site.folder / "other.key"
    other.write_bytes(secrets.token_bytes(32))
    other.chmod(0o600)
    config = stranger.config.read_text(encoding="utf-8")
    for text, why in (
        (config.replace(str(site.key), str(other)), "is another store's"),
        (re.sub("token_key.*", "", config), "is missing"),
    ):
        stranger.config.write_text(text, encoding="utf-8")
        refused = stranger.command("serve", check=False)
        assert (refused.returncode, why in refused.stderr) == (78, True)
        assert "copy it from one of them" in refused.stderr
        assert not (stranger.folder / "state" / "token.key").exists()
