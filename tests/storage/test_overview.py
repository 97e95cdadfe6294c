"""Lists and counts of everything, which may not take longer when there is more of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
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
from godaemon.storage.writer import WriterThread
from mailgate.handling.player_games import open_games
from tests.support import stores
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


def test_games_are_listed_by_pages_the_newest_first(tmp_path: Path) -> None:
    """A page begins below the last number of the one before; numbers alone are left out."""
    database = stores.fresh(tmp_path)
    with WriterThread(database) as writer:
        writer.run_sync(_fill)

        def page(before: int | None) -> list[int]:
            return [
                row["id"] for row in writer.run_sync(lambda unit: operations.games(unit, before, 2))
            ]

        assert [page(None), page(4), page(2), page(1)] == [[5, 4], [3, 2], [1], []]
        assert len(writer.run_sync(operations.games)) == 5
    database.close()


def test_a_letter_is_held_until_it_is_revived(tmp_path: Path) -> None:
    """Then it waits, though that it was held stays its last error until it is tried."""
    database = stores.fresh(tmp_path)

    def statuses(unit: Unit) -> list[str]:
        return [row["status"] for row in operations.queue(unit)]

    with WriterThread(database) as writer:
        writer.run_sync(lambda unit: unit.outbox.owe(Notice(Kind.YOUR_TURN, "bob@b"), NOW))
        writer.run_sync(lambda unit: unit.outbox.hold(1, NOW))
        assert writer.run_sync(statuses) == ["held"]
        writer.run_sync(lambda unit: unit.outbox.revive(1, NOW))
        assert writer.run_sync(statuses) == ["waiting"]
    database.close()


def test_counts(tmp_path: Path) -> None:
    """What the status tells, without reading what it counts."""
    database = stores.fresh(tmp_path)
    with WriterThread(database) as writer:
        writer.run_sync(_fill)
        counts = writer.run_sync(operations.counts)
    database.close()
    assert counts["games"] == {Phase.PLAYING.value: 5}
    assert (counts["quarantine"], counts["suspended"]) == (2, 1)
    assert set(counts["letters"].values()) == {0}


def test_who_has_played_thousands_is_met_as_fast(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A proposal, and a letter that names no game, read no rows of games that are over.

    An invitation by somebody with 5,000 games took 0.3 s, for which all others waited.
    """
    read, decode = list[int](), game_store._read_summary

    def counted(row: Sequence[Any]) -> GameSummary:
        read.append(row[0])
        return decode(row)

    monkeypatch.setattr(game_store, "_read_summary", counted)
    alice = Caller("letter:<a>", "alice@a.example", "Alice")

    def meet(unit: Unit) -> None:
        for _ in range(60):
            row = summary(unit.games.create(), Phase.FINISHED)
            unit.games.set_summary(row, [alice.address, "bob@b.example"])
        read.clear()
        games = Gateway().games(unit)
        for vouched in (True, False):
            games.propose(cmd.Propose("bob@b.example"), alice, vouched=vouched)
        assert len(open_games(games, alice.address)) == 2

    database = stores.fresh(tmp_path)
    with WriterThread(database) as writer:
        writer.run_sync(meet)
    database.close()
    assert len(read) < 20
