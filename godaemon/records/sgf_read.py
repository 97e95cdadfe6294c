"""Reads SGF: from bytes to a `Record`.

The record is the main line of the first game, as far as it can be read; the rest of the file is
kept in `Record.tree` and mentioned in `Record.left_out`. Minor faults, such as an unreadable clock,
are ignored. Raises `Unreadable` with a sentence for people.

A *node* is a dictionary of properties, such as `{"B": ["pd"], "C": ["Hello"]}`. The *line* is the
main line: the numbers of its nodes in the file. *Facts* are the properties of the whole game, such
as KM (komi); a program may write them in any node.
"""

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from godaemon.errors import Unreadable
from godaemon.records import sgf_dialects as dialects
from godaemon.records.record import INFO, ClockReading, Edit, Node, Record, TreeNode
from godaemon.records.replay import execute
from godaemon.records.sgf_charset import decode
from godaemon.records.sgf_tree import MAX_NODES, long_text, main_line, parse_tree, simple_text
from godaemon.rules.points import Color, Point, Size, check_size, from_sgf
from godaemon.rules.position import Move
from godaemon.texts.catalogue import sentence

__all__ = ["MAX_FILE", "parse_sgf"]

MAX_FILE = 4 * 1024 * 1024
"""The limit on a file in bytes; the longest games with all their comments are far smaller."""

MAX_MOVES = 10_000
"""The limit on the moves of a main line; no game is longer, even on the largest board."""

MAX_POINTS = 100_000
"""The limit on the points of all nodes: a rectangle (`AB[aa:ss]`) has many in a few bytes."""

_FACTS = frozenset(
    [
        *INFO,
        *("FF", "GM", "CA", "AP", "SZ", "KM", "HA", "TM", "RU", "PB", "PW", "OT", "RE", "DT"),
        *("GN", "EV", "TC", "TT", "LC", "LT"),
    ]
)
"""Properties of the whole game, which the fields of a record contain."""

_READ_COMPLETELY = frozenset(
    ["B", "W", "C", "AB", "AW", "AE", "PL", "BL", "WL", "OB", "OW", "TB", "TW"]
)
"""Properties that the fields of a record contain completely."""

_MOVERS = {"B": Color.BLACK, "W": Color.WHITE}
_TURNS = {"B": Color.BLACK, "1": Color.BLACK, "W": Color.WHITE, "2": Color.WHITE}
"""The colour to move by the first letter of PL; older files have `black`, `white`, `1`, `2`."""
_CLOCKS = {Color.BLACK: ("BL", "OB"), Color.WHITE: ("WL", "OW")}
_STATES = {
    None: {None: ".", Color.BLACK: "B", Color.WHITE: "W"},
    Color.BLACK: {None: "b", Color.BLACK: "b", Color.WHITE: "c"},
    Color.WHITE: {None: "w", Color.BLACK: "x", Color.WHITE: "w"},
}
"""The state of a point by its stone and by the owner of its territory (`scoring.board_rows`)."""


def parse_sgf(data: bytes, limit: int = MAX_NODES) -> Record:
    """The first game of Go in an SGF file of at most `limit` nodes; raises `Unreadable`."""
    if len(data) > MAX_FILE:
        raise Unreadable(sentence("record-too-large"))
    # The first game of Go, and its main line.
    tree, is_faulty = parse_tree(decode(data), limit)
    roots = [number for number, node in enumerate(tree) if node.parent < 0]
    line = main_line(tree)
    nodes = [tree[number].properties for number in line]

    # Its facts and moves, in modern form.
    facts, unread = _read_facts(nodes)
    reader = _LineReader(_read_size(facts))
    end = next((root for root in roots if root > line[0]), len(tree))
    _modernise_moves(tree[line[0] : end], reader.size)

    # Sentences about parts that could not be read.
    left_out: list[str] = [sentence("sgf-faulty")] if is_faulty else []
    left_out += reader.read_line(nodes)
    if end - line[0] > len(line):
        left_out.append(sentence("record-variations"))
    if len(roots) > 1:
        left_out.append(sentence("record-several-games", count=len(roots)))
    left_out += unread
    record = _add_facts(reader.record(), facts)
    if record.rules and record.ruleset is None:
        left_out.append(sentence("record-rules-unread", rules=record.rules[:40]))

    other_nodes = len(tree) > len(line)
    other_properties = any(node.keys() - _READ_COMPLETELY - _FACTS for node in nodes)
    has_rest = other_nodes or other_properties or reader.stopped
    rest_tree = tuple(_tree_of_rest(tree, {*line})) if has_rest else ()
    return replace(record, tree=rest_tree, left_out=tuple(left_out))


