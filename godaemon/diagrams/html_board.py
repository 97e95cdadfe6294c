"""The board as HTML for an email: one table, inline styles, no images, no scripts.

The wood and its lines are one background behind the table. Points are cells, with a link if they
can be clicked. Everything is drawn in two layers. The upper one has gradients, for Gmail, Apple
Mail, Thunderbird and Fastmail, which do not invert the colours of gradients for a dark screen. The
lower one has plain colours, with dots for points, for Outlook on the web, Yahoo and GMX. Without
any styles (Outlook for Windows, mutt) the text of the cells is the board. A plain colour and a
gradient never share a declaration, because programs without gradients drop the whole declaration.

A font may place a glyph a pixel or two beside a drawn shape, so no point shows both. A glyph on a
shape is transparent; the head of the page makes glyphs on bare crossings transparent if the program
shows gradients. Takes the rows of `rules.scoring.board_rows`, top row first, and cannot fail.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from html import escape
from typing import NamedTuple
from urllib.parse import quote

from godaemon.diagrams.symbols import Part, hoshi, size_of
from godaemon.rules.board import points_of
from godaemon.rules.points import Point, Size, column_name

WOOD = "#e6bd74"
TAKEN = "#96211d"
LINE = "#6f4f22"
LETTERING = "#543b16"

GLYPHS = {"b": "●", "w": "○", "c": "x", "x": "o", "B": "■", "W": "□", ".": "·", "t": "✕"}
"""The text of each state without styles; the last move is `◉` or `◎`.

`t` is an eighth state: an empty point whose stone the last move captured."""

INK = {
    "b": ("#fff", "#222"),
    "w": ("#000", "#fff"),
    "c": ("#fff", "#6b5c46"),
    "x": ("#333", "#eee"),
}
"""The colours of the text on a stone, and of the stone."""

_LAST = {"b": "◉", "w": "◎"}
_PART_CELL = 24
"""The width of a cell in a part of the board, in pixels."""
_MIN_CELL = 12
"""The smallest width of a cell, in pixels."""
_NARROW = 336
"""The width of a board on a telephone that ignores the head of the page, in pixels."""
_NARROWEST_SCREEN = 320
"""The narrowest screen that a board fits, in pixels (WCAG 2.2, 1.4.10)."""
_STAR = "•"
_LABEL = {True: ' class="n" style="font-size:.72em;font-weight:normal"', False: ' class="n"'}
"""The style of a label: inline (`full`), or in the head of the page."""


class PointLinks(NamedTuple):
    """The links of a board's points."""

    start: str
    """The start of all addresses, percent-encoded."""
    sends: Mapping[Point, str]
    """The end of each point's address, not yet percent-encoded."""
    full: bool = True
    """True if each link names its point, and styles are inline."""


_NO_LINKS = PointLinks("", {})
_START = "\0"
"""Stands in cached cells for the start of all addresses."""


def html_board(
    rows: Sequence[str],
    *,
    last: Point | None = None,
    links: PointLinks = _NO_LINKS,
    sides: int = 4,
    label: str = "",
) -> str:
    """The board with labels, the last move, dead stones and territory.

    `sides` is the number of sides with labels: all, two (above and to the left) or none. `label` is
    the board's name for screen readers, which read the labels above and to the left as headings.

    The text is ASCII with one point per line, so that an email needs no encoding for it. An empty
    point has 20 characters, a stone 120; a link adds its address and 15 characters, a full one 90.
    """
    size = size_of(rows)
    board = Part(rows, range(size.width), range(size.height), last)
    return _table(board, links, sides, label)


def html_part(part: Part, label: str = "") -> str:
    """A part of a board without links; lines continue at a cut edge.

    Its class is its width (`g8`), because an email may have several parts.
    """
    return _table(part, _NO_LINKS, 4, label)


def _table(board: Part, links: PointLinks, sides: int, label: str) -> str:
    """A table of rows between labels, as wide as a telephone allows."""
    size, columns = size_of(board.rows), board.columns
    header = _header(columns, links.full, sides >= 2)
    footer = _header(columns, links.full, sides == 4, ' aria-hidden="true"')
    footer = re.sub(r"<th[^>]*>(\w+)</th>", r"<td>\1</td>", footer)  # not read aloud
    rows = "\n".join(_rows(board, links, sides))
    width = _PART_CELL if len(columns) < size.width else _cell_width(size)
    cell = _narrow_cell(len(columns), width)
    style = _table_style(size, columns, board.lines, 1.725 / width)
    return (
        f'<table class="gb g{len(columns)}" aria-label="{_ascii(escape(label))}" bgcolor="{WOOD}"'
        f' width="{(len(columns) + 2) * cell}" cellpadding="0" cellspacing="0" border="0"'
        f' style="{style};font:{_font_size(cell)}/1.5em Arial,Helvetica,sans-serif">\n'
        f"{header}\n{rows.replace(_START, links.start)}\n{footer}\n</table>"
    )


