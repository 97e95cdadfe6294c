"""Games that end by no count: cancelled, by consent, by the operator, by a year of silence."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from godaemon.errors import Unreadable
from godaemon.games.model import Phase
from godaemon.games.notices import Kind
from tests.mailgate.handling.test_clocks import Table
from tests.support.gateway import Gateway


@pytest.mark.parametrize(
    ("said", "result"),
    [("B+3.5", "B+3.5"), ("w+r", "W+R"), ("b+t", "B+T"), ("0", "0"), ("VOID", "Void")],
)
def test_the_operator_ends_a_game(said: str, result: str) -> None:
    """Both are told, also of another result later; no count is shown that nobody made."""
    table = Table()
    end = table.gateway.writer.run_sync
    end(lambda unit: table.gateway.games(unit).adjudicate(1, said))
    game = table.gateway.game()
    assert (game.result, game.by_count) == (result, False)
    for person in (table.alice, table.bob):
        assert "decided by the people who run this server" in table.first_line(person)
        assert "The score" not in str(person.read())
    end(lambda unit: table.gateway.games(unit).adjudicate(1, "B+1.5"))
    assert table.gateway.game().result == "B+1.5"
    assert all("B+1.5" in table.first_line(one) for one in (table.alice, table.bob))


@pytest.mark.parametrize(
    "said", ["", "B", "B+", "B+3.25", "black", "X+3", "B+1000000", "B+0", "W+000", "b+0.0"]
)
def test_what_is_no_result_ends_nothing(said: str) -> None:
    """The operator is told what one looks like."""
    table = Table()
    with pytest.raises(Unreadable, match="result"):
        table.gateway.writer.run_sync(lambda unit: table.gateway.games(unit).adjudicate(1, said))


def test_a_game_that_waits_for_an_answer_is_closed_after_a_year() -> None:
    """One without clocks: both are told four weeks before; a word of who is to move is enough."""
    table = Table("no clock")
    table.gateway.wait(days=300)
    table.alice.reply("say I am still thinking")
    table.gateway.wait(days=336)
    table.gateway.ring()
    assert table.alice.kinds().count("reminder") == 0
    for answer in ("say a little longer", ""):
        told = table.alice.kinds().count("reminder")
        table.gateway.wait(days=2)
        table.gateway.ring()
        table.gateway.ring()
        assert table.alice.kinds().count("reminder") == told + 1
        for person in (table.alice, table.bob):
            assert table.first_line(person).startswith(
                "Game 1 has waited a long time for an answer. If nobody writes, I'll close it on"
            )
        if answer:
            assert table.alice.reply(answer).event == "accepted"
            table.gateway.wait(days=336)
            table.gateway.ring()
    for days in (20, 7):
        table.gateway.wait(days=days)
        table.gateway.ring()
        assert table.gateway.game().phase is Phase.PLAYING
    table.gateway.wait(days=2)
    table.gateway.ring()
    assert table.gateway.game().result == "Void"
    assert "has waited a year" in table.first_line(table.alice)
    assert table.gateway.ring() == 0


def test_who_waits_cannot_keep_a_game_open_for_ever() -> None:
    """Words, notes, plans and questions of the player who is not awaited put nothing off."""
    table = Table("no clock")
    said = ("say are you there?", "note nothing yet", "undo", "if any then G7", "void")
    for month in range(16):
        table.bob.reply(said[month % len(said)], to=table.bob.newest(Kind.STARTED))
        for _ in range(25):
            table.gateway.wait(days=1)
            table.gateway.ring()
    assert table.gateway.game().result == "Void"
    assert table.bob.kinds().count("reminder") == 1


def test_a_game_out_of_an_older_store_is_looked_at_too() -> None:
    """Its row says so from the upgrade on: one alarm that has come."""
    table = Table("no clock")
    row = table.gateway.writer.state.summaries[1]
    table.gateway.writer.state.summaries[1] = replace(row, alarm=row.updated)
    assert table.gateway.ring() == 1
    assert table.gateway.ring() == 0
    assert table.gateway.game().phase is Phase.PLAYING


def test_a_server_that_was_away_closes_no_game_unheard() -> None:
    """What of the four weeks it did not run is waited for again."""
    table = Table("no clock")
    table.gateway.wait(days=340)
    table.gateway.ring()
    warned = table.gateway.now
    table.gateway.wait(days=30)
    table.gateway.outages.append((warned + timedelta(days=1), table.gateway.now))
    table.gateway.ring()
    assert table.gateway.game().phase is Phase.PLAYING
    table.gateway.wait(days=28)
    table.gateway.ring()
    assert table.gateway.game().result == "Void"


def test_one_with_a_clock_is_ended_by_that() -> None:
    """However slow it is."""
    table = Table("365d each")
    table.gateway.wait(days=364)
    assert table.gateway.expire(days=14) == 0
    clock = table.gateway.game().clock
    assert clock is not None
    assert clock.deadline == table.gateway.now + timedelta(days=1)


def test_a_game_that_cannot_be_read_keeps_no_other_from_ending() -> None:
    """One of a newer version, after a step back: the timer goes on with the rest."""
    gateway = Gateway()
    for one, other in (("Alice", "Bob"), ("Carol", "Dave")):
        gateway.person(one).write(f"new 9x9 vs {gateway.person(other).address}")
        gateway.person(one).reply("yes")
    gateway.writer.state.logs[1] = gateway.writer.state.logs[1][1:]
    gateway.cache.clear()
    gateway.wait(days=15)
    assert gateway.expire(days=14) == 1
    assert gateway.game(2).phase is Phase.EXPIRED
