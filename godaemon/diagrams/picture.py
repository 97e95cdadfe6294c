"""A board as a drawing: lines, star points, stones, territory, numbers and labels.

Takes the rows of `rules.scoring.board_rows`, top row first. Lengths are in units of the distance
between two lines; `pitch` is in pixels.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, chain

from godaemon.diagrams.drawing import Circle, Drawing, Rectangle, Shape, Text
from godaemon.diagrams.symbols import describe_board, hoshi, points_in, size_of
from godaemon.rules.points import Point, Size, column_name


@dataclass(frozen=True, slots=True)
class PictureStyle:
    """The lengths and colours of a picture; colours are `#rrggbb`."""

    pitch: int = 32
    """Pixels from line to line."""
    background: str = "#e8c27a"
    line: str = "#6b4a1f"
    ink: str = "#4a3517"
    """Labels and notes."""
    black: str = "#1b1b1d"
    white: str = "#fbfaf6"
    black_edge: str = "#000000"
    white_edge: str = "#5b5142"
    dead_black: str = "#8d7a5b"
    dead_white: str = "#f1ddb2"
    mark: str = "#d2342b"
    """The last move's ring on a point without a stone."""
    shadow: str | None = "#c69c54"
    """The colour of the shadow to the lower right of a stone; None for no shadow."""
    stone: float = 0.475
    """A stone's radius."""
    grid: float = 0.035
    """The width of an inner line."""
    frame: float = 0.07
    """The width of the outer lines."""
    hoshi: float = 0.095
    """The radius of a star point."""
    margin: float = 0.8
    """The distance from the outer lines to the labels."""


WOOD = PictureStyle()
"""A wooden board, for screens."""

PRINT = PictureStyle(
    background="#ffffff",
    line="#222222",
    ink="#222222",
    black="#111111",
    white="#ffffff",
    black_edge="#111111",
    white_edge="#111111",
    dead_black="#9a9a9a",
    dead_white="#ffffff",
    mark="#c0272d",
    shadow=None,
)
"""Black on white, as in books and newspapers."""


_SHADOW = 0.055
_LABELS = 0.75
"""The width of the labels, between the margin and the edge of the picture."""


@dataclass(frozen=True, slots=True)
class BoardPicture:
    """A board to draw: the states of all points, and the text on some."""

    rows: Sequence[str]
    last: Point | None = None
    words: Mapping[Point, str] = field(default_factory=dict)
    """Move numbers or letters, on stones and on empty points."""

    @property
    def size(self) -> Size:
        return size_of(self.rows)

    def state(self, point: Point) -> str:
        return self.rows[-1 - point.row][point.column]


def board_drawing(
    board: BoardPicture, style: PictureStyle = WOOD, notes: Sequence[Text] = ()
) -> Drawing:
    """The drawing of a board, as wide as its notes need; `notes` are lines below it."""
    size = board.size
    edge = style.margin + _LABELS
    width, height = (side - 1 + 2 * edge for side in size)
    notes_height = max((note.y + note.size + 0.3 for note in notes), default=0.0)
    side = edge - style.stone
    notes_width = max((note.widest or 0.0 for note in notes), default=0.0) + 2 * side
    shapes = chain(
        _lines(size, style),
        _stars(board, style),
        _labels(size, style),
        _stones(board, style),
        _territory(board, style),
        _marks(board, style),
    )
    moved = (replace(shape, x=shape.x + edge, y=shape.y + edge) for shape in shapes)
    moved_notes = (replace(note, x=note.x + side, y=note.y + height) for note in notes)
    title = describe_board(board.rows, last=board.last)
    placed, total = (*moved, *moved_notes), (max(width, notes_width), height + notes_height)
    return Drawing(*total, style.pitch, style.background, placed, title)


def stack_drawings(drawings: Sequence[Drawing]) -> Drawing:
    """Drawings of one style, one below the other."""
    tops = accumulate((drawing.height for drawing in drawings), initial=0.0)
    shapes = tuple(
        replace(shape, y=shape.y + top)
        for drawing, top in zip(drawings, tops, strict=False)
        for shape in drawing.shapes
    )
    return replace(
        drawings[0],
        width=max(drawing.width for drawing in drawings),
        height=sum(drawing.height for drawing in drawings),
        shapes=shapes,
        title=" ".join(drawing.title for drawing in drawings),
    )


