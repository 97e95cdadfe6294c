"""The board in short sentences, for people who use screen readers.

Takes the rows of `rules.scoring.board_rows`, top row first. Points of rows are named from the top
left, those of a column from the bottom up.
"""

from collections.abc import Iterable, Sequence
from itertools import groupby, product
from typing import NamedTuple

from godaemon.diagrams.symbols import size_of
from godaemon.rules.board import Board, chain_and_liberties
from godaemon.rules.points import Color, Point, column_name
from godaemon.rules.scoring import point_states
from godaemon.texts.catalogue import say

MAX_NAMED = 6
"""The limit on the liberties of a chain that are named."""

MAX_DISTANCE = 3
"""The distance in lines up to which a stone counts as near a point."""

_STATES = {
    "b": ("stones", "black"),
    "w": ("stones", "white"),
    "c": ("dead", "black"),
    "x": ("dead", "white"),
    "B": ("territory", "black"),
    "W": ("territory", "white"),
    ".": ("empty", ""),
}
"""The kind and colour of each state, as parts of message keys."""
_COLORS = {"b": Color.BLACK, "c": Color.BLACK, "w": Color.WHITE, "x": Color.WHITE}
_CELLS = {state: int(_COLORS.get(state, 0)) for state in _STATES}
_MANY = 1000
"""More liberties than any chain has."""
_WAYS = (("left", -1, 0), ("right", 1, 0), ("above", 0, 1), ("below", 0, -1))

_Line = Sequence[tuple[Point, str]]
"""Points in a row or column, with their states."""


class Chain(NamedTuple):
    """Connected stones and their liberties, both from the lower left; `dead` if marked dead."""

    color: Color
    stones: tuple[Point, ...]
    liberties: tuple[Point, ...]
    dead: bool

    @property
    def in_atari(self) -> bool:
        """True if the opponent could capture it with one stone."""
        return len(self.liberties) == 1 and not self.dead

    def liberties_text(self, limit: int = MAX_NAMED) -> str:
        """The liberties in words, with their points up to a limit: `2 liberties, A1 and B2`."""
        is_named = 0 < len(self.liberties) <= limit
        points = _join_points(self.liberties) if is_named else ""
        key = "liberties-at" if is_named else "liberties"
        text = say(key, count=len(self.liberties), points=points)
        text = say("atari-with", liberties=text) if self.in_atari else text
        return say("dead-with", liberties=text) if self.dead else text


def chains(rows: Sequence[str], limit: int = _MANY) -> tuple[Chain, ...]:
    """The chains with fewer than `limit` liberties, in the order of their lowest stones."""
    board, states = Board(size_of(rows)), "".join(reversed(rows))
    board.cells = [_CELLS[state] for state in states]
    result, seen = [], set[int]()
    for index, state in enumerate(states):
        if state in _COLORS and index not in seen:
            chain, free = chain_and_liberties(board.cells, board.neighbours, index, limit)
            if len(free) == limit:
                continue
            seen.update(chain)
            stones, liberties = map(board.points_at, (sorted(chain), sorted(free)))
            is_dead = any(states[stone] in "cx" for stone in chain)
            result.append(Chain(_COLORS[state], stones, liberties, is_dead))
    return tuple(result)


def chains_in_atari(rows: Sequence[str]) -> list[Chain]:
    return [chain for chain in chains(rows, 2) if chain.in_atari]


def describe_stones(rows: Sequence[str]) -> list[str]:
    """The stones and each colour's points: a line for each row, empty rows joined into one.

    >>> describe_stones(["bw.w", "....", "....", ".b.."])
    ['Row 4: Black A4; White B4, D4.', 'Rows 3 to 2: no stones.', 'Row 1: Black B1.']
    """
    sentences = []
    for is_empty, run in groupby(_lines(rows), lambda line: all(state == "." for _, state in line)):
        lines = list(run)
        first, last = (lines[index][0][0].row + 1 for index in (0, -1))
        if not is_empty:
            sentences += [
                say("row-told", row=line[0][0].row + 1, stones=_spans(line)) for line in lines
            ]
        elif first == last:
            sentences.append(say("row-empty", row=first))
        else:
            sentences.append(say("rows-empty", first=first, last=last))
    return sentences


def describe_chains(rows: Sequence[str], color: Color) -> list[str]:
    """The chains of a colour by their lowest stones, those with the fewest liberties first.

    >>> describe_chains(["w..", "bb.", "..."], Color.BLACK)
    ['Black chain A2, 2 stones: 4 liberties, A1, B1, C2 and B3.']
    """
    selection = [chain for chain in chains(rows) if chain.color is color]
    selection.sort(key=lambda chain: len(chain.liberties))
    values = ((one.stones[0], len(one.stones), one.liberties_text()) for one in selection)
    color_word = say(color.word)
    return [
        say("chain-told", color=color_word, point=point, count=count, liberties=liberties)
        for point, count, liberties in values
    ]


def describe_row(rows: Sequence[str], point: Point) -> list[str]:
    """The whole of a point's row, its empty points too.

    >>> describe_row(["bw.w", "....", "....", ".b.."], Point(0, 3))
    ['Row 4, from left to right: Black A4; White B4; empty C4; White D4.']
    """
    line = _lines(rows)[len(rows) - 1 - point.row]
    return [say("row-whole", row=point.row + 1, stones=_spans(line, empty=True))]


def describe_column(rows: Sequence[str], point: Point) -> list[str]:
    """The whole of a point's column, its empty points too.

    >>> describe_column(["bw.w", "....", "....", ".b.."], Point(1, 0))
    ['Column B, from the bottom up: Black B1; empty B2 to B3; White B4.']
    """
    line = [line[point.column] for line in _lines(rows)][::-1]
    name = column_name(point.column)
    return [say("column-whole", column=name, stones=_spans(line, empty=True))]


