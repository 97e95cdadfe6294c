"""Lists and counts do not slow down with the size of the store."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from godaemon.daemon import operations
from godaemon.games import commands as cmd
from godaemon.games.model import Phase
from godaemon.games.notices import Kind, Notice
from godaemon.games.service_calls import Caller
from godaemon.games.stored_values import BouncingAddress, GameSummary
from godaemon.storage import game_store
from godaemon.storage.unit_of_work import Unit
from mailgate.handling.player_games import open_games
from tests.support.gateway import Gateway
from tests.support.stores import LETTER, NOW, summary


def _fill(unit: Unit) -> None:
    for _ in range(5):
        unit.games.set_summary(summary(unit.games.create()), ["alice@a.example"])
    unit.games.create()
    unit.inbox.quarantine_letter(LETTER, "a fault", NOW)
    unit.inbox.quarantine_letter(LETTER, "a fault", NOW)
    unit.players.set_bouncing_address(BouncingAddress("alice@a.example", 1.0, NOW, "full"))
    unit.players.set_bouncing_address(
        BouncingAddress("bob@b.example", 9.0, NOW, "gone", suspended=NOW)
    )


def test_the_operator_gets_pages_and_counts(run: Callable[[Callable[[Unit], Any]], Any]) -> None:
    """Pages list the newest game first, each below the last number of the one before.

    A held email that is revived waits, though its last error stays until the next try.
    """
    run(_fill)

    def page(before: int | None) -> list[int]:
        return [row["id"] for row in run(lambda unit: operations.games(unit, before, 2))]

    assert [page(None), page(4), page(2), page(1)] == [[5, 4], [3, 2], [1], []]
    assert len(run(operations.games)) == 5
    counts = run(operations.counts)
    assert counts["games"] == {Phase.PLAYING.value: 5}
    assert (counts["quarantine"], counts["suspended"]) == (2, 1)
    assert set(counts["letters"].values()) == {0}
    run(lambda unit: unit.outbox.queue(Notice(Kind.YOUR_TURN, "bob@b"), NOW))
    run(lambda unit: unit.outbox.hold(1, NOW))
    assert [row["status"] for row in run(operations.queue)] == ["held"]
    run(lambda unit: unit.outbox.revive(1, NOW))
    assert [row["status"] for row in run(operations.queue)] == ["waiting"]


def test_finished_games_do_not_slow_a_proposal(
    run: Callable[[Callable[[Unit], Any]], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """They do not slow a letter that names no game either.

    Bug: an invitation by a player of 5,000 games took 0.3 s, for which all others waited.
    """
    read, decode = list[int](), game_store._read_summary

    def counted(row: Sequence[Any]) -> GameSummary:
        read.append(row[0])
        return decode(row)

    monkeypatch.setattr(game_store, "_read_summary", counted)
    alice = Caller("letter:<a>", "alice@a.example", "Alice")

    def create_games(unit: Unit) -> None:
        for _ in range(60):
            row = summary(unit.games.create(), Phase.FINISHED)
            unit.games.set_summary(row, [alice.address, "bob@b.example"])
        read.clear()
        games = Gateway().games(unit)
        for vouched in (True, False):
            games.propose(cmd.Propose("bob@b.example"), alice, vouched=vouched)
        assert len(open_games(games, alice.address)) == 2

    run(create_games)
    assert len(read) < 20
