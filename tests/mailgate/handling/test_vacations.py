"""Absences: a player's clocks stand in all games, for a bounded time, and everybody reads so."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from godaemon.errors import Unreadable
from godaemon.games import commands as cmd
from godaemon.games.game_clock import GameClock
from godaemon.games.model import Phase
from godaemon.games.notices import Kind
from godaemon.games.state import replay
from godaemon.rules.points import Color
from mailgate.language.vacations import read_vacation, times
from tests.mailgate.handling.test_clocks import Table
from tests.support.letters import sentence

DAY = timedelta(days=1)
NOW, BERLIN = datetime(2026, 11, 21, 3, tzinfo=UTC), ZoneInfo("Europe/Berlin")


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
        "Enjoy your break! Your clock is paused until Sat 5 Dec, 03:00 UTC."
    )
    table.bob.reply("show")
    body = table.bob.read().get_body(("plain",))
    assert body is not None
    said = " ".join(str(body.get_content()).split())
    assert "Alice is away until Sat 5 Dec, 03:00 UTC; their clock is paused." in said


def test_a_turn_that_comes_meanwhile_waits_too() -> None:
    """It begins when its player is back; and they may play before."""
    table = Table(moves="D4 E5 C3")
    back = table.gateway.now + 14 * DAY
    table.alice.reply("vacation 2 weeks")
    table.play("C4")
    assert clock(table).deadline == back + 10 * DAY
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


def test_who_says_that_they_are_back_is_told_how_to_say_so() -> None:
    """While they are away, and not else; their words, which are talk, go to the opponent."""
    table = Table()
    words = "We stay at home after all, so I'm back from my holiday already."
    table.alice.reply(words)
    assert "reply with: back" not in text(table)
    table.alice.reply("vacation 20 days")
    table.gateway.wait(days=5)
    table.alice.reply(f"{words} Sorry!", to=table.alice.newest())
    assert sentence("clocks-paused") in text(table)
    assert table.gateway.game().chat[-1].text.startswith(words)


def test_no_game_is_without_end_for_it() -> None:
    """Thirty days in all; who has more in a new year is told when their clock goes on."""
    table = Table("120 days per move")
    table.gateway.wait(days=11)
    table.alice.reply("vacation 30 days")
    table.gateway.wait(days=31)
    table.alice.reply("vacation 1 week")
    assert "No game of yours has a clock, or days off left." in text(table)
    assert clock(table).deadline == table.gateway.now + (120 - 12) * DAY


def test_what_is_over_the_days_of_a_year_is_refused() -> None:
    """With what is left; and the days of the next are the next's."""
    table = Table("120 days per move")
    for said in ("3 months", "31 days", "from 1 December to 31 December"):
        assert table.alice.reply(f"vacation {said}").event == "refused"
    assert "vacation from 1 December for 30 days" in text(table)
    assert "in 2026 you can take 30 more" in text(table)
    assert table.alice.reply("vacation 20 days").event == "accepted"
    assert "You have 10 of this year's 30 vacation days left." in text(table)
    # Eleven days of this year, and twenty of the next.
    assert table.alice.reply("vacation from 21 December to 20 January").event == "refused"
    assert table.alice.reply("vacation from 22 December to 20 January").event == "accepted"


