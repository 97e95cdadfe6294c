"""Programs that answer like people: the same text with another number, and a new text each time."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest

from godaemon.games.engine_seats import Entrant, Roster
from godaemon.games.notices import Kind
from tests.mailgate.handling.test_loops import Robots, silent
from tests.support.exchange import Mail, Robot, answer
from tests.support.gateway import Gateway, Person
from tests.support.letters import part


def timed(said: str) -> Callable[[], Robot]:
    """A program whose text has a number that is another one each time."""

    def made() -> Robot:
        sent = list[Mail]()

        def robot(mail: Mail) -> list[Mail]:
            sent.append(mail)
            minute = timedelta(hours=9, minutes=57 + len(sent))
            return [answer(mail, said.format(time=str(minute)[:-3], number=len(sent)))]

        return robot

    return made


@pytest.mark.parametrize(
    "said",
    [
        "We got your message at {time} today. It waits for the next free person.",
        "We got your message at {time}am.",
        "Thanks a lot, you are number {number} in the line.",
        "Message {number} of 20 has come in, on the {number}/11.",
    ],
)
def test_one_text_with_another_number_is_passed_on_once(said: str) -> None:
    """The opponent reads it once, and the program is told so once."""
    made = Robots(silent, timed(said)())
    assert made.post.settle() <= 10
    assert len(made.alice.letters(Kind.CHAT)) <= 1
    assert len(made.bob.letters(Kind.REFUSED)) <= 1
    assert made.moves() == 1


def begun() -> tuple[Gateway, Person, Person]:
    """A game of Alice and Bob; Alice is to move."""
    gateway = Gateway()
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    gateway.start(alice, bob)
    return gateway, alice, bob


def answer_receipts(gateway: Gateway, robot: Person, seconds: int, most: int = 12) -> list[str]:
    """Somebody answers each email with a new text, as fast as that; what came of each."""
    events = list[str]()
    for number in range(most):
        gateway.send()
        gateway.wait(seconds=seconds)
        before = len(robot.letters())
        events.append(robot.reply(f"Here is a lovely word for you: {'a' * number}").event)
        if len(robot.letters()) == before:
            break
    return events


def test_new_texts_are_held_after_the_third_exchange_within_minutes() -> None:
    """Its writer is told once, and how the words are passed on all the same."""
    gateway, alice, bob = begun()
    events = answer_receipts(gateway, alice, seconds=20)
    assert events.count("accepted") <= 5
    assert len(bob.letters(Kind.CHAT)) <= 5
    (held,) = alice.letters(Kind.REFUSED)
    text = " ".join(part(alice.read(held), "plain").split())
    assert "Another email like it gets no answer for a while" in text
    assert "reply: send" in text
    assert alice.reply("send", to=held).event == "accepted"


def test_people_who_take_their_time_are_not_held() -> None:
    """Nobody writes by the second for long."""
    gateway, alice, _ = begun()
    assert "refused" not in answer_receipts(gateway, alice, seconds=300)


def test_the_last_answer_to_words_says_that_it_is_the_last() -> None:
    """In a game against a program, too, and in the next one that day: nobody wonders in vain."""
    gateway = Gateway(engines=Roster((Entrant("gnugo"),), 1))
    alice = gateway.person("Alice")
    alice.write("new 9x9 as black vs gnugo")
    alice.reply("yes")
    alice.reply("D4")
    to, told = alice.newest(), list[str]()
    for number in range(8):
        gateway.wait(minutes=1)
        before = len(alice.letters())
        assert (
            alice.reply(f"Here is a lovely word for you: {'o' * number}", to=to).event == "accepted"
        )
        told += [part(alice.read(due), "plain") for due in alice.letters()[before:]]
    assert [("I won't confirm any more words today" in one) for one in told] == [False] * 5 + [True]
