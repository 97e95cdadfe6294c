"""Spectators: with both players' consent, for the board alone, and not too often."""

import re
from datetime import timedelta
from email.message import EmailMessage

import pytest

from godaemon.games import public_games
from godaemon.games.engine_seats import Roster, RosterEntry
from godaemon.games.notices import Kind
from mailgate.handling.daily_email import send_daily_emails
from mailgate.reading.inbound_letter import InboundLetter
from tests.support.delivery_report import report
from tests.support.gateway import Gateway, Person
from tests.support.played_games import composer

HOUSE = Roster((RosterEntry("house"),), games_per_player=3)


class Club:
    """Alice (Black) plays Bob; Carol and Dora are strangers."""

    def __init__(self, terms: str = "9x9 as black", *, engines: Roster = HOUSE) -> None:
        self.gateway = Gateway(engines=engines)
        names = ("Alice", "Bob", "Carol", "Dora")
        self.alice, self.bob, self.carol, self.dora = map(self.gateway.person, names)
        self.gateway.start(self.alice, self.bob, terms)

    def open(self) -> "Club":
        """Both have said that others may watch."""
        self.alice.reply("public")
        self.bob.reply("public")
        return self

    def watch(self, person: Person, line: str = "watch 1") -> str:
        """Somebody watches, as who has never written here before: what they are sent."""
        person.write(line)
        person.reply(line)
        assert person.newest().notice.kind is Kind.WATCH, person.words()
        return person.words()

    def tick(self, **time: float) -> list[tuple[str, str]]:
        """Let time pass in quarter hours, as the timer checks; returns the notices."""
        before, end = len(self.gateway.outbox), self.gateway.now + timedelta(**time)
        while self.gateway.now < end:
            self.gateway.wait(minutes=15)
            self.gateway.writer.run_sync(lambda unit: send_daily_emails(self.gateway.games(unit)))
        return self.gateway.notices(before)


def test_spectators_see_no_address() -> None:
    """Nor its local part, if the player has no name."""
    club = Club()
    erin = club.gateway.person("", "erin.private@four.example")
    club.gateway.start(erin, club.bob, "9x9 as black")
    erin.reply("public")
    club.bob.reply("public")
    club.watch(club.carol, "watch 2")
    letter = str(club.carol.read()).casefold()
    assert "erin" not in letter
    assert "bob@" not in letter
    assert "a player is Black, Bob is White" in club.carol.words()


def test_spectators_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """Per spectator and per game."""
    monkeypatch.setattr(public_games, "MAX_GAMES", 1)
    monkeypatch.setattr(public_games, "MAX_WATCHERS", 1)
    club = Club().open()
    club.gateway.start(club.alice, club.bob, "9x9 as black public")
    club.watch(club.carol)
    club.carol.write("watch")
    club.carol.reply("watch 2")
    assert "You already watch 1 game, the most" in club.carol.words()
    club.dora.write("watch 1")
    club.dora.reply("watch 1")
    assert "as many spectators as it can have" in club.dora.words()


def test_a_spectator_whose_emails_bounce_is_removed() -> None:
    """Nothing more is queued."""
    club = Club().open()
    club.watch(club.carol)
    for number in range(4):
        club.gateway.play(club.alice, club.bob, ("D4", "E5", "F6", "C3")[number])
        club.tick(hours=26)
        to = composer().return_path(club.carol.newest(Kind.WATCH).uid)
        club.gateway.send()
        club.gateway.take(InboundLetter(to, "", report(to=to, id=str(number))))
    club.gateway.play(club.alice, club.bob, "D6")
    club.tick(hours=2)
    assert club.gateway.writer.state.watchers == {}


SECRETS = ("qzchat", "qznote", "qzhidden", "qzgreet", "qzbelow", "qzplan", "qzundo", "qztry")


def all_text(letter: EmailMessage) -> str:
    """All text of a letter: headers, plain text and HTML."""
    parts = [str(one.get_content()) for one in letter.walk() if not one.is_multipart()]
    return "\n".join([*map(str, letter.values()), *parts]).casefold()


@pytest.mark.parametrize("line", ["watch 1", "watch 1 daily"])
def test_spectators_see_nothing_private(line: str) -> None:
    """Chat, notes, hidden words, plans, questions and pending moves."""
    club = Club()
    gateway, alice, bob = club.gateway, club.alice, club.bob
    club = club.open()
    club.watch(club.carol, line)
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
        gateway.wait(hours=3)
        who.reply(text)
        club.tick(hours=1)
    letters = club.carol.letters(Kind.WATCH)
    assert len(letters) >= (2 if "daily" in line else 5)
    for due in letters:
        letter = all_text(club.carol.read(due))
        assert [word for word in SECRETS if word in letter] == []
        for kept in ("h8", "g1", "j1", "h9", "alice@", "bob@"):
            assert kept not in letter.replace("carol@players.example", "")
        assert not re.search(r"body=(?!stop|unwatch|emails|help)", letter), letter
        assert "vacation" not in letter
        assert "planned" not in letter
