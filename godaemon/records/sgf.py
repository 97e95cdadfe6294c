"""Records as SGF FF[4] files (https://www.red-bean.com/sgf/), on boards up to 52x52.

Files are written in UTF-8, with CA[UTF-8]. At the end of a counted game TB and TW have the points
of each colour, as CGoban and KGS write them. Points under dead stones are included, so a stone in
the opponent's territory is dead, and `parse_sgf` restores the seven-state board. Variations, marks
and further games are written as read. `parse_sgf` raises only `Unreadable`.
"""

from collections.abc import Iterable

from godaemon import installed_version
from godaemon.records.record import INFO, ClockReading, Edit, Node, Record, TreeNode
from godaemon.records.sgf_read import parse_sgf
from godaemon.records.sgf_tree import escape, main_line, one_line, serialise
from godaemon.rules.points import Color, Point, to_sgf
from godaemon.rules.scoring import point_states

__all__ = ["format_sgf", "parse_sgf"]

_COLORS = {Color.BLACK: "B", Color.WHITE: "W"}


def format_sgf(record: Record) -> str:
    """The record as an SGF file; `parse_sgf` of its UTF-8 bytes gives the same record.

    Texts lose their control characters, and tabs become blanks, because SGF cannot hold them.

    >>> game = parse_sgf(b"(;GM[1]SZ[9]KM[6.5]PB[Honinbo Shusaku];B[ee];W[cg];B[])")
    >>> game.black, str(game.moves[1].point)
    ('Honinbo Shusaku', 'C3')
    >>> parse_sgf(format_sgf(game).encode()) == game
    True
    """
    facts = _facts(record)
    if record.tree:
        nodes = [*record.tree]
        root = main_line(nodes)[0]
        nodes[root] = TreeNode(-1, nodes[root].properties | facts)
    else:
        line = _line(record, facts)
        nodes = [TreeNode(number - 1, node) for number, node in enumerate(line)]
    return serialise(nodes)


def _line(record: Record, facts: Node) -> list[Node]:
    height = record.size.height
    setup = Edit(record.setup_black, record.setup_white, to_move=record.to_move)
    nodes = [facts | _edit(setup, height)]
    node_of = {0: nodes[0]}
    for number, (color, point) in enumerate(record.moves, start=1):
        node_of[number] = {_COLORS[color]: ["" if point is None else to_sgf(point, height)]}
        node_of[number] |= _clock(record.clocks.get(number), _COLORS[color])
        nodes.append(node_of[number])
        if number in record.edits:
            # A separate node, because FF[4] forbids set-up and moves in one.
            nodes.append(_edit(record.edits[number], height))
    for number, words in record.comments.items():
        if words:
            node_of[number]["C"] = [escape(words)]
    if record.rows is not None:
        nodes[-1] |= _territory(record.rows, record.size.height)
    return nodes


def _facts(record: Record) -> Node:
    width, height = record.size
    words: dict[str, str | None] = {
        "FF": "4",
        "GM": "1",
        "CA": "UTF-8",
        "AP": f"godaemon:{installed_version().partition('.dev')[0]}",
        "SZ": str(width) if width == height else f"{width}:{height}",
        "KM": _number(record.komi),
        "HA": str(record.handicap) if record.handicap else None,
        "TM": None if record.main_time is None else _number(record.main_time),
        "RU": record.rules,
        "PB": record.black,
        "PW": record.white,
        "OT": record.overtime,
        "RE": record.result,
        "DT": record.date,
        "GN": record.name,
        "EV": record.event,
        **{name: record.info.get(name) for name in INFO if name != "GC"},
    }
    node = {name: [escape(one_line(value))] for name, value in words.items() if value}
    if "GC" in record.info:
        node["GC"] = [escape(record.info["GC"])]
    return node


def _clock(clock: ClockReading | None, color: str) -> Node:
    """BL and OB, or WL and OW: the seconds, and the moves or periods, that are left (FF[4])."""
    node = {}
    if clock and clock.seconds is not None:
        node[f"{color}L"] = [_number(clock.seconds)]
    if clock and clock.moves is not None:
        node[f"O{color}"] = [str(clock.moves)]
    return node


def _edit(edit: Edit, height: int) -> Node:
    lists = {"AB": edit.black, "AW": edit.white, "AE": edit.empty}
    node = {name: _points(points, height) for name, points in lists.items() if points}
    return node | {"PL": [_COLORS[edit.to_move]]} if edit.to_move else node


def _territory(rows: tuple[str, ...], height: int) -> Node:
    """TB and TW from a seven-state board; both are written even when empty (FF[4]: elist)."""
    return {
        name: _points((point for point, state in point_states(rows) if state in own), height)
        or [""]
        for name, own in (("TB", "Bx"), ("TW", "Wc"))
    }


def _points(points: Iterable[Point], height: int) -> list[str]:
    return [to_sgf(point, height) for point in points]


def _number(value: float) -> str:
    return repr(value).removesuffix(".0")
