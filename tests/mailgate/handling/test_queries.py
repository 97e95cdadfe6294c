"""Questions by letter, and lessons; scenes have the rest."""

import re

import pytest
from bs4 import BeautifulSoup

from godaemon.games import lessons
from godaemon.games.engine_seats import Roster, RosterEntry
from godaemon.rules.points import Color
from mailgate.language.parser import parse_text
from tests.support.gateway import Gateway, Person, Table, started
from tests.support.letters import html, part
from tests.support.mailto import clicks
from tests.support.scenes import play_lines

MOVES = "C3 E3 C2 E2 C4 E4 C1 E1 C5 E5 B3 F4 A2 B2"


@pytest.mark.parametrize("moves", [MOVES, f"{MOVES} pass pass"])
def test_the_description_has_no_board_to_click(moves: str) -> None:
    """Its HTML says what to write instead."""
    table = Table("7x5 rules japanese as black")
    table.gateway.play(table.alice, table.bob, moves)
    table.alice.reply("describe")
    page = html(table.alice.read())
    assert "<table" not in page
    assert "click" not in page.casefold()
    assert "body=near%20" in page


FOUND = """leads 0.5 0.2 0.4 0.3 0.3 -8.4 -8.2
chances 0.51 0.49 0.52 0.51 0.51 0.04 0.02
mistake 5 black 8.7 0.47 - A1 E3 E7 pass"""


def test_a_review_shows_the_board_at_the_mistake() -> None:
    """The move is marked; the better moves are numbered."""
    gateway, alice, bob = started()
    gateway.play(alice, bob, "E5 C3 C7 G3 A1 G7")
    gateway.analysis = FOUND
    alice.reply("resign")
    alice.reply("review")
    board = """\
   A B C D E F G H J
6  . . . . . . . . .  6
5  . . . . X . . . .  5
4  . . . . . . . . .  4
3  . . O . 1 . O . .  3
2  . . . . . . . . .  2
1 (X). . . . . . . .  1
   A B C D E F G H J"""
    assert board in alice.text()
    page = BeautifulSoup(html(alice.read()), "html.parser")
    (drawn,) = page.find_all("table", class_="gb")
    assert drawn["aria-label"] == "Part of a Go board: move played A1, 1 at E3"
    assert [one.get_text() for one in drawn.find_all("td", class_="b")] == ["●", "1", "◉"]


@pytest.mark.parametrize(
    ("scene", "has", "lacks"),
    [
        ("Eve: help", ("learn", "new 9x9 vs bob@example.org", "watch"), ("pass", "done")),
        ("Alice: help", ("undo", "note he is weak here"), ("learn", "done")),
        (
            *("Alice: pass\nBob: pass\nAlice: help", ("dead Q16 C3", "alive Q16", "propose")),
            ("learn", "undo"),
        ),
        ("Alice: resign\nAlice: help", ("review", "rematch"), ("pass", "done")),
    ],
)
def test_help_has_the_commands_of_the_moment(
    scene: str, has: tuple[str, ...], lacks: tuple[str, ...]
) -> None:
    """Each line is a command; `help all` has the others."""
    table = Table()
    play_lines(table.gateway, scene)
    text = (table.eve if scene.startswith("Eve") else table.alice).text()
    lines = re.findall(r"^  (?:→|Reply with:) (.+?)(?:  .*)?$", text, re.MULTILINE)
    assert {*has, "help all"} <= set(lines)
    assert not set(lacks) & set(lines)
    for line in lines:
        assert parse_text([line], "").commands, line
    assert len(text.splitlines()) < 60


ENGINES = Roster((RosterEntry("gnugo", note="GNU Go"), RosterEntry("house1", note="ours")), 5)


def learner(text: str = "learn", strangers: int = 20) -> Person:
    """A stranger who has asked to be taught."""
    ann = Gateway(engines=ENGINES, strangers=strangers).person("Ann")
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
