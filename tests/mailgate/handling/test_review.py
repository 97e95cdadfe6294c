"""`review`: its boards; scenes have the rest."""

from bs4 import BeautifulSoup

from tests.support.gateway import started
from tests.support.letters import html

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