@pytest.mark.parametrize(
    ("said", "first", "last"),
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
def test_from_a_day_until_another(said: str, first: tuple[int, int], last: tuple[int, int]) -> None:
    """From the midnight before the one to that after the other, in the player's zone."""
    read = read_vacation(said)
    assert isinstance(read, cmd.Vacation)
    begin, end = (one.astimezone(BERLIN) for one in times(read, NOW, BERLIN))
    assert (begin.month, begin.day) == first
    assert ((end - DAY).month, (end - DAY).day) == last
    assert begin.hour == 0 or begin == NOW


def test_who_has_said_from_when_is_asked_until_when() -> None:
    """And nothing stops."""
    table = Table()
    assert table.alice.reply("vacation from 20 December").event == "refused"
    assert "For how long" in text(table)


def test_a_vacation_to_come_is_kept_in_mind() -> None:
    """Both read of it now, the deadline with it; and another may be planned beside it."""
    table = Table()
    assert table.alice.reply("vacation from tomorrow for 5 days").event == "accepted"
    assert text(table).startswith("You'll be away from Sun 22 Nov, 00:00 UTC until")
    assert "your clock is paused then" in text(table)
    assert "in 1 game" not in text(table)
    assert clock(table).deadline == table.gateway.now + 15 * DAY
    assert table.alice.reply("vacation from 24 Dec to 26 Dec").event == "accepted"
    table.bob.reply("show")
    body = table.bob.read().get_body(("plain",))
    assert body is not None
    said = " ".join(str(body.get_content()).split())
    assert "Alice will be away from Sun 22 Nov, 00:00 UTC until" in said
    assert "Alice will be away from Thu 24 Dec" in said
    table.alice.reply("back", to=table.alice.newest())
    assert clock(table).deadline == table.gateway.now + 10 * DAY


def test_games_that_begin_meanwhile_wait_too() -> None:
    """And who is invited reads so in the first email."""
    table = Table()
    table.alice.reply("vacation 2 weeks")
    table.bob.write("new 9x9 as white vs alice@players.example")
    table.bob.reply("yes")
    table.alice.reply("accept", to=table.alice.newest(Kind.INVITATION))
    table.gateway.send()
    game = table.gateway.game(2)
    assert game == replay(2, table.gateway.writer.state.logs[2])
    assert game.clock is not None
    assert game.clock.deadline == table.gateway.now + 24 * DAY
    body = table.bob.read().get_body(("plain",))
    assert body is not None
    assert "Alice is away until Sat 5 Dec" in " ".join(str(body.get_content()).split())


def test_weekends_off() -> None:
    """The clock stands on Saturdays and Sundays of one's own zone, and both read so."""
    table = Table("3 days per move")  # it is Saturday 21 November, 03:00 UTC
    assert table.alice.reply("weekends off").event == "accepted"
    monday = datetime(2026, 11, 23, tzinfo=UTC)
    assert clock(table).deadline == monday + 3 * DAY
    table.alice.reply("timezone Tokyo")
    assert clock(table).deadline == monday + 3 * DAY - timedelta(hours=9)
    table.alice.reply("show")
    assert "until Thu 26 Nov, 00:00. Weekends do not count." in text(table)
    table.bob.reply("show")
    body = table.bob.read().get_body(("plain",))
    assert body is not None
    assert "Alice's clock is paused on weekends." in str(body.get_content())
    table.pass_time(5)
    assert table.gateway.game().phase is Phase.FINISHED
    assert table.gateway.game().result == "W+T"
    assert clock(table).since is None


def test_weekends_count_again() -> None:
    """From the moment it is said, and not before."""
    table = Table("3 days per move")
    table.alice.reply("weekends off")
    table.gateway.wait(days=1)
    assert table.alice.reply("weekends on").event == "accepted"
    assert clock(table).deadline == table.gateway.now + 3 * DAY


@pytest.mark.parametrize(
    ("said", "day"),
    [
        *(("until 24 December", 24), ("until Dec 24", 24), ("until 2026-12-24", 24)),
        *(("till the 24th of december", 24), ("until december 24, 2026", 24)),
        *(("until 2 January", 2), ("until monday", 23), ("until tomorrow", 22)),
        *(("until next monday", 23), ("until next saturday", 28)),
    ],
)
def test_days_as_people_write_them(said: str, day: int) -> None:
    """To the end of that day, the next of its name."""
    now = datetime(2026, 11, 21, 3, tzinfo=UTC)
    read = read_vacation(said)
    assert isinstance(read, cmd.Vacation)
    begin, end = times(read, now, ZoneInfo("UTC"))
    assert ((end - DAY).day, begin, (end - DAY) >= now - DAY) == (day, now, True)


def test_the_next_one_is_that_of_next_week() -> None:
    """`next Tuesday`, said on a Monday, is no word for tomorrow."""
    monday = datetime(2026, 11, 23, 18, tzinfo=UTC)
    for said, day in (("next tuesday", 1), ("tuesday", 24), ("next monday", 30)):
        read = read_vacation(f"until {said}")
        assert isinstance(read, cmd.Vacation)
        assert (times(read, monday, ZoneInfo("UTC"))[1] - DAY).day == day


@pytest.mark.parametrize("said", ["", "soon", "until the cows come home", "in Spain", "was nice"])
def test_what_is_no_absence(said: str) -> None:
    """It is left to be words."""
    assert read_vacation(said) is None


@pytest.mark.parametrize(
    "said", ["until 31 February", "until 2020-01-01", "until 2026-13-01", "until 3/4"]
)
def test_days_that_are_none(said: str) -> None:
    """Nothing stops."""
    read = read_vacation(said)
    assert isinstance(read, cmd.Vacation)
    with pytest.raises(Unreadable):
        times(read, NOW, BERLIN)


def test_a_vacation_may_begin_by_itself() -> None:
    """Week by week, told to both, until there are no days left; then the flag falls."""
    table = Table("4 days per move", moves="D4 E5 C3 C4")
    assert table.alice.reply("vacation automatic").event == "accepted"
    assert "a vacation now starts by itself" in text(table)
    table.pass_time(4.1)
    assert table.gateway.game().result is None
    for person in (table.alice, table.bob):
        assert len(person.letters(Kind.AWAY)) == 1
    assert text(table).startswith("Your time in game 1 ran out, so your vacation has started")
    table.pass_time(7)
    assert len(table.bob.letters(Kind.AWAY)) == 2
    table.pass_time(23)  # thirty days of this year
    assert table.gateway.game().result == "W+T"
    assert len(table.bob.letters(Kind.AWAY)) == 5
    assert clock(table).since is None


@pytest.mark.parametrize("moves", ["D4 E5", ""])
def test_nothing_begins_by_itself_unasked(moves: str) -> None:
    """Nor for a game that has not begun, which nobody loses."""
    table = Table("4 days per move", moves=moves)
    table.alice.reply("vacation automatic" if not moves else "vacation automatic off")
    table.gateway.send()
    table.pass_time(12)
    assert table.gateway.game().phase is Phase.FINISHED
    assert not table.alice.letters(Kind.AWAY)


def test_a_vacation_begins_by_itself_however_many_are_planned() -> None:
    """Who has planned as many as can be is away all the same, and no clock of anybody stops."""
    table = Table("4 days per move")
    table.alice.reply("vacation by itself on")
    for number in range(12):
        day = table.gateway.now + (100 + 5 * number) * DAY
        assert table.alice.reply(f"vacation 1 day from {day:%d %B}").event == "accepted"
    table.pass_time(4.1)
    assert table.gateway.game().result is None
    table.pass_time(45)
    assert table.gateway.game().result == "W+T"


def test_settings_show_all_of_it() -> None:
    """What is planned and what is left, and the weekends; each with a reply that changes it."""
    table = Table()
    table.alice.reply("timezone Europe/Berlin")
    table.alice.reply("vacation from 20 December to 22 December")
    table.alice.reply("weekends off")
    table.alice.reply("settings")
    told = text(table)
    assert "Away: Sun 20 Dec, 00:00 to back Wed 23 Dec, 00:00*" in told
    assert "27 of 30 days left" in told
    assert "Weekends: clock paused*" in told
    for line in ("weekends on", "vacation 1 week", "vacation automatic"):
        assert line in told


def test_what_is_said_twice_is_answered_as_once() -> None:
    """No vacation ends by it."""
    table = Table()
    for _ in range(2):
        table.alice.reply("vacation automatic")
        assert "a vacation now starts by itself" in text(table)
    for _ in range(2):
        table.alice.reply("vacation 2 weeks")
        assert text(table).startswith("Enjoy your break!")


@pytest.mark.parametrize("ahead", [2, 6, 40])
def test_a_vacation_goes_on_once_the_clock_is_set_back(ahead: int) -> None:
    """What is said while it is over by a clock that is ahead takes nothing of it."""
    table = Table("4 days per move")
    table.gateway.wait(days=1)
    table.alice.reply("vacation 5 days")
    table.gateway.wait(days=4)
    true, spent = table.gateway.now, clock(table).used(table.gateway.now)
    table.gateway.outages.append((true, true + ahead * DAY))
    table.gateway.wait(days=ahead)
    table.alice.reply("vacation from 20 January to 22 January")
    table.gateway.now, table.gateway.outages = true, []
    table.gateway.look()
    assert clock(table).used(true + DAY) == spent
    assert clock(table).used(true + 2 * DAY) == spent + DAY
    assert clock(table).rest_left(Color.BLACK, true + DAY) == 25 * DAY


def test_a_vacation_of_all_days_goes_on_once_the_clock_is_set_back() -> None:
    """None of them were had in a future that has never been."""
    table = Table("10 days per move")
    table.alice.reply("vacation 30 days")
    table.gateway.wait(days=3)
    true = table.gateway.now
    table.gateway.outages.append((true, true + 40 * DAY))
    table.gateway.wait(days=40)
    table.alice.reply("weekends off")
    table.gateway.now, table.gateway.outages = true, []
    table.gateway.look()
    assert clock(table).rest_left(Color.BLACK, true) == 27 * DAY
    table.pass_time(34)
    assert table.gateway.game().result is None


def test_who_is_back_before_they_went_is_told_so() -> None:
    """No clock had stood, and it is not said that one goes on again."""
    table = Table("4 days per move")
    table.alice.reply("vacation from 5 December to 12 December")
    table.alice.reply("back")
    assert "You weren't away. Your clock is running, and no vacation is planned" in text(table)
    table.alice.reply("vacation 2 weeks")
    table.alice.reply("back")
    assert "Welcome back" in text(table)


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize(
    ("line", "field", "value"),
    [
        ("timezone Europe/Berlin", "zone", "Europe/Berlin"),
        ("weekends off", "weekends_off", True),
        ("name Margaret", "name", "Margaret"),
        ("i am 3 kyu", "line", "3 kyu"),
    ],
)
def test_what_else_a_letter_sets_is_kept(
    line: str, field: str, value: object, *, first: bool
) -> None:
    """Above the line of a vacation and below it; all of it is said to be done."""
    table = Table()
    lines = [line, "vacation 2 weeks"][:: 1 if first else -1]
    assert table.alice.reply("\n".join(lines)).event == "accepted"
    profile = table.gateway.writer.run_sync(lambda unit: unit.players.profile(table.alice.address))
    assert getattr(profile, field) == value
    assert len(profile.vacations) == 1


def test_an_email_of_the_day_comes_to_who_goes_away_in_the_same_letter() -> None:
    """Else neither it nor any turn would reach them."""
    table = Table()
    table.alice.reply("emails daily everywhere\nvacation 2 weeks")
    profile = table.gateway.writer.run_sync(lambda unit: unit.players.profile(table.alice.address))
    assert profile.digest_due is not None


def test_two_vacations_in_one_letter() -> None:
    """Both are planned, within the days of a year together."""
    table, address = Table(), "alice@players.example"

    def planned() -> list[timedelta]:
        spans = table.gateway.writer.run_sync(lambda unit: unit.players.profile(address)).vacations
        return [end - begin for begin, end in spans]

    table.alice.reply("vacation 3 days\nvacation 5 days from 24 december")
    assert planned() == [3 * DAY, 5 * DAY]
    too_many = "vacation 20 days\nvacation 12 days from 14 december"
    assert table.alice.reply(too_many).event == "refused"
    assert planned() == [3 * DAY, 5 * DAY]


@pytest.mark.parametrize(
    "line",
    [
        *("vacation for 5 days 3 days", "vacation from monday 5 days 3 days"),
        *("vacation until 31.12.9999", "vacation from 31.12.9999 for 5 days"),
        *("vacation from 9999-12-30 to 9999-12-31", "vacation until 31.12.2099"),
    ],
)
def test_spans_and_days_that_are_none(line: str) -> None:
    """They are answered, and keep no letter for the operator."""
    table = Table()
    assert table.alice.reply(line).event == "refused"
