"""The reading half of `records.sgf`: bytes that claim to be an SGF file -> a `Record`.

Only the main line is read, and play only: a file that changes the board by hand after the first
move is refused. Pure; raises `Unreadable` with a sentence for the person, and nothing else.
"""

from __future__ import annotations

import codecs
import math
import re
from collections.abc import Iterator
from dataclasses import replace

from sgfmill import sgf_grammar

from godaemon.errors import Unreadable
from godaemon.records.record import Record
from godaemon.records.replay import executed
from godaemon.rules.points import Color, Point, Size, from_sgf, size
from godaemon.rules.position import Move

LARGEST_FILE = 4 * 1024 * 1024
"""Bytes; the longest games with every comment stay far below this."""

_Node = dict[str, list[bytes]]
_CHARSET = re.compile(rb"CA\s*\[\s*([A-Za-z0-9_:.+-]{1,40})\s*\]")
_CHARSETS = re.compile(
    r"utf-8|ascii|iso8859-\d+|cp\d+|koi8-[ru]|gbk?|gb\w+|big5\w*|shift_jis\w*|euc_\w+"
)
_MOVERS = {"B": Color.BLACK, "W": Color.WHITE}
_STATES = {
    (None, None): ".",
    (None, Color.BLACK): "B",
    (None, Color.WHITE): "W",
    (Color.BLACK, None): "b",
    (Color.BLACK, Color.BLACK): "b",
    (Color.BLACK, Color.WHITE): "c",
    (Color.WHITE, None): "w",
    (Color.WHITE, Color.WHITE): "w",
    (Color.WHITE, Color.BLACK): "x",
}


def read(data: bytes) -> Record:
    """The first game of an SGF file; raises `Unreadable`."""
    nodes = _main_line(data)
    root = nodes[0]
    if _simple(root, "GM", "1") != "1":
        raise Unreadable("This SGF file holds a game other than Go (its GM is not 1).")
    reading = _Reading(_size(root))
    for node in nodes:
        reading.add(node)
    return reading.record(root)


def _main_line(data: bytes) -> list[_Node]:
    if len(data) > LARGEST_FILE:
        raise Unreadable(
            f"This file is larger than {LARGEST_FILE // 2**20} MB: no game needs that."
        )
    try:
        tree = sgf_grammar.parse_sgf_game(_as_utf8(data))
    except ValueError as error:
        message = "This is not a whole SGF file: such a file begins with “(;” and ends with “)”."
        raise Unreadable(message, detail=str(error)) from error
    return list(sgf_grammar.main_sequence_iter(tree))


def _as_utf8(data: bytes) -> bytes:
    """The file in UTF-8: from the encoding it names (CA), else from what its bytes look like.

    The whole file is decoded before it is parsed, because in the older East Asian encodings a
    letter's second byte can be a bracket or a backslash.
    """
    named = _CHARSET.search(data)
    name = named[1].decode("ascii") if named else ""
    try:
        charset = codecs.lookup(name).name if name else ""
    except LookupError:
        charset = ""
    if not _CHARSETS.fullmatch(charset):
        charset = "utf-8"
    try:
        text = data.decode(charset)
    except UnicodeDecodeError:
        text = data.decode("utf-8" if named else "iso8859-1", "replace")
    return text.removeprefix("\ufeff").encode("utf-8", "replace")


