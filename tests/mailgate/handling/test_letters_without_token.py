"""Letters that answer nothing of ours: the game's letter comes, the list, or how to begin."""

from __future__ import annotations

import pytest

from godaemon.games.notices import Kind
from mailgate.letters.compose import Composer
from mailgate.letters.letter_data import load_letter_data
from tests.support.gateway import ADDRESS, KEY, Gateway, Person, Table
from tests.support.letters import parsed, part
from tests.support.mailto import button_clicks, clicks

COMPOSER = Composer(KEY, ADDRESS, "Go by mail", invitation_days=14)


class Door(Table):
    """Alice is to move; Carol is another."""

    def __init__(self, trusted: str = "") -> None:
        super().__init__(gateway=Gateway(trusted=trusted))
        self.carol = self.gateway.person("Carol")

    def count(self, seen_by: str = "") -> None:
        """Both pass; who is named agrees to the count."""
        self.gateway.play(self.alice, self.bob, "pass pass")
        if seen_by:
            person = self.gateway.person(seen_by)
            person.reply("done", to=person.newest(Kind.SCORING_STARTED))

    def letter(self, person: Person, part_of: str = "html") -> str:
        """Their last letter, as they see it."""
        due = person.newest()
        raw = COMPOSER.compose(load_letter_data(self.gateway._look(), due)).raw
        return part(parsed(raw), part_of)

    def click(self, person: Person, said: str) -> str:
        """Click a button of their last letter: what the reply that it opens comes to."""
        click = button_clicks(self.letter(person))[said]
        return person.write(click.body, to=click.to, subject=click.subject).event


@pytest.fixture
def door() -> Door:
    return Door()


class TestOneGame:
    """Whoever has one game, or one that waits for them, is sent its letter."""

    def test_the_seats_limit_holds_for_all_its_addresses(self, door: Door) -> None:
        """Whoever writes in an old address's name cannot fill the seat's mailbox."""
        phone = door.gateway.person("Alice", "alice@phone.example")
        phone.reply("gui", to=door.alice.newest(Kind.STARTED))
        door.alice.reply("yes", to=door.alice.newest(Kind.CONFIRM))
        before = len(door.alice.letters())
        for _ in range(30):
            phone.write("D4")
            door.alice.write("D4")
        assert before < len(door.alice.letters()) <= before + door.gateway.strangers


class TestSeveralGames:
    """Whoever has several is sent the list, or the one that is meant."""

    def second(self, door: Door) -> None:
        """Alice plays Carol too."""
        door.gateway.start(door.alice, door.carol, "5x5 as black")

    def test_the_list_has_the_move_for_each(self, door: Door) -> None:
        """One click plays it in the game that is meant."""
        self.second(door)
        door.alice.write("D4")
        assert door.alice.newest().notice.kind is Kind.GAMES
        found = [one for one in clicks(door.letter(door.alice)) if one.body == "D4"]
        assert [one.subject[:13] for one in found] == ["Re: Go game 2", "Re: Go game 1"]
        assert "Reply with: 1: D4" in door.letter(door.alice, "plain")
        door.alice.write(found[1].body, to=found[1].to)
        assert [door.gateway.game(number).move_number for number in (1, 2)] == [1, 0]

    def test_near_misses_have_what_would_work(self, door: Door) -> None:
        """For each game in which it would."""
        self.second(door)
        door.alice.write("i4")
        found = [(one.body, one.subject[:13]) for one in clicks(door.letter(door.alice))]
        assert ("H4", "Re: Go game 1") in found
        assert ("H4", "Re: Go game 2") not in found  # 5x5
