"""The board as a few kilobytes of HTML, for letters that show many: preformatted text with links.

The head of the page (`STYLE`) makes squares of its letters, and stones of some; where no style
survives they are a text board. ASCII, in short lines, so that it goes into a letter as it is. Pure;
takes the rows of `rules.scoring.board_rows`, top row first, and cannot fail.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from godaemon.diagrams.html_board import INK, LINE, WOOD
from godaemon.diagrams.symbols import size_of
from godaemon.diagrams.text import STAR, SYMBOLS
from godaemon.rules.points import Point, column_name

_FONTS = ((9, 18), (13, 14), (19, 10), (99, 8))
"""The font by the longest side: so a board fits into 360 pixels, and no point is too small."""
STYLE = (
    ".sb { font-family: Menlo, Consolas, 'DejaVu Sans Mono', monospace; line-height: 1.5em;"
    " overflow-x: auto; color-scheme: only light }\n"
    ".sb i, .sb a, .sb b { display: inline-block; width: 1.5em; text-align: center;"
    " font-style: normal; font-weight: normal; text-decoration: none; color: inherit }\n"
    ".sb b { border-radius: 50% }\n"
    + "\n".join(
        f".sb .q{state} {{ background: {paper}; color: {paper} }}"
        for state, (_, paper) in INK.items()
    )
    + "\n.sb .qc, .sb .qx { opacity: .6 }\n.sb .l { color: #e8392b; font-weight: bold }"
)
"""What the head of a page has for these boards."""


def small_board(
    rows: Sequence[str],
    *,
    last: Point | None = None,
    start: str = "",
    sends: Mapping[Point, str] | None = None,
    sides: int = 4,
    heard: str = "",
) -> str:
    """The board; a point that `sends` has is a link to `start` and what it sends, encoded.

    Of two `sides` with coordinates one is above and one to the left. `heard` is its name, for who
    cannot see it.
    """
    size = size_of(rows)
    font = next(font for longest, font in _FONTS if max(size) <= longest)
    names = "".join(_label(column_name(column)) for column in range(size.width))
    header, right = f"{_label(' ')}{names}", sides == 4
    lines = [header] if sides else []
    for down, states in enumerate(rows):
        row = size.height - 1 - down
        cells = (
            _cell(state, Point(column, row), last, start, sends or {})
            for column, state in enumerate(states)
        )
        number = _label(str(row + 1))
        left = number if sides else _label(" ")
        lines.append(f"{left}{''.join(cells)}{number if right else ''}")
    named = escape(heard).encode("ascii", "xmlcharrefreplace").decode("ascii")
    inside = "\n".join([*lines, *([header] if right else [])])
    return (
        f'<pre class="sb" aria-label="{named}" style="margin:0 0 8px;'
        f"padding:4px 0;background-color:{WOOD};color:{LINE};border-radius:6px;"
        f'font-size:{font}px;width:{(size.width + 2) * 1.5:g}em;max-width:100%">\n'
        f"{inside}</pre>"
    )


def _label(text: str) -> str:
    return f"<i>{text}</i>"


def _cell(
    state: str, point: Point, last: Point | None, start: str, sends: Mapping[Point, str]
) -> str:
    """A point; the line ends within its tag, where that counts for nothing."""
    sign, said = SYMBOLS[state].replace(".", STAR), sends.get(point)
    if state in INK:
        sign = f'<b\nclass="q{state}{" l" if point == last else ""}">{sign}</b>'
    if said is not None and start:
        return f'<a\nhref="{start}{said}">{sign}</a>'
    return sign if state in INK else _label(sign)
