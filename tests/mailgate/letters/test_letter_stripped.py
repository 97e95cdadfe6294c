"""Letters stay readable and playable in programs that drop styles.

caniemail.com lists what each drops; none drops links, tables or `bgcolor`.
"""

import re
from collections.abc import Callable

import pytest
from bs4 import BeautifulSoup
from bs4.element import Tag

from godaemon.diagrams.html_board import GLYPHS, WOOD
from godaemon.games import commands as cmd
from godaemon.games.model import Seat
from godaemon.rules.points import Size, parse_point
from tests.support.contrast import contrast
from tests.support.mailto import clicks
from tests.support.played_games import PlayedGames, PostedLetter

_WORD = re.compile(
    r"gradient|transparent|opacity|filter|overflow|max-width|border-radius|box-shadow|display"
    r"|background:|color-scheme|word-break|overflow-wrap"
)
DROPPED: dict[str, Callable[[str], bool]] = {
    "Gmail, another's account": lambda said: said.startswith(("color-scheme", "position")),
    "Outlook for Windows": lambda said: _WORD.search(said) is not None,
    "Outlook on the web, Yahoo": lambda said: "gradient" in said,
    "text alone": lambda _said: True,
}
"""The declarations that each program drops; none honours styles in the head."""


def declarations(tag: Tag) -> list[str]:
    return [rule for rule in str(tag.get("style", "")).split(";") if rule]


def stripped(page: str, drops: Callable[[str], bool]) -> BeautifulSoup:
    """The page as a program displays it."""
    soup = BeautifulSoup(page, "html.parser")
    for tag in soup.find_all("style"):
        tag.decompose()
    for tag in soup.find_all(True):
        tag.attrs.pop("class", None)
        tag["style"] = ";".join(rule for rule in declarations(tag) if not drops(rule))
        if drops("everything"):
            tag.attrs.pop("bgcolor", None)
    return soup


def background(tag: Tag) -> str:
    """The background of a tag, as far as the tag itself sets it."""
    backgrounds = [one for one in declarations(tag) if one.startswith("background")]
    return backgrounds[-1].partition(":")[2] if backgrounds else str(tag.get("bgcolor", ""))


def text_color(tag: Tag) -> str:
    """The colour of a cell's innermost text; "" for the program's default."""
    tags = [tag, *tag.find_all(True)]
    colors = [rule for one in tags for rule in declarations(one) if rule.startswith("color:")]
    return colors[-1].partition(":")[2] if colors else ""


def letters() -> dict[str, PostedLetter]:
    """A turn letter and a letter of the count, with stones of every kind."""
    games = PlayedGames()
    games.start(cmd.Propose("bob@players.example", Size(7, 7)))
    games.play("C4 E4 C5 E5 C6 E6 C7 E7 C3 E3 C2 E2 C1 E1 F4 B4")
    turn = next(one for one in reversed(games.letters()) if one.kind == "your-turn")
    games.play("pass pass")
    games.act(Seat.WHITE, cmd.Mark((parse_point("F4"), parse_point("B4")), dead=True))
    count = next(one for one in games.letters() if one.kind == "marks-changed")
    return {"turn": turn, "count": count}


LETTERS = letters()


@pytest.mark.parametrize("program", DROPPED)
@pytest.mark.parametrize("name", LETTERS)
def test_every_point_stays_visible(name: str, program: str) -> None:
    """By its cell's background or its text; and its link works."""
    page = LETTERS[name].html
    soup = stripped(page, DROPPED[program])
    assert [one.body for one in clicks(str(soup))] == [one.body for one in clicks(page)]
    board = soup.find("table", attrs={"aria-label": re.compile("Go board")})
    assert isinstance(board, Tag)
    cells = [cell for cell in board.find_all("td") if cell.get_text() and "scope" not in cell.attrs]
    kinds = set()
    for cell in cells:
        kinds.add(cell.get_text())
        inner = cell.find("b")
        grounds = [background(cell), background(inner) if inner is not None else ""]
        assert any(grounds) or text_color(cell) != "transparent", cell
    wanted = {"turn": "bw.", "count": "bwcxBW"}[name]
    assert kinds >= {GLYPHS[state] for state in wanted}


