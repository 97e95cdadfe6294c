"""The daemon's SQL statements do not slow down with the number of games.

A real daemon records its SQL while players, programs and an operator use it; no statement may scan
a table that grows with games, letters or players.
"""

import sqlite3
import sys
from pathlib import Path

import pytest
from sqlalchemy import Engine, event

from godaemon.rules.points import Color
from tests.benchmarks.letters import steps
from tests.support import stores
from tests.support.daemon import LiveDaemon
from tests.support.gui import Gui
from tests.support.mailgame import begin, recorded, word
from tests.support.players import MailPlayer
from tests.support.sql_statements import scans, statements

pytestmark = pytest.mark.sqlite("its plans of queries")
FEW = {"pencil", "kept", "quarantine", "transfer", "alembic_version", "identity", "who"}
"""Tables whose rows go away again, and three of a single row."""
ASKED_FOR = {
    ("game", "count(*)"): "the status counts games by phase, from an index: 10 ms for 100,000",
    ("mailbox", "count(*)"): "the status counts the addresses that are suspended",
    ("mailbox", "ORDER BY mailbox.address"): "the operator's list of them",
    ("game", "SELECT EXISTS"): "a look for one row, at the start",
    ("outbox", "SELECT EXISTS"): "the same",
    ("game_address", "LIKE"): "the games with a program in them, once, at the start",
    ("game", "ORDER BY game.id DESC"): "a page of the operator's list, the newest first",
}
"""Rare queries for which no player waits: the table and words of the statement."""


def exercise(daemon: LiveDaemon) -> None:
    """Use every kind of command."""
    alice = MailPlayer("alice@players.example", "Alice", daemon.port, daemon.mail)
    bob = MailPlayer("bob@players.example", "Bob", daemon.port, daemon.mail)
    elsewhere = MailPlayer("bob@work.example", "Bob", daemon.port, daemon.mail)
    record = recorded("nine-lines-ko")
    game = begin(alice, bob, "9x9 komi 6.5")
    for move in record.moves[:4]:
        mover, other = (alice, bob) if move.color is Color.BLACK else (bob, alice)
        mover.reply(word(move))
        other.expect("your-turn")
    alice.reply("i4")
    alice.expect("refused")
    turn = alice.newest
    with Gui(daemon.gtp("--game", str(game), "--as", "black")) as gui:
        for line in ("name", "boardsize 9", "clear_board"):
            gui.ask(line)
        for move in record.moves[:5]:
            gui.ask(f"play {move.color.word} {word(move)}")
    letter = bob.expect("your-turn")
    elsewhere.reply(word(record.moves[5]), to=letter)
    bob.expect("confirm")
    bob.reply("yes")
    alice.expect("your-turn")
    alice.reply("pass")
    bob.expect("your-turn")
    bob.reply("pass\nsay Enough.")
    for person in (alice, bob):
        person.expect("scoring-started")
    bob.reply("done")
    alice.expect("done")
    alice.reply("done")
    for person in (alice, bob):
        person.expect("finished")
    alice.reply("D4", to=turn)
    last = alice.expect("refused")
    for words, kind in (("kifu", "kifu"), ("new 9x9 vs house1", "started"), ("games", "games")):
        alice.reply(words, to=last)
        alice.expect(kind)
    alice.reply("block all", to=last)
    alice.reply("receipts off", to=last)
    alice.expect("settings")
    alice.reply("stop all", to=last)
    alice.expect("settings")
    for arguments in (["status"], ["games"], ["show", "1"], ["mail", "queue"], ["mail", "bounces"]):
        daemon.command(*arguments)


@pytest.mark.slow
def test_no_statement_scans_a_growing_table(tmp_path: Path) -> None:
    """By SQLite's plans in the daemon's store."""
    written = tmp_path / "written"
    daemon = LiveDaemon(tmp_path)
    daemon.program = (sys.executable, "-m", "tests.support.sql_statements", str(written))
    daemon.start()
    try:
        exercise(daemon)
    finally:
        assert daemon.stop() == 0
    recorded = statements(written)
    assert len(recorded) > 40
    found = {
        (table, statement)
        for statement, tables in scans(tmp_path / "state" / "godaemon.db", recorded).items()
        for table in tables
        if table not in FEW
    }
    unasked = [
        (table, statement)
        for table, statement in found
        if not any(table == one and words in statement for one, words in ASKED_FOR)
    ]
    assert unasked == []


def test_scans_are_found(tmp_path: Path) -> None:
    """By a column without an index, and of a whole table."""
    stores.create(tmp_path)
    whole = [
        ("SELECT id FROM outbox WHERE answers = ?", 1),
        ("SELECT status, count(*) FROM outbox GROUP BY status", 0),
    ]
    served = ("SELECT id FROM outbox WHERE uid = ?", 1)
    assert list(scans(tmp_path / "godaemon.db", [*whole, served])) == [
        statement for statement, _ in whole
    ]


def test_a_move_by_email_takes_14_statements(tmp_path: Path) -> None:
    """In a cached game: the move, its letter's bytes, and the record that it was sent."""
    log: list[str] = []

    def trace(link: sqlite3.Connection, _: object) -> None:
        link.set_trace_callback(log.append)

    event.listen(Engine, "connect", trace)
    try:
        steps(tmp_path, 2)
    finally:
        event.remove(Engine, "connect", trace)
    ends = [at for at, one in enumerate(log) if one == "COMMIT"]
    last = log[ends[-4] + 1 :]
    queries = [one for one in last if one.split()[0] not in {"BEGIN", "PRAGMA", "COMMIT"}]
    assert len(queries) == 14, "\n".join(queries)
