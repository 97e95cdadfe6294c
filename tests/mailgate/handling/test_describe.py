"""`describe` in HTML; scenes have its plain text."""

import pytest

from tests.support.gateway import Table
from tests.support.letters import html

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
