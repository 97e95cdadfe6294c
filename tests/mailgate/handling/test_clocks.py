"""Games with clocks, in letters: reminders, the flag, and what stops or bounds a clock."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta

import pytest

from godaemon.games import events as ev
from godaemon.games.game_clock import RESTS, UNREAD
from godaemon.games.model import Phase
from godaemon.games.notices import Kind
from godaemon.games.running_clocks import RunningClocks
from godaemon.games.state import replay
from godaemon.games.views import iso, record, snapshot
from godaemon.records.sgf import write
from godaemon.system.clock import Pause
from mailgate.handling.player_games import send_digests
from tests.support.gateway import Gateway, Person
from tests.support.letters import part

MOVES = "F5 G5 F4 C3 F6 G6 F7 G7 F8 G8 F9 G9 F3 G3 F2 G2 F1 G1 H8 G4"


class Table:
    """Alice has Black, Bob White; all that is owed has gone out."""

    def __init__(self, time: str = "", moves: str = "D4 E5") -> None:
        self.gateway = Gateway()
        self.alice, self.bob = self.gateway.person("Alice"), self.gateway.person("Bob")
        self.gateway.start(self.alice, self.bob, f"9x9 as black {time}")
        self.gateway.send()
        self.play(moves)

    def play(self, moves: str) -> None:
        """Moves, each of whose letters goes out at once."""
        for word in moves.split():
            self.gateway.play(self.alice, self.bob, word)
            self.gateway.send()

    def pass_time(self, days: float) -> None:
        """Let days go by, hour by hour, as the timer sees them."""
        for _ in range(int(days * 24)):
            self.gateway.wait(hours=1)
            while self.gateway.ring():
                pass
            self.gateway.send()

    def events(self, kind: type) -> list[ev.Event]:
        """What has happened of one kind."""
        log = self.gateway.writer.state.logs[1]
        return [entry.event for entry in log if isinstance(entry.event, kind)]

    def first_line(self, person: Person) -> str:
        """How the last letter to somebody begins."""
        body = person.read().get_body(("plain",))
        assert body is not None
        text = str(body.get_content()).replace("\r", "")
        return text.split("\n\n", maxsplit=1)[0].replace("\n", " ")


def test_who_stays_silent_loses_on_time() -> None:
    """Once, with two reminders before, and both are told; whatever the timer does afterwards."""
    table = Table()
    table.pass_time(30)
    game = table.gateway.game()
    assert (game.phase, game.result) == (Phase.FINISHED, "W+T")
    assert table.events(ev.Finished) == [ev.Finished("W+T", why="time")]
    assert len(table.alice.letters(Kind.REMINDER)) == 2
    assert not table.bob.letters(Kind.REMINDER)
    for person in (table.alice, table.bob):
        assert len(person.letters(Kind.FINISHED)) == 1
    assert table.first_line(table.alice) == (
        "Your time ran out, so game 1 is over. Bob (White) wins on time (W+T)."
    )
    assert table.first_line(table.bob) == (
        "Alice's time ran out, so game 1 is over. You (White) win on time (W+T)."
    )
    assert game == replay(1, table.gateway.writer.state.logs[1])


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
def test_reminders_and_the_flag_come_by_the_same_clock(
    time: str, reminded: list[float], ends: float | None
) -> None:
    """When half of the time is left, and a day; of short times none."""
    table = Table(time)
    began = table.gateway.now
    table.pass_time(20)
    days = [(due.owed_at - began) / timedelta(days=1) for due in table.alice.letters(Kind.REMINDER)]
    assert days == reminded
    over = [(due.owed_at - began) / timedelta(days=1) for due in table.alice.letters(Kind.FINISHED)]
    assert over == ([] if ends is None else [pytest.approx(ends)])


@pytest.mark.parametrize(("moves", "left_out"), [("", "Alice"), ("D4", "Bob")])
def test_before_the_first_move_a_game_is_cancelled(moves: str, left_out: str) -> None:
    """Who never began has not lost."""
    table = Table(moves=moves)
    table.pass_time(11)
    assert table.gateway.game().result == "Void"
    other = table.bob if left_out == "Alice" else table.alice
    assert table.first_line(other) == (
        f"{left_out}'s time ran out before the first move, so game 1 is cancelled: nobody has lost."
    )


def test_the_count_is_not_waited_for_without_end() -> None:
    """Who does not answer the other's done loses on time, after the same reminders."""
    table = Table(moves=f"{MOVES} pass pass")
    table.bob.reply("done")
    table.gateway.send()
    table.pass_time(11)
    assert table.gateway.game().result == "W+T"
    assert len(table.alice.letters(Kind.REMINDER)) == 2


