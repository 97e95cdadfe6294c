"""The reading half of `records.sgf`: bytes that claim to be an SGF file -> a `Record`.

Only the main line is read. Pure; raises `Unreadable` with a sentence for the person, and nothing
else. What is not worth refusing a game for, such as a clock that no number is, is left out.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import replace

from godaemon.errors import Unreadable
from godaemon.records import sgf_dialects as dialects
from godaemon.records.record import INFO, ClockReading, Edit, Record
from godaemon.records.replay import executed
from godaemon.records.sgf_bytes import LARGEST_FILE, Node, main_line, simple_text, text
from godaemon.rules.points import Color, Point, Size, from_sgf, size
from godaemon.rules.position import Move

__all__ = ["LARGEST_FILE", "read"]

_MOVERS = {"B": Color.BLACK, "W": Color.WHITE}
_CLOCKS = {Color.BLACK: ("BL", "OB"), Color.WHITE: ("WL", "OW")}
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
    nodes = main_line(data)
    root = nodes[0]
    if simple_text(root, "GM", "1") != "1":
        raise Unreadable("This SGF file holds a game other than Go (its GM is not 1).")
    reading = _Reading(_size(root))
    for node in nodes:
        reading.add(node)
    return reading.record(root)


class _Reading:
    """One game, as far as it has been read."""

    def __init__(self, board: Size) -> None:
        self.size = board
        self.setup: dict[Point, Color] = {}
        self.to_move: Color | None = None
        self.moves: list[Move] = []
        self.comments: dict[int, str] = {}
        self.clocks: dict[int, ClockReading] = {}
        self.edits: dict[int, dict[Point, Color | None]] = {}
        self.turns: dict[int, Color] = {}
        self.owners: dict[Point, Color] | None = None

    def add(self, node: Node) -> None:
        """Read one node: set-up, moves with their clocks, comment and territory."""
        self._set_up(node)
        for name, values in node.items():
            if name in _MOVERS:
                self._move(_MOVERS[name], values[0], node)
        words = text(node, "C")
        if words:
            before = self.comments.get(len(self.moves))
            self.comments[len(self.moves)] = f"{before}\n\n{words}" if before else words
        if "TB" in node or "TW" in node:
            self.owners = dict.fromkeys(self._points(node, "TB"), Color.BLACK)
            self.owners |= dict.fromkeys(self._points(node, "TW"), Color.WHITE)

    def _move(self, color: Color, value: bytes, node: Node) -> None:
        self.moves.append(Move(color, self._place(value)))
        left, stones = _CLOCKS[color]
        seconds, moves = _real(node, left), _real(node, stones)
        if seconds is not None or moves is not None:
            self.clocks[len(self.moves)] = ClockReading(
                seconds, None if moves is None else int(moves)
            )

    def _set_up(self, node: Node) -> None:
        """Stones before the first move are the set-up; after it they are an edit of the board."""
        stones: dict[Point, Color | None] = {}
        for name, color in (("AB", Color.BLACK), ("AW", Color.WHITE), ("AE", None)):
            stones |= dict.fromkeys(self._points(node, name), color)
        turn = _color(simple_text(node, "PL")) if "PL" in node else None
        if self.moves:
            self._edit(stones, turn)
            return
        for point, color in stones.items():
            if color is None:
                self.setup.pop(point, None)
            else:
                self.setup[point] = color
        self.to_move = turn or self.to_move

    def _edit(self, stones: dict[Point, Color | None], turn: Color | None) -> None:
        """A turn alone, said between moves that show it anyway, is no change of the board."""
        number = len(self.moves)
        if stones:
            self.edits[number] = self.edits.get(number, {}) | stones
        if turn is not None and number in self.edits:
            self.turns[number] = turn

    def _place(self, value: bytes) -> Point | None:
        """The point of a move, None for a pass: `[]`, and `[tt]` on boards up to 19x19."""
        point = value.strip().decode("utf-8")
        if not point or (point == "tt" and max(self.size) <= 19):
            return None
        return self._point(point)

    def _point(self, name: str) -> Point:
        point = from_sgf(name.strip(), self.size.height)
        if not self.size.has(point):
            raise Unreadable(f"This record has a stone at “{name}”, off its {self.size} board.")
        return point

    def _points(self, node: Node, name: str) -> Iterator[Point]:
        """A list of points, with rectangles such as `aa:cc` (FF[4], compressed point lists)."""
        for value in node.get(name, []):
            first, _, last = value.decode("utf-8").partition(":")
            if not first.strip() and not last:
                continue
            low, high = self._point(first), self._point(last or first)
            columns = range(min(low.column, high.column), max(low.column, high.column) + 1)
            rows = range(min(low.row, high.row), max(low.row, high.row) + 1)
            yield from (Point(column, row) for column in columns for row in rows)

    def record(self, root: Node) -> Record:
        """All that was read, with the facts of the root node."""
        ours = simple_text(root, "AP").startswith("godaemon")
        result = simple_text(root, "RE")
        record = Record(
            size=self.size,
            komi=_komi(root) if ours else dialects.komi(_komi(root)),
            handicap=_handicap(root),
            rules=simple_text(root, "RU"),
            black=simple_text(root, "PB"),
            white=simple_text(root, "PW"),
            setup_black=_of(self.setup, Color.BLACK),
            setup_white=_of(self.setup, Color.WHITE),
            to_move=self.to_move,
            moves=tuple(self.moves),
            comments=self.comments,
            edits={number: self._edited(number) for number in self.edits},
            main_time=_real(root, "TM"),
            overtime=simple_text(root, "OT")
            or dialects.overtime(simple_text(root, "TC"), simple_text(root, "TT")),
            clocks=self.clocks,
            result=(result if ours else dialects.result(result)) or None,
            date=simple_text(root, "DT") or None,
            name=simple_text(root, "GN") or None,
            event=simple_text(root, "EV") or None,
            info=_info(root),
        )
        return record if self.owners is None else _with_rows(record, self.owners)

    def _edited(self, number: int) -> Edit:
        stones = self.edits[number]
        black, white, empty = (_of(stones, color) for color in (Color.BLACK, Color.WHITE, None))
        return Edit(black, white, empty, self.turns.get(number))


def _of(stones: dict[Point, Color] | dict[Point, Color | None], color: object) -> tuple[Point, ...]:
    return tuple(point for point, found in stones.items() if found == color)


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


def _info(root: Node) -> dict[str, str]:
    """The rest of what is said of the game; all but GC are one line."""
    words = {
        name: text(root, name) if name == "GC" else simple_text(root, name)
        for name in INFO
        if name in root
    }
    return {name: value for name, value in words.items() if value}


def _size(root: Node) -> Size:
    sides = simple_text(root, "SZ", "19")
    found = re.fullmatch(r"([0-9]{1,4})(?:\s*:\s*([0-9]{1,4}))?", sides)
    if found is None:
        raise Unreadable(f"This record's board size, “{sides}”, is not a number of lines.")
    return size(int(found[1]), int(found[2] or found[1]))


def _komi(root: Node) -> float:
    points = simple_text(root, "KM") or "0"
    try:
        komi = float(points)
    except ValueError:
        komi = math.nan
    if not math.isfinite(komi):
        raise Unreadable(f"This record's komi, “{points}”, is not a number of points.")
    return komi


def _real(node: Node, name: str) -> float | None:
    """A number, as of a clock; None where there is none, or something else."""
    try:
        value = float(simple_text(node, name))
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _handicap(root: Node) -> int:
    stones = simple_text(root, "HA") or "0"
    if not re.fullmatch(r"[0-9]{1,4}", stones):
        raise Unreadable(f"This record's handicap, “{stones}”, is not a number of stones.")
    return int(stones)


def _color(name: str) -> Color:
    """The colour to move: `B` or `W`, as older programs also `black`, `white`, `1` or `2`."""
    if name[:1] in tuple("Bb1"):
        return Color.BLACK
    if name[:1] in tuple("Ww2"):
        return Color.WHITE
    raise Unreadable(f"This record says that “{name}” moves next, which is neither B nor W.")
