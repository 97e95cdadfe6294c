"""How many letters go to people who have never said a word to us, whoever asks for them."""

from __future__ import annotations

from collections import Counter

import pytest

from godaemon.games.notices import Kind
from godaemon.games.people import person
from mailgate.reading.inbound_letter import InboundLetter
from tests.support.gateway import ADDRESS, Gateway, Person
from tests.support.limits import Limits


class Crowd:
    """Somebody who forges letters; `bring` hands one in, from a network of his choice."""

    def __init__(self, **limits: int) -> None:
        self.gateway = Gateway(limits=Limits(**limits))

    def bring(
        self, victim: str, text: str = "new 9x9 vs bob@x.example", *, network: str = ""
    ) -> str:
        """One letter in a victim's name: what became of it."""
        letter = self.gateway.person("Victim", victim).letter(text)
        inbound = InboundLetter(ADDRESS, victim, letter.as_bytes(), network)
        return self.gateway.take(inbound).event

    def got(self) -> Counter[str]:
        """How many letters each person got."""
        return Counter(person(due.notice.to) for due in self.gateway.outbox)


def test_one_person_by_many_tags() -> None:
    """v+1@, v+2@ and V+3@ are one person, who gets so many letters a day, of all kinds together."""
    crowd = Crowd(letters_per_stranger=4)
    for number in range(10):
        crowd.bring(f"v+{number}@x.example")
        crowd.bring(f"V+t{number}@x.example", "help")
        crowd.bring(f"v+u{number}@x.example", "new 9x9 vs b")
    assert crowd.got() == {"v@x.example": 4}


def test_full_stops_at_gmail() -> None:
    """Gmail does not see them, nor do we."""
    crowd = Crowd(letters_per_stranger=2)
    for address in ("v.ic@gmail.com", "vi.c@googlemail.com", "vic@gmail.com", "v.i.c+1@gmail.com"):
        crowd.bring(address)
    assert crowd.got() == {"vic@gmail.com": 2}


def test_it_is_a_matter_of_a_day() -> None:
    """What is put off is taken when a day has gone by, and not before."""
    crowd = Crowd(letters_per_stranger=1)
    assert crowd.bring("v@x.example") == "accepted"
    crowd.gateway.wait(hours=23, minutes=59)
    assert crowd.bring("v@x.example") == "put-off"
    crowd.gateway.wait(hours=1, minutes=2)
    assert crowd.bring("v@x.example") == "accepted"


def test_what_is_put_off_is_not_known_as_seen() -> None:
    """The very same letter, brought again by its mail server, is answered then."""
    crowd = Crowd(strangers_in_all=1)
    crowd.bring("a@x.example")
    guest = crowd.gateway.person("Guest")
    assert guest.write("help").event == "put-off"
    crowd.gateway.wait(hours=25)
    assert guest.resend().event == "accepted"
    assert guest.kinds() == ["help"]


@pytest.mark.parametrize("text", ["new 9x9 vs bob@x.example", "help", "D4", "new 9x9 vs bob"])
def test_one_domain(text: str) -> None:
    """Many people of one domain, a catch-all for example, count together."""
    crowd = Crowd(strangers_per_domain=3)
    told = [crowd.bring(f"v{number}@x.example", text) for number in range(6)]
    assert told[3:] == ["put-off"] * 3
    assert crowd.bring("v@other.example", text) != "put-off"


def test_one_mailbox_for_a_whole_domain() -> None:
    """Whoever forges the envelopes too, each of another domain, fills no catch-all with it."""
    crowd = Crowd(strangers_per_domain=3)
    for number in range(6):
        letter = crowd.gateway.person("Victim", f"v{number}@x.example").letter("new 9x9 vs b@c.d")
        crowd.gateway.take(InboundLetter(ADDRESS, f"a@y{number}.example", letter.as_bytes()))
    assert crowd.got().total() == 3


