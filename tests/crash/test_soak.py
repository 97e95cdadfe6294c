"""A short soak balances, and its books detect lost and repeated letters and events."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.crash.books import Books, balance
from tests.crash.soak import Options, soak

SEED = 421
"""With it the daemon runs for two to three seconds, twice."""
BEGUN = "(SELECT min(game) FROM event WHERE kind = 'handed')"
"""A started game; on a slow machine the first may not have started."""
PLANTED = {
    "an acknowledged move is lost": (
        (
            "DELETE FROM event WHERE game = 1 AND number >="
            " (SELECT max(number) FROM event WHERE game = 1 AND cause LIKE 'letter:%')"
        ),
        "1 events that were acknowledged and are not in the store",
    ),
    "a letter took effect twice": (
        (
            "INSERT INTO event SELECT game, (SELECT max(number) + 1 FROM event WHERE game = 1),"
            " kind, version, payload, cause, at, digest FROM event"
            " WHERE game = 1 AND cause LIKE 'letter:%' ORDER BY number DESC LIMIT 1"
        ),
        "1 events in the store that no acknowledged letter meant",
    ),
    "a letter set a clock going twice": (
        (
            f"DELETE FROM event WHERE game = {BEGUN} AND number >"
            f" (SELECT min(number) FROM event WHERE game = {BEGUN} AND kind = 'handed');"
            "INSERT INTO event SELECT game, number + 1, kind, version, payload, cause, at, digest"
            f" FROM event WHERE game = {BEGUN} ORDER BY number DESC LIMIT 1"
        ),
        "1 clocks that were set going twice",
    ),
    "a letter set no clock going": (
        (
            "UPDATE event SET kind = 'reminded' WHERE kind = 'handed'"
            " AND game = (SELECT max(id) FROM game WHERE phase = 'playing')"
        ),
        "1 clocks of games being played that no letter has set going",
    ),
    "an acknowledged letter is forgotten": (
        "DELETE FROM inbox WHERE fingerprint = (SELECT min(fingerprint) FROM inbox)",
        "1 letters that were acknowledged and are not in the inbox",
    ),
    "a notice was never expected": (
        "DELETE FROM outbox WHERE id = (SELECT max(id) FROM outbox)",
        "1 notices that follow from letters and are not expected",
    ),
    "a notice was not sent": (
        "UPDATE outbox SET status = 'waiting' WHERE id = 1",
        "1 notices that are not sent",
    ),
    "a notice is expected that did not arrive": (
        "UPDATE outbox SET message_id = '<other@localhost>' WHERE id = 1",
        "1 notices that were expected and did not arrive",
    ),
    "the list of games is behind": (
        "UPDATE game SET move_number = move_number + 1 WHERE id = 1",
        "1 games as they were played, and stand otherwise",
    ),
    "a move refers to no game": (
        (
            "PRAGMA foreign_keys = OFF; INSERT INTO event SELECT 999, 0, kind, version, payload,"
            " cause, at, digest FROM event WHERE game = 1 AND number = 0"
        ),
        "the store is not whole",
    ),
}


@pytest.mark.sqlite("its file is read by the books")
def test_two_kills_lose_nothing_and_planted_faults_are_found(tmp_path: Path) -> None:
    """Letters pass between the kills."""
    options = Options(8.0, 2.5, pairs=8, connections=4, seed=SEED)
    run, wrong = soak(tmp_path, options)
    assert wrong == []
    assert run.kills >= 2
    assert "the books balance" in run.report(wrong)
    for fault, (statement, sentence) in PLANTED.items():
        copy = tmp_path / fault
        shutil.copytree(tmp_path / "state", copy)
        with closing(sqlite3.connect(copy / "godaemon.db")) as store:
            store.executescript(statement)
            store.commit()
        found = balance(tmp_path / "books.db", copy)
        assert any(each.startswith(sentence) for each in found), (fault, found)


def test_a_repeated_letter_must_be_identical(tmp_path: Path) -> None:
    """And go to the same recipient."""
    books = Books(tmp_path / "books.db")
    assert books.record_delivery("<1@localhost>", "bob@b.example", "moved", b"one")
    assert not books.record_delivery("<1@localhost>", "bob@b.example", "moved", b"one")
    assert books.count("fault") == 0
    assert not books.record_delivery("<1@localhost>", "bob@b.example", "moved", b"other")
    assert books.count("fault") == 1
    assert not books.record_delivery("<1@localhost>", "eve@b.example", "moved", b"one")
    assert books.count("fault") == 2
    books.close()
