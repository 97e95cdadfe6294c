"""The boards of `learn`: each asks for one point, and the rules check the answer."""

import pytest

from godaemon.errors import IllegalMove
from godaemon.games import lessons
from godaemon.rules import benson
from godaemon.rules.points import Color, parse_point


@pytest.mark.parametrize(("lesson", "point"), [(1, "D3"), (2, "B1")])
def test_each_lesson_has_one_right_point(lesson: int, point: str) -> None:
    """White answers every other point there, and every stone is described."""
    start = lessons.lesson_position(lessons.rows_of(lesson))
    for at in start.legal_moves(Color.BLACK):
        found = lessons.try_point(lesson, at)
        assert found.right is (str(at) == point)
        if not found.right:
            assert str(found.answer) == point
            assert "".join(found.rows).count("w") == "".join(lessons.rows_of(lesson)).count("w") + 1
    taken = start.size.points - len(start.legal_moves(Color.BLACK))
    assert taken == sum(row.count("b") + row.count("w") for row in lessons.rows_of(lesson))


def test_a_chain_that_is_not_captured_escapes() -> None:
    """Whatever Black plays instead, White's chain is not in atari."""
    start = lessons.lesson_position(lessons.CAPTURE)
    others = [at for at in start.legal_moves(Color.BLACK) if str(at) != "D3"]
    assert all(lessons.try_point(1, at).liberties > 1 for at in others)


def test_a_chain_without_two_eyes_is_lost() -> None:
    """After White's answer Black cannot make two eyes."""
    start = lessons.lesson_position(lessons.LIFE)
    for at in start.legal_moves(Color.BLACK):
        if (found := lessons.try_point(2, at)).right:
            continue
        now = lessons.lesson_position(found.rows)
        for reply in now.legal_moves(Color.BLACK):
            after = now.copy()
            after.play(Color.BLACK, reply)
            assert not benson.alive_stones(after.board, Color.BLACK, suicide=False), (at, reply)


def test_the_ko_may_not_be_retaken() -> None:
    """Black takes B3 by C3, and White may not take it back at once."""
    ko = lessons.lesson_position(lessons.KO)
    assert [str(at) for at in ko.play(Color.BLACK, parse_point("C3"))] == ["B3"]
    with pytest.raises(IllegalMove):
        ko.play(Color.WHITE, parse_point("B3"))


def test_the_last_board_is_counted() -> None:
    """A dead stone is a point, and so is the point below it; no dame is open."""
    rows, score = lessons.counted_board()
    assert rows == ("BBbwW", "xBbwW", "Bbbww", "bbwwW", "BbwWW")
    assert (score.black.total, score.white.total) == (7, 5)


@pytest.mark.parametrize(("point", "on_board"), [("B2", True), ("Q16", False), ("E6", False)])
def test_unplayable_points_are_explained(point: str, on_board: bool) -> None:
    """An illegal point is distinguished from one off the board."""
    found = lessons.try_point(1, parse_point(point))
    assert not found.right
    assert found.answer is None
    assert found.on_board is on_board
