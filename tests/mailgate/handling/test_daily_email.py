"""Emails that come later, across restarts, clock steps and faults; and what spectators are told."""

import re
from datetime import timedelta

import pytest

from godaemon.games import public_games
from godaemon.games.notices import DueNotice, Kind
from mailgate.handling.daily_email import send_daily_emails
from mailgate.reading.inbound_letter import InboundLetter
from tests.support.delivery_report import report
from tests.support.gateway import Gateway, Person, Table, started
from tests.support.played_games import composer


def look(gateway: Gateway) -> bool:
    """The timer looks now; whether more may be due."""
    return gateway.writer.run_sync(lambda unit: send_daily_emails(gateway.games(unit)))


def tick(gateway: Gateway, **time: float) -> list[tuple[str, str]]:
    """Let time pass in quarter hours, as the timer checks; returns the notices."""
    before, end = len(gateway.outbox), gateway.now + timedelta(**time)
    while gateway.now < end:
        gateway.wait(minutes=15)
        look(gateway)
    return gateway.notices(before)


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
    looks = [look(house.gateway) for _ in range(4)]
    assert looks == [True, True, True, False]


def digest(person: Person) -> DueNotice:
    """The list of somebody's games, which they have asked for."""
    person.write("games")
    return person.newest(Kind.GAMES)


def test_one_email_a_day_across_clock_steps() -> None:
    """The next hour is stored with the email."""
    house = House()
    house.set("digest at 7")
    assert tick(house.gateway, hours=5) == [("alice", "games")]
    for step in (timedelta(minutes=-1), timedelta(hours=-2), timedelta(hours=-20)):
        before = len(house.gateway.outbox)
        house.gateway.now += step
        look(house.gateway)
        house.gateway.now -= step
        look(house.gateway)
        assert house.gateway.notices(before) == []
    before = len(house.gateway.outbox)
    house.gateway.wait(days=40)  # the clock, or a downtime: one for all the days
    for _ in range(3):
        look(house.gateway)
    assert house.gateway.notices(before) == [("alice", "games")]
    house.gateway.now -= timedelta(days=40)  # the clock is right again, and silent for no month
    look(house.gateway)
    assert tick(house.gateway, days=1) == [("alice", "games")]


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
        look(gateway)
        gateway.send()
        gateway.handle_due_alarms()
    assert len(bob.letters(Kind.REMINDER)) == reminders
    notices = [due for due in bob.letters() if due.notice.kind in {Kind.REMINDER, Kind.GAMES}]
    assert notices[-1].queued_at > gateway.now - timedelta(days=1)


def test_a_damaged_game_delays_no_daily_email() -> None:
    """Neither other games of its players nor other players wait."""
    house = House()
    house.set("emails daily everywhere")
    for other in house.others:
        house.set("emails daily everywhere", other)
    house.alice.reply("1: D4\n2: E5", to=digest(house.alice))
    house.gateway.writer.state.logs[1] = house.gateway.writer.state.logs[1][1:]
    house.gateway.cache.clear()
    assert tick(house.gateway, hours=24) == [("carol", "games")]
    house.alice.write("games")
    text = house.alice.text()
    assert "you have 2 games." in text


class Club(Table):
    """A game that may be watched; Carol and Dora are strangers."""

    def __init__(self) -> None:
        super().__init__()
        self.carol, self.dora = map(self.gateway.person, ("Carol", "Dora"))
        for player in (self.alice, self.bob):
            player.reply("public")


def watch(person: Person, line: str = "watch 1") -> None:
    """Somebody watches, as who has never written here before."""
    person.write(line)
    person.reply(line)


def test_spectators_see_no_address() -> None:
    """Nor its local part, if the player has no name."""
    club = Club()
    erin = club.gateway.person("", "erin.private@four.example")
    club.gateway.start(erin, club.bob, "9x9 as black")
    erin.reply("public")
    club.bob.reply("public")
    watch(club.carol, "watch 2")
    letter = str(club.carol.read()).casefold()
    assert "erin" not in letter
    assert "bob@" not in letter
    assert "a player is Black, Bob is White" in club.carol.words()


def test_spectators_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """Per spectator and per game."""
    monkeypatch.setattr(public_games, "MAX_GAMES", 1)
    monkeypatch.setattr(public_games, "MAX_WATCHERS", 1)
    club = Club()
    club.gateway.start(club.alice, club.bob, "9x9 as black public")
    watch(club.carol)
    club.carol.write("watch")
    club.carol.reply("watch 2")
    assert "You already watch 1 game, the most" in club.carol.words()
    watch(club.dora)
    assert "as many spectators as it can have" in club.dora.words()


def test_a_spectator_whose_emails_bounce_is_removed() -> None:
    """Nothing more is queued."""
    club = Club()
    watch(club.carol)
    for number in range(4):
        club.gateway.play(club.alice, club.bob, ("D4", "E5", "F6", "C3")[number])
        tick(club.gateway, hours=26)
        to = composer().return_path(club.carol.newest(Kind.WATCH).uid)
        club.gateway.send()
        club.gateway.take(InboundLetter(to, "", report(to=to, id=str(number))))
    club.gateway.play(club.alice, club.bob, "D6")
    tick(club.gateway, hours=2)
    assert club.gateway.writer.state.watchers == {}


SECRETS = ("qzchat", "qznote", "qzhidden", "qzgreet", "qzbelow", "qzplan", "qzundo", "qztry")


@pytest.mark.parametrize("line", ["watch 1", "watch 1 daily"])
def test_spectators_see_nothing_private(line: str) -> None:
    """Chat, notes, hidden words, plans, questions and pending moves."""
    club = Club()
    alice, bob = club.alice, club.bob
    watch(club.carol, line)
    for who, text in (
        (alice, "D4\n\nqzchat to you"),
        (bob, "E5\nnote qznote: attack"),
        (alice, "say qzgreet"),
        (alice, "hidden qzhidden I lose"),
        (alice, "C3"),
        (alice, "if H8 then H9, if G1 then J1"),
        (bob, "F6\n\nqzbelow"),
        (bob, "undo\n\nqzundo sorry"),
        (alice, "no"),
        (alice, "try B2 B8 J2"),
        (alice, "G7"),
        (alice, "i am 5 kyu, Qztryville"),
        (alice, "vacation 2 days"),
        (bob, "resign"),
    ):
        club.gateway.wait(hours=3)
        who.reply(text)
        tick(club.gateway, hours=1)
    letters = club.carol.letters(Kind.WATCH)
    assert len(letters) >= (2 if "daily" in line else 5)
    for due in letters:
        read = club.carol.read(due)
        parts = [str(one.get_content()) for one in read.walk() if not one.is_multipart()]
        letter = "\n".join([*map(str, read.values()), *parts]).casefold()
        assert [word for word in SECRETS if word in letter] == []
        for kept in ("h8", "g1", "j1", "h9", "alice@", "bob@"):
            assert kept not in letter.replace("carol@players.example", "")
        assert not re.search(r"body=(?!stop|unwatch|emails|help)", letter), letter
        assert "vacation" not in letter
        assert "planned" not in letter