@pytest.mark.parametrize("program", DROPPED)
def test_buttons_keep_both_colours_or_none(program: str) -> None:
    """Only Pass is a button: a slip of the finger must not resign."""
    soup = stripped(LETTERS["turn"].html, DROPPED[program])
    buttons = [link for link in soup.find_all("a") if link.get_text() in {"Pass →", "Resign"}]
    assert [button.get_text() for button in buttons] == ["Pass →"]
    for button in buttons:
        ink, fill = text_color(button), background(button)
        assert bool(ink) == bool(fill)
        assert not ink or contrast(ink, fill) >= 4.5


@pytest.mark.parametrize("program", DROPPED)
def test_news_question_and_board_keep_their_order(program: str) -> None:
    """In every program."""
    soup = stripped(LETTERS["turn"].html, DROPPED[program])
    assert soup.body is not None
    text = " ".join(soup.body.get_text(" ").split())
    assert text.startswith("Bob played B4 (move 16). Your move, Black.")
    assert text.index("such as") < text.index("Pass") < text.index("A B C D E F G")


def test_the_board_is_displayed_above_the_question() -> None:
    """It follows in the source; where styles are dropped it stays below."""
    soup = stripped(LETTERS["turn"].html, DROPPED["Gmail, another's account"])
    board = soup.find("table", attrs={"aria-label": re.compile("Go board")})
    assert isinstance(board, Tag)
    (group,) = (one for one in board.parents if "display:table" in declarations(one))
    foot, head = group.find_all("div", recursive=False)
    assert "display:table-footer-group" in declarations(foot)
    assert "display:table-header-group" in declarations(head)
    assert board in head.find_all("table")
    assert [link.get_text() for link in foot.find_all("a")][-1:] == ["Pass →"]
    # Else a board that is too wide would widen the page instead of being scrolled.
    assert {"table-layout:fixed", "width:100%"} <= {*declarations(group)}


def test_buttons_are_large_enough_to_touch() -> None:
    """44 CSS pixels high (Apple's guidelines; WCAG 2.2, 2.5.8 asks for 24)."""
    for letter in LETTERS.values():
        soup = BeautifulSoup(letter.html, "html.parser")
        pressed = [one for one in soup.find_all("a") if "display:inline-block" in declarations(one)]
        assert pressed
        for one in pressed:
            style = dict(part.split(":", 1) for part in declarations(one))
            padding, line = style["padding"].split()[0], style["line-height"]
            assert 2 * int(padding[:-2]) + int(line[:-2]) + 2 >= 44


def test_a_wide_board_scrolls_by_itself() -> None:
    """Where styles of the head are dropped, the text stays as wide as the screen."""
    soup = stripped(LETTERS["turn"].html, DROPPED["Gmail, another's account"])
    (board,) = (tag for tag in soup.find_all(width=True) if int(str(tag["width"])) > 300)
    assert board.parent is not None
    assert "overflow-x:auto" in declarations(board.parent)


def test_dark_mode_inverts_all_squares_or_none() -> None:
    """Gmail on an iPhone inverts colours but no gradients, which both kinds of squares are."""
    soup = BeautifulSoup(LETTERS["count"].html, "html.parser")
    squares = [tag for tag in soup.find_all("b") if tag.get_text() in {GLYPHS["B"], GLYPHS["W"]}]
    assert {background(tag) for tag in squares} == {
        "linear-gradient(#111,#111)",
        "linear-gradient(#fff,#fff)",
    }
    board = soup.find("table", class_="gb")
    assert isinstance(board, Tag)
    assert background(board) == WOOD