def test_a_letter_that_never_goes_out_holds_a_clock_up_for_a_week() -> None:
    """Nobody is kept waiting for ever by a mail server that is away."""
    table = Table()
    table.gateway.play(table.alice, table.bob, "C3")
    deadline = table.gateway.now + UNREAD + timedelta(days=10)
    clock = table.gateway.game().clock
    assert clock is not None
    assert clock.deadline == deadline
    table.gateway.now = deadline - timedelta(seconds=1)
    table.gateway.ring()
    assert table.gateway.game().phase is Phase.PLAYING
    table.gateway.wait(seconds=1)
    table.gateway.ring()
    assert table.gateway.game().result == "B+T"


def test_a_move_is_in_time_until_the_flag_has_fallen() -> None:
    """What comes before the timer has looked counts; and it starts the other clock."""
    table = Table()
    table.gateway.wait(days=10, hours=1)
    assert table.alice.reply("C3", to=table.alice.newest(Kind.YOUR_TURN)).event == "accepted"
    table.gateway.send()
    assert not table.gateway.ring()
    clock = table.gateway.game().clock
    assert clock is not None
    assert clock.black.main == timedelta(hours=36)


def test_time_in_which_nothing_ran_is_given_back() -> None:
    """Once, whether the player answers or the clock rings."""
    for answers in (False, True):
        table = Table("3 days per move")
        began = table.gateway.now
        down = (began + timedelta(days=1), began + timedelta(days=8))
        table.gateway.outages.append(down)
        table.gateway.now = down[1]
        if answers:
            assert table.alice.reply("C3").event == "accepted"
        else:
            table.pass_time(1.5)
        assert table.events(ev.Credited) == [ev.Credited("black", 7 * 86_400.0)]
        if not answers:
            for person, who in ((table.alice, "You were"), (table.bob, "Alice was")):
                person.reply("show")
                body = person.read().get_body(("plain",))
                assert body is not None
                said = " ".join(str(body.get_content()).split())
                assert f"{who} given back 7 days, because I could not take emails" in said
            table.pass_time(1)
            assert table.gateway.game().result == "W+T"
            assert len(table.events(ev.Credited)) == 1


def test_old_games_end_by_no_clock() -> None:
    """What was agreed on without clocks is played without."""
    table = Table("no clock")
    table.pass_time(40)
    assert table.gateway.game().phase is Phase.PLAYING


def test_games_against_oneself_have_no_clock() -> None:
    """Unless the proposal says so."""
    gateway = Gateway()
    alice = gateway.person("Alice")
    gateway.start(alice, alice)
    assert gateway.game().clock is None


def test_a_list_starts_the_clock_of_who_plays_both_sides() -> None:
    """One line of it tells of the game, whichever side is to move."""
    gateway = Gateway()
    alice = gateway.person("Alice")
    gateway.start(alice, alice, "9x9 as black 3 days per move")
    gateway.send()
    alice.reply("digest", to=alice.newest(Kind.STARTED))
    alice.reply("D4", to=alice.newest(Kind.STARTED))
    gateway.wait(hours=30)
    gateway.writer.run_sync(lambda unit: send_digests(gateway.games(unit)))
    gateway.send()
    clock = gateway.game().clock
    assert clock is not None
    assert clock.handed


def test_each_turn_letter_says_how_long_there_is() -> None:
    """In words, and with the moment."""
    table = Table("3 days per move")
    body = table.alice.read().get_body(("plain",))
    assert body is not None
    deadline: datetime = table.gateway.now + timedelta(days=3)
    text = str(body.get_content())
    assert f"3 days left, until Tue {deadline.day} Nov, 03:00 UTC. Bob has 3 days." in text


def test_moments_are_told_in_the_reader_s_own_zone() -> None:
    """Across a change of the hour; in UTC, which is named, where they have not said."""
    table = Table("120 days per move")
    for zone, told in (
        ("", "Sun 21 Mar 2027, 03:00 UTC"),
        ("New York", "Sat 20 Mar 2027, 23:00"),
        ("Europe/Berlin", "Sun 21 Mar 2027, 04:00"),
    ):
        assert not zone or table.alice.reply(f"timezone {zone}").event == "accepted"
        table.alice.reply("show")
        body = table.alice.read().get_body(("plain",))
        assert body is not None
        assert f"until {told}." in " ".join(str(body.get_content()).split())


