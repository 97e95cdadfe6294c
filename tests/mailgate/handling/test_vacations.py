"""Vacations: a player's clocks stop in all games, for a limited time, and opponents see it."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from godaemon.errors import Unreadable
from godaemon.games import commands as cmd
from godaemon.games.game_clock import GameClock
from godaemon.games.state import replay
from godaemon.rules.points import Color
from mailgate.language.written_times import read_vacation, vacation_span
from tests.mailgate.handling.test_clocks import Table

DAY = timedelta(days=1)
NOW, BERLIN = datetime(2026, 11, 21, 3, tzinfo=UTC), ZoneInfo("Europe/Berlin")


def clock(table: Table) -> GameClock:
    """The clock of the game, after a check that the log replays to it."""
    game = table.gateway.game()
    assert game == replay(1, table.gateway.writer.state.logs[1])
    assert game.clock is not None
    return game.clock


@pytest.mark.parametrize(
    ("line", "first", "last"),
    [
        *((f"from Dec 20 {to} Jan 6", (12, 20), (1, 6)) for to in ("until", "to", "-", "through")),
        *(
            (one, (12, 20), (12, 27))
            for one in ("20-27 December", "from Dec 20 to 27", "20.12.-27.12.")
        ),
        *(
            (one, (11, 22), (12, 1))
            for one in ("from tomorrow for 10 days", "10 days from tomorrow")
        ),
        ("between 2026-12-20 and 2027-01-06", (12, 20), (1, 6)),
        ("from 20 December 2026 to 6 January 2027", (12, 20), (1, 6)),
        ("from the 28th until the 3rd", (11, 28), (12, 3)),
        ("from Friday to Monday", (11, 27), (11, 30)),
        ("12/24 - 12/26", (12, 24), (12, 26)),
        ("next week", (11, 23), (11, 29)),
        ("starting Monday for a week", (11, 23), (11, 29)),
        ("from today until Sunday, 29 November", (11, 21), (11, 29)),
    ],
)
def test_vacations_are_whole_days(line: str, first: tuple[int, int], last: tuple[int, int]) -> None:
    """From midnight to midnight in the player's time zone."""
    read = read_vacation(line)
    assert isinstance(read, cmd.Vacation)
    begin, end = (one.astimezone(BERLIN) for one in vacation_span(read, NOW, BERLIN))
    assert (begin.month, begin.day) == first
    assert ((end - DAY).month, (end - DAY).day) == last
    assert begin.hour == 0 or begin == NOW


@pytest.mark.parametrize(
    ("line", "day"),
    [
        *(("until 24 December", 24), ("until Dec 24", 24), ("until 2026-12-24", 24)),
        *(("till the 24th of december", 24), ("until december 24, 2026", 24)),
        *(("until 2 January", 2), ("until monday", 23), ("until tomorrow", 22)),
        *(("until next monday", 23), ("until next saturday", 28)),
    ],
)
def test_vacations_end_on_a_named_day(line: str, day: int) -> None:
    """The next of its name, to its end."""
    now = datetime(2026, 11, 21, 3, tzinfo=UTC)
    read = read_vacation(line)
    assert isinstance(read, cmd.Vacation)
    begin, end = vacation_span(read, now, ZoneInfo("UTC"))
    assert ((end - DAY).day, begin, (end - DAY) >= now - DAY) == (day, now, True)


def test_next_tuesday_on_a_monday_is_next_week() -> None:
    """It does not mean tomorrow."""
    monday = datetime(2026, 11, 23, 18, tzinfo=UTC)
    for words, day in (("next tuesday", 1), ("tuesday", 24), ("next monday", 30)):
        read = read_vacation(f"until {words}")
        assert isinstance(read, cmd.Vacation)
        assert (vacation_span(read, monday, ZoneInfo("UTC"))[1] - DAY).day == day


@pytest.mark.parametrize("line", ["", "soon", "until the cows come home", "in Spain", "was nice"])
def test_other_words_are_no_vacation(line: str) -> None:
    """They stay words."""
    assert read_vacation(line) is None


@pytest.mark.parametrize(
    "line", ["until 31 February", "until 2020-01-01", "until 2026-13-01", "until 3/4"]
)
def test_impossible_dates_are_refused(line: str) -> None:
    """No clock stops."""
    read = read_vacation(line)
    assert isinstance(read, cmd.Vacation)
    with pytest.raises(Unreadable):
        vacation_span(read, NOW, BERLIN)


def test_an_automatic_vacation_starts_beside_planned_ones() -> None:
    """Even with as many as allowed."""
    table = Table("4 days per move")
    table.alice.reply("vacation by itself on")
    for number in range(12):
        day = table.gateway.now + (100 + 5 * number) * DAY
        assert table.alice.reply(f"vacation 1 day from {day:%d %B}").event == "accepted"
    table.pass_time(4.1)
    assert table.gateway.game().result is None
    table.pass_time(45)
    assert table.gateway.game().result == "W+T"


@pytest.mark.parametrize("ahead", [2, 6, 40])
def test_a_vacation_survives_a_wrong_clock(ahead: int) -> None:
    """What is said while it seems over takes nothing of it."""
    table = Table("4 days per move")
    table.gateway.wait(days=1)
    table.alice.reply("vacation 5 days")
    table.gateway.wait(days=4)
    true, spent = table.gateway.now, clock(table).used_at(table.gateway.now)
    table.gateway.outages.append((true, true + ahead * DAY))
    table.gateway.wait(days=ahead)
    table.alice.reply("vacation from 20 January to 22 January")
    table.gateway.now, table.gateway.outages = true, []
    table.gateway.handle_all_alarms()
    assert clock(table).used_at(true + DAY) == spent
    assert clock(table).used_at(true + 2 * DAY) == spent + DAY
    assert clock(table).vacation_left(Color.BLACK, true + DAY) == 25 * DAY


def test_a_vacation_of_all_days_survives_a_wrong_clock() -> None:
    """No days were used in the wrong future."""
    table = Table("10 days per move")
    table.alice.reply("vacation 30 days")
    table.gateway.wait(days=3)
    true = table.gateway.now
    table.gateway.outages.append((true, true + 40 * DAY))
    table.gateway.wait(days=40)
    table.alice.reply("weekends off")
    table.gateway.now, table.gateway.outages = true, []
    table.gateway.handle_all_alarms()
    assert clock(table).vacation_left(Color.BLACK, true) == 27 * DAY
    table.pass_time(34)
    assert table.gateway.game().result is None
