"""A game as an animation: each frame shows the right board, and the file is small."""

from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from itertools import cycle
from random import Random

import pytest
from PIL import Image, ImageChops

from godaemon.diagrams.film import LAST_FRAME_TIME, film
from godaemon.diagrams.picture import WOOD, BoardPicture, board_drawing
from godaemon.diagrams.raster import raster
from godaemon.games.record_pictures import film_pictures
from godaemon.records.record import Record
from godaemon.rules.board import points_of
from godaemon.rules.points import Color, Size, parse_point
from godaemon.rules.position import Move

FILM = replace(WOOD, pitch=18, shadow=None)
KO = "C3 D3 B2 E2 C1 D1 D2 C2 pass D2"
"""On 5x5, with two captures and a pass; SGF executes the last as any move."""


def game(size: Size, moves: str) -> Record:
    """Black and White in turn."""
    points = [None if one == "pass" else parse_point(one) for one in moves.split()]
    return Record(size, moves=tuple(map(Move, cycle(Color), points)))


def random_game(side: int, count: int) -> Record:
    """Moves all over the board, many of which capture, or reuse points."""
    points = list(points_of(Size(side, side))) * (1 + count // side**2)
    Random(side).shuffle(points)
    return Record(Size(side, side), moves=tuple(map(Move, cycle(Color), points[:count])))


def frames_of(gif: bytes) -> Iterator[tuple[Image.Image, int]]:
    """The visible frames, with their durations in milliseconds."""
    image = Image.open(BytesIO(gif))
    assert isinstance(image.n_frames, int)  # type: ignore[attr-defined]
    for at in range(image.n_frames):  # type: ignore[attr-defined]
        image.seek(at)
        yield image.convert("RGB"), int(image.info["duration"])


def test_each_frame_shows_its_position() -> None:
    """As `godaemon picture` draws it, except for shades."""
    record = replace(game(Size(5, 5), KO), rows=("BBBBB", "WcWxW", "bw.bw", ".bxww", "bbwww"))
    boards = film_pictures(record)
    assert len(boards) == len(KO.split()) + 2
    for (frame, _), board in zip(frames_of(film(boards)), boards, strict=True):
        drawn = raster(board_drawing(board, FILM))
        assert frame.size == drawn.size
        far = ImageChops.difference(frame, drawn).convert("L").point(lambda value: value > 60)
        assert not far.getbbox(), board


def test_the_last_frame_lasts_longer() -> None:
    """Five seconds."""
    *others, last = (time for _, time in frames_of(film(film_pictures(random_game(9, 40)))))
    assert last == LAST_FRAME_TIME
    assert set(others) == {800}


LARGE = [pytest.param(*one, marks=pytest.mark.slow) for one in ((19, 900), (30, 1_500))]


@pytest.mark.parametrize(("side", "count"), [(9, 350), (1, 1), *LARGE])
def test_a_film_has_at_most_300_kilobytes(side: int, count: int) -> None:
    """Of a very long game some moves are left out, but never the last."""
    boards = film_pictures(random_game(side, count))
    gif = film(boards)
    assert len(gif) <= 300_000
    *_, (last, time) = frames_of(gif)
    assert time >= LAST_FRAME_TIME
    style = FILM if side < 26 else replace(FILM, pitch=12)
    drawn = raster(board_drawing(boards[-1], style))
    far = ImageChops.difference(last, drawn).convert("L").point(lambda value: value > 100)
    assert not far.getbbox()


def test_one_position_is_one_frame() -> None:
    """One board is a film of one frame, for who sees it."""
    assert len(list(frames_of(film([BoardPicture((".",))])))) == 1