class _Reading:
    """What has been read of one game so far."""

    def __init__(self, board: Size) -> None:
        self.size = board
        self.setup: dict[Point, Color] = {}
        self.to_move: Color | None = None
        self.moves: list[Move] = []
        self.comments: dict[int, str] = {}
        self.owners: dict[Point, Color] | None = None

    def add(self, node: _Node) -> None:
        """Read one node: set-up, moves, comment and territory."""
        self._set_up(node)
        for name, values in node.items():
            if name in _MOVERS:
                self.moves.append(Move(_MOVERS[name], self._place(values[0])))
        words = _text(node["C"][0]) if "C" in node else ""
        if words:
            before = self.comments.get(len(self.moves))
            self.comments[len(self.moves)] = f"{before}\n\n{words}" if before else words
        if "TB" in node or "TW" in node:
            self.owners = dict.fromkeys(self._points(node, "TB"), Color.BLACK)
            self.owners |= dict.fromkeys(self._points(node, "TW"), Color.WHITE)

    def _set_up(self, node: _Node) -> None:
        if not node.keys() & {"AB", "AW", "AE"}:
            if "PL" in node and not self.moves:
                self.to_move = _color(_simple(node, "PL", ""))
            return
        if self.moves:
            raise Unreadable(
                f"This record changes the board by hand after move {len(self.moves)}; "
                "I read records whose stones are all played, but for those at the start."
            )
        self.setup |= dict.fromkeys(self._points(node, "AB"), Color.BLACK)
        self.setup |= dict.fromkeys(self._points(node, "AW"), Color.WHITE)
        for point in self._points(node, "AE"):
            self.setup.pop(point, None)
        if "PL" in node:
            self.to_move = _color(_simple(node, "PL", ""))

    def _place(self, value: bytes) -> Point | None:
        """The point of a move, None for a pass: `[]`, and `[tt]` on boards up to 19x19."""
        text = value.strip().decode("utf-8")
        if not text or (text == "tt" and max(self.size) <= 19):
            return None
        return self._point(text)

    def _point(self, text: str) -> Point:
        point = from_sgf(text.strip(), self.size.height)
        if not self.size.has(point):
            raise Unreadable(f"This record has a stone at “{text}”, off its {self.size} board.")
        return point

    def _points(self, node: _Node, name: str) -> Iterator[Point]:
        """A list of points, with rectangles such as `aa:cc` (FF[4], compressed point lists)."""
        for value in node.get(name, []):
            first, _, last = value.decode("utf-8").partition(":")
            if not first.strip() and not last:
                continue
            low, high = self._point(first), self._point(last or first)
            columns = range(min(low.column, high.column), max(low.column, high.column) + 1)
            rows = range(min(low.row, high.row), max(low.row, high.row) + 1)
            yield from (Point(column, row) for column in columns for row in rows)

    def record(self, root: _Node) -> Record:
        """All that was read, with the facts of the root node."""
        stones = self.setup.items()
        record = Record(
            size=self.size,
            komi=_komi(root),
            handicap=_handicap(root),
            rules=_simple(root, "RU", ""),
            black=_simple(root, "PB", ""),
            white=_simple(root, "PW", ""),
            setup_black=tuple(point for point, color in stones if color is Color.BLACK),
            setup_white=tuple(point for point, color in stones if color is Color.WHITE),
            to_move=self.to_move,
            moves=tuple(self.moves),
            comments=self.comments,
            result=_simple(root, "RE", "") or None,
            date=_simple(root, "DT", "") or None,
            name=_simple(root, "GN", "") or None,
            event=_simple(root, "EV", "") or None,
        )
        if self.owners is None:
            return record
        return _with_rows(record, self.owners)


def _with_rows(record: Record, owners: dict[Point, Color]) -> Record:
    """The record with its last board: a stone in the other colour's territory is dead."""
    board = executed(record)
    width, height = record.size
    rows = []
    for row in range(height - 1, -1, -1):
        states = ""
        for column in range(width):
            point = Point(column, row)
            states += _STATES[board.color(point), owners.get(point)]
        rows.append(states)
    return replace(record, rows=tuple(rows))


def _size(root: _Node) -> Size:
    text = _simple(root, "SZ", "19")
    found = re.fullmatch(r"([0-9]{1,4})(?:\s*:\s*([0-9]{1,4}))?", text)
    if found is None:
        raise Unreadable(f"This record's board size, “{text}”, is not a number of lines.")
    return size(int(found[1]), int(found[2] or found[1]))


def _komi(root: _Node) -> float:
    text = _simple(root, "KM", "") or "0"
    try:
        komi = float(text)
    except ValueError:
        komi = math.nan
    if not math.isfinite(komi):
        raise Unreadable(f"This record's komi, “{text}”, is not a number of points.")
    return komi


def _handicap(root: _Node) -> int:
    text = _simple(root, "HA", "") or "0"
    if not re.fullmatch(r"[0-9]{1,4}", text):
        raise Unreadable(f"This record's handicap, “{text}”, is not a number of stones.")
    return int(text)


def _color(text: str) -> Color:
    """The colour to move: `B` or `W`, as older programs also `black`, `white`, `1` or `2`."""
    if text[:1] in tuple("Bb1"):
        return Color.BLACK
    if text[:1] in tuple("Ww2"):
        return Color.WHITE
    raise Unreadable(f"This record says that “{text}” moves next, which is neither B nor W.")


def _simple(node: _Node, name: str, default: str) -> str:
    """A property's one line of text."""
    if name not in node:
        return default
    value: bytes = sgf_grammar.simpletext_value(node[name][0])
    return value.decode("utf-8").strip()


def _text(value: bytes) -> str:
    text: bytes = sgf_grammar.text_value(value)
    return text.decode("utf-8")
