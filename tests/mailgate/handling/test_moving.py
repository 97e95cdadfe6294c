"""`move me to NEW-ADDRESS`: a seat moves once both addresses agree."""

import pytest

from godaemon.games import ratings
from godaemon.games.glicko2 import Rating
from godaemon.games.model import Seat
from godaemon.games.notices import Kind
from godaemon.games.seat_keys import key_is_valid, parse_key, sign_key
from godaemon.games.stored_values import RatedGame
from godaemon.rules.points import Color
from tests.support.gateway import ADDRESS, KEY, Gateway, Person
from tests.support.memory_store import MemoryUnit


class Move:
    """Alice and Bob in a game; Alice gets a new address."""

    def __init__(self) -> None:
        self.gateway = Gateway()
        self.alice, self.bob = self.gateway.person("Alice"), self.gateway.person("Bob")
        self.new = self.gateway.person("Alice", "alice@new.example")
        self.gateway.start(self.alice, self.bob)

    def ask(self, line: str = "move me to alice@new.example") -> str:
        """Alice asks for it."""
        return self.alice.reply(line, to=self.alice.newest(Kind.STARTED)).event

    def answer(self, person: Person, word: str = "yes") -> str:
        """One of the two addresses answers."""
        return person.reply(word, to=person.newest(Kind.MOVING)).event

    def holder(self, number: int = 1) -> str:
        """Alice's address in a game."""
        return self.gateway.game(number).player(Seat.PROPOSER).address


@pytest.mark.parametrize("end", ["o", "n"])
def test_a_forged_token_of_a_transfer_is_invalid(end: str) -> None:
    """Knowing its number and both addresses is not enough."""
    move = Move()
    move.ask()
    who, other = (move.alice, move.new) if end == "o" else (move.new, move.alice)
    assert move.answer(other) == "agreed"
    forged = ADDRESS.replace("@", f"+m1{end}-{'a' * 16}@")
    assert who.write("yes", to=forged).wrong_token
    assert move.holder() == "alice@players.example"


def test_settings_move_along_with_all_games() -> None:
    """Name, time zone, rank, vacation and rating."""
    move = Move()
    started = move.alice.newest(Kind.STARTED)
    for line in ("name Margaret", "timezone Tokyo", "i am 5 kyu", "players on", "vacation 1 week"):
        assert move.alice.reply(line, to=started).event == "accepted"
    rated = RatedGame(move.alice.address, 1, move.gateway.now, Rating(1700.0, 100.0, 0.06))
    move.gateway.writer.run_sync(lambda unit: unit.players.set_rated_game(rated))
    move.ask("move me to alice@new.example everywhere")
    before = move.gateway.writer.run_sync(lambda unit: unit.players.profile(move.alice.address))
    move.answer(move.alice)
    assert move.answer(move.new) == "moved"
    assert move.holder() == move.new.address

    def now(unit: MemoryUnit) -> tuple[object, object, object]:
        players = unit.players
        return (
            players.profile(move.new.address),
            ratings.rating_of(unit, move.new.address),
            players.listed_players(9),
        )

    assert move.gateway.writer.run_sync(now) == (before, rated.rating, [move.new.address])


def test_a_transfer_revokes_the_seat_key() -> None:
    """Its holder may not be the player."""
    move = Move()
    move.alice.reply("gui", to=move.alice.newest(Kind.STARTED))
    old = sign_key(KEY, move.gateway.game(), Color.BLACK, 1)
    move.ask()
    move.answer(move.alice)
    move.answer(move.new)

    def is_valid(key: str) -> bool:
        read = parse_key(key)
        assert read is not None
        return move.gateway.writer.run_sync(
            lambda unit: key_is_valid(unit, move.gateway.games(unit).game, KEY, read)
        )

    assert not is_valid(old)
    move.new.reply("gui", to=move.new.newest(Kind.SHOW))
    lent = move.new.newest(Kind.GUI).notice.about["lent"]
    assert is_valid(sign_key(KEY, move.gateway.game(), Color.BLACK, lent["black"]))
