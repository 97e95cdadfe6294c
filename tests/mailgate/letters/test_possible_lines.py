"""Playing by clicks: every link of a letter is opened, sent and received."""

from collections.abc import Iterator
from contextlib import contextmanager
from email.message import EmailMessage

import pytest

from godaemon.games.model import Phase
from godaemon.games.notices import Kind
from godaemon.rules.points import Color, Point, parse_point
from mailgate.handling.context import LetterOutcome
from mailgate.reading.reply_marker import MARKER
from tests.support.gateway import Person
from tests.support.gateway import Table as TwoPlayers
from tests.support.letters import html
from tests.support.mailto import Click, board_clicks, button_clicks


class Table(TwoPlayers):
    """Two players who click on what they are sent."""

    def html(self, person: Person, kind: Kind | None = None) -> str:
        return html(person.read(person.newest(kind)))

    @contextmanager
    def aside(self) -> Iterator[None]:
        """What happens in here is forgotten."""
        before = self.gateway.writer.state.copy()
        yield
        self.gateway.writer.state = before
        self.gateway.cache.clear()

    def send(self, person: Person, click: Click, more: str = "") -> LetterOutcome:
        """The letter that a click opens, unchanged or with words typed below."""
        return person.write(click.body + more, to=click.to, header={"subject": click.subject})


def table(terms: str = "5x5 as black", moves: str = "") -> Table:
    made = Table(terms)
    made.gateway.play(made.alice, made.bob, moves)
    return made


KO = "A2 B2 B1 C1 D4 A1"
"""White took at B1, and Black may not take back there at once."""


@pytest.mark.parametrize("moves", ["", "C3", KO, "B1 E5 A2 E4 B2 E3"])
def test_exactly_the_legal_points_are_links(moves: str) -> None:
    """No stones, no suicide, no ko."""
    made = table(moves=moves)
    game = made.gateway.game()
    mover, kind = (made.alice, made.bob)[len(moves.split()) % 2], None
    assert game.to_move is not None
    legal = {str(point) for point in game.position.legal_moves(game.to_move)}
    found = board_clicks(made.html(mover, kind))
    assert {click.body for click in found.values()} == legal
    assert all(click.title == click.body for click in found.values())


@pytest.mark.parametrize("moves", ["", "C3", KO])
def test_each_link_plays_its_point(moves: str) -> None:
    """The unchanged email that it opens is a move."""
    made = table(moves=moves)
    mover = (made.alice, made.bob)[len(moves.split()) % 2]
    color = (Color.BLACK, Color.WHITE)[len(moves.split()) % 2]
    found = board_clicks(made.html(mover))
    assert len(found) > 15
    for name, click in found.items():
        with made.aside():
            assert made.send(mover, click).event == "accepted"
            assert made.gateway.game().position.board.color(parse_point(name)) is color


def test_the_receipt_has_no_links_on_its_board() -> None:
    """It offers only undo, help and fewer receipts."""
    made = table(moves="C3")
    assert made.alice.newest().notice.kind is Kind.MOVED
    assert board_clicks(made.html(made.alice)) == {}
    assert set(button_clicks(made.html(made.alice))) == {"undo", "receipts off", "help"}


SIGNED = [
    "\n\n-- \nAlice\nSent on the way home",
    "\n\nSent from my iPhone",
    "\r\n\r\nGet Outlook for Android\r\n",
    "\n\n--\nAlice Liddell\nresign\n",
    "   \n\n",
]


@pytest.mark.parametrize("below", SIGNED)
def test_a_signature_below_a_click_is_ignored(below: str) -> None:
    """It is neither executed nor passed on."""
    made = table()
    assert made.send(made.alice, board_clicks(made.html(made.alice))["D4"], below).event == (
        "accepted"
    )
    game = made.gateway.game()
    assert game.position.board.color(parse_point("D4")) is Color.BLACK
    assert not game.chat


