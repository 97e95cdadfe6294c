"""Forged letters lock no player out; scenes have the rest."""

import pytest

from mailgate import tokens
from tests.support.gateway import ADDRESS, Gateway


@pytest.mark.parametrize("by", ["its references", "its address"])
def test_a_reply_with_an_old_key_is_put_off_during_a_flood(by: str) -> None:
    """It is answered the next day."""
    gateway = Gateway()
    alice = gateway.person("Alice")
    gateway.start(alice, gateway.person("Bob"))
    to = (
        tokens.reply_address(ADDRESS, gateway.token(alice.newest())) if "address" in by else ADDRESS
    )
    letter = alice.letter("D4", {"in_reply_to": gateway.message_id(alice.newest())})
    gateway.keys = (b"another key, as after a backup was lost",)
    for _ in range(40):
        alice.write("games")
    count = len(alice.letters())
    for _ in range(2):
        outcome = alice.post(letter, to=to)
        assert (outcome.event, outcome.wrong_token) == ("put-off", True)
    gateway.wait(days=1, minutes=1)
    alice.post(letter, to=to)
    assert len(alice.letters()) == count + 1
