"""New games with a known opponent: `rematch`, `vs Bob`, several at once."""

import pytest

from godaemon.games.notices import Kind
from godaemon.texts.catalogue import sentence_from_json
from tests.support.gateway import Gateway, Person


def reason(person: Person) -> str:
    """Why somebody was refused last."""
    return sentence_from_json(person.newest(Kind.REFUSED).notice.about["reason"])


def hints(person: Person) -> list[str]:
    return list(person.newest(Kind.REFUSED).notice.about["hints"])


@pytest.mark.parametrize("name", ["Bob", "BOB", "bob smith", "Smith"])
def test_a_known_opponent_can_be_invited_by_name(name: str) -> None:
    """By any of their names."""
    gateway = Gateway()
    alice = gateway.person("Alice")
    bob = gateway.person("Bob Smith", "bob@players.example")
    gateway.start(alice, bob)
    alice.reply(f"new 13x13 vs {name}")
    assert bob.newest().notice.kind is Kind.INVITATION
    assert gateway.game(2).spec.invited.address == bob.address


def test_an_ambiguous_name_is_asked_back() -> None:
    """A whole name goes before a part of one."""
    gateway = Gateway()
    alice = gateway.person("Alice")
    for name, address in (("Bob Smith", "smith@x.example"), ("Bob Jones", "jones@y.example")):
        gateway.start(alice, gateway.person(name, address))
    alice.reply("new 9x9 komi 5.5 vs bob")
    assert "2 people called “bob”" in reason(alice)
    assert hints(alice) == ["new 9x9 komi 5.5 vs Bob Jones", "new 9x9 komi 5.5 vs Bob Smith"]
    gateway.start(alice, gateway.person("Bob", "bob@z.example"))
    alice.reply("new 9x9 vs Bob")
    assert gateway.game(4).spec.invited.address == "bob@z.example"
