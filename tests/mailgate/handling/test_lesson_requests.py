"""`learn`: the rules in three emails with boards, and a first game by one click."""

import pytest

from godaemon.games import lessons
from godaemon.games.engine_seats import Roster, RosterEntry
from godaemon.rules.points import Color
from tests.support.gateway import Gateway, Person
from tests.support.letters import part
from tests.support.mailto import clicks

HOUSE = Roster((RosterEntry("gnugo", note="GNU Go"), RosterEntry("house1", note="ours")), 5)
FIRST, SECOND, THIRD = ("Go in three short emails.", "The second email", "The last email")


def learner(text: str = "learn", engines: Roster = HOUSE, strangers: int = 20) -> Person:
    """A stranger who has asked to be taught."""
    ann = Gateway(engines=engines, strangers=strangers).person("Ann")
    ann.write(text)
    return ann


@pytest.mark.parametrize("lesson", [1, 2])
def test_every_legal_point_of_a_lesson_is_a_link(lesson: int) -> None:
    """Each link names its lesson."""
    found = {one.body for one in clicks(part(learner(f"learn {lesson}").read(), "html"))}
    free = lessons.lesson_position(lessons.rows_of(lesson)).legal_moves(Color.BLACK)
    assert found == {*(f"learn {lesson} {point}" for point in free), f"learn {lesson + 1}"}


def test_lessons_for_strangers_are_limited() -> None:
    """So are answers to replies that are only chat."""
    ann = learner(strangers=3)
    for _ in range(5):
        ann.write("learn")
    assert ann.kinds() == ["learn"] * 3
    eve = learner(strangers=3)
    for number in range(9):
        eve.reply(f"Thank you for message number {number} of today")
    assert len(eve.letters()) < 6