def test_the_record_has_the_clocks() -> None:
    """Main time, overtime, and what each move has left its player with."""
    table = Table("1h + 5x30s", moves="")
    for seconds, word in ((600, "D4"), (3_640, "E5"), (30, "C3")):
        table.gateway.wait(seconds=seconds)
        table.play(word)
    text = write(record(table.gateway.game()))
    assert "TM[3600]" in text
    assert "OT[5x30 byo-yomi]" in text
    assert "B[df]BL[3000]" in text
    assert "OW[4]W[ee]WL[30]" in text


def test_the_list_of_games_says_how_long_there_is() -> None:
    """For who is to move, and for who waits."""
    table = Table()
    table.gateway.wait(days=2)
    for person, told in (
        (table.alice, "8 days left, until Tue 1 Dec, 03:00 UTC."),
        (table.bob, "their move 3, 8 days left"),
    ):
        person.reply("games")
        body = person.read().get_body(("plain",))
        assert body is not None
        assert told in " ".join(str(body.get_content()).split())


def test_a_list_says_what_there_is_also_before_the_letter_has_gone_out() -> None:
    """The week in which a clock waits for its letter at most is nobody's time."""
    table = Table(moves="")
    table.gateway.play(table.alice, table.bob, "D4")
    table.alice.reply("games")
    (seen,) = {row.deadline for row in table.gateway.writer.state.summaries.values()}
    assert seen == table.gateway.now + timedelta(days=10)
    assert "their move 2, 10 days left" in " ".join(part(table.alice.read(), "plain").split())


def test_with_one_email_a_day_the_clock_waits_for_that() -> None:
    """It is what tells its reader of their turn."""
    table = Table(moves="D4")
    table.bob.reply("emails daily")
    table.play("E5 C3")
    clock = table.gateway.game().clock
    assert clock is not None
    assert clock.waits
    table.bob.reply("games")
    table.gateway.send()
    clock = table.gateway.game().clock
    assert clock is not None
    assert not clock.waits


def test_what_clocks_do_by_themselves_leaves_the_order_of_games_alone() -> None:
    """A game comes first in a list for what its players did; a reminder is no move."""
    table = Table()
    before = table.gateway.writer.state.summaries[1]
    table.pass_time(6)
    table.alice.reply("vacation 1 week")
    assert table.events(ev.Reminded)
    assert table.events(ev.Paused)
    after, clock = table.gateway.writer.state.summaries[1], table.gateway.game().clock
    assert clock is not None
    assert after.updated == before.updated
    assert (after.deadline, after.alarm) == (clock.deadline, clock.alarm)


def test_a_plan_beside_given_time_is_not_seen_in_lists() -> None:
    """What is planned changes nothing that anybody else is shown."""
    table = Table(moves="D4")
    table.gateway.wait(hours=1)
    table.gateway.outages.append((table.gateway.now - timedelta(minutes=30), table.gateway.now))
    before = table.gateway.writer.state.summaries[1]
    assert table.alice.reply("if E5 then C3").event == "accepted"
    assert table.events(ev.Credited)
    assert table.gateway.writer.state.summaries[1].updated == before.updated


