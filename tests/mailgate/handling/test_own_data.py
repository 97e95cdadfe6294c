"""A player's data: exported, moved to another address, and forgotten; scenes have the rest."""

import json
from typing import Any

import pytest

from godaemon.games import ratings
from godaemon.games.forgetting import Forgetting, forget_due
from godaemon.games.glicko2 import Rating
from godaemon.games.model import Seat
from godaemon.games.notices import Kind, Notice
from godaemon.games.seat_keys import key_is_valid, parse_key, sign_key
from godaemon.games.stored_values import RatedGame
from godaemon.records import sgf_read
from godaemon.rules.points import Color
from tests.support.gateway import ADDRESS, KEY, Gateway, Person, Table, started


class House:
    """Alice plays Bob, and has resigned a game with Carol."""

    def __init__(self) -> None:
        self.gateway = Gateway()
        self.alice = self.gateway.person("Alice")
        for name in ("Bob", "Carol"):
            other = self.gateway.person(name)
            self.gateway.start(self.alice, other, "9x9 as black")
        self.alice.reply("resign\n\nThank you, Carol!")
        self.bob = self.gateway.person("Bob")

    def files(self, person: Person) -> dict[str, bytes]:
        """What is attached to somebody's newest letter."""
        letter = person.read()
        return {
            str(one.get_filename()): one.get_payload(decode=True)  # type: ignore[misc]
            for one in letter.iter_attachments()
        }


def test_an_export_has_all_games() -> None:
    """As SGF and as JSON, with times and settings."""
    house = House()
    house.alice.reply("E5", to=house.alice.letters(Kind.STARTED)[0])
    house.alice.reply("digest at 19")
    house.alice.reply("export", to=house.alice.newest(Kind.FINISHED))
    assert house.alice.newest().notice.kind is Kind.EXPORT
    files = house.files(house.alice)
    assert files["games.sgf"].count(b"GM[1]") == 2
    assert sgf_read.parse_sgf(files["games.sgf"]).size.width == 9
    exported: dict[str, Any] = json.loads(files["games.json"])
    assert exported["settings"]["digest_at"] == 19 * 60
    finished, going = exported["games"]
    assert (finished["number"], finished["result"], finished["you"]) == (2, "W+R", ["black"])
    events = " ".join(one["event"] for one in finished["events"])
    assert events == "started resigned finished said"
    moved = {"at": "2026-11-21T03:00:00+00:00", "event": "moved", "color": "black", "point": "E5"}
    assert going["events"][-1] == moved


def test_an_export_has_nothing_of_other_players() -> None:
    """No address, no secret, no plan, no note."""
    house = House()
    for line in ("E5", "if D4 then C3", "note WEAKISH"):
        house.alice.reply(line, to=house.alice.letters(Kind.STARTED)[0])
    for person, plans in ((house.bob, 0), (house.alice, 1)):
        person.reply("export", to=person.letters(Kind.STARTED)[0])
        written = b"".join(house.files(person).values()).decode()
        assert written.count("WEAKISH") == 2 * plans
        others = {"alice", "bob", "carol"} - {person.name.casefold()}
        assert not any(f"{name}@" in written for name in others)
        assert "nonce" not in written
        assert written.count('"planned"') == plans


def test_an_export_has_all_settings() -> None:
    """Per game too, with blocks, vacations and other addresses."""
    house = House()
    started = house.alice.letters(Kind.STARTED)[0]
    for line in ("emails my-turn", "block", "vacation 2 weeks", "note WEAKISH"):
        house.alice.reply(line, to=started)
    work = house.gateway.person("Alice", "alice@work.example")
    work.reply("show", to=started)
    house.alice.reply("yes", to=house.alice.newest(Kind.CONFIRM))
    house.alice.reply("export", to=started)
    data = json.loads(house.files(house.alice)["games.json"])
    assert data["settings_by_game"] == {"1": {"emails": "my-turn", "receipts": "", "reviews": ""}}
    assert data["blocks"] == ["Bob"]
    kept = {one["event"]: one for one in data["games"][1]["events"]}
    assert kept["recognised"]["address"] == "alice@work.example"
    assert {"noted", "paused"} <= set(kept)


NEW = "alice@new.example"


@pytest.fixture
def table() -> Table:
    """A game of Alice, who has asked to move to a new address, and Bob."""
    table = Table()
    table.alice.reply(f"move me to {NEW}")
    return table


def agree(person: Person) -> str:
    """Agree to the move of a seat, from either address."""
    return person.reply("yes", to=person.newest(Kind.MOVING)).event


def holder(table: Table) -> str:
    """The address of Alice's seat."""
    return table.game.player(Seat.BLACK).address


@pytest.mark.parametrize("end", ["o", "n"])
def test_a_forged_token_of_a_transfer_is_invalid(table: Table, end: str) -> None:
    """Knowing its number and both addresses is not enough."""
    pair = [table.alice, table.gateway.person("Alice", NEW)]
    who, other = pair if end == "o" else reversed(pair)
    assert agree(other) == "agreed"
    forged = ADDRESS.replace("@", f"+m1{end}-{'a' * 16}@")
    assert who.write("yes", to=forged).wrong_token
    assert holder(table) == table.alice.address


def test_settings_move_along_with_all_games() -> None:
    """Name, time zone, rank, vacation and rating."""
    table = Table()
    alice, run = table.alice, table.gateway.writer.run_sync
    started = alice.newest(Kind.STARTED)
    for line in ("name Margaret", "timezone Tokyo", "i am 5 kyu", "players on", "vacation 1 week"):
        assert alice.reply(line, to=started).event == "accepted"
    rated = RatedGame(alice.address, 1, table.gateway.now, Rating(1700.0, 100.0, 0.06))
    run(lambda unit: unit.players.set_rated_game(rated))
    alice.reply(f"move me to {NEW} everywhere", to=started)
    before = run(lambda unit: unit.players.profile(alice.address))
    agree(alice)
    assert agree(table.gateway.person("Alice", NEW)) == "moved"
    assert holder(table) == NEW
    assert run(lambda unit: unit.players.profile(NEW)) == before
    assert run(lambda unit: ratings.rating_of(unit, NEW)) == rated.rating
    assert run(lambda unit: unit.players.listed_players(9)) == [NEW]


def test_a_transfer_revokes_the_seat_key(table: Table) -> None:
    """Its holder may not be the player."""
    new = table.gateway.person("Alice", NEW)
    table.alice.reply("gui", to=table.alice.newest(Kind.STARTED))
    old = sign_key(KEY, table.game, Color.BLACK, 1)
    agree(table.alice)
    agree(new)

    def is_valid(key: str) -> bool:
        read = parse_key(key)
        assert read is not None
        return table.gateway.writer.run_sync(
            lambda unit: key_is_valid(unit, table.gateway.games(unit).game, KEY, read)
        )

    assert not is_valid(old)
    new.reply("gui", to=new.newest(Kind.SHOW))
    lent = new.newest(Kind.GUI).notice.about["lent"]
    assert is_valid(sign_key(KEY, table.game, Color.BLACK, lent["black"]))


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
