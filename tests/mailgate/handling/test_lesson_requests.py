"""`learn`: the rules of Go in three emails with boards, and a first game with one click."""

from __future__ import annotations

import pytest

from godaemon.games import lessons
from godaemon.games.engine_seats import Entrant, Roster
from godaemon.games.notices import Kind
from godaemon.rules.points import Color
from tests.support.gateway import Gateway, Person
from tests.support.letters import part
from tests.support.mailto import clicks

HOUSE = Roster((Entrant("gnugo", note="GNU Go"), Entrant("house1", note="ours")), 5)
FIRST, SECOND, THIRD = ("Go in three short emails.", "The second email", "The last email")
GAME = "new 9x9 as black vs house1"


def told(who: Person) -> str:
    """The newest letter, as text on one line."""
    return " ".join(part(who.read(), "plain").split())


def learner(said: str = "learn", engines: Roster = HOUSE, strangers: int = 20) -> Person:
    """A stranger who has asked to be taught."""
    ann = Gateway(engines=engines, strangers=strangers).person("Ann")
    ann.write(said)
    return ann


def at(lesson: int) -> Person:
    """A stranger with a lesson before them."""
    ann = learner(f"learn {lesson}")
    assert ann.newest().notice.kind is Kind.LEARN
    return ann


def test_three_letters_end_in_a_game() -> None:
    """Two points by click, and then the game begins at once: no one else could have asked."""
    ann = learner()
    assert FIRST in told(ann)
    for click, next_one in (("learn 1 D3", "Well done, D3"), ("learn 2 B1", "Well done, B1")):
        assert click in [found.body for found in clicks(part(ann.read(), "html"))]
        ann.reply(click)
        assert next_one in told(ann)
    assert GAME in [found.body for found in clicks(part(ann.read(), "html"))]
    ann.reply(GAME)
    assert ann.newest().notice.kind is Kind.STARTED
    assert ann.gateway.game().spec.invited.engine == "house1"


@pytest.mark.parametrize("lesson", [1, 2])
def test_every_free_point_can_be_clicked(lesson: int) -> None:
    """And no other; each names its lesson, so that it is known without the letter too."""
    found = {one.body for one in clicks(part(at(lesson).read(), "html"))}
    free = lessons.position(lessons.rows_of(lesson)).legal_moves(Color.BLACK)
    assert found == {*(f"learn {lesson} {point}" for point in free), f"learn {lesson + 1}"}


@pytest.mark.parametrize(
    ("lesson", "said", "answer"),
    [
        (1, "D3", "Well done, D3 captures both stones!"),
        (1, "I play d3, please", "Well done, D3"),
        (1, "D3?", "Well done, D3"),
        (1, "Hi!\nMaybe the point D3?", "Well done, D3"),
        (1, "learn 1 D3", "Well done, D3"),
        (1, "a1", "after A1 White plays D3, and the chain has 3 liberties."),
        (1, "B3", "There is already a stone on B3."),
        (1, "Q16", "it has no Q16."),
        (2, "B1", "Well done, B1 makes two eyes!"),
        (2, "D3", "There is already a stone on D3."),
        (2, "C1", "after C1 White plays B1"),
        (1, "next", SECOND),
        (2, "Next please!", THIRD),
        (2, "again", SECOND),
        (3, "learn", FIRST),
        (1, "learn 3", THIRD),
        (1, "I have no idea at all", "I didn't understand “I have no idea at all”. Go in"),
        (1, "pass", "I didn't understand “pass”."),
        (3, "D4", "I didn't understand “D4”. The last"),
        (2, "", SECOND),
    ],
)
def test_what_is_answered(lesson: int, said: str, answer: str) -> None:
    """A right point brings the next letter, a wrong one why; no reply is left without an answer."""
    ann = at(lesson)
    ann.reply(said)
    assert ann.newest().notice.kind is Kind.LEARN
    assert answer in told(ann)
    assert len(ann.letters()) == 2


def test_yes_to_the_last_begins_the_game() -> None:
    """As it offers one."""
    ann = at(3)
    ann.reply("Yes!")
    assert ann.newest().notice.kind is Kind.STARTED


def test_without_a_program_people_are_named() -> None:
    """Where none plays here; of programs the gentlest is offered."""
    ann = learner("learn 3", engines=Roster())
    assert "challenges" in told(ann)
    assert "players" in told(ann)
    assert "house" not in told(ann)
    ann.reply("yes")
    assert ann.newest().notice.kind is Kind.LEARN
    other = learner("learn 3", engines=Roster((Entrant("gnugo", note="GNU Go"),), 5))
    assert "new 9x9 as black vs gnugo" in told(other)


def test_a_lesson_that_there_is_not() -> None:
    """Is refused with those that there are."""
    ann = learner("learn 4")
    assert "There are 3 emails on how to play" in told(ann)
    assert "learn 2" in told(ann)


def test_a_point_needs_no_reply() -> None:
    """A fresh letter says the same, and from whoever it may be it brings one letter."""
    ann = learner("learn 1 D3")
    assert SECOND in told(ann)
    assert ann.kinds() == ["learn"]


def test_nobody_is_flooded() -> None:
    """What nobody vouches for is answered so often a day; and replies of words alone are, too."""
    ann = learner(strangers=3)
    for _ in range(5):
        ann.write("learn")
    assert ann.kinds() == ["learn"] * 3
    eve = learner(strangers=3)
    for number in range(9):
        eve.reply(f"Thank you for message number {number} of today")
    assert len(eve.letters()) < 6


def test_another_address_has_nothing_of_it() -> None:
    """Whoever has the letter of somebody else cannot begin a game in their name."""
    ann = at(3)
    eve = ann.gateway.person("Eve")
    ann.gateway.send()
    eve.reply(GAME, to=ann.newest())
    assert not ann.gateway.writer.state.logs
    assert ann.kinds() == ["learn"]


@pytest.mark.parametrize(
    "said", ["learn", "Teach me!", "How do I play Go?", "I don't know the rules", "learn 2"]
)
def test_in_a_game_it_goes_nowhere_else(said: str) -> None:
    """The opponent is told nothing, and the game stands still."""
    gateway = Gateway()
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    gateway.start(alice, bob)
    before = len(bob.letters())
    alice.reply(said)
    assert "learn" in told(alice)
    assert len(bob.letters()) == before
    assert not gateway.game().move_number


def test_who_never_played_here_is_told_of_it() -> None:
    """In the invitation, in one line; who has played needs it no more."""
    gateway = Gateway()
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    alice.write(f"new 9x9 vs {bob.address}")
    alice.reply("yes")
    assert "Reply with: learn" in told(bob)
    bob.reply("I don't know the rules")
    assert "learn" in told(bob)
    bob.reply("learn", to=bob.newest(Kind.INVITATION))
    assert bob.newest().notice.kind is Kind.LEARN
    bob.reply("accept", to=bob.newest(Kind.INVITATION))
    alice.reply(f"new 13x13 vs {bob.address}")
    assert "Reply with: learn" not in told(bob)
    assert bob.newest().notice.kind is Kind.INVITATION


def test_help_tells_of_it() -> None:
    """On its first lines, as a stranger reads it first."""
    ann = learner("help")
    assert "Reply with: learn Learn the rules in three short emails." in told(ann)
