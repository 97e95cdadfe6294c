"""Other terms: who is invited answers with them, and the other says yes, or no, or others again."""

from __future__ import annotations

import re

from godaemon.games.commands import Propose
from godaemon.games.model import Seat
from godaemon.games.proposals import countered
from godaemon.rules.points import Color
from tests.support.gateway import Gateway, Person
from tests.support.letters import part


class Offer:
    """Alice has invited Bob to a game on 19x19 by lot."""

    def __init__(self, terms: str = "19x19") -> None:
        self.gateway = Gateway()
        self.alice, self.bob = self.gateway.person("Alice"), self.gateway.person("Bob")
        self.alice.write(f"new {terms} vs {self.bob.address}")
        self.alice.reply("yes")

    def answer(self, text: str, who: Person | None = None) -> str:
        """Answer the newest letter; what the other player reads then."""
        who = who or self.bob
        who.reply(text)
        other = self.alice if who is self.bob else self.bob
        return part(other.read(), "plain")

    @property
    def terms(self) -> tuple[str, float, str, int, Color | None]:
        """The game as it is proposed now; the colour is Alice's."""
        spec = self.gateway.game().spec
        return str(spec.size), spec.komi, spec.rules, spec.handicap, spec.color


def test_the_terms_that_are_offered_differ_from_those_that_stand() -> None:
    """Whoever clicks on the example has answered with other terms, at each turn."""
    offer = Offer("19x19 handicap 3")
    text = part(offer.bob.read(), "plain")
    for who in ("bob", "alice", "bob"):
        (example,) = set(re.findall(r"accept but komi [\d.]+", text))
        text = offer.answer(example, getattr(offer, who))
        assert "on other terms" in text


def test_only_one_side_is_the_speakers() -> None:
    """A colour is that of who speaks."""
    spec = Offer("9x9 as black").gateway.game().spec
    assert countered(spec, {"color": Color.BLACK}, Seat.INVITED).color == "white"
    assert countered(spec, {"color": Color.WHITE}, Seat.PROPOSER).color == "white"
    assert Propose("x").color is None
