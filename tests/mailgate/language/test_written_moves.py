"""Moves and what only looks like one: regressions."""

import pytest

from godaemon.rules.points import parse_point
from mailgate.language.command_lines import is_command_line
from mailgate.language.written_moves import normalize, read_move


@pytest.mark.parametrize("line", ["d4.", "d4...", "D4 !", "(d4.)", "4d,", "57. D4."])
def test_stops_after_a_move(line: str) -> None:
    """A full stop or an exclamation mark does not keep a move from being one."""
    move = read_move(normalize(line))
    assert move is not None
    assert move.point == parse_point("D4")


def test_row_of_a_wide_board_is_no_move() -> None:
    """A row that a mail program has cut at its margin ends in dots, and plays nothing."""
    assert read_move(normalize("1   X  .  .  .  .  .  .  .")) is None


@pytest.mark.parametrize("row", ["2  x  2", "1  o  1", "12 X 12"])
def test_a_row_of_a_board_with_one_column_is_no_move(row: str) -> None:
    """Our letters about such boards contain it."""
    assert not is_command_line(row)