def _read_facts(nodes: Sequence[Node]) -> tuple[Node, list[str]]:
    """The facts of a main line, and sentences about numbers that cannot be read."""
    dialects.modernise(nodes[0])
    # Some programs write facts after the first node.
    facts = {name: node[name] for node in reversed(nodes) for name in _FACTS & node.keys()}
    unread: list[str] = []
    for name in ("KM", "HA"):
        if name in facts and _read_points_or_stones(facts, name) is None:
            said = simple_text(facts, name)[:40]
            unread.append(sentence("record-number-unread", name=name, said=said))
            del facts[name]
    return facts, unread


def _modernise_moves(nodes: Sequence[TreeNode], size: Size) -> None:
    """Spell the moves of a game as FF[4] does, in place; `_tree_of_rest` keeps that spelling."""
    for _, node in nodes:
        for name in _MOVERS.keys() & node.keys():
            node[name] = [dialects.move(node[name][0], size)]


def _tree_of_rest(nodes: Sequence[TreeNode], line: set[int]) -> Iterator[TreeNode]:
    """The tree without what the record's own fields contain."""
    for number, (parent, node) in enumerate(nodes):
        if number in line:
            properties = {name: values for name, values in node.items() if name not in _FACTS}
        else:
            properties = node if parent >= 0 else node | {"CA": ["UTF-8"]}
        yield TreeNode(parent, properties)


def _add_facts(record: Record, facts: Node) -> Record:
    is_ours = simple_text(facts, "AP").startswith("godaemon")
    result, rules = simple_text(facts, "RE"), simple_text(facts, "RU")
    komi, main_time = _read_points_or_stones(facts, "KM") or 0.0, _read_float(facts, "TM")
    if main_time is None:
        main_time = dialects.seconds(simple_text(facts, "TM"))
    info = {name: (long_text if name == "GC" else simple_text)(facts, name) for name in INFO}
    return replace(
        record,
        has_komi="KM" in facts,
        komi=komi if is_ours else dialects.komi(komi),
        handicap=int(_read_points_or_stones(facts, "HA") or 0),
        rules=rules if is_ours else dialects.rules(rules),
        black=simple_text(facts, "PB"),
        white=simple_text(facts, "PW"),
        main_time=main_time,
        overtime=simple_text(facts, "OT") or dialects.overtime(facts),
        result=(result if is_ours else dialects.result(result)) or None,
        date=simple_text(facts, "DT") or None,
        name=simple_text(facts, "GN") or None,
        event=simple_text(facts, "EV") or None,
        info={name: words for name, words in info.items() if words},
    )