def mark_emptied(rows: Sequence[str], captures: Collection[Point]) -> Sequence[str]:
    """The rows with the points that the last move emptied marked as `t`."""
    if not captures:
        return rows
    lines = [list(row) for row in rows]
    for column, row in captures:
        if lines[-1 - row][column] == ".":
            lines[-1 - row][column] = "t"
    return ["".join(line) for line in lines]


def html_steps(board: Sequence[str] | Part, margins: int) -> list[tuple[str, str]]:
    """Media queries for screens other than telephones: (condition, font size of the table).

    All lengths of the board are relative to its font size. Each step makes a cell a whole pixel
    larger or smaller, so that lines stay sharp; `margins` are the pixels beside the board.
    """
    if isinstance(board, Part):
        columns, width = len(board.columns), _PART_CELL
    else:
        columns, width = len(board[0]), _cell_width(size_of(board))
    narrow_width = _narrow_cell(columns, width)
    smaller = [
        (f"max-width:{(columns + 2) * (cell + 1) + margins - 1}px", _font_size(cell))
        for cell in range(narrow_width - 1, _MIN_CELL - 1, -1)
        if (columns + 2) * (cell + 1) + margins > _NARROWEST_SCREEN
    ]
    return smaller + [
        (f"min-width:{(columns + 2) * cell + margins}px", _font_size(cell))
        for cell in range(narrow_width + 1, width + 1)
    ]