@pytest.mark.parametrize("days", [9.5, 20.0, 60.0])
def test_an_email_in_quarantine_holds_its_players_clock_up(
    days: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They have answered; that nobody read it is our fault, for as long as games can wait."""
    table = Table()
    turn = table.alice.newest(Kind.YOUR_TURN)
    table.pass_time(9)
    with monkeypatch.context() as broken:
        broken.setattr("mailgate.handling.handler.check_words", None)
        assert table.alice.reply("D5", to=turn).event == "quarantined"
    table.pass_time(days)
    held = days < RESTS / timedelta(days=1)
    assert table.gateway.game().phase is (Phase.PLAYING if held else Phase.FINISHED)
    log = table.gateway.writer.state.logs[1]
    assert len(log) < 20
    if held:
        assert asyncio.run(table.gateway.intake.retry(1)).event == "accepted"
        clock = table.gateway.game().clock
        assert clock is not None
        assert clock.black.main == timedelta(days=1 + 1.5)


def test_what_is_refused_in_the_end_has_cost_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """An email that came out of quarantine and did nothing leaves its writer the time they had."""
    table = Table()
    turn = table.alice.newest(Kind.YOUR_TURN)
    table.pass_time(9)
    with monkeypatch.context() as broken:
        broken.setattr("mailgate.handling.handler._text_now", None)
        assert table.alice.reply("D4", to=turn).event == "quarantined"
    table.pass_time(15)
    assert asyncio.run(table.gateway.intake.retry(1)).event == "refused"
    table.pass_time(0.9)
    assert table.gateway.game().phase is Phase.PLAYING
    table.pass_time(0.2)
    assert table.gateway.game().result == "W+T"


@pytest.mark.parametrize("years", [0.2, 1.0, 10.0])
def test_what_happened_in_a_wrong_future_holds_no_flag_up(years: float) -> None:
    """Once the machine's clock is right again, what it had set going runs from then on."""
    table = Table()
    now, wrong = table.gateway.now, table.gateway.now + timedelta(days=366 * years)
    table.gateway.now = wrong
    table.play("C3")
    table.gateway.outages.append((now, wrong))
    table.gateway.ring()
    table.gateway.now, table.gateway.outages = now, []
    table.pass_time(11)
    assert table.gateway.game().result == "B+T"


def test_a_clock_that_was_given_time_in_a_wrong_future_runs_again() -> None:
    """All that ran then was given back what seemed to have passed."""
    table = Table()
    now = table.gateway.now
    table.gateway.now = wrong = now + timedelta(days=200)
    table.gateway.outages.append((now, wrong))
    assert table.gateway.ring() == 1
    assert table.events(ev.Credited)
    table.gateway.now, table.gateway.outages = now, []
    table.pass_time(11)
    assert table.gateway.game().result == "W+T"


def test_a_long_clock_is_looked_at_and_left_alone() -> None:
    """What is due later than a wrong clock could have set it is due all the same."""
    table = Table("366 days each")
    table.pass_time(364)
    assert len(table.events(ev.Reminded)) == 1
    table.pass_time(3)
    assert table.gateway.game().result == "W+T"
    assert table.events(ev.Credited) == []


def test_letters_say_that_all_clocks_stand() -> None:
    """Since when and why, and what is left; after it nobody has lost anything by it."""
    table = Table("3 days per move")
    begin = table.gateway.now
    table.gateway.wait(days=2)
    table.gateway.outages.append((begin, table.gateway.now))
    table.gateway.paused = Pause(begin, table.gateway.now, "a new server")
    table.alice.reply("show")
    letter = part(table.alice.read(), "plain")
    text = " ".join(letter.split())
    assert "3 days left. Bob has 3 days. All clocks have been paused since" in text
    assert "(a new server), until" in text
    table.alice.reply("games", to=table.alice.letters(Kind.YOUR_TURN)[-1])
    assert "3 days left. All clocks have been paused" in " ".join(
        part(table.alice.read(), "plain").split()
    )
    table.play("C3")
    assert table.events(ev.Credited) == [ev.Credited("black", 2 * 86_400.0)]


def test_no_time_is_given_back_of_days_that_were_off() -> None:
    """On a weekend the clock stood already: an outage then takes nothing from anybody."""
    table = Table("3 days per move")
    table.alice.reply("weekends off")
    now = table.gateway.now
    saturday = (now + timedelta(days=(5 - now.weekday()) % 7)).replace(hour=0, minute=0)
    table.gateway.now = saturday + timedelta(days=2, hours=1)
    table.gateway.outages.append((saturday, saturday + timedelta(days=2)))
    table.play("C3")
    assert table.events(ev.Credited) == []


@pytest.mark.parametrize("time", ["", "untimed"])
def test_the_time_of_a_pause_is_given_back_at_its_end(time: str) -> None:
    """Bug: until the next look at its clock the deadline of a game lay in the past."""
    gateway = Table(time).gateway
    begun, before = gateway.now, gateway.game().clock
    gateway.wait(days=20)
    gateway.outages.append((begun, gateway.now))

    def go_on(place: int | None) -> int | None:
        return gateway.writer.run_sync(
            lambda unit: RunningClocks(gateway.games(unit)).go_on(place),
        )

    assert (go_on(None), go_on(1)) == (1, None)
    deadline = before.deadline if before else None
    expected = deadline + timedelta(days=20) if deadline else None
    assert snapshot(gateway.game())["deadline"] == iso(expected)
