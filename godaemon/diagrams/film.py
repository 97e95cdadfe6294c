"""A game as an animated GIF file, made by Pillow. Cannot fail.

For each state of a point one sheet is drawn, a board full of that state. A frame is the previous
one with the changed points pasted from the sheets. Pillow stores only the changes: 350 moves on
19x19 take 160 kB and less than a second.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from io import BytesIO
from math import ceil

from PIL import Image

from godaemon.diagrams.picture import WOOD, BoardPicture, board_drawing
from godaemon.diagrams.raster import raster
from godaemon.rules.board import points_of
from godaemon.rules.points import Point, Size

LAST_FRAME_TIME = 5_000
"""Milliseconds of the last position."""
_TOTAL_TIME = 60_000
"""Milliseconds of all other positions together; each takes 200 to 800."""
_MAX_PIXELS = 64_000_000
"""The limit on the pixels of all frames, which Pillow keeps in memory: 440 frames of 19x19."""
_COLORS = 16
_CORNER = Point(0, 0)
_EDGE = WOOD.margin + 0.75
_POINT, _RING = 1.0, 0.66
"""The sides of the squares around a stone, and around the ring on it."""


def film(boards: Sequence[BoardPicture]) -> bytes:
    """The positions of a board as a GIF file that repeats; of too many some are skipped."""
    pitch = 18 if max(boards[0].size) <= 25 else 12
    width, height = ((side - 1 + 2 * _EDGE) * pitch for side in boards[0].size)
    frames_of = [*boards[: -1 : ceil(len(boards) * width * height / _MAX_PIXELS)], boards[-1]]
    durations = [min(max(_TOTAL_TIME // len(frames_of), 200), 800)] * (len(frames_of) - 1) + [
        LAST_FRAME_TIME
    ]
    frames, file = _frames(frames_of, pitch), BytesIO()
    first = next(frames)
    first.save(file, "GIF", save_all=True, append_images=frames, duration=durations, loop=0)
    return file.getvalue()


def _frames(boards: Sequence[BoardPicture], pitch: int) -> Iterator[Image.Image]:
    size = boards[0].size
    sheets, points = _sheets(size, pitch), points_of(size)
    frame = sheets["."].copy()
    old_states = "." * len(points)
    last = None
    for board in boards:
        states = "".join(reversed(board.rows))
        for point, state, old_state in zip(points, states, old_states, strict=True):
            if state != old_state or point == last:
                square = _square(size, point, _POINT, pitch)
                frame.paste(sheets[state].crop(square), square)
        if board.last is not None:
            ring = sheets[f"{board.state(board.last)} ringed"]
            part = ring.crop(_square(size, _CORNER, _RING, pitch))
            frame.paste(part, _square(size, board.last, _RING, pitch))
        yield frame.copy()
        old_states, last = states, board.last


def _sheets(size: Size, pitch: int) -> Mapping[str, Image.Image]:
    """A board full of each state, with and without a ring in the corner, in one palette."""
    style = replace(WOOD, pitch=pitch, shadow=None)
    boards = {state: BoardPicture((state * size.width,) * size.height) for state in ".bwcxBW"}
    boards |= {f"{state} ringed": replace(one, last=_CORNER) for state, one in boards.items()}
    images = {name: raster(board_drawing(board, style)) for name, board in boards.items()}
    width, height = images["."].size
    joined = Image.new("RGB", (width, height * len(images)))
    for number, sheet in enumerate(images.values()):
        joined.paste(sheet, (0, number * height))
    colors = joined.quantize(_COLORS, dither=Image.Dither.NONE)
    none = Image.Dither.NONE
    return {name: sheet.quantize(palette=colors, dither=none) for name, sheet in images.items()}


def _square(size: Size, point: Point, side: float, pitch: int) -> tuple[int, int, int, int]:
    """The square around a point in pixels: left, top, right and bottom."""
    left = round((point.column + _EDGE - side / 2) * pitch)
    top = round((size.height - 1 - point.row + _EDGE - side / 2) * pitch)
    return left, top, left + round(side * pitch), top + round(side * pitch)
