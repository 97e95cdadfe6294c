"""Records as SGF FF[4] files, out and in (https://www.red-bean.com/sgf/), on boards up to 52x52.

Works on the grammar level of sgfmill, whose game level knows square boards only. Written files are
UTF-8. At the end of a counted game TB and TW hold the points of each colour, those under dead
stones too, as CGoban and KGS write them: so a stone in the other colour's territory is dead, and
the seven-state board can be read back. What other servers write differently is read as
`sgf_dialects` says. Pure; `read` raises `Unreadable` whatever the bytes are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sgfmill import sgf_grammar

from godaemon import installed_version
from godaemon.records.record import INFO, ClockReading, Edit, Record
from godaemon.records.sgf_bytes import Node, clean, one_line
from godaemon.records.sgf_read import LARGEST_FILE, read
from godaemon.rules.points import Color, Point, Size, to_sgf

__all__ = ["LARGEST_FILE", "read", "write"]

_COLORS = {Color.BLACK: "B", Color.WHITE: "W"}


def write(record: Record) -> str:
    """The record as an SGF file; `read` of its UTF-8 bytes gives the same record again.

    Texts are kept but for what SGF cannot hold: control characters, and tabs, which become blanks.

    >>> game = read(b"(;GM[1]SZ[9]KM[6.5]PB[Honinbo Shusaku];B[ee];W[cg];B[])")
    >>> game.black, str(game.moves[1].point)
    ('Honinbo Shusaku', 'C3')
    >>> read(write(game).encode()) == game
    True
    """
    nodes = [_root(record)]
    at = {0: nodes[0]}
    for number, (color, point) in enumerate(record.moves, start=1):
        place = "" if point is None else to_sgf(point, record.size.height)
        at[number] = {_COLORS[color]: [place.encode()]}
        at[number] |= _clock(record.clocks.get(number), _COLORS[color])
        nodes.append(at[number])
        if number in record.edits:
            nodes.append(_edit(record.edits[number], record.size.height))
    for number, words in record.comments.items():
        if words:
            at[number]["C"] = [_text(words)]
    if record.rows is not None:
        nodes[-1] |= _territory(record.rows, record.size)
    tree = sgf_grammar.Coarse_game_tree()
    tree.sequence = nodes
    serialised: bytes = sgf_grammar.serialise_game_tree(tree)
    return serialised.decode("utf-8")


def _root(record: Record) -> Node:
    width, height = record.size
    properties: dict[str, str | None] = {
        "FF": "4",
        "GM": "1",
        "CA": "UTF-8",
        "AP": f"godaemon:{installed_version().partition('.dev')[0]}",
        "SZ": str(width) if width == height else f"{width}:{height}",
        "KM": _number(record.komi),
        "HA": str(record.handicap) if record.handicap else None,
        "PL": _turn(record.to_move),
        "TM": None if record.main_time is None else _number(record.main_time),
    }
    node = {name: [value.encode()] for name, value in properties.items() if value is not None}
    node |= {name: [_line(words)] for name, words in _words(record).items() if words}
    if "GC" in record.info:
        node["GC"] = [_text(record.info["GC"])]
    return node | _stones({"AB": record.setup_black, "AW": record.setup_white}, height)


def _words(record: Record) -> Mapping[str, str | None]:
    return {
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


def _clock(clock: ClockReading | None, color: str) -> Node:
    """BL and OB, or WL and OW: in overtime the second says how much of it is left (FF[4])."""
    if clock is None:
        return {}
    values = {
        f"{color}L": None if clock.seconds is None else _number(clock.seconds),
        f"O{color}": None if clock.moves is None else str(clock.moves),
    }
    return {name: [value.encode()] for name, value in values.items() if value is not None}


def _edit(edit: Edit, height: int) -> Node:
    """A node of its own: FF[4] forbids set-up and moves in one."""
    node = _stones({"AB": edit.black, "AW": edit.white, "AE": edit.empty}, height)
    turn = _turn(edit.to_move)
    return node | {"PL": [turn.encode()]} if turn else node


def _stones(lists: Mapping[str, tuple[Point, ...]], height: int) -> Node:
    return {name: _points(points, height) for name, points in lists.items() if points}


def _territory(rows: tuple[str, ...], size: Size) -> Node:
    """TB and TW from a seven-state board; both are written even when empty (FF[4]: elist)."""
    owned: dict[str, list[Point]] = {"TB": [], "TW": []}
    for down, row in enumerate(rows):
        for column, state in enumerate(row):
            name = {"B": "TB", "x": "TB", "W": "TW", "c": "TW"}.get(state)
            if name:
                owned[name].append(Point(column, size.height - 1 - down))
    return {name: _points(points, size.height) or [b""] for name, points in owned.items()}


def _points(points: Iterable[Point], height: int) -> list[bytes]:
    return [to_sgf(point, height).encode() for point in points]


def _turn(color: Color | None) -> str | None:
    return None if color is None else _COLORS[color]


def _number(value: float) -> str:
    return repr(value).removesuffix(".0")


def _text(words: str) -> bytes:
    escaped: bytes = sgf_grammar.escape_text(clean(words).encode("utf-8", "replace"))
    return escaped


def _line(words: str) -> bytes:
    return _text(one_line(words))
