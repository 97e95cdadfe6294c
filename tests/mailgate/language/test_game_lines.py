"""Lines that name a game, as in answers to a list of games."""

import pytest

from mailgate.language.game_lines import MAX_LINES, game_lines
from tests.support import places
from tests.support.blocks import read_blocks
from tests.support.rows import each_row

NAMED = {"bob": 34, "carol ann": 41, "carol": 41}
ROWS = [
    (claim, text, wanted)
    for claim, block in read_blocks(places.DATA / "game_lines.txt").items()
    for wanted, _, texts in (row.partition(" <= ") for row in block.splitlines())
    for text in texts.split(" | ")
]


@each_row(("claim", "text", "wanted"), ROWS)
def test_requests_are_assigned_to_games(claim: str, text: str, wanted: str) -> None:
    """`none` is a line about no game in particular."""
    requests = [f"{one.game} {one.request}" for one in game_lines(text.split("⏎"), NAMED)]
    assert requests == ([f"None {text}"] if wanted == "none" else wanted.split("; ")), claim


def test_the_number_of_lines_is_limited() -> None:
    """Reading stops after a number of lines."""
    assert len(game_lines(["34: D4"] * 1_000)) == MAX_LINES


def test_a_game_is_quoted_by_its_written_name() -> None:
    """Its writer knows no number."""
    requests = game_lines(["D4 with Bob and pass against Carol"], NAMED)
    assert [one.line for one in requests] == ["D4 with Bob", "pass against Carol"]


@pytest.mark.parametrize("name", ["pass", "d4", "resign", "x"])
def test_a_command_is_no_opponents_name(name: str) -> None:
    """Whatever opponents call themselves."""
    assert game_lines([f"{name}, thanks"], {name: 34})[0].game is None
