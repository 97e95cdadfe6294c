"""`forget me`: tokens and the whole store; scenes have the rest."""

import pytest

from godaemon.games.forgetting import Forgetting, forget_due
from godaemon.games.notices import Kind, Notice
from tests.support.gateway import Gateway, Person, started


def leave(person: Person) -> None:
    """Somebody asks to be forgotten, says yes, and is."""
    gateway = person.gateway
    person.reply("forget me", to=person.newest(Kind.STARTED))
    person.reply("yes", to=person.newest(Kind.FORGET))
    gateway.send()
    gateway.writer.run_sync(lambda unit: forget_due(gateway.games(unit), Forgetting())[0])


@pytest.mark.parametrize("both", [False, True])
def test_a_game_without_players_is_deleted(both: bool) -> None:
    """With oneself, or after both players have left."""
    gateway = Gateway()
    alice, bob = map(gateway.person, ("Alice", "Bob"))
    gateway.start(alice, bob if both else alice)
    for one in [alice, bob] if both else [alice]:
        leave(one)
    assert not gateway.writer.state.summaries
    assert not gateway.writer.state.outbox
    assert alice.write("show 1").event == "refused"


def test_tokens_of_a_forgotten_player_are_invalid() -> None:
    """Nobody can use their old emails."""
    gateway = Gateway()
    alice = gateway.person("Alice")
    gateway.start(alice, gateway.person("Bob"))
    token = gateway.token(alice.newest(Kind.STARTED))
    leave(alice)
    assert alice.write("sgf", to=f"go+{token}@go.example").event == "bad-token"


def test_an_unsent_email_names_no_forgotten_player() -> None:
    """It says `a former player`."""
    gateway, alice, bob = started()
    notice = Notice(Kind.NOTE, bob.address, game=1, about={"said": "Alice says no."})
    alice.reply("forget me", to=alice.newest(Kind.STARTED))
    alice.reply("yes", to=alice.newest(Kind.FORGET))
    gateway.send()
    gateway.writer.run_sync(lambda unit: unit.outbox.queue(notice, gateway.now))
    gateway.wait(days=2)
    gateway.writer.run_sync(lambda unit: forget_due(gateway.games(unit), Forgetting())[0])
    queued = gateway.writer.state.outbox.values()
    assert {"said": "a former player says no."} in [one.due.notice.about for one in queued]
