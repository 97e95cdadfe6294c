"""How many letters go to people who have never said a word to us, whoever asks for them."""

from __future__ import annotations

from collections import Counter

import pytest

from godaemon.games.notices import Kind
from godaemon.games.people import person
from godaemon.games.stranger_limits import used_up_quotas
from godaemon.texts.catalogue import sentence_from_json
from mailgate import tokens
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


ONE_PERSON = {"letters_per_stranger": 3}


@pytest.mark.parametrize(
    ("limits", "who", "network", "most"),
    [
        pytest.param(ONE_PERSON, "V+{}@x.example", "", 3, id="tags of one person"),
        pytest.param(ONE_PERSON, "v{1}ic@gmail.com", "", 3, id="full stops at Gmail"),
        pytest.param(ONE_PERSON, "v@h{}.x.example", "", 3, id="hosts below one name"),
        pytest.param(ONE_PERSON, "v{}@x.example", "", 3, id="a domain where nobody plays"),
        pytest.param(ONE_PERSON, "v{}@vic.players.example", "", 3, id="a host below a provider"),
        pytest.param(ONE_PERSON, "v-{}@players.example", "", 3, id="a tag behind -"),
        pytest.param(ONE_PERSON, "v={}@players.example", "", 3, id="a tag behind ="),
        pytest.param(ONE_PERSON, "v_{}@players.example", "", 3, id="a tag behind _"),
        pytest.param(ONE_PERSON, "v{}@players.example", "", 9, id="a domain of many players"),
        pytest.param(
            {"strangers_per_domain": 3}, "v@x{}.evil.co.uk", "", 3, id="names below one domain"
        ),
        pytest.param(
            {"strangers_per_network": 3}, "v@x{}.example", "192.0.2.0/24", 3, id="one network"
        ),
        pytest.param(
            {"strangers_in_all": 9}, "v@x{}.example", "192.0.{}.0/24", 4, id="half, less the game's"
        ),
    ],
)
def test_a_flood_in_many_names(limits: dict[str, int], who: str, network: str, most: int) -> None:
    """What may be one person's gets what one person does, whatever the letters ask for."""
    crowd = Crowd(**limits)
    crowd.gateway.start(crowd.gateway.person("Alice"), crowd.gateway.person("Bob"))
    known = crowd.got().total()
    for number in range(9):
        text = "help" if number % 3 else "new 9x9 vs b@c.d"
        name = who.format(number, "." * (number % 2))
        crowd.bring(name, text, network=network.format(number))
    assert crowd.got().total() - known == most


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


def test_a_domain_where_somebody_plays_is_many_peoples() -> None:
    """Once somebody there has answered us, there is more for the others."""
    crowd = Crowd(letters_per_stranger=3)
    crowd.gateway.start(crowd.gateway.person("Alice"), crowd.gateway.person("Bob"))
    for number in range(9):
        crowd.bring(f"v{number}@players.example")
    assert crowd.got().total() > 9


@pytest.mark.parametrize(("days", "most"), [(55, 10), (95, 3)])
def test_where_somebody_played_is_known_for_months(days: int, most: int) -> None:
    """And no longer: the domain may be another's by then."""
    crowd = Crowd(letters_per_stranger=3)
    crowd.gateway.start(crowd.gateway.person("Alice"), crowd.gateway.person("Bob"))
    crowd.gateway.wait(days=days)
    before = crowd.got().total()
    for number in range(10):
        crowd.bring(f"v{number}@players.example")
    assert crowd.got().total() - before == most


def test_two_players_whose_names_begin_alike() -> None:
    """Jean-Luc and Jean-Paul are two people, and their game is never counted."""
    gateway = Gateway(limits=Limits(letters_per_stranger=2))
    luc, paul = (
        gateway.person("L", "jean-luc@x.example"),
        gateway.person("P", "jean-paul@x.example"),
    )
    gateway.start(luc, paul)
    gateway.play(luc, paul, "D4 E5 C3 C4")
    assert gateway.game().move_number == 4


