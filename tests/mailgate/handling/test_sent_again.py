"""Letters that a mail program sends a second time, because it did not hear our answer."""

from __future__ import annotations

import pytest

from godaemon.games.notices import Kind
from godaemon.texts.catalogue import retold
from tests.support.gateway import ADDRESS, Gateway


def test_a_letter_that_mutt_sends_again_with_a_new_date_acts_once() -> None:
    """Where a connection breaks, mutt's second try has the same Message-ID and another Date."""
    gateway = Gateway()
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    gateway.start(alice, bob, "9x9 as black")
    first, again = (f"Sat, 21 Nov 2026 09:44:{second} +0000" for second in (32, 36))
    assert alice.reply("say Hello!", message_id="<1@x.org>", date=first).event != "repeated"
    assert alice.reply("say Hello!", message_id="<1@x.org>", date=again).event == "repeated"
    assert bob.kinds().count("chat") == 1


def test_letters_without_message_id_are_told_apart_by_their_dates() -> None:
    """The same words on another day are another letter."""
    gateway = Gateway()
    alice = gateway.person("Alice")
    for day, event in ((20, "accepted"), (21, "accepted"), (21, "repeated")):
        date = f"{day} Nov 2026 09:44:32 +0000"
        assert alice.write("help", to=ADDRESS, message_id="", date=date).event == event


@pytest.mark.parametrize(
    "said", ["ok, good luck and have fun", "Sure, greetings from rainy London"]
)
def test_talk_in_an_old_thread_is_passed_on(said: str) -> None:
    """Though it would have been a yes to the invitation that it answers."""
    gateway = Gateway()
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    gateway.start(alice, bob)
    bob.reply(said, to=bob.newest(Kind.INVITATION))
    assert [one.text for one in gateway.game().chat] == [said]


@pytest.mark.parametrize("said", ["accept", "OK", "I accept", "yes", "decline"])
def test_an_invitation_that_is_answered_once_more(said: str) -> None:
    """The game has begun: it is no word to the opponent, and changes nothing."""
    gateway = Gateway()
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    gateway.start(alice, bob)
    told = len(alice.letters())
    assert bob.reply(said, to=bob.newest(Kind.INVITATION)).event == "refused"
    assert "has begun already" in retold(bob.newest(Kind.REFUSED).notice.about["reason"])
    assert len(alice.letters()) == told
