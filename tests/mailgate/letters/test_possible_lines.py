"""Playing by clicks: every link of a letter is opened, sent and received."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from godaemon.games.model import Phase
from godaemon.games.notices import Kind
from godaemon.rules.points import Color, Point, parse_point
from mailgate.handling.context import LetterOutcome
from tests.support.gateway import Person
from tests.support.gateway import Table as TwoPlayers
from tests.support.letters import html
from tests.support.mailto import Click, board_clicks, button_clicks


class Table(TwoPlayers):
    """Two players who click on what they are sent."""

    def html(self, person: Person, kind: Kind | None = None) -> str:
        return html(person.read(person.newest(kind)))

    @contextmanager
    def rolled_back(self) -> Iterator[None]:
        """Roll back all changes at the end."""
        before = self.gateway.writer.state.copy()
        yield
        self.gateway.writer.state = before
        self.gateway.cache.clear()

    def send(self, person: Person, click: Click, more: str = "") -> LetterOutcome:
        """The letter that a click opens, unchanged or with words typed below."""
        return person.write(click.body + more, to=click.to, header={"subject": click.subject})


def table(terms: str = "5x5 as black", moves: str = "") -> Table:
    players = Table(terms)
    players.gateway.play(players.alice, players.bob, moves)
    return players


KO = "A2 B2 B1 C1 D4 A1"
"""White took at B1, and Black may not take back there at once."""


@pytest.mark.parametrize("moves", ["", "C3", KO, "B1 E5 A2 E4 B2 E3"])
def test_exactly_the_legal_points_are_links(moves: str) -> None:
    """No stones, no suicide, no ko; the unchanged email of each link is a move."""
    players = table(moves=moves)
    game = players.gateway.game()
    mover, kind = (players.alice, players.bob)[len(moves.split()) % 2], None
    assert game.to_move is not None
    legal = {str(point) for point in game.position.legal_moves(game.to_move)}
    found = board_clicks(players.html(mover, kind))
    assert {click.body for click in found.values()} == legal
    for name, click in found.items():
        assert click.title == name
        with players.rolled_back():
            assert players.send(mover, click).event == "accepted"
            assert players.gateway.game().position.board.color(parse_point(name)) is game.to_move


def test_the_receipt_has_no_links_on_its_board() -> None:
    """It offers only undo, help and fewer receipts."""
    players = table(moves="C3")
    assert players.alice.newest().notice.kind is Kind.MOVED
    assert board_clicks(players.html(players.alice)) == {}
    assert set(button_clicks(players.html(players.alice))) == {"undo", "receipts off", "help"}


def counting() -> Table:
    """Two walls, a dead white stone at A2 and a dead black one at E4."""
    return table("5x5 as black", "C1 D1 C2 D2 C3 D3 C4 D4 C5 D5 E4 A2 pass pass")


def test_a_click_marks_a_group_and_a_second_unmarks_it() -> None:
    """In the letters of a count."""
    players = counting()
    players.alice.reply("dead A2 only")
    found = board_clicks(players.html(players.alice))
    game = players.gateway.game()
    grid = game.position.board
    stones = {str(grid.point(index)) for color in Color for index in grid.stones(color)}
    assert {title.split()[1] for title in found} == stones
    for title, click in found.items():
        word, name = title.split()[:2]
        assert word == ("alive" if name == "A2" else "dead")
        assert click.title == name
        with players.rolled_back():
            assert players.send(players.alice, click).event == "accepted", title
            assert (parse_point(name) in players.gateway.game().dead) is (word == "dead")
    assert players.gateway.game().dead == {Point(0, 1)}
    for person in (players.alice, players.bob):
        links = board_clicks(players.html(person))
        with players.rolled_back():
            players.send(person, links["alive A2"])
            assert not players.gateway.game().dead


def test_pass_alive_stones_are_no_links() -> None:
    """A mark that would be refused is not offered."""
    walls = "B1 E1 B2 E2 B3 E3 B4 E4 B5 E5 A4 D1 A2 D3"
    players = table("5x5 as black", f"{walls} pass pass")
    game = players.gateway.game()
    found = board_clicks(players.html(players.alice))
    assert game.phase is Phase.SCORING
    assert not {title for title in found if title.split()[1] in {"B1", "A2", "A4"}}
    for click in found.values():
        with players.rolled_back():
            assert players.send(players.alice, click).event == "accepted"
