"""Several addresses of ours: each person is answered from the one that they last wrote to."""

from __future__ import annotations

import pytest

from godaemon.games.notices import DueNotice, Kind
from godaemon.texts.catalogue import retold
from mailgate.reading.inbound_letter import InboundLetter
from tests.support.delivery_report import report
from tests.support.gateway import ADDRESS, Gateway, Person
from tests.support.letters import html

CLUB, LATE = "play@club.example", "late@club.example"


class Site:
    """A daemon with three addresses, on two domains; Alice and Bob write to it."""

    def __init__(self) -> None:
        self.gateway = Gateway(others={CLUB: "The Go Club", LATE: "Late"}, trusted="mx.example")
        self.alice, self.bob = self.gateway.person("Alice"), self.gateway.person("Bob")

    def begin(self, to: str = CLUB, terms: str = "9x9 as black") -> int:
        """Alice proposes to that address, and the game begins; its number."""
        self.alice.write(f"new {terms} vs {self.bob.address}", to=to)
        self.alice.reply("yes")
        self.bob.reply("accept")
        number = self.bob.newest().notice.game
        assert number is not None
        return number

    def write(self, person: Person, text: str, to: str) -> None:
        """A letter from a domain that our mail server vouches for."""
        passed = "mx.example; dmarc=pass header.from=players.example"
        assert person.write(text, to=to, authentication_results=passed).event == "accepted"


def sender(person: Person, due: DueNotice | None = None) -> str:
    """The From of a letter, the newest one, as its reader sees it."""
    return str(person.read(due)["From"])


def test_a_game_is_answered_from_where_it_was_proposed() -> None:
    """The question, the invitation and the moves; what is played elsewhere stays there."""
    site = Site()
    club, main = site.begin(), site.begin(ADDRESS)
    for number, ours in ((club, CLUB), (main, ADDRESS)):
        mine = [due for due in site.gateway.outbox if due.notice.game == number]
        assert {due.notice.ours or ADDRESS for due in mine} == {ours}
    of_club = [due for due in site.alice.letters(Kind.STARTED) if due.notice.game == club]
    site.alice.reply("D4", to=of_club[0])
    assert sender(site.bob, site.bob.newest(Kind.YOUR_TURN)) == f"The Go Club <{CLUB}>"


def test_every_part_of_a_letter_is_of_the_same_address() -> None:
    """From, Reply-To, Message-ID, the lists' headers, what it refers to, and every link."""
    site = Site()
    site.begin()
    letter = site.bob.read(site.bob.newest(Kind.INVITATION))
    assert letter["From"] == f"The Go Club <{CLUB}>"
    assert "<play+" in letter["Reply-To"]
    assert letter["List-Id"] == "<play.club.example>"
    for name in ("Message-ID", "References", "List-Unsubscribe"):
        assert "club.example" in letter[name]
    assert "go.example" not in letter.as_string()
    assert "mailto:play%2B" in html(letter)


def test_two_players_of_one_game_may_use_two_addresses() -> None:
    """Who writes to another one is answered from there, and the other player is not."""
    site = Site()
    number = site.begin()
    site.alice.reply("D4")
    turn = site.bob.newest(Kind.YOUR_TURN)
    token = site.gateway.token(turn)
    assert site.bob.write("E5", to=f"late+{token}@club.example").event == "accepted"
    site.alice.reply("F6")
    assert sender(site.alice, site.alice.newest(Kind.YOUR_TURN)) == f"The Go Club <{CLUB}>"
    assert sender(site.bob) == f"Late <{LATE}>"
    token = site.gateway.token(site.bob.newest())
    site.bob.write("show", to=f"go+{token}@go.example")
    assert sender(site.bob) == f"Go by mail <{ADDRESS}>"
    site.bob.reply("G7", to=site.bob.newest())
    site.alice.reply("resign")
    last = site.bob.newest(Kind.FINISHED)
    assert (last.notice.game, last.notice.ours or ADDRESS) == (number, ADDRESS)


def test_what_is_no_game_is_answered_from_where_it_was_asked() -> None:
    """A stranger's first question, too; and the main address is one like the others."""
    site = Site()
    for ours in (LATE, ADDRESS, CLUB):
        site.alice.write("help", to=ours)
        assert f"<{ours}>" in sender(site.alice)


