"""The board as a fragment of HTML for a letter: one table, inline styles, no images, no scripts.

The wood and its lines are one background behind the table; stones, marks and stars are text in its
cells, which the styles turn into drawings. So a mail program that drops the styles still shows
where ● and ○ stand, and one that turns colours round for a dark screen leaves the stones alone
(it does so with colours but not with gradients). Pure; takes the rows of
`rules.scoring.board_rows`, top row first, and cannot fail.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from godaemon.diagrams.hoshi import hoshi
from godaemon.diagrams.symbols import STATES, points_in, size_of, used
from godaemon.rules.points import Point, Size, column_name

WOOD = "#e6bd74"
LINE = "#7a5a2b"
LETTERING = "#5c421c"

GLYPHS = {"b": "●", "w": "○", "c": "x", "x": "o", "B": "■", "W": "□", ".": "·"}
"""What each state reads like where styles are dropped; the last move is `◉` or `◎`."""

_LAST = {"b": "◉", "w": "◎"}
_STAR = "•"


def html_board(rows: Sequence[str], *, last: Point | None = None) -> str:
    """The board with labels on all sides, the last move ringed, dead stones and territory shown.

    A 19x19 board is well under 60 kB. What a screen reader needs stands in `aria-label`.
    """
    size = size_of(rows)
    cell = _cell_width(size)
    lines = [_header(size, cell)]
    lines += [_row(rows, size.height - 1 - down, cell, last) for down in range(size.height)]
    lines.append(_header(size, cell))
    inside = "\n".join(lines)
    label = escape(describe(rows, last=last))
    return (
        f'<div role="group" aria-label="{label}">\n'
        f'<table role="presentation" cellpadding="0" cellspacing="0" border="0" '
        f'style="{_table_style(size, cell)}">\n{inside}\n</table>\n</div>'
    )


def html_width(rows: Sequence[str]) -> int:
    """How many pixels wide the board of `html_board` is, with its labels."""
    size = size_of(rows)
    return (size.width + 2) * _cell_width(size)


def html_legend(rows: Sequence[str]) -> str:
    """One paragraph that explains dead stones and territory where they are shown, else nothing."""
    words = [f"{GLYPHS[state]} {STATES[state]}" for state in used(rows) if state in "cx"]
    if set("".join(rows)) & set("BW"):
        words.append("small squares: points surrounded by black or white")
    line = ", ".join(words)
    return f'<p style="margin:6px 0;font-size:13px">{line}</p>' if line else ""


def describe(rows: Sequence[str], *, last: Point | None = None) -> str:
    """The board in words: every stone by its point, for those who hear it read."""
    parts = [f"Board of {size_of(rows)}."]
    for state in used(rows):
        places = " ".join(map(str, points_in(rows, state))) or "none"
        parts.append(f"{STATES[state].capitalize()}: {places}.")
    if last is not None:
        parts.append(f"Last move: {last}.")
    return " ".join(parts)


def _cell_width(size: Size) -> int:
    longest = max(size)
    return 32 if longest <= 9 else 28 if longest <= 13 else 24 if longest <= 19 else 20


def _table_style(size: Size, cell: int) -> str:
    """Wood behind everything, lines from the first point to the last; the labels lie outside."""
    across, down = ((length - 1) * cell + 1 for length in size)
    lines = ",".join(
        f"repeating-linear-gradient({way},{LINE} 0,{LINE} 1px,transparent 1px,transparent {cell}px)"
        f" center/{across}px {down}px no-repeat"
        for way in ("to right", "to bottom")
    )
    width = (size.width + 2) * cell
    return (
        f"background:{lines},{WOOD} linear-gradient(135deg,#eecb8a,#deb066);color:{LINE};"
        f"width:{width}px;border-collapse:collapse;table-layout:fixed;border-radius:6px;"
        f"font:{cell * 2 // 3}px/{cell}px Arial,Helvetica,sans-serif;text-align:center"
    )


def _label(text: str, cell: int) -> str:
    style = f"height:{cell}px;width:{cell}px;font-size:{cell * 2 // 5 + 1}px;color:{LETTERING}"
    return f'<td style="{style}">{text}</td>'


def _header(size: Size, cell: int) -> str:
    names = "".join(_label(column_name(column), cell) for column in range(size.width))
    corner = f'<td style="width:{cell}px;height:{cell}px"></td>'
    return f"<tr>{corner}{names}{corner}</tr>"


def _row(rows: Sequence[str], row: int, cell: int, last: Point | None) -> str:
    size = size_of(rows)
    stars = hoshi(size)
    cells = []
    for column, state in enumerate(rows[size.height - 1 - row]):
        point = Point(column, row)
        cells.append(f"<td>{_mark(state, cell, star=point in stars, last=point == last)}</td>")
    label = _label(str(row + 1), cell)
    return f"<tr>{label}{''.join(cells)}{label}</tr>"


def _mark(state: str, cell: int, *, star: bool, last: bool) -> str:
    """What stands on a point: a glyph, drawn as a stone or a small square where styles are kept."""
    if state == ".":
        return _dot(_STAR, cell // 4, LINE, "border-radius:50%;") if star else GLYPHS["."]
    if state in "BW":
        return _dot(GLYPHS[state], cell // 3, "#111" if state == "B" else "#fff")
    glyph = _LAST.get(state, GLYPHS[state]) if last else GLYPHS[state]
    return _stone(state, glyph, shown=last or state in "cx")


# No borders: they stay a pixel wide, and push the rows apart, where a page is made smaller.
_STONES = {
    "b": "background:#111 linear-gradient(#555,#000)",
    "w": "box-shadow:0 0 1px #000;background:#fff linear-gradient(#fff,#ddd)",
    "c": "background:#777 linear-gradient(#8a7a62,#6b5c46)",
    "x": "background:#eee linear-gradient(#f7e9cf,#efdcb8)",
}
_INK = {"b": "#fff", "w": "#000", "c": "#fff", "x": "#444"}


def _stone(state: str, glyph: str, *, shown: bool) -> str:
    ink = _INK[state] if shown else "transparent"
    style = f"display:block;border-radius:50%;{_STONES[state]};color:{ink}"
    return f'<b style="{style}">{glyph}</b>'


def _dot(glyph: str, side: int, fill: str, more: str = "") -> str:
    """A small square in the middle of a cell, or a disc with `more` style."""
    style = (
        f"display:block;margin:auto;width:{side}px;font:1px/{side}px serif;{more}"
        f"background:linear-gradient({fill},{fill});color:transparent"
    )
    return f'<b style="{style}">{glyph}</b>'
