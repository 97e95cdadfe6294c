"""Clocks in games by letter, vacations, and games that end without a count."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from godaemon.errors import Unreadable
from godaemon.games import commands as cmd
from godaemon.games import events as ev
from godaemon.games.game_clock import MAX_PAUSE, GameClock
from godaemon.games.model import Phase
from godaemon.games.notices import Kind
from godaemon.games.running_clocks import give_back_pause
from godaemon.games.state import replay
from godaemon.games.views import iso, snapshot
from godaemon.rules.points import Color
from godaemon.system.outages_and_pauses import Pause
from mailgate.language.written_times import read_vacation, vacation_span
from tests.support.gateway import Gateway
from tests.support.gateway import Table as TwoPlayers


class Table(TwoPlayers):
    """Every queued letter has been sent."""

    def __init__(self, time: str = "", moves: str = "D4 E5") -> None:
        super().__init__(f"9x9 as black {time}")
        self.gateway.send()
        self.play(moves)

    def play(self, moves: str) -> None:
        """Play moves; each letter goes out at once."""
        for word in moves.split():
            self.gateway.play(self.alice, self.bob, word)
            self.gateway.send()

    def pass_time(self, days: float) -> None:
        """Let days go by, hour by hour, as the timer sees them."""
        for _ in range(int(days * 24)):
            self.gateway.wait(hours=1)
            while self.gateway.handle_due_alarms():
                pass
            self.gateway.send()

    def events(self, kind: type) -> list[ev.Event]:
        log = self.gateway.writer.state.logs[1]
        return [entry.event for entry in log if isinstance(entry.event, kind)]


@pytest.mark.parametrize(
    ("time", "reminded", "ends"),
    [
        ("", [5, 9], 10),
        ("3 days per move", [1.5], 3),
        ("1h each", [], 1 / 24),
        ("2 weeks each", [7, 13], 14),
        ("time none", [], None),
    ],
)
def test_reminders_come_before_time_runs_out(
    time: str, reminded: list[float], ends: float | None
) -> None:
    """At half of the time and a day before the end; none with short times."""
    table = Table(time)
    began = table.gateway.now
    table.pass_time(20)
    days = [
        (due.queued_at - began) / timedelta(days=1) for due in table.alice.letters(Kind.REMINDER)
    ]
    assert days == reminded
    over = [
        (due.queued_at - began) / timedelta(days=1) for due in table.alice.letters(Kind.FINISHED)
    ]
    assert over == ([] if ends is None else [pytest.approx(ends)])


def test_reminders_do_not_reorder_the_list_of_games() -> None:
    """The game played last comes first."""
    table = Table()
    before = table.gateway.writer.state.summaries[1]
    table.pass_time(6)
    table.alice.reply("vacation 1 week")
    assert table.events(ev.Reminded)
    assert table.events(ev.Paused)
    after, clock = table.gateway.writer.state.summaries[1], table.gateway.game().clock
    assert clock is not None
    assert after.updated == before.updated
    assert (after.deadline, after.alarm) == (clock.deadline, clock.next_alarm)


def test_a_plan_beside_given_time_is_hidden_in_lists() -> None:
    """Only `time` changes what others see."""
    table = Table(moves="D4")
    table.gateway.wait(hours=1)
    table.gateway.outages.append((table.gateway.now - timedelta(minutes=30), table.gateway.now))
    before = table.gateway.writer.state.summaries[1]
    assert table.alice.reply("if E5 then C3").event == "accepted"
    assert table.events(ev.Credited)
    assert table.gateway.writer.state.summaries[1].updated == before.updated


@pytest.mark.parametrize("days", [9.5, 20.0, 60.0])
def test_an_email_in_quarantine_stops_its_sender_s_clock(
    days: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They have answered; the fault is ours."""
    table = Table()
    turn = table.alice.newest(Kind.YOUR_TURN)
    table.pass_time(9)
    with monkeypatch.context() as broken:
        broken.setattr("mailgate.handling.handler.check_words", None)
        assert table.alice.reply("D5", to=turn).event == "quarantined"
    table.pass_time(days)
    held = days < MAX_PAUSE / timedelta(days=1)
    assert table.gateway.game().phase is (Phase.PLAYING if held else Phase.FINISHED)
    log = table.gateway.writer.state.logs[1]
    assert len(log) < 20
    if held:
        assert asyncio.run(table.gateway.intake.retry(1)).event == "accepted"
        clock = table.gateway.game().clock
        assert clock is not None
        assert clock.left[Color.BLACK].main == timedelta(days=1 + 1.5)