PAGES = [
    (
        '<div dir="ltr">{}<br clear="all"><div><br></div><span>-- </span><br>'
        '<div class="gmail_signature">resign<br>Alice</div></div>'
    ),
    (
        "<html><head><style>p {{margin:0}}</style></head><body><p class=MsoNormal>{}<o:p></o:p></p>"
        "<p class=MsoNormal><o:p>&nbsp;</o:p></p></body></html>"
    ),
    '<html><body dir="auto">{}<div><br></div><div>Sent from my iPhone</div></body></html>',
    '<div class="yahoo-style-wrap"><div dir="ltr">{}</div><div><br></div></div>',
    "<div style='font-family:Arial'>{}</div><div class='protonmail_signature_block'>pass</div>",
]


@pytest.mark.parametrize("page", PAGES)
def test_a_click_sent_as_html_is_read(page: str) -> None:
    """The move is still the first line of the page."""
    made = table()
    click = board_clicks(made.html(made.alice))["D4"]
    letter = EmailMessage()
    letter["From"] = f"Alice <{made.alice.address}>"
    letter["Subject"], letter["Message-ID"] = click.subject, "<html@players.example>"
    letter.set_content(page.format(click.body), subtype="html")
    assert made.alice.post(letter, to=click.to).event == "accepted"
    assert made.gateway.game().position.board.color(parse_point("D4")) is Color.BLACK


def counting() -> Table:
    """Two walls, a dead white stone at A2 and a dead black one at E4."""
    return table("5x5 as black", "C1 D1 C2 D2 C3 D3 C4 D4 C5 D5 E4 A2 pass pass")


def test_a_click_marks_a_group_and_a_second_unmarks_it() -> None:
    """In the letters of a count."""
    made = counting()
    made.alice.reply("show")
    found = board_clicks(made.html(made.alice))
    game = made.gateway.game()
    grid = game.position.board
    stones = {str(grid.point(index)) for color in Color for index in grid.stones(color)}
    assert {title.split()[1] for title in found} == stones
    for title, click in found.items():
        word, name = title.split()[:2]
        assert word == "dead"
        assert click.title == name
        with made.aside():
            assert made.send(made.alice, click).event == "accepted", title
            assert parse_point(name) in made.gateway.game().dead
    made.send(made.alice, found["dead A2"])
    assert made.gateway.game().dead == {Point(0, 1)}
    for person in (made.alice, made.bob):
        links = board_clicks(made.html(person))
        with made.aside():
            made.send(person, links["alive A2"])
            assert not made.gateway.game().dead


def test_pass_alive_stones_are_no_links() -> None:
    """A mark that would be refused is not offered."""
    walls = "B1 E1 B2 E2 B3 E3 B4 E4 B5 E5 A4 D1 A2 D3"
    made = table("5x5 as black", f"{walls} pass pass")
    game = made.gateway.game()
    found = board_clicks(made.html(made.alice))
    assert game.phase is Phase.SCORING
    assert not {title for title in found if title.split()[1] in {"B1", "A2", "A4"}}
    for click in found.values():
        with made.aside():
            assert made.send(made.alice, click).event == "accepted"


QUOTED = [
    (
        '{}<br><div class="gmail_quote"><div class="gmail_attr">On Sat, Go wrote:<br></div>'
        '<blockquote class="gmail_quote">{}</blockquote></div>'
    ),
    '<p>{}</p><hr><div id="divRplyFwdMsg"><b>From:</b> Go &lt;go@go.example&gt;</div>{}',
    "<p>{}</p>{}",
]
"""The last is how no program answers: our letter below, without any sign that it is one."""


@pytest.mark.parametrize("style", QUOTED)
@pytest.mark.parametrize("counted", [False, True])
def test_a_quoted_board_contains_no_commands(style: str, counted: bool) -> None:
    """Links and cells of our own letter below a message are ignored."""
    made = counting() if counted else table(moves="C3 B2")
    page = made.html(made.alice)
    letter = EmailMessage()
    letter["From"], letter["Message-ID"] = made.alice.address, "<q@players.example>"
    letter.set_content(style.format("say hello", page), subtype="html")
    click = next(iter(board_clicks(page).values()))
    before = made.gateway.game()
    assert made.alice.post(letter, to=click.to).event == "accepted"
    after = made.gateway.game()
    texts = [words.text for words in after.chat]
    assert texts[0] == "hello"
    assert not any(MARKER in words or "or click it" in words for words in texts)
    assert (after.dead, after.move_number) == (before.dead, before.move_number)
