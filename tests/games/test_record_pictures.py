"""Pictures of a record."""

from dataclasses import replace
from itertools import cycle

import pytest

from godaemon.diagrams.drawing import Drawing, Text
from godaemon.errors import Unknown, Unreadable
from godaemon.games.record_pictures import board_picture, kifu_picture, move_range
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
    return [shape.words for shape in drawing.shapes if isinstance(shape, Text) and shape.left]


def test_the_last_board_shows_the_count() -> None:
    """Earlier ones show the stones."""
    assert "Black's points: A1 C1" in board_picture(RECORD).title
    first = board_picture(RECORD, 1).title
    assert first == "Board of 3x1. Black: B1. White: none. Last move: B1."
    assert board_picture(RECORD, 0).title == "Board of 3x1. Black: none. White: none."


def test_a_suicide_is_not_ringed() -> None:
    """SGF executes it, and the stone vanishes."""
    assert "Last move" not in board_picture(replace(RECORD, rows=None), 2).title


def test_a_kifu_has_players_and_result() -> None:
    """The result only with all moves."""
    whole = " ".join(below(kifu_picture(RECORD)))
    assert whole == (
        "Alice 5k (black), White (white) Game 7, 2026-11-21, Chinese rules, komi 0.5: B+1.5 3 pass"
    )
    assert "B+1.5" not in " ".join(below(kifu_picture(RECORD, "1-2")))


def test_an_unprintable_name_is_left_out() -> None:
    """Its colour stands for it."""
    game = replace(RECORD, black="柯洁", white="Böb", info={})
    drawn = " ".join(below(kifu_picture(game, shows=str.isascii)))
    assert drawn.startswith("Black (black), White (white)")
    assert "柯洁 (black), Böb (white)" in " ".join(below(kifu_picture(game)))


def test_edits_are_mentioned() -> None:
    """A numbered diagram cannot show them."""
    edited = replace(RECORD, edits={1: Edit(empty=(Point(1, 0),))})
    assert "Board changed by hand after move 1" in " ".join(below(kifu_picture(edited)))
    assert "by hand" not in " ".join(below(kifu_picture(edited, "1-1")))


def test_missing_moves_are_refused() -> None:
    """With the number of moves."""
    with pytest.raises(Unknown, match="has 3 moves"):
        board_picture(RECORD, 4)
    with pytest.raises(Unknown, match="has 3 moves; there is no move 4"):
        kifu_picture(RECORD, "4-9")
    with pytest.raises(Unknown, match="there is no move 2"):
        move_range("2-5", 1)


@pytest.mark.parametrize(
    ("words", "found"),
    [("1-2", (1, 2)), ("2-1", (1, 2)), ("0-9", (1, 3)), ("2-", (2, 3)), ("", (1, 3))],
)
def test_move_ranges_are_clipped(words: str, found: tuple[int, int]) -> None:
    """In either order."""
    assert move_range(words, 3) == found


@pytest.mark.parametrize("words", ["-", "1", "a-b", "1-2-3", "-5", "9999999-9999999"])
def test_invalid_move_ranges_are_refused(words: str) -> None:
    """With an example."""
    with pytest.raises(Unreadable, match="names no moves"):
        move_range(words, 3)


def test_a_long_game_is_drawn_in_figures() -> None:
    """Each names its moves, and begins with the stones that stood then.

    White takes the corner in the first figure, and Black plays there again in the second.
    """
    shuffle = [Move(Color.BLACK if number % 2 else Color.WHITE, None) for number in range(4, 51)]
    corner = map(Move, cycle(Color), (Point(0, 0), Point(1, 0), None, Point(0, 1)))
    later = [Move(Color.BLACK, Point(0, 1)), Move(Color.WHITE, Point(4, 4))]
    moves = (*corner, *shuffle[1:], *later, *shuffle, *shuffle)
    game = Record(Size(9, 9), moves=moves)
    words = below(kifu_picture(game))
    titles = [line for line in words if line.startswith("Moves")]
    assert titles == ["Moves 1 to 50", "Moves 51 to 146"]
    assert not any(" at " in line for line in words[: words.index("Moves 51 to 146")])
    assert "51 at A2" in " ".join(words)
    assert "White: E5 A2 B1" in kifu_picture(game, "51-146").title
    assert "A1" not in kifu_picture(game, "51-146").title


def test_large_pictures_are_bounded() -> None:
    """2,704 moves on 52x52 fit into memory."""
    moves = tuple(Move(Color.BLACK, None) for _ in range(2704))
    assert kifu_picture(Record(Size(52, 52), moves=moves[:500])).pixels[1] < 4000
    assert kifu_picture(Record(Size(19, 19), moves=moves)).pixels[1] < 15_000
