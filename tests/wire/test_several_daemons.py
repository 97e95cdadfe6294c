"""Several daemons on one PostgreSQL: changes through one are visible at the others."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import Connection

from godaemon.storage import migrations
from godaemon.storage.connections import read_url
from tests.support import stores
from tests.support.daemon import LiveDaemon
from tests.support.gui import Gui
from tests.support.mailgame import begin
from tests.support.site import cut_all, member, site
from tests.support.stores import new_database
from tests.support.waiting import until

pytestmark = pytest.mark.peer("postgresql")
MOVES = [f"{column}{row}" for row in (3, 5, 7) for column in "ABCDEFGH"]


class Table:
    """A game of Alice, who writes to the first daemon, and Bob, who writes to the last."""

    def __init__(self, server: stores.Postgresql, url: str, daemons: list[LiveDaemon]) -> None:
        self.server, self.url = server, url
        self.first, self.last = daemons[0], daemons[-1]
        self.alice, self.bob = self.first.person("Alice"), self.last.person("Bob")
        self.number = begin(self.alice, self.bob, "9x9 komi 6.5")

    def sit(self, daemon: LiveDaemon, color: str, moves: str = "") -> Gui:
        """A GUI at one of the daemons, with the game as it has it."""
        gui = Gui(daemon.gtp("--game", str(self.number), "--as", color))
        for line in ("boardsize 9", "clear_board", *moves.split(";")):
            if line:
                gui.ask(line)
        return gui


@pytest.fixture(scope="module")
def server() -> Iterator[stores.Postgresql]:
    with stores.postgresql_server() as server:
        yield server


@pytest.fixture(scope="module")
def table(server: stores.Postgresql, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """Two daemons that run, and a game."""
    url = new_database(server.url)
    with site(tmp_path_factory.mktemp("site"), url) as daemons:
        yield Table(server, url, daemons)


def played(gui: Gui, color: str, vertex: str) -> bool:
    """Whether a GUI's move is taken; while a server is away it is not."""
    gui.send(f"play {color} {vertex}")
    return gui.answer().startswith("=")


def hand_over(mover: Gui, waiting: Gui, color: str, vertex: str) -> None:
    """One GUI moves and asks for the answer; the other gets the move that it waits for.

    Who waits while the server is away may be told to ask again, and does.
    """
    until(lambda: played(mover, color, vertex), f"{vertex} is played")
    mover.send(f"genmove {'white' if color == 'black' else 'black'}")
    while (answer := waiting.answer()).startswith("? The store cannot be used just now"):
        waiting.send(f"genmove {color}")
    assert answer == f"= {vertex}"


def test_moves_reach_guis_at_other_daemons(table: Table) -> None:
    """Also after all connections were cut, and after a restart of the server."""
    with ExitStack() as stack:
        black = stack.enter_context(table.sit(table.first, "black"))
        white = stack.enter_context(table.sit(table.last, "white"))
        white.send("genmove black")
        sides = [(black, white, "black"), (white, black, "white")]
        for number, vertex in enumerate(MOVES[:12]):
            if number == 5:
                cut_all(table.url)
            if number == 9:
                table.server.stop()
                table.server.start()
            hand_over(*sides[number % 2], vertex)
        white.send("protocol_version")
        assert white.answer() == "? interrupted"


def test_status_reports_a_missing_database_server(table: Table) -> None:
    """It has what is known without the store, and the remedy."""
    table.server.stop()
    try:
        done = table.first.command("status", check=False)
    finally:
        table.server.start()
    assert done.returncode == 2
    assert "its server does not answer" in done.stdout
    assert "emails in:" in done.stdout
    until(lambda: table.first.command("status", check=False).returncode == 0, "it is back")


def test_an_old_daemon_ends_when_a_newer_one_migrates_the_store(
    server: stores.Postgresql, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It logs the reason, and does not start again on the newer store."""

    def upgrade(connection: Connection, _found: str) -> None:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))

    url = new_database(server.url)
    daemon = member(url, tmp_path / "host")
    daemon.start()
    monkeypatch.setattr("godaemon.storage.migrations.run_steps", upgrade)
    monkeypatch.setattr("godaemon.storage.migrations.SCHEMA", "9999")
    migrations.migrate(read_url(url), None)
    until(lambda: daemon.ended, "it has left")
    assert daemon.status == 78
    assert "A newer godaemon is changing the tables" in daemon.log()
    again = daemon.command("serve", check=False)
    assert again.returncode == 78
    assert "The store was written by a newer godaemon" in again.stderr
    assert "Traceback" not in daemon.log() + again.stderr
