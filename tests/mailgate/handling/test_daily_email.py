"""The daily email across restarts, clock steps and faults; scenes have the rest."""

from datetime import timedelta

import pytest

from godaemon.games.notices import DueNotice, Kind
from mailgate.handling.daily_email import send_daily_emails
from tests.support.gateway import Gateway, Person, started


class House:
    """Alice, who has black, plays Bob and Carol; it is 3 o'clock in London."""

    def __init__(self) -> None:
        self.gateway = Gateway()
        self.alice = self.gateway.person("Alice")
        self.others = [self.gateway.person(name) for name in ("Bob", "Carol")]
        for other in self.others:
            self.gateway.start(self.alice, other, "9x9 as black")

    def set(self, text: str, who: Person | None = None) -> None:
        who = who or self.alice
        who.reply(text, to=who.newest(Kind.STARTED))

    def tick(self, **time: float) -> list[tuple[str, str]]:
        """Let time pass in quarter hours, as the timer checks; returns the notices."""
        before, end = len(self.gateway.outbox), self.gateway.now + timedelta(**time)
        while self.gateway.now < end:
            self.gateway.wait(minutes=15)
            self.look()
        return self.gateway.notices(before)

    def look(self) -> bool:
        """The timer looks now; whether more may be due."""
        return self.gateway.writer.run_sync(
            lambda unit: send_daily_emails(self.gateway.games(unit))
        )


def test_a_round_reports_whether_more_is_due(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bug: with players and spectators due, the rest waited for another minute."""
    house = House()
    for person in (house.alice, *house.others):
        house.set("digest at 7", person)
    house.alice.reply("1: public", to=digest(house.alice))
    house.others[0].reply("public")
    house.others[1].write("watch 1")
    house.others[1].reply("watch 1")
    house.alice.reply("1: D4", to=digest(house.alice))
    monkeypatch.setattr("mailgate.handling.daily_email.BATCH", 1)
    house.gateway.wait(days=1)
    looks = [house.look() for _ in range(4)]
    assert looks == [True, True, True, False]


def digest(person: Person) -> DueNotice:
    """The list of somebody's games, which they have asked for."""
    person.write("games")
    return person.newest(Kind.GAMES)


def test_one_email_a_day_across_clock_steps() -> None:
    """The next hour is stored with the email."""
    house = House()
    house.set("digest at 7")
    assert house.tick(hours=5) == [("alice", "games")]
    for step in (timedelta(minutes=-1), timedelta(hours=-2), timedelta(hours=-20)):
        before = len(house.gateway.outbox)
        house.gateway.now += step
        house.look()
        house.gateway.now -= step
        house.look()
        assert house.gateway.notices(before) == []
    before = len(house.gateway.outbox)
    house.gateway.wait(days=40)  # the clock, or a downtime: one for all the days
    for _ in range(3):
        house.look()
    assert house.gateway.notices(before) == [("alice", "games")]
    house.gateway.now -= timedelta(days=40)  # the clock is right again, and silent for no month
    house.look()
    assert house.tick(days=1) == [("alice", "games")]


@pytest.mark.parametrize(
    ("time", "reminders"),
    [("8 days per move", 0), ("3 days per move", 0), ("20 hours per move", 1)],
)
def test_the_daily_email_replaces_reminders(time: str, reminders: int) -> None:
    """If it comes while half of the time is left."""
    gateway, alice, bob = started(f"9x9 as black {time}")
    gateway.send()
    gateway.play(alice, bob, "D4 E5")
    bob.reply("digest at 7")
    gateway.play(alice, bob, "C3")
    while not gateway.game().phase.over:
        gateway.wait(minutes=30)
        gateway.writer.run_sync(lambda unit: send_daily_emails(gateway.games(unit)))
        gateway.send()
        gateway.handle_due_alarms()
    assert len(bob.letters(Kind.REMINDER)) == reminders
    notices = [due for due in bob.letters() if due.notice.kind in {Kind.REMINDER, Kind.GAMES}]
    assert notices[-1].owed_at > gateway.now - timedelta(days=1)


def test_a_damaged_game_delays_no_daily_email() -> None:
    """Neither other games of its players nor other players wait."""
    house = House()
    house.set("emails daily everywhere")
    for other in house.others:
        house.set("emails daily everywhere", other)
    house.alice.reply("1: D4\n2: E5", to=digest(house.alice))
    house.gateway.writer.state.logs[1] = house.gateway.writer.state.logs[1][1:]
    house.gateway.cache.clear()
    assert house.tick(hours=24) == [("carol", "games")]
    house.alice.write("games")
    text = house.alice.text()
    assert "you have 2 games." in text