class TestFlood:
    """A flood from unknown places, with players.example as the provider of most who play."""

    HOME, ELSEWHERE = "203.0.113.0/24", "198.51.100.0/24"

    def crowd(self, **limits: int) -> Crowd:
        """Alice and Bob play, whose letters come from `HOME`."""
        crowd = Crowd(**limits)
        alice, bob = crowd.gateway.person("Alice"), crowd.gateway.person("Bob")
        crowd.gateway.start(alice, bob)
        token = crowd.gateway.token(alice.newest())
        to = tokens.reply_address(ADDRESS, token)
        raw = alice.letter("D4").as_bytes()
        crowd.gateway.take(InboundLetter(to, alice.address, raw, self.HOME))
        return crowd

    def flood(self, crowd: Crowd, domain: str = "") -> None:
        """Letters in many names from many networks until nobody gets an answer any more."""
        for number in range(30):
            who = f"v@x{number}.example" if not domain else f"w{number}@{domain}"
            crowd.bring(who, network=f"192.{number}.2.0/24")
        who = f"v@{domain or 'last.example'}"
        assert crowd.bring(who, network="192.99.2.0/24") == "put-off"

    def test_does_not_stop_who_comes_from_where_people_play(self) -> None:
        """A newcomer of a player's provider, by its own servers or those beside, is answered."""
        crowd = self.crowd(strangers_in_all=12)
        self.flood(crowd)
        assert crowd.bring("dan@players.example", "help", network=self.HOME) == "accepted"
        assert crowd.bring("eve@players.example", "help", network="203.0.7.0/24") == "accepted"

    def test_in_the_name_of_that_provider(self) -> None:
        """Nor does it, if it writes the provider's domain into From: it comes from elsewhere."""
        crowd = self.crowd(strangers_in_all=60, strangers_per_domain=6)
        self.flood(crowd, "players.example")
        assert crowd.bring("dan@players.example", "help", network=self.ELSEWHERE) == "put-off"
        assert crowd.bring("dan@players.example", "help", network=self.HOME) == "accepted"

    def test_does_not_stop_who_is_vouched_for(self) -> None:
        """Nor anybody of whom our own mail server says who they are."""
        crowd = self.crowd(strangers_in_all=12)
        self.flood(crowd)
        vouched = Gateway(limits=crowd.gateway.limits, trusted="mx.example")
        vouched.writer.state = crowd.gateway.writer.state
        says = "mx.example; dmarc=pass header.from=new.example"
        dan = vouched.person("Dan", "dan@new.example")
        assert dan.write("help", authentication_results=says).event == "accepted"
        new = dan.write("new 9x9 vs eve@other.example", authentication_results=says)
        assert new.event == "accepted"

    def test_is_told_to_the_operator(self) -> None:
        """As soon as unknown places have used up their half."""
        crowd = self.crowd(strangers_in_all=12)
        self.flood(crowd)
        look = crowd.gateway.writer.run_sync
        (told,) = look(lambda unit: used_up_quotas(unit, 12, crowd.gateway.now))
        assert "from where no player writes" in told


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

    def test_a_friend_in_whose_name_others_write_is_invited(self) -> None:
        """However many letters were forged in their name, or in others' of their domain."""
        crowd = Crowd(letters_per_stranger=3)
        gateway, alice = crowd.gateway, crowd.gateway.person("Alice")
        gateway.start(alice, gateway.person("Bob"))
        for number in range(9):
            crowd.bring(f"v{number}@club.example", "help")
            crowd.bring("dan@players.example", "help")
        for friend in ("carol@club.example", "v0@club.example", "dan@players.example"):
            alice.write(f"new 9x9 vs {friend}")
            alice.reply("yes", to=alice.newest(Kind.CONFIRM))
            assert gateway.person("Friend", friend).kinds()[-1] == "invitation"

    def test_a_newcomer_is_put_off(self) -> None:
        """Not refused, and not lost: their mail server brings the letter again."""
        gateway, *_ = self.exhausted()
        assert gateway.person("Dan", "dan@new.example").write("help").event == "put-off"

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
        assert "written to carol+3, or" in sentence_from_json(host.newest().notice.about["reason"])

    def test_one_person_by_many_tags_is_invited_so_often(self) -> None:
        """By whomever they never played, whether they have ever said yes or not."""
        gateway = Gateway(limits=Limits(invitations_per_address=2))
        gateway.start(gateway.person("Dan"), gateway.person("Carol"))
        for number in range(4):
            host = gateway.person("Host", f"h{number}@h{number}.example")
            host.write(f"new 9x9 vs carol+{number}@players.example")
            host.reply("yes", to=host.newest(Kind.CONFIRM))
        got = [due.notice.to for due in gateway.outbox if due.notice.kind is Kind.INVITATION]
        assert len(got) == 2

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
