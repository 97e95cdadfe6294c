"""Boards put together from tiles."""

from __future__ import annotations

from io import BytesIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops, ImageStat

from godaemon.diagrams.picture import BoardPicture, picture
from godaemon.diagrams.png import png
from godaemon.diagrams.tiled_png import LARGEST_PITCH, SMALLEST_PITCH, style_for, tiled
from godaemon.rules.points import Point, Size
from tests.support.boards import points_of, seven_state_rows
from tests.support.examples import examples

ROWS = ("b.w.c", "x.B.W", ".....", "bw.bw", "wb.wb")


def opened(raw: bytes) -> Image.Image:
    """The pixels of a PNG file."""
    return Image.open(BytesIO(raw)).convert("RGB")


@pytest.mark.parametrize("rows", [ROWS, (".",), ("b",), ("bw.",), ("b", ".", "w")])
def test_looks_like_the_picture_drawn_at_once(rows: tuple[str, ...]) -> None:
    """The same size, and hardly a pixel of another colour."""
    board = BoardPicture(rows, Point(0, 0), {Point(0, 0): "12"} if rows[-1][0] in "bw" else {})
    ours, other = opened(tiled(board)), opened(png(picture(board, style_for(board.size))))
    assert ours.size == other.size
    differing = ImageChops.difference(ours, other)
    assert max(ImageStat.Stat(differing).mean) < 4


@settings(max_examples=examples(30))
@given(st.data())
def test_any_board_is_a_png_and_always_the_same(data: st.DataObject) -> None:
    """Whatever stands there, with any last move and numbers on any points."""
    rows = data.draw(seven_state_rows())
    words = data.draw(st.dictionaries(points_of(rows), st.sampled_from(["1", "23", "456"])))
    board = BoardPicture(rows, data.draw(points_of(rows)), words)
    assert tiled(board).startswith(b"\x89PNG")
    assert tiled(board) == tiled(board)


@pytest.mark.parametrize("size", [Size(1, 1), Size(9, 9), Size(19, 19), Size(52, 52), Size(52, 1)])
def test_is_of_a_size_for_letters(size: Size) -> None:
    """Never so fine that a number cannot be read, nor larger than it need be."""
    assert SMALLEST_PITCH <= style_for(size).pitch <= LARGEST_PITCH
    full = BoardPicture(tuple("bw" * size.width for _ in range(size.height)))
    board = BoardPicture(tuple(row[: size.width] for row in full.rows))
    assert len(tiled(board)) < 40_000
    assert opened(tiled(board)).width <= max(450, 16 * size.width)
