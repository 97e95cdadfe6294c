"""The budget of words of people who talk in earnest, and what it costs; scenes have the rest."""

from __future__ import annotations

import time

import pytest

from godaemon.games.events import LogEntry, Said
from godaemon.rules.points import Color
from mailgate.handling.answer_limits import WORDS, AnswerLimits
from tests.support.gateway import Gateway


@pytest.fixture
def gateway() -> Gateway:
    """Alice (black) and Bob play; she is to move."""
    gateway = Gateway()
    gateway.start(gateway.person("Alice"), gateway.person("Bob"))
    return gateway


def test_long_words_cost_no_more_than_others(gateway: Gateway) -> None:
    """A day full of messages of two thousand marks without a space is compared in a moment."""
    now, black = gateway.now, Color.BLACK
    said = (Said(black.word, f"{number:02}{'o' * 1998}") for number in range(WORDS))
    log = [LogEntry(one, now, str(number)) for number, one in enumerate(said)]
    limits = AnswerLimits(gateway.games(gateway._look()), now, 20)
    began = time.process_time()
    assert limits.were_passed_on(log, black, "00" + "o" * 1998)
    assert time.process_time() - began < 0.5


def test_two_friends(gateway: Gateway) -> None:
    """Who talk in earnest, four lines each a minute for a few minutes, are let."""
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    for number in range(4):
        for line in range(4):
            gateway.wait(seconds=15)
            for who in (alice, bob):
                to = who.letters()[0]
                assert (
                    who.reply(f"say What of {'a' * number} {'b' * line}?", to=to).event
                    == "accepted"
                )


def test_words_with_moves_count_for_nothing(gateway: Gateway) -> None:
    """Who thanks for each of many moves can still write alone."""
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    moves = ("A1", "J9", "B1", "H9", "C1", "G9", "D1", "F9", "E1", "E9", "F1", "D9")
    for number, move in enumerate(moves):
        mover = bob if number % 2 else alice
        assert mover.reply(f"{move}\nThank you for move {number}, my friend!").event == "accepted"
    assert alice.reply("say What a race this is!").event == "accepted"
