"""`export`: a player's data as files."""

import json
from typing import Any

from godaemon.games.notices import Kind
from godaemon.records import sgf_read
from tests.support.gateway import Gateway, Person


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
    assert [one["event"] for one in finished["events"]] == [
        "started",
        "resigned",
        "finished",
        "said",
    ]
    assert going["events"][-1] == {
        "at": "2026-11-21T03:00:00+00:00",
        "event": "moved",
        "color": "black",
        "point": "E5",
    }


def test_an_export_has_nothing_of_other_players() -> None:
    """No address, no secret, no plan."""
    house = House()
    house.alice.reply("E5", to=house.alice.letters(Kind.STARTED)[0])
    house.alice.reply("if D4 then C3", to=house.alice.letters(Kind.STARTED)[0])
    for person, plans in ((house.bob, 0), (house.alice, 1)):
        person.reply("export", to=person.letters(Kind.STARTED)[0])
        written = b"".join(house.files(person).values()).decode()
        others = {"alice", "bob", "carol"} - {person.name.casefold()}
        assert not any(f"{name}@" in written for name in others)
        assert "nonce" not in written
        assert written.count('"planned"') == plans


def test_an_export_has_its_player_s_notes_only() -> None:
    """In both files."""
    house = House()
    house.alice.reply("note WEAKISH", to=house.alice.letters(Kind.STARTED)[0])
    for person, kept in ((house.alice, True), (house.bob, False)):
        person.reply("export", to=person.letters(Kind.STARTED)[0])
        assert [b"WEAKISH" in found for found in house.files(person).values()] == [kept, kept]


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