def test_a_refused_email_from_quarantine_gives_its_time_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its writer has lost nothing."""
    table = Table()
    turn = table.alice.newest(Kind.YOUR_TURN)
    table.pass_time(9)
    with monkeypatch.context() as broken:
        broken.setattr("mailgate.handling.handler._meant_text", None)
        assert table.alice.reply("D4", to=turn).event == "quarantined"
    table.pass_time(15)
    assert asyncio.run(table.gateway.intake.retry(1)).event == "refused"
    table.pass_time(0.9)
    assert table.gateway.game().phase is Phase.PLAYING
    table.pass_time(0.2)
    assert table.gateway.game().result == "W+T"


def test_a_far_alarm_is_checked_and_kept() -> None:
    """An alarm later than a wrong clock could have set still rings."""
    table = Table("366 days each")
    table.pass_time(364)
    assert len(table.events(ev.Reminded)) == 1
    table.pass_time(3)
    assert table.gateway.game().result == "W+T"
    assert table.events(ev.Credited) == []


def test_letters_mention_a_pause_of_all_clocks() -> None:
    """Since when, why, and the time left."""
    table = Table("3 days per move")
    begin = table.gateway.now
    table.gateway.wait(days=2)
    table.gateway.outages.append((begin, table.gateway.now))
    table.gateway.paused = Pause(begin, table.gateway.now, "a new server")
    table.alice.reply("show")
    letter = table.alice.text()
    text = " ".join(letter.split())
    assert "3 days left. Bob has 3 days left. All clocks have been paused since" in text
    assert "(a new server), until" in text
    table.alice.reply("games", to=table.alice.letters(Kind.YOUR_TURN)[-1])
    assert "3 days left. All clocks have been paused" in table.alice.words()
    table.play("C3")
    assert table.events(ev.Credited) == [ev.Credited("black", 2 * 86_400.0)]


@pytest.mark.parametrize("time", ["", "untimed"])
def test_a_pause_is_given_back_at_its_end(time: str) -> None:
    """Bug: until the next alarm, the deadline was in the past."""
    gateway = Table(time).gateway
    begun, before = gateway.now, gateway.game().clock
    gateway.wait(days=20)
    gateway.outages.append((begun, gateway.now))

    def go_on(place: int | None) -> int | None:
        return gateway.writer.run_sync(lambda unit: give_back_pause(gateway.games(unit), place))

    assert (go_on(None), go_on(1)) == (1, None)
    deadline = before.deadline if before else None
    expected = deadline + timedelta(days=20) if deadline else None
    assert snapshot(gateway.game())["deadline"] == iso(expected)


@pytest.mark.parametrize(
    "result", ["", "B", "B+", "B+3.25", "black", "X+3", "B+1000000", "B+0", "W+000", "b+0.0"]
)
def test_an_invalid_result_ends_no_game(result: str) -> None:
    """The operator gets an example of a valid one."""
    table = Table()
    with pytest.raises(Unreadable, match="result"):
        table.gateway.writer.run_sync(lambda unit: table.gateway.games(unit).adjudicate(1, result))


def test_the_opponent_cannot_keep_an_unclocked_game_open() -> None:
    """Their chat, notes, plans and questions extend nothing."""
    table = Table("no clock")
    lines = ("say are you there?", "note nothing yet", "undo", "if any then G7", "void")
    for month in range(16):
        table.bob.reply(lines[month % len(lines)], to=table.bob.newest(Kind.STARTED))
        for _ in range(25):
            table.gateway.wait(days=1)
            table.gateway.handle_due_alarms()
    assert table.gateway.game().result == "Void"
    assert table.bob.kinds().count("reminder") == 1


def test_a_game_from_an_older_store_gets_an_alarm() -> None:
    """The upgrade sets one that is due."""
    table = Table("no clock")
    row = table.gateway.writer.state.summaries[1]
    table.gateway.writer.state.summaries[1] = replace(row, alarm=row.updated)
    assert table.gateway.handle_due_alarms() == 1
    assert table.gateway.handle_due_alarms() == 0
    assert table.gateway.game().phase is Phase.PLAYING


def test_a_damaged_game_stops_no_other_from_expiring() -> None:
    """Such as a game of a newer version."""
    gateway = Gateway()
    for one, other in (("Alice", "Bob"), ("Carol", "Dave")):
        gateway.person(one).write(f"new 9x9 vs {gateway.person(other).address}")
        gateway.person(one).reply("yes")
    gateway.writer.state.logs[1] = gateway.writer.state.logs[1][1:]
    gateway.cache.clear()
    gateway.wait(days=15)
    assert gateway.expire(days=14) == 1
    assert gateway.game(2).phase is Phase.EXPIRED


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
        ("20-27 December", (12, 20), (12, 27)),
        ("from Dec 20 to 27", (12, 20), (12, 27)),
        ("20.12.-27.12.", (12, 20), (12, 27)),
        ("from tomorrow for 10 days", (11, 22), (12, 1)),
        ("10 days from tomorrow", (11, 22), (12, 1)),
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