def test_the_email_of_the_day_comes_from_where_somebody_wrote_last() -> None:
    """It is about no game and answers nothing: so their last letter counts."""
    site = Site()
    site.begin()
    site.alice.reply("D4")
    assert site.gateway._look().players.answered_from(site.alice.address) == CLUB
    token = site.gateway.token(site.alice.newest())
    site.alice.write("show", to=f"go+{token}@go.example")
    assert site.gateway._look().players.answered_from(site.alice.address) == ""


def test_who_takes_a_challenge_has_the_game_where_they_took_it() -> None:
    """It was opened at another address."""
    site = Site()
    site.write(site.alice, "new 9x9 vs anyone", CLUB)
    site.write(site.bob, "take 1", LATE)
    assert {due.notice.ours for due in site.alice.letters(Kind.STARTED)} == {CLUB}
    assert {due.notice.ours for due in site.bob.letters(Kind.STARTED)} == {LATE}


def test_a_list_moves_the_games_that_are_acted_on() -> None:
    """Not the others in it."""
    site = Site()
    first, second = site.begin(), site.begin()
    site.write(site.alice, "games", LATE)
    site.alice.reply(f"{first}: D4", to=site.alice.newest(Kind.GAMES))
    known = site.gateway._look().players
    assert known.answered_from(site.alice.address, first) == LATE
    assert known.answered_from(site.alice.address, second) == CLUB


def test_a_new_address_of_a_player_is_answered_as_the_old_one() -> None:
    """Of theirs: a seat that moves goes on where it was played."""
    site = Site()
    number = site.begin()
    work = site.gateway.person("Alice", "alice@work.example")
    site.alice.reply(f"move me to {work.address}")
    site.alice.reply("yes", to=site.alice.newest(Kind.MOVING))
    work.reply("yes", to=work.newest(Kind.MOVING))
    assert sender(work, work.newest(Kind.SHOW)) == f"The Go Club <{CLUB}>"
    known = site.gateway._look().players
    assert known.answered_from(work.address, number) == CLUB
    assert known.answered_from(site.alice.address, number) == ""


def test_who_asks_for_their_data_reads_where_they_are_answered_from() -> None:
    """It is kept of them, so it is told, and it is forgotten with them."""
    site = Site()
    number = site.begin()
    site.alice.reply("export")
    about = site.alice.newest(Kind.EXPORT).notice.about
    assert about["settings"]["answered_from"] == CLUB
    assert about["settings_by_game"][str(number)]["answered_from"] == CLUB


def test_an_address_that_is_ours_no_more_falls_back_to_the_main_one() -> None:
    """For letters that are owed by then, and their envelopes."""
    site = Site()
    site.begin()
    site.gateway.others = {LATE: "Late"}
    assert sender(site.bob) == f"Go by mail <{ADDRESS}>"
    path = site.gateway.composer.return_path(site.bob.newest().uid, CLUB)
    assert path.startswith("go+bounce-")
    assert path.endswith("@go.example")


@pytest.mark.parametrize("ours", [ADDRESS, CLUB, LATE])
def test_we_write_to_none_of_our_own_addresses(ours: str) -> None:
    """Two of them would answer each other for ever: no letter, no opponent, no new home."""
    site = Site()
    own = site.gateway.person("Go", ours)
    site.begin()
    assert own.write("help", to=CLUB).event == "ignored"
    site.write(site.alice, "help", LATE)
    assert site.alice.write(f"new 9x9 vs {ours}", to=CLUB).event == "refused"
    assert "my own address" in retold(site.alice.newest().notice.about["reason"])
    site.alice.reply(f"move me to {ours}", to=site.alice.letters(Kind.STARTED)[0])
    assert "my own address" in retold(site.alice.newest().notice.about["reason"])
    assert own.letters() == []


def test_what_comes_back_to_another_address_counts() -> None:
    """By the envelope's own token, whichever address that is of."""
    site = Site()
    site.begin()
    site.alice.reply("D4")
    site.gateway.send()
    path = site.gateway.composer.return_path(site.bob.newest().uid, CLUB)
    assert path.startswith("play+bounce-")
    assert site.gateway.take(InboundLetter(path, "", report(to=path))).event == "bounced"


def test_who_watches_is_told_from_where_they_asked() -> None:
    """As any other reader."""
    site = Site()
    number = site.begin()
    for person in (site.alice, site.bob):
        person.reply("public", to=person.letters(Kind.STARTED)[0])
    carol = site.gateway.person("Carol")
    site.write(carol, f"watch {number}", LATE)
    site.gateway.send()
    site.alice.reply("D4", to=site.alice.letters(Kind.STARTED)[0])
    assert {due.notice.ours for due in carol.letters(Kind.WATCH)} == {LATE}
