"""Pictures of a record."""

from __future__ import annotations

from dataclasses import replace

import pytest

from godaemon.diagrams.drawing import Drawing, Text
from godaemon.errors import Unknown
from godaemon.games.record_pictures import board_picture, kifu_picture
from godaemon.records.record import Edit, Record
from godaemon.rules.points import Color, Point, Size
from godaemon.rules.position import Move

RECORD = Record(
    Size(3, 1),
    komi=0.5,
    rules="Chinese",
    black="Alice",
    info={"BR": "5k"},
    moves=(Move(Color.BLACK, Point(1, 0)), Move(Color.WHITE, Point(2, 0)), Move(Color.BLACK, None)),
    result="B+1.5",
    rows=("BbB",),
    date="2026-11-21",
    name="Game 7",
)


def below(drawing: Drawing) -> list[str]:
    """The lines below the board."""
    return [shape.words for shape in drawing.shapes if isinstance(shape, Text) and shape.left]


def test_the_board_at_the_end_is_shown_as_it_was_counted() -> None:
    """And earlier ones as they stood."""
    assert "Black's points: A1 C1" in board_picture(RECORD).title
    first = board_picture(RECORD, 1).title
    assert first == "Board of 3x1. Black: B1. White: none. Last move: B1."
    assert board_picture(RECORD, 0).title == "Board of 3x1. Black: none. White: none."


def test_a_stone_that_vanished_is_not_ringed() -> None:
    """White's second move has no liberty, as SGF executes it."""
    assert "Last move" not in board_picture(replace(RECORD, rows=None), 2).title


def test_a_kifu_says_who_played_and_how_it_ended() -> None:
    """The result only where all moves are shown."""
    whole = " ".join(below(kifu_picture(RECORD)))
    assert whole == (
        "Alice 5k (black), White (white) Game 7, 2026-11-21, Chinese rules, komi 0.5: B+1.5 3 pass"
    )
    assert "B+1.5" not in " ".join(below(kifu_picture(RECORD, 2)))


def test_a_name_that_cannot_be_written_is_left_out() -> None:
    """Its colour stands for it; the other is written."""
    game = replace(RECORD, black="柯洁", white="Böb", info={})
    drawn = " ".join(below(kifu_picture(game, shows=str.isascii)))
    assert drawn.startswith("Black (black), White (white)")
    assert "柯洁 (black), Böb (white)" in " ".join(below(kifu_picture(game)))


def test_edits_are_told() -> None:
    """A diagram of numbers cannot show them."""
    edited = replace(RECORD, edits={1: Edit(empty=(Point(1, 0),))})
    assert "Board changed by hand after move 1" in " ".join(below(kifu_picture(edited)))
    assert "by hand" not in " ".join(below(kifu_picture(edited, 1)))


def test_a_move_that_is_not_there() -> None:
    """It is refused with how many there are."""
    for draw in (board_picture, kifu_picture):
        with pytest.raises(Unknown, match="has 3 moves"):
            draw(RECORD, 4)