def _lines(size: Size, style: PictureStyle) -> Iterator[Shape]:
    """The grid from the upper left crossing; the outer lines are wider, as on printed boards."""
    right, low = size.width - 1, size.height - 1
    lines = [(x, 0, 0, low, x in (0, right)) for x in range(size.width)]
    lines += [(0, y, right, 0, y in (0, low)) for y in range(size.height)]
    for x, y, width, height, outer in sorted(lines, key=lambda line: line[4]):
        wide = style.frame if outer else style.grid
        half = wide / 2  # fills the corners where lines meet
        yield Rectangle(x - half, y - half, width + wide, height + wide, style.line)


def _stars(board: BoardPicture, style: PictureStyle) -> Iterator[Shape]:
    for point in sorted(hoshi(board.size)):
        x, y = _place(board.size, point)
        yield Circle(x, y, style.hoshi, fill=style.line)


def _labels(size: Size, style: PictureStyle) -> Iterator[Shape]:
    distance, height = style.margin + 0.1, 0.29
    for column in range(size.width):
        for y in (-distance, size.height - 1 + distance):
            yield Text(column, y, column_name(column), height, style.ink, widest=0.8)
    for row in range(size.height):
        for x in (-distance - 0.05, size.width - 1 + distance + 0.05):
            yield Text(x, size.height - 1 - row, str(row + 1), height, style.ink, widest=0.8)


def _stones(board: BoardPicture, style: PictureStyle) -> Iterator[Shape]:
    """The stones, with all shadows first, so that none falls on a stone."""
    size = board.size
    if style.shadow is not None:
        for state in "bw":
            for point in points_in(board.rows, state):
                x, y = _place(size, point)
                yield Circle(x + _SHADOW, y + _SHADOW, style.stone, fill=style.shadow)
    for state, fill, rim in (
        ("b", style.black, style.black_edge),
        ("w", style.white, style.white_edge),
        ("c", style.dead_black, style.black_edge),
        ("x", style.dead_white, style.white_edge),
    ):
        for point in points_in(board.rows, state):
            yield Circle(*_place(size, point), style.stone, fill, rim, 0.035)


def _territory(board: BoardPicture, style: PictureStyle) -> Iterator[Shape]:
    """A small square of its owner's colour, on empty points and dead stones."""
    half = 0.125
    for state in "BWcx":
        is_black = state in "Bx"
        fill, rim = (style.black, style.black) if is_black else (style.white, style.white_edge)
        for point in points_in(board.rows, state):
            x, y = _place(board.size, point)
            yield Rectangle(x - half - 0.03, y - half - 0.03, 2 * half + 0.06, 2 * half + 0.06, rim)
            yield Rectangle(x - half, y - half, 2 * half, 2 * half, fill)


def _marks(board: BoardPicture, style: PictureStyle) -> Iterator[Shape]:
    """Numbers and letters, and the ring of the last move if that has none."""
    for point, words in board.words.items():
        x, y = _place(board.size, point)
        if board.state(point) not in "bwcx":
            yield Circle(x, y, 0.4, fill=style.background)  # covers the lines
        height = (0.4, 0.37, 0.32, 0.24)[min(max(len(words), 1), 4) - 1]
        yield Text(x, y, words, height, _ink(board, style, point), widest=0.82)
    if board.last is not None and board.last not in board.words:
        x, y = _place(board.size, board.last)
        yield Circle(x, y, 0.25, edge=_ink(board, style, board.last), width=0.075)


def _ink(board: BoardPicture, style: PictureStyle, point: Point) -> str:
    return {"b": style.white, "w": style.black, "c": style.white, "x": style.black}.get(
        board.state(point), style.mark
    )


def _place(size: Size, point: Point) -> tuple[float, float]:
    return point.column, size.height - 1 - point.row