class _LineReader:
    """Reads a main line, as far as it can be read."""

    def __init__(self, board: Size) -> None:
        self.size = board
        self.moves: list[Move] = []
        self.comments: dict[int, list[str]] = {}
        self.clocks: dict[int, ClockReading] = {}
        self.edits: dict[int, dict[Point, Color | None]] = {0: {}}
        """Stones by the number of moves before; 0 is the set-up."""
        self.turns: dict[int, Color] = {}
        self.territory: Node | None = None
        self.points_read = 0
        self.stopped = False

    def read_line(self, nodes: Iterable[Node]) -> list[str]:
        """Read nodes up to an invalid one, if that follows a move; returns a sentence about it."""
        for node in nodes:
            try:
                self._read_node(node)
            except Unreadable as fault:
                if not self.moves:
                    raise
                self.stopped = True
                return [sentence("record-read-up-to", number=len(self.moves), why=fault.public)]
        return []

    def record(self) -> Record:
        """The record of what was read, without the facts of the game."""
        edits = {number: self._edit_at(number) for number in self.edits}
        setup = edits.pop(0)
        record = Record(
            size=self.size,
            setup_black=setup.black,
            setup_white=setup.white,
            to_move=setup.to_move,
            moves=tuple(self.moves),
            comments={number: "\n\n".join(words) for number, words in self.comments.items()},
            edits=edits,
            clocks=self.clocks,
        )
        return record if self.territory is None else self._add_rows(record, self.territory)

    def _read_node(self, node: Node) -> None:
        """Read a node: before the first move its stones are the set-up, later an edit of the board.

        A PL without stones between moves is no edit.
        """
        number, stones = len(self.moves), dict[Point, Color | None]()
        for name, color in (("AB", Color.BLACK), ("AW", Color.WHITE), ("AE", None)):
            stones |= dict.fromkeys(self._read_points(node, name), color)
        if stones:
            self.edits.setdefault(number, {}).update(stones)
        color_to_move = _TURNS.get(simple_text(node, "PL")[:1].upper())
        if color_to_move is not None and number in self.edits:
            self.turns[number] = color_to_move
        for name in _MOVERS.keys() & node.keys():
            self._read_move(_MOVERS[name], node[name][0], node)
        words = long_text(node, "C")
        if words:
            self.comments.setdefault(len(self.moves), []).append(words)
        if "TB" in node or "TW" in node:
            self.territory = node

    def _read_move(self, color: Color, value: str, node: Node) -> None:
        if len(self.moves) == MAX_MOVES:
            raise Unreadable(sentence("record-too-large"))
        self.moves.append(Move(color, self._read_point(value) if value.strip() else None))
        seconds_name, moves_name = _CLOCKS[color]
        seconds, moves = _read_float(node, seconds_name), _read_float(node, moves_name)
        if seconds is not None or moves is not None:
            self.clocks[len(self.moves)] = ClockReading(
                seconds, None if moves is None else int(moves)
            )

    def _read_point(self, name: str) -> Point:
        """Read a point; raises `Unreadable` off the board, or after too many points."""
        self.points_read += 1
        if self.points_read > MAX_POINTS:
            raise Unreadable(sentence("record-too-large"))
        point = from_sgf(name.strip()[:9], self.size.height)
        if not self.size.has(point):
            raise Unreadable(sentence("off-board", point=name, size=self.size, last=self.size.last))
        return point

    def _read_points(self, node: Node, name: str) -> Iterator[Point]:
        """A list of points, with rectangles such as `aa:cc` (FF[4], compressed point lists)."""
        for value in node.get(name, []):
            first, _, last = value.partition(":")
            if not first.strip() and not last:
                continue
            low, high = self._read_point(first), self._read_point(last or first)
            columns = range(min(low.column, high.column), max(low.column, high.column) + 1)
            rows = range(min(low.row, high.row), max(low.row, high.row) + 1)
            self.points_read += len(columns) * len(rows)
            yield from (Point(column, row) for column in columns for row in rows)

    def _edit_at(self, number: int) -> Edit:
        black, white, empty = (
            tuple(point for point, stone in self.edits[number].items() if stone is color)
            for color in (Color.BLACK, Color.WHITE, None)
        )
        return Edit(black, white, empty, self.turns.get(number))

    def _add_rows(self, record: Record, territory: Node) -> Record:
        """The record with its last board: stones in the opponent's territory are dead."""
        owners: dict[Point, Color] = {}
        with suppress(Unreadable):  # a malformed TB or TW loses only the territory
            owners |= dict.fromkeys(self._read_points(territory, "TB"), Color.BLACK)
            owners |= dict.fromkeys(self._read_points(territory, "TW"), Color.WHITE)
        board = execute(record)
        rows = (
            "".join(
                _STATES[board.color(point)][owners.get(point)]
                for point in (Point(column, row) for column in range(self.size.width))
            )
            for row in range(self.size.height - 1, -1, -1)
        )
        return replace(record, rows=tuple(rows))


def _read_size(root: Node) -> Size:
    sides = simple_text(root, "SZ") or "19"
    match = re.fullmatch(r"([0-9]{1,4})(?:\s*[:xX*×]\s*([0-9]{1,4}))?", sides)
    if match is None:
        raise Unreadable(sentence("record-size-unread", size=sides[:40]))
    return check_size(int(match[1]), int(match[2] or match[1]))


def _read_points_or_stones(facts: Node, name: str) -> float | None:
    """Points or stones, in figures or words; None if unreadable, 0 if missing."""
    words = simple_text(facts, name) or "0"
    number = _read_float(facts, name)
    if number is None:
        number = dialects.points(words[:40])
    lowest = -MAX_MOVES if name == "KM" else 0
    return number if number is None or lowest <= number <= MAX_MOVES else None


def _read_float(node: Node, name: str) -> float | None:
    text = simple_text(node, name)
    try:
        value = math.nan if "_" in text else float(text)  # only Python allows _ in a number
    except ValueError:
        return None
    return value if math.isfinite(value) else None