def describe_group(rows: Sequence[str], point: Point) -> list[str]:
    r"""The chain at a point with its stones and liberties, and the chains that it touches.

    >>> print(*describe_group(["w..", "bb.", "..."], Point(0, 1)), sep="\n")
    Black A2 is one of 2 connected stones: 4 liberties, A1, B1, C2 and B3.
    All of them: A2 and B2.
    Next to it: White A3 (in atari, 1 liberty).
    """
    all_chains = chains(rows)
    chain = _chain_at(all_chains, point)
    stones = chain.stones if chain else (point,)
    sentences = [_point_text(rows, point, chain, size_of(rows).points)]
    if len(stones) > 1:
        sentences.append(say("chain-all", points=_join_points(stones)))
    beside = [
        say("in-brackets", said=_stone(rows, other.stones[0]), more=other.liberties_text(0))
        for other in all_chains
        if other is not chain and any(_distance(*two) == 1 for two in product(stones, other.stones))
    ]
    key = "touching" if beside else "touching-none"
    return [*sentences, say(key, chains=_join_points(beside))]


def describe_surroundings(rows: Sequence[str], point: Point) -> list[str]:
    r"""A point, the first stone in each direction, and other stones nearby, the nearest first.

    >>> print(*describe_surroundings(["...w", "....", "b...", "...."], Point(0, 1)), sep="\n")
    Black A2 is a single stone: 3 liberties, A1, B2 and A3.
    To the left: the edge of the board.
    To the right: no stone up to D2 at the edge.
    Above: no stone up to A4 at the edge.
    Below: no stone up to A1 at the edge.
    White D4: 3 to the right, 2 up.
    """
    states = dict(point_states(rows))
    sentences, seen = [_point_text(rows, point, _chain_at(chains(rows), point))], {point}
    for way, across, up in _WAYS:
        last = point
        while (ahead := Point(last.column + across, last.row + up)) in states:
            last = ahead
            if states[last] in _COLORS:
                break
        seen.add(last)
        sentences.append(say(f"look-{way}", seen=_sight_text(rows, last, _distance(point, last))))
    others = [
        other
        for other, state in states.items()
        if state in _COLORS
        and other not in seen
        and max(map(abs, _offset(point, other))) <= MAX_DISTANCE
    ]
    others.sort(key=lambda other: sum(step * step for step in _offset(point, other)))
    sentences += [
        say("stone-near", stone=_stone(rows, one), steps=_steps(point, one)) for one in others
    ]
    return sentences if others else [*sentences, say("near-none", lines=MAX_DISTANCE)]


def _lines(rows: Sequence[str]) -> list[_Line]:
    return [
        [(Point(across, len(rows) - 1 - down), state) for across, state in enumerate(states)]
        for down, states in enumerate(rows)
    ]


def _spans(line: _Line, *, empty: bool = False) -> str:
    """The points of a line in order: stones one by one, other points as ranges."""
    spans = []
    for state, run in groupby(line, lambda pair: pair[1]):
        points = [point for point, _ in run]
        if state in _COLORS:
            spans += [(state, str(point)) for point in points]
        elif state != "." or empty:
            ends = {"first": points[0], "last": points[-1]}
            spans.append((state, say("from-to", **ends) if points[1:] else str(points[0])))
    return say("semicolon").join(
        _state_text(state, say("comma").join(points for _, points in group))
        for state, group in groupby(spans, lambda pair: pair[0])
    )


def _chain_at(all_chains: Iterable[Chain], point: Point) -> Chain | None:
    return next((chain for chain in all_chains if point in chain.stones), None)


def _stone(rows: Sequence[str], point: Point) -> str:
    """The stone on a point: `dead White A3`."""
    return _state_text(rows[-1 - point.row][point.column], point)


def _state_text(state: str, points: object) -> str:
    kind, color = _STATES[state]
    return say(f"at-{kind}", color=say(color), points=points)


def _point_text(
    rows: Sequence[str], point: Point, chain: Chain | None, limit: int = MAX_NAMED
) -> str:
    if chain is None:
        kind, color = _STATES[rows[-1 - point.row][point.column]]
        return say(f"is-{kind}", color=say(color), point=point)
    color = say(chain.color.word)
    stone, liberties = say("at-stones", color=color, points=point), chain.liberties_text(limit)
    key = "is-chain" if len(chain.stones) > 1 else "is-single"
    return say(key, stone=stone, count=len(chain.stones), liberties=liberties)


def _sight_text(rows: Sequence[str], last: Point, distance: int) -> str:
    """What ends a line of sight: a stone, or the edge."""
    if not distance:
        return say("seen-edge")
    if rows[-1 - last.row][last.column] not in _COLORS:
        return say("seen-none", point=last)
    return say("seen-stone", stone=_stone(rows, last), count=distance)


def _steps(start: Point, end: Point) -> str:
    """The way from one point to another: `1 to the right, 2 up`."""
    across, up = _offset(start, end)
    steps = [("right" if across > 0 else "left", across), ("up" if up > 0 else "down", up)]
    return say("comma").join(say(f"steps-{way}", count=abs(count)) for way, count in steps if count)


def _offset(start: Point, end: Point) -> tuple[int, int]:
    return end.column - start.column, end.row - start.row


def _distance(one: Point, other: Point) -> int:
    return sum(map(abs, _offset(one, other)))


def _join_points(points: Sequence[object]) -> str:
    """`A1`, `A1 and B2`, `A1, B2 and C3`; "" for none."""
    *first, last = map(str, points) if points else ("",)
    return say("and-last", first=say("comma").join(first), last=last) if first else last
