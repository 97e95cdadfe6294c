"""The board: chains and their liberties; `test_twin` plays captures."""

from godaemon.rules.points import parse_point
from tests.support.boards import board


def test_chains_and_liberties() -> None:
    """Stones connect along lines and not across corners; a shared liberty counts once."""
    made = board(". X .\nX . X\n. X X")
    chain = made.chain(made.index(parse_point("C2")))
    assert {str(made.point(index)) for index in chain} == {"C2", "C1", "B1"}
    assert {str(made.point(index)) for index in made.liberties(chain)} == {"C3", "B2", "A1"}
