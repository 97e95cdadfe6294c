"""Pictures of boards as SVG and PNG."""

from io import BytesIO
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops

from godaemon.diagrams.drawing import Circle, Drawing, Rectangle, Text, svg
from godaemon.diagrams.picture import PRINT, WOOD, BoardPicture, PictureStyle, board_drawing
from godaemon.diagrams.raster import png
from godaemon.diagrams.symbols import hoshi
from godaemon.rules.points import Point, Size, column_name
from tests.support import places
from tests.support.blocks import read_lines
from tests.support.boards import points_of, seven_state_rows
from tests.support.examples import examples

LINES = read_lines(places.DATA / "meanings.txt")

SVG = "{http://www.w3.org/2000/svg}"


def texts(drawing: Drawing) -> list[str]:
    return [shape.words for shape in drawing.shapes if isinstance(shape, Text)]


def empty(size: Size) -> list[str]:
    return ["." * size.width] * size.height


def image_of(drawing: Drawing) -> Image.Image:
    """The PNG as a picture with readable pixels."""
    return Image.open(BytesIO(png(drawing)))


def pixel(image: Image.Image, drawing: Drawing, x: float, y: float) -> tuple[int, ...]:
    """The colour at a place of the drawing."""
    found = image.convert("RGB").getpixel((int(x * drawing.pitch), int(y * drawing.pitch)))
    assert isinstance(found, tuple)
    return tuple(int(part) for part in found)


def near(found: tuple[int, ...], color: str) -> bool:
    """Whether a pixel is about of a colour; the palette may have moved it a little."""
    wanted = tuple(bytes.fromhex(color[1:]))
    return all(abs(one - other) < 24 for one, other in zip(found, wanted, strict=True))


@pytest.mark.parametrize("size", [Size(9, 9), Size(13, 19), Size(19, 19), Size(1, 1), Size(52, 2)])
def test_a_board_has_lines_stars_and_labels(size: Size) -> None:
    """For its size, with labels on four sides."""
    drawing = board_drawing(BoardPicture(empty(size)))
    assert sum(isinstance(shape, Rectangle) for shape in drawing.shapes) == sum(size)
    assert sum(isinstance(shape, Circle) for shape in drawing.shapes) == len(hoshi(size))
    labels = [column_name(column) for column in range(size.width) for _ in range(2)]
    labels += [str(row + 1) for row in range(size.height) for _ in range(2)]
    assert sorted(texts(drawing)) == sorted(labels)


def test_the_size_follows_pitch_and_margin() -> None:
    """With space for the labels."""
    drawn = board_drawing(BoardPicture(empty(Size(9, 9))), PictureStyle(pitch=100, margin=1))
    assert drawn.pixels == (1150, 1150)


@pytest.mark.parametrize("style", [WOOD, PRINT])
def test_stones_are_at_their_places(style: PictureStyle) -> None:
    """In their colours, on an opaque background."""
    rows = ("bw.", "cxB", "..W")
    drawing = board_drawing(BoardPicture(rows), style)
    image = image_of(drawing)
    assert image.mode == "P"
    assert "transparency" not in image.info
    edge = (drawing.width - 2) / 2
    at = {"b": (0, 0), "w": (1, 0), "c": (0, 1), "x": (1, 1)}
    colors = {"b": style.black, "w": style.white, "c": style.dead_black, "x": style.dead_white}
    for state, (x, y) in at.items():
        assert near(pixel(image, drawing, x + edge - 0.3, y + edge - 0.2), colors[state])
    for (x, y), color in {
        (0, 1): style.white,
        (1, 1): style.black,
        (2, 1): style.black,
        (2, 2): style.white,
    }.items():
        assert near(pixel(image, drawing, x + edge, y + edge), color)
    assert near(pixel(image, drawing, 0.1, 0.1), style.background)