def test_names_below_one_domain() -> None:
    """What somebody registered is one domain, however many names they make below it."""
    crowd = Crowd(strangers_per_domain=3)
    for number in range(6):
        crowd.bring(f"v@x{number}.evil.co.uk")
    assert crowd.got().total() == 3


def test_one_network() -> None:
    """Nor does it help to forge many domains from one place."""
    crowd = Crowd(strangers_per_network=3)
    for number in range(6):
        crowd.bring(f"v@x{number}.example", network="192.0.2.0/24")
    assert crowd.got().total() == 3
    assert crowd.bring("v@y.example", network="198.51.100.0/24") == "accepted"


def test_all_together() -> None:
    """Nor from many places."""
    crowd = Crowd(strangers_in_all=5)
    for number in range(9):
        crowd.bring(f"v@x{number}.example", network=f"192.0.{number}.0/24")
    assert crowd.got().total() == 5


class TestPlayersBeside:
    """Whoever plays here notices nothing when strangers have used up all that is theirs."""

    def test_a_game_goes_on(self) -> None:
        """Moves, fresh letters and lists are answered, and a friend is invited."""
        gateway, alice, bob = self.exhausted()
        gateway.play(alice, bob, "D4 E5")
        alice.write("games")
        alice.write("new 9x9 vs carol@players.example")
        alice.reply("yes", to=alice.newest(Kind.CONFIRM))
        carol = gateway.person("Carol")
        assert carol.kinds() == ["invitation"]
        carol.reply("accept")
        assert carol.kinds() == ["invitation", "started"]

    def test_a_newcomer_is_put_off(self) -> None:
        """Not refused, and not lost: their mail server brings the letter again."""
        gateway, *_ = self.exhausted()
        assert gateway.person("Dan").write("help").event == "put-off"

    def exhausted(self) -> tuple[Gateway, Person, Person]:
        """A game, and then a flood that has used up the day's letters to strangers."""
        crowd = Crowd(strangers_in_all=6)
        alice, bob = crowd.gateway.person("Alice"), crowd.gateway.person("Bob")
        crowd.gateway.start(alice, bob)
        for number in range(9):
            crowd.bring(f"v@x{number}.example")
        assert crowd.bring("v@x.example") == "put-off"
        return crowd.gateway, alice, bob


class TestInvitations:
    """What somebody asks for who has said yes falls on strangers too."""

    def test_whoever_asks_one_person_gets_so_many(self) -> None:
        """Invited by many and taken back: all of it counts, and the proposer is told so."""
        gateway = Gateway(limits=Limits(letters_per_stranger=3))
        for number in range(4):
            host = gateway.person("Host", f"h{number}@h{number}.example")
            host.write(f"new 9x9 vs carol+{number}@players.example")
            host.reply("yes", to=host.newest(Kind.CONFIRM))
            if Kind.INVITED.value in host.kinds():
                host.reply("withdraw", to=host.newest(Kind.INVITED))
        got = Counter(person(due.notice.to) for due in gateway.outbox)
        assert got["carol@players.example"] == 3
        assert "invited to many games" in str(host.newest().notice.about["reason"])

    def test_a_proposal_that_is_never_confirmed_ends_in_silence(self) -> None:
        """Whom it names may never have asked: they get no second letter about it."""
        crowd = Crowd()
        crowd.bring("v@x.example")
        crowd.gateway.wait(days=15)
        crowd.gateway.expire(days=14)
        assert crowd.got() == {"v@x.example": 1}


def test_a_restart_forgets_nothing() -> None:
    """What was spent is in the store (`tests/storage/test_contract.py`), and nowhere else."""
    crowd = Crowd(strangers_in_all=1)
    crowd.bring("a@x.example")
    again = Gateway(limits=Limits(strangers_in_all=1))
    again.writer.state = crowd.gateway.writer.state
    assert again.person("Guest").write("help").event == "put-off"