def _narrow_cell(columns: int, width: int) -> int:
    return min(width, max(_MIN_CELL, _NARROW // (columns + 2)))


def _font_size(cell: int) -> str:
    return f"{cell * 2 / 3:.5g}px"


_CELL_WIDTHS = {9: 34, 13: 30, 19: 26}
"""The width of a cell in pixels, by the longest side up to which it is used."""


def _cell_width(size: Size) -> int:
    longest = max(size)
    return next((width for side, width in _CELL_WIDTHS.items() if longest <= side), 20)


@lru_cache(maxsize=64)
def _table_style(size: Size, columns: range, rows: range, line: float) -> str:
    """The style of a table: wood with lines from the first point to the last.

    At a cut edge the lines continue to the end of the wood. The wood below the points is a gradient
    of a single colour, which programs do not invert for a dark screen; the wood below the labels is
    a plain colour, which is inverted together with the labels.

    Lengths are in em, and a cell is 1.5em wide, so the font size sets the size of the board. `line`
    is the width of the last line, which programs round to a pixel.
    """
    width, left, span_x = _lengths(columns, line, columns.start > 0, columns.stop < size.width)
    height, top, span_y = _lengths(rows, line, rows.stop < size.height, rows.start > 0)
    gradient = f"{LINE} 0,{LINE} 1px,transparent 1px,transparent 1.5em"
    lines = (
        f"repeating-linear-gradient(to right,{gradient}) 2.2em {top}/{width} {span_y} no-repeat,"
        f"repeating-linear-gradient(to bottom,{gradient}) {left} 2.2em/{span_x} {height} no-repeat"
    )
    across, down = (_em(len(extent) * 1.5) for extent in (columns, rows))
    wood = f"linear-gradient({WOOD},{WOOD}) center/{across} {down} no-repeat"
    return (
        f"background:{lines},{wood};background-color:{WOOD};"
        f"color-scheme:only light;color:{LETTERING};width:{_em((len(columns) + 2) * 1.5)};"
        f"table-layout:fixed;border-radius:6px;text-align:center"
    )


def _lengths(lines: range, line: float, cut_before: bool, cut_after: bool) -> tuple[str, str, str]:  # noqa: FBT001
    """The length of the lines, and the start and length of the lines that cross them."""
    span = (len(lines) - 1) * 1.5 + line
    extra_start, extra_end = 0.7 * cut_before, 0.65 * cut_after
    return _em(span), _em(2.2 - extra_start), _em(span + extra_start + extra_end)


def _em(length: float) -> str:
    return f"{length:.4g}em"


def _label(text: str, tag: str, style: str = _LABEL[True]) -> str:
    """A heading with its `tag` above or to the left; a label to the right is not read aloud."""
    if not text:
        return "<td>&nbsp;</td>"  # a row without any text would be no row
    if not tag:
        return f'<td{style} aria-hidden="true">{text}</td>'
    return f'<th{style} scope="{tag}">{text}</th>'


@lru_cache(maxsize=64)
def _header(columns: range, full: bool, lettered: bool, more: str = "") -> str:  # noqa: FBT001
    names = [column_name(column) if lettered else "" for column in columns]
    cells = "\n".join(_label(name, "col", ' style="font-weight:normal"' * full) for name in names)
    return f"<tr{_LABEL[full]}{more}><td></td>\n{cells}\n<td></td></tr>"


def _rows(board: Part, links: PointLinks, sides: int) -> Iterator[str]:
    size, columns = size_of(board.rows), board.columns
    for row in reversed(board.lines):
        states = board.rows[-1 - row][columns.start : columns.stop]
        points = points_of(size)[row * size.width :][columns.start : columns.stop]
        signs, sends = map(board.signs.get, points), map(links.sends.get, points)
        last = board.last if board.last in points else None
        places = tuple(zip(points, states, signs, sends, strict=True))
        yield _row(places, last, hoshi(size), sides, links.full)


@lru_cache(maxsize=1024)
def _row(
    places: tuple[tuple[Point, str, str | None, str | None], ...],
    last: Point | None,
    stars: frozenset[Point],
    sides: int,
    full: bool,  # noqa: FBT001 - as in PointLinks
) -> str:
    """A row between its labels, cached, because most are the same in the next email of the game."""
    cells = []
    for point, state, sign, send in places:
        star, is_last = point in stars, point == last
        style, inner = _cell_style(state, star, is_last, send is not None, full)
        if sign:
            inner = f'<b style="color:{INK[state][0]}">{escape(sign)}</b>'
        if send is not None:
            name = "aria-label" if state in ".t" else "title"
            title = f' {name}="{point}"' if full else ""
            anchor = _anchor_style(state, star, is_last and state in _LAST, full)
            inner = f'<a href="{_START}{quote(send, safe=":")}"{title}{anchor}>{inner}</a>'
        cells.append(f"<td{style}>{inner}</td>")
    number = str(places[0][0].row + 1)
    left, right = number if sides else "", number if sides == 4 else ""
    label = _LABEL[full]
    inside = "\n".join((_label(left, "row", label), *cells, _label(right, "", label)))
    return _ascii(f"<tr>{inside}</tr>")


def _ascii(words: str) -> str:
    return words.encode("ascii", "xmlcharrefreplace").decode("ascii")


@lru_cache
def _cell_style(state: str, star: bool, last: bool, linked: bool, full: bool) -> tuple[str, str]:  # noqa: FBT001
    """The attributes of a point's cell, and its content."""
    if state == ".":
        if not star:
            return "", GLYPHS["."]
        return f' style="{_HOSHI}{"" if linked else f";{_LARGE_GLYPH}"}"', _STAR
    if state in _SPOTS:
        return "", _SPOTS[state]
    if state == "t":
        return "", f'<b style="color:{TAKEN}">{GLYPHS["t"]}</b>'
    own = "" if linked else ";color:transparent"  # a link has its colour itself
    shade = f";{_STONES[state]}" if full else ""
    style = f'style="border-radius:50%{shade}{own}"'
    return f' class="{state}" bgcolor="{INK[state][1]}" {style}', _stone_sign(state, last)


def _stone_sign(state: str, last: bool) -> str:  # noqa: FBT001
    """The sign of a dead stone, the dot of the last move, or the glyph."""
    if state not in _LAST:
        return f'<b style="color:{INK[state][0]}">{GLYPHS[state]}</b>'
    return _spot(INK[state][0], _LAST[state], "border-radius:50%;") if last else GLYPHS[state]


@lru_cache
def _anchor_style(state: str, star: bool, spot: bool, full: bool) -> str:  # noqa: FBT001
    """The style of a link, which fills its cell even around a small shape."""
    styles = [] if state in ".t" else ["color:transparent"]
    if full:
        styles = ["display:block;text-decoration:none", *(styles or [f"color:{LINE}"])]
    if star and state == ".":
        styles.append(_LARGE_GLYPH)
    elif spot:
        styles.append("padding:.5em 0")
    return f' style="{";".join(styles)}"' if styles else ""


_LARGE_GLYPH = "font-size:1.5em"
_HOSHI = f"background:radial-gradient(closest-side,{LINE} 22%,transparent 28%)"
# No borders: when a page is scaled down, they stay a pixel wide and push the rows apart.
_STONES = {
    "b": "background:linear-gradient(#555,#000)",
    "w": "background:linear-gradient(#fff,#e0e0e0)",
    "c": "background:linear-gradient(#8a7a62,#6b5c46)",
    "x": "background:linear-gradient(#f7e9cf,#efdcb8)",
}


def _spot(fill: str, glyph: str, shape: str = "") -> str:
    """A small square, or another shape, in the middle of its cell, over invisible text.

    It has the colour twice, because programs do not invert gradients for a dark screen.
    """
    background = f"{shape}background-color:{fill};background:linear-gradient({fill},{fill})"
    size = "width:.5em;height:.5em;line-height:.5em"
    style = f"display:block;margin:auto;{size};color:transparent;{background}"
    return f'<b style="{style}">{glyph}</b>'


_SPOTS = {
    "B": _spot("#111", GLYPHS["B"]),
    "W": _spot("#fff", GLYPHS["W"], f"outline:1px solid {LINE};"),
}
"""The squares of territory, in their owners' colours."""

STYLE = (
    f".gb a {{ display: block; text-decoration: none; color: {LINE} }}\n"
    f".gb th {{ font-weight: normal }}\n"
    f".n {{ font-size:.72em }}\n.n, .n td {{ color: {LETTERING} !important }}\n"
    + "".join(f".{state} {{ {drawn} }}\n" for state, drawn in _STONES.items())
)
"""The styles of boards in the head of a page; boards without `full` links need them."""
