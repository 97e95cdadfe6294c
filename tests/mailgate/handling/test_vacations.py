"""Absences: a player's clocks stand in all games, for a bounded time, and everybody reads so."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from godaemon.errors import Unreadable
from godaemon.games.game_clock import GameClock
from godaemon.games.state import replay
from godaemon.rules.points import Color
from mailgate.language.vacations import last_moment, read_vacation
from tests.mailgate.handling.test_clocks import Table

DAY = timedelta(days=1)


def clock(table: Table) -> GameClock:
    """The clocks of the game, which replays to the same."""
    game = table.gateway.game()
    assert game == replay(1, table.gateway.writer.state.logs[1])
    assert game.clock is not None
    return game.clock


def text(table: Table) -> str:
    """What Alice reads last."""
    body = table.alice.read().get_body(("plain",))
    assert body is not None
    return " ".join(str(body.get_content()).split())


def test_who_is_away_loses_no_time() -> None:
    """Their clock goes on when they are back, and they are reminded then."""
    table = Table("4 days per move")
    table.gateway.wait(days=1)
    assert table.alice.reply("vacation 2 weeks").event == "accepted"
    assert clock(table).remaining(Color.BLACK, table.gateway.now + 14 * DAY) == 3 * DAY
    table.pass_time(16.9)
    assert table.gateway.game().result is None
    assert table.alice.kinds().count("reminder") == 2
    table.pass_time(0.2)
    assert table.gateway.game().result == "W+T"


def test_nobody_is_reminded_while_away() -> None:
    """Whatever half of the time would have been."""
    table = Table("4 days per move")
    table.gateway.wait(days=1.9)
    table.alice.reply("vacation 2 weeks")
    table.pass_time(13.5)
    assert "reminder" not in table.alice.kinds()


def test_both_read_of_it() -> None:
    """The one until when they are away; the other in each email."""
    table = Table()
    table.alice.reply("vacation 2 weeks")
    assert text(table).startswith(
        "You are away until Saturday 5 December 2026, 03:00 UTC: your clocks stand in 1 game."
    )
    table.bob.reply("show")
    body = table.bob.read().get_body(("plain",))
    assert body is not None
    said = " ".join(str(body.get_content()).split())
    assert "Alice 10 days (away until Saturday 5 December 2026, 03:00 UTC)" in said


def test_a_turn_that_comes_meanwhile_waits_too() -> None:
    """It begins when its player is back; and they may play before."""
    table = Table(moves="D4 E5 C3")
    back = table.gateway.now + 14 * DAY
    table.alice.reply("vacation 2 weeks")
    table.play("C4")
    assert clock(table).since == back
    table.gateway.wait(days=3)
    table.play("D5")
    assert clock(table).black.main == 10 * DAY


def test_back_ends_it() -> None:
    """And the days that were not used are still to be had."""
    table = Table()
    table.alice.reply("vacation 20 days")
    table.gateway.wait(days=5)
    assert table.alice.reply("back", to=table.alice.newest()).event == "accepted"
    assert text(table).startswith("Welcome back")
    assert clock(table).deadline == table.gateway.now + 10 * DAY
    assert clock(table).rest_left(Color.BLACK, table.gateway.now) == 25 * DAY


def test_no_game_is_without_end_for_it() -> None:
    """Thirty days in all; who asks for more is told when their clock goes on."""
    table = Table()
    table.alice.reply("vacation 3 months")
    assert clock(table).deadline == table.gateway.now + 40 * DAY
    assert "30 days off in all: the first of your clocks goes on" in text(table)
    table.gateway.wait(days=31)
    table.alice.reply("vacation 1 week")
    assert "No clock of yours" in text(table)


@pytest.mark.parametrize(
    ("said", "day"),
    [
        *(("until 24 December", 24), ("until Dec 24", 24), ("until 2026-12-24", 24)),
        *(("till the 24th of december", 24), ("until december 24, 2026", 24)),
        *(("until 2 January", 2), ("until monday", 23), ("until tomorrow", 22)),
    ],
)
def test_days_as_people_write_them(said: str, day: int) -> None:
    """To the end of that day, the next of its name."""
    now = datetime(2026, 11, 21, 3, tzinfo=UTC)
    read = read_vacation(said)
    assert read is not None
    end = last_moment(getattr(read, "until"), now)  # noqa: B009 - a Vacation's
    assert ((end - DAY).day, (end - DAY) >= now - DAY) == (day, True)


@pytest.mark.parametrize("said", ["", "soon", "until the cows come home", "in Spain", "was nice"])
def test_what_is_no_absence(said: str) -> None:
    """It is left to be words."""
    assert read_vacation(said) is None


@pytest.mark.parametrize("said", ["until 31 February", "until 2020-01-01", "until 2026-13-01"])
def test_days_that_are_none(said: str) -> None:
    """Nothing stops."""
    read = read_vacation(said)
    assert read is not None
    with pytest.raises(Unreadable):
        last_moment(getattr(read, "until"), datetime(2026, 11, 21, tzinfo=UTC))  # noqa: B009
