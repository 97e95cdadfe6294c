"""Limits on letters to people who have never written to us."""

from collections import Counter

from godaemon.games.notices import Kind
from godaemon.games.people import person
from godaemon.games.stranger_limits import used_up_quotas
from godaemon.texts.catalogue import sentence_from_json
from mailgate.reading.inbound_letter import InboundLetter
from tests.support.gateway import ADDRESS, Gateway
from tests.support.limits import Limits


class Forger:
    """A forger of letters; `bring` sends one from a chosen network."""

    def __init__(self, **limits: int) -> None:
        self.gateway = Gateway(limits=Limits(**limits))

    def bring(
        self, victim: str, text: str = "new 9x9 vs bob@x.example", *, network: str = ""
    ) -> str:
        """One letter in a victim's name: what became of it."""
        letter = self.gateway.person("Victim", victim).letter(text)
        inbound = InboundLetter(ADDRESS, victim, letter.as_bytes(), network)
        return self.gateway.take(inbound).event


def test_names_with_equal_beginnings_are_two_people() -> None:
    """Jean-Luc and Jean-Paul; their game is never limited."""
    gateway = Gateway(limits=Limits(letters_per_stranger=2))
    luc, paul = (
        gateway.person("L", "jean-luc@x.example"),
        gateway.person("P", "jean-paul@x.example"),
    )
    gateway.start(luc, paul)
    gateway.play(luc, paul, "D4 E5 C3 C4")
    assert gateway.game().move_number == 4


class TestFlood:
    """A flood from unknown places, until nobody gets an answer any more."""

    def flooded(self) -> Forger:
        crowd = Forger(strangers_in_all=12)
        crowd.gateway.start(crowd.gateway.person("Alice"), crowd.gateway.person("Bob"))
        for number in range(30):
            crowd.bring(f"v@x{number}.example", network=f"192.{number}.2.0/24")
        assert crowd.bring("v@last.example", network="192.99.2.0/24") == "put-off"
        return crowd

    def test_vouched_people_are_not_limited(self) -> None:
        """Our own mail server authenticates them."""
        crowd = self.flooded()
        vouched = Gateway(limits=crowd.gateway.limits, trusted="mx.example")
        vouched.writer.state = crowd.gateway.writer.state
        says = "mx.example; dmarc=pass header.from=new.example"
        dan = vouched.person("Dan", "dan@new.example")
        assert dan.write("help", authentication_results=says).event == "accepted"
        new = dan.write("new 9x9 vs eve@other.example", authentication_results=says)
        assert new.event == "accepted"

    def test_the_operator_is_told(self) -> None:
        """As soon as unknown networks have used their half."""
        crowd = self.flooded()
        look = crowd.gateway.writer.run_sync
        (quota,) = look(lambda unit: used_up_quotas(unit, 12, crowd.gateway.now))
        assert "from networks without known players" in quota


class TestInvitations:
    """Limits on invitations to strangers."""

    def test_invitations_to_one_person_are_limited(self) -> None:
        """Even if withdrawn, and whoever asks; the proposer learns of the limit."""
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
