"""Whole sentences within a game, as people write them: done, asked back, or answered."""

from __future__ import annotations

import pytest

from godaemon.games.notices import Kind
from tests.support.gateway import Gateway, Person


@pytest.fixture
def gateway() -> Gateway:
    """Margaret (Black) is to move in a game with Tom, who can lose on time."""
    gateway = Gateway()
    gateway.start(gateway.person("Margaret"), gateway.person("Tom"), "9x9 as black 10d+36h")
    return gateway


@pytest.fixture
def margaret(gateway: Gateway) -> Person:
    """She writes whole sentences."""
    return gateway.person("Margaret")


class TestQuestionsOfOurs:
    """What is answered to our questions, whether an email was somebody's."""

    def held(self, gateway: Gateway, games: int = 1) -> Person:
        """Tom, who wrote from his phone, in so many games."""
        margaret, tom = gateway.person("Margaret"), gateway.person("Tom")
        phone = gateway.person("Tom", "tom@phone.example")
        for _ in range(games - 1):
            gateway.start(margaret, tom)
        for started in tom.letters(Kind.STARTED):
            phone.reply("say Hello from my phone", to=started)
        return tom

    def test_a_phone_in_many_games(self, gateway: Gateway) -> None:
        """Its owner is asked in each, however many there are."""
        tom = self.held(gateway, games=8)
        assert len(tom.letters(Kind.CONFIRM)) == 8
