"""A game as a film: a GIF file of one position after another, by Pillow. Pure; cannot fail.

One board full of each state of a point is drawn. A frame is the previous one with the changed
points pasted from these boards, and Pillow writes only what has changed: 350 moves on 19x19 take
160 kB and less than a second.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from io import BytesIO
from math import ceil

from PIL import Image

from godaemon.diagrams.picture import WOOD, BoardPicture, board_drawing
from godaemon.diagrams.raster import raster
from godaemon.rules.board import points_of
from godaemon.rules.points import Point, Size

HELD = 5_000
"""How long the last position is shown, in milliseconds."""
_WHOLE = 60_000
"""How long all other positions take together, in milliseconds; each takes 200 to 800."""
_MOST = 64_000_000
"""The most pixels of all frames together, which Pillow keeps: 440 frames of 19x19."""
_COLORS = 16
_CORNER = Point(0, 0)
_EDGE = WOOD.margin + 0.75
_POINT, _RING = 1.0, 0.66
"""The sides of the squares around what stands on a point, and around the ring within a stone."""


def film(boards: Sequence[BoardPicture]) -> bytes:
    """The positions of a board as a GIF file that repeats.

    If there are too many some are left out, never the last.
    """
    pitch = 18 if max(boards[0].size) <= 25 else 12
    width, height = ((side - 1 + 2 * _EDGE) * pitch for side in boards[0].size)
    shown = [*boards[: -1 : ceil(len(boards) * width * height / _MOST)], boards[-1]]
    times = [min(max(_WHOLE // len(shown), 200), 800)] * (len(shown) - 1) + [HELD]
    frames, out = _frames(shown, pitch), BytesIO()
    first = next(frames)
    first.save(out, "GIF", save_all=True, append_images=frames, duration=times, loop=0)
    return out.getvalue()


def _frames(boards: Sequence[BoardPicture], pitch: int) -> Iterator[Image.Image]:
    size = boards[0].size
    sheets, points = _sheets(size, pitch), points_of(size)
    frame, before, last = sheets["."].copy(), "." * len(points), None
    for board in boards:
        states = "".join(reversed(board.rows))
        for point, state, was in zip(points, states, before, strict=True):
            if state != was or point == last:
                square = _square(size, point, _POINT, pitch)
                frame.paste(sheets[state].crop(square), square)
        if board.last is not None:
            ring = sheets[f"{board.state(board.last)} ringed"]
            part = ring.crop(_square(size, _CORNER, _RING, pitch))
            frame.paste(part, _square(size, board.last, _RING, pitch))
        yield frame.copy()
        before, last = states, board.last


def _sheets(size: Size, pitch: int) -> Mapping[str, Image.Image]:
    """Boards full of each state, and those with a ring in the corner, in one palette."""
    style = replace(WOOD, pitch=pitch, shadow=None)
    boards = {state: BoardPicture((state * size.width,) * size.height) for state in ".bwcxBW"}
    boards |= {f"{state} ringed": replace(one, last=_CORNER) for state, one in boards.items()}
    drawn = {name: raster(board_drawing(board, style)) for name, board in boards.items()}
    width, height = drawn["."].size
    every = Image.new("RGB", (width, height * len(drawn)))
    for at, sheet in enumerate(drawn.values()):
        every.paste(sheet, (0, at * height))
    colors = every.quantize(_COLORS, dither=Image.Dither.NONE)
    none = Image.Dither.NONE
    return {name: sheet.quantize(palette=colors, dither=none) for name, sheet in drawn.items()}


def _square(size: Size, point: Point, side: float, pitch: int) -> tuple[int, int, int, int]:
    """The pixels around a point: left, top, right and bottom."""
    left = round((point.column + _EDGE - side / 2) * pitch)
    top = round((size.height - 1 - point.row + _EDGE - side / 2) * pitch)
    return left, top, left + round(side * pitch), top + round(side * pitch)