@given(st.data())
@settings(max_examples=examples(30))
def test_svg_and_png_agree(data: st.DataObject) -> None:
    """In size; the SVG has each stone and number."""
    small = st.builds(Size, st.integers(1, 9), st.integers(1, 9))
    rows = data.draw(seven_state_rows(small))
    points = points_of(rows)
    board = BoardPicture(
        rows,
        last=data.draw(st.none() | points),
        words=data.draw(st.dictionaries(points, st.integers(1, 999).map(str), max_size=4)),
    )
    drawing = board_drawing(board, WOOD)
    root = ET.fromstring(svg(drawing))
    assert (int(root.attrib["width"]), int(root.attrib["height"])) == drawing.pixels
    assert image_of(drawing).size == drawing.pixels
    circles = [shape for shape in drawing.shapes if isinstance(shape, Circle)]
    assert len(root.findall(f"{SVG}circle")) == len(circles)
    stones = [shape for shape in circles if shape.radius == WOOD.stone and shape.edge]
    assert len(stones) == sum(row.count(state) for row in rows for state in "bwcx")
    assert [text.text for text in root.findall(f"{SVG}text")] == texts(drawing)


def test_a_number_replaces_the_ring_of_the_last_move() -> None:
    """A number says it better than a ring."""
    rows, point = ("b.",), Point(0, 0)
    rings = [
        shape
        for shape in board_drawing(BoardPicture(rows, last=point)).shapes
        if isinstance(shape, Circle) and shape.fill is None
    ]
    assert [ring.edge for ring in rings] == [WOOD.white]
    numbered = board_drawing(BoardPicture(rows, last=point, words={point: "7"}))
    assert "7" in texts(numbered)
    assert not [one for one in numbered.shapes if isinstance(one, Circle) and one.fill is None]


def test_svg_is_self_contained_and_escaped() -> None:
    """No script, link or image; words cannot become tags."""
    board = BoardPicture(("..",), words={Point(0, 0): "<&>", Point(1, 0): "a\x00b"})
    text = svg(board_drawing(board))
    root = ET.fromstring(text)
    tags = {element.tag.removeprefix(SVG) for element in root.iter()}
    assert tags <= {"svg", "title", "rect", "circle", "text"}
    assert "href" not in text
    assert "url(" not in text
    assert {"<&>", "a b"} <= {element.text for element in root.iter(f"{SVG}text")}


def test_the_title_describes_the_board() -> None:
    """For screen readers."""
    root = ET.fromstring(svg(board_drawing(BoardPicture(("b.w", "cB."), last=Point(2, 1)))))
    title = root.find(f"{SVG}title")
    assert title is not None
    assert title.text == (
        "Board of 3x2. Black: A2. White: C2. Dead black: A1. Black's points: B1. Last move: C2."
    )


def test_wide_labels_shrink_to_their_stone() -> None:
    """In both formats."""
    board = BoardPicture(("b",), words={Point(0, 0): "WWWWWWWW"})
    style = PictureStyle(pitch=100)
    drawing = board_drawing(board, style)
    assert 'textLength="82"' in svg(drawing)
    bare = board_drawing(BoardPicture(("b",)), style)
    changed = ImageChops.difference(
        image_of(drawing).convert("L"), image_of(bare).convert("L")
    ).point(lambda level: 255 if level > 24 else 0)
    box = changed.getbbox()
    assert box is not None
    assert 0.4 * drawing.pitch < box[2] - box[0] < 2 * style.stone * drawing.pitch


def test_pictures_are_small() -> None:
    """The fullest 19x19 board, numbered."""
    rows = ["bw" * 9 + "b"] * 19
    words = {Point(column, row): "123" for column in range(19) for row in range(19)}
    drawing = board_drawing(BoardPicture(rows, words=words))
    assert len(png(drawing)) < 100_000
    assert len(svg(drawing).encode()) < 120_000


@pytest.mark.parametrize("line", LINES["star points"])
def test_star_points(line: str) -> None:
    """As on printed boards of each size."""
    size, stars = line.split(" => ")
    width, height = map(int, size.split("x"))
    found = {str(point) for point in hoshi(Size(width, height))}
    assert (found or {"none"}) == set(stars.split())
