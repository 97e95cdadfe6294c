"""The board in sentences, for those who hear it read: short, and every point by its own name.

Takes the rows of `rules.scoring.board_rows`, top row first. What is told is in the order in which a
board is scanned: rows from the top, each from left to right; columns from the bottom up. Pure;
cannot fail where the points are on the board.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby, product
from typing import NamedTuple

from godaemon.diagrams.symbols import size_of
from godaemon.rules.board import Board
from godaemon.rules.points import Color, Point, column_name
from godaemon.rules.scoring import point_states

WHOSE = {Color.BLACK: "Black's", Color.WHITE: "White's"}
"""Whose a chain is, to a listener who has no colour."""

NAMED = 6
"""How many liberties of a chain, or chains of a colour, are named where there may be many."""

AROUND = 3
"""How many lines from a point are near to it."""

_STATES = {
    "b": "Black",
    "w": "White",
    "c": "dead Black",
    "x": "dead White",
    "B": "Black's territory",
    "W": "White's territory",
    ".": "empty",
}
_COLORS = {"b": Color.BLACK, "c": Color.BLACK, "w": Color.WHITE, "x": Color.WHITE}
_CELLS = {state: int(_COLORS.get(state, 0)) for state in _STATES}
_WAYS = (("To the left", -1, 0), ("To the right", 1, 0), ("Above", 0, 1), ("Below", 0, -1))

_Line = Sequence[tuple[Point, str]]
"""Points in a row or column, with their states."""


class Chain(NamedTuple):
    """Connected stones and their liberties, both from the lower left; `dead` where marked so."""

    color: Color
    stones: tuple[Point, ...]
    liberties: tuple[Point, ...]
    dead: bool

    @property
    def in_atari(self) -> bool:
        """True where the next stone of the other colour could take it."""
        return len(self.liberties) == 1 and not self.dead

    def named(self, whose: Mapping[Color, str] = WHOSE) -> str:
        """`White's stone A3`, `Black's chain A2`: after "at", speech turns A into an article."""
        kind = "stone" if len(self.stones) == 1 else "chain"
        return f"{whose[self.color]} {kind} {self.stones[0]}"

    def breath(self, most: int = NAMED) -> str:
        """Its liberties, by name where there are no more than so many: `2 liberties, A1 and B2`."""
        said = [*(["marked dead"] if self.dead else []), *(["in atari"] if self.in_atari else [])]
        said.append(_counted(len(self.liberties), "liberty", "liberties"))
        if 0 < len(self.liberties) <= most:
            said.append(_listed(self.liberties))
        return ", ".join(said)


def chains(rows: Sequence[str]) -> tuple[Chain, ...]:
    """All chains, in the order of their lowest stones."""
    states = "".join(reversed(rows))
    return _chains(rows, [index for index, state in enumerate(states) if state in _COLORS])


def _chains(rows: Sequence[str], stones: Sequence[int]) -> tuple[Chain, ...]:
    """The chains of some stones, which are in the order of the board."""
    if not stones:
        return ()
    board, states = Board(size_of(rows)), "".join(reversed(rows))
    board.cells = [_CELLS[state] for state in states]
    found, met = [], set[int]()
    for index in stones:
        if index not in met:
            chain = sorted(board.chain(index))
            met.update(chain)
            free = board.points_at(sorted(board.liberties(chain)))
            dead = any(states[stone] in "cx" for stone in chain)
            found.append(Chain(_COLORS[states[index]], board.points_at(chain), free, dead))
    return tuple(found)


def in_atari(rows: Sequence[str], whose: Mapping[Color, str] = WHOSE) -> str:
    """The chains with one liberty left, those of the colour first that `whose` names first.

    >>> in_atari(["w..", "bb.", "..."])
    "In atari: White's stone A3 (liberty B3)."
    """
    short = _chains(rows, sorted(_short_of_breath(rows)))
    named = _of_both(short, whose, lambda chain: chain.in_atari)
    return f"In atari: {named}." if named else "Nothing is in atari."


def marked_dead(rows: Sequence[str], whose: Mapping[Color, str] = WHOSE) -> str:
    """The chains that are marked dead.

    >>> marked_dead(["xWW", "ccW", "WWW"])
    "Marked dead: Black's chain A2 (2 stones), White's stone A3."
    """
    named = _of_both(chains(rows), whose, lambda chain: chain.dead)
    return f"Marked dead: {named}." if named else "No stone is marked dead."


def stones_by_row(rows: Sequence[str]) -> list[str]:
    """The stones, and the points counted for a colour: one line a row, rows without any at once.

    >>> stones_by_row(["bw.w", "....", "....", ".b.."])
    ['Row 4: Black A4; White B4, D4.', 'Rows 3 to 2: no stones.', 'Row 1: Black B1.']
    """
    told = []
    for bare, run in groupby(_lines(rows), lambda line: not _along(line)):
        lines = list(run)
        first, last = (lines[at][0][0].row + 1 for at in (0, -1))
        if bare:
            told.append(f"Row{'' if first == last else f's {first} to'} {last}: no stones.")
        else:
            told += [f"Row {line[0][0].row + 1}: {_along(line)}." for line in lines]
    return told


def chains_of(rows: Sequence[str], color: Color) -> list[str]:
    """The chains of a colour by their lowest stones, those with the fewest liberties first.

    >>> chains_of(["w..", "bb.", "..."], Color.BLACK)
    ['A2, 2 stones: 4 liberties, A1, B1, C2 and B3.']
    """
    mine = [chain for chain in chains(rows) if chain.color is color]
    mine.sort(key=lambda chain: len(chain.liberties))
    return [
        f"{chain.stones[0]}, {_counted(len(chain.stones), 'stone')}: {chain.breath()}."
        for chain in mine
    ]


def row(rows: Sequence[str], point: Point) -> list[str]:
    """The whole of a point's row, its empty points too.

    >>> row(["bw.w", "....", "....", ".b.."], Point(0, 3))
    ['Row 4, from left to right: Black A4; White B4; empty C4; White D4.']
    """
    line = _lines(rows)[len(rows) - 1 - point.row]
    return [f"Row {point.row + 1}, from left to right: {_along(line, empty=True)}."]


def column(rows: Sequence[str], point: Point) -> list[str]:
    """The whole of a point's column, its empty points too.

    >>> column(["bw.w", "....", "....", ".b.."], Point(1, 0))
    ['Column B, from the bottom up: Black B1; empty B2 to B3; White B4.']
    """
    line = [line[point.column] for line in _lines(rows)][::-1]
    name = column_name(point.column)
    return [f"Column {name}, from the bottom up: {_along(line, empty=True)}."]


def group(rows: Sequence[str], point: Point) -> list[str]:
    r"""The chain at a point with all its stones and liberties, and the chains that it touches.

    >>> print(*group(["w..", "bb.", "..."], Point(0, 1)), sep="\n")
    Black A2 is one of 2 connected stones: 4 liberties, A1, B1, C2 and B3.
    All of them: A2 and B2.
    Touching them: White's stone A3 (in atari, 1 liberty).
    """
    every = chains(rows)
    mine = _chain_at(every, point)
    stones = mine.stones if mine else (point,)
    told = [_here(rows, point, mine, size_of(rows).points)]
    if len(stones) > 1:
        told.append(f"All of them: {_listed(stones)}.")
    beside = [
        f"{chain.named()} ({chain.breath(0)})"
        for chain in every
        if chain is not mine and any(_apart(*two) == 1 for two in product(stones, chain.stones))
    ]
    them = "them" if len(stones) > 1 else "it"
    return [*told, f"Touching {them}: {_listed(beside) if beside else 'no other stones'}."]


def near(rows: Sequence[str], point: Point) -> list[str]:
    r"""A point, the first stone on each line from it, and what else is close, the nearest first.

    >>> print(*near(["...w", "....", "b...", "...."], Point(0, 1)), sep="\n")
    Black A2 is a single stone: 3 liberties, A1, B2 and A3.
    To the left: the edge of the board.
    To the right: no stone up to D2 at the edge.
    Above: no stone up to A4 at the edge.
    Below: no stone up to A1 at the edge.
    D4, White: 3 to the right, 2 up.
    """
    states = dict(point_states(rows))
    told, met = [_here(rows, point, _chain_at(chains(rows), point))], {point}
    for way, across, up in _WAYS:
        last = point
        while (ahead := Point(last.column + across, last.row + up)) in states:
            last = ahead
            if states[last] in _COLORS:
                break
        met.add(last)
        told.append(f"{way}: {_ahead(last, _apart(point, last), states[last])}.")
    others = [
        each
        for each, state in states.items()
        if state in _COLORS and each not in met and max(map(abs, _offset(point, each))) <= AROUND
    ]
    others.sort(key=lambda each: sum(step * step for step in _offset(point, each)))
    told += [f"{one}, {_STATES[states[one]]}: {_way(point, one)}." for one in others]
    return told if others else [*told, f"No other stones within {AROUND} lines."]


def _lines(rows: Sequence[str]) -> list[_Line]:
    """The points of each row with their states, the top row first."""
    return [
        [(Point(across, len(rows) - 1 - down), state) for across, state in enumerate(states)]
        for down, states in enumerate(rows)
    ]


def _along(line: _Line, *, empty: bool = False) -> str:
    """The points of a line in their order: stones one by one, all else from where to where."""
    told = []
    for state, run in groupby(line, lambda one: one[1]):
        points = [str(point) for point, _ in run]
        if state in _COLORS:
            told.append((state, ", ".join(points)))
        elif state != "." or empty:
            told.append((state, points[0] if len(points) == 1 else f"{points[0]} to {points[-1]}"))
    return "; ".join(
        f"{_STATES[state]} {', '.join(points for _, points in same)}"
        for state, same in groupby(told, lambda one: one[0])
    )


def _short_of_breath(rows: Sequence[str]) -> Iterator[int]:
    """The stones of chains in which none has two liberties itself; all in atari are among them.

    All of the board at once, as the bits of whole numbers: most letters look for an atari, and most
    find none (`tests.benchmarks.compose`). A bit beyond each row keeps the rows apart.
    """
    wide = len(rows[0]) + 1
    points = "|".join(reversed(rows))[::-1]
    free, *colors = (int(points.translate(states), 2) for states in (_FREE, _BLACK, _WHITE))
    left, right, above, below = free << 1, free >> 1, free >> wide, free << wide
    two = left & right | above & below | (left | right) & (above | below)
    for mine in colors:
        safe, before = mine & two, 0
        while safe != before:
            before = safe
            safe |= mine & (safe << 1 | safe >> 1 | safe << wide | safe >> wide)
        bits = f"{mine & ~safe:b}"[::-1]
        yield from (at - at // wide for at, bit in enumerate(bits) if bit == "1")


_FREE = str.maketrans("|.BWbcwx", "01110000")
_BLACK = str.maketrans("|.BWbcwx", "00001100")
_WHITE = str.maketrans("|.BWbcwx", "00000011")


def _of_both(
    every: Sequence[Chain], whose: Mapping[Color, str], wanted: Callable[[Chain], bool]
) -> str:
    """The chains that are wanted, colour by colour; of many the first."""
    named = list[str]()
    for color, owner in whose.items():
        mine = [chain for chain in every if chain.color is color and wanted(chain)]
        for chain in mine[:NAMED]:
            about = [f"{len(chain.stones)} stones"] if len(chain.stones) > 1 else []
            about += [f"liberty {chain.liberties[0]}"] if chain.in_atari else []
            named.append(chain.named(whose) + (f" ({', '.join(about)})" if about else ""))
        if len(mine) > NAMED:
            named.append(f"{len(mine) - NAMED} more of {owner} chains")
    return ", ".join(named)


def _chain_at(every: Iterable[Chain], point: Point) -> Chain | None:
    return next((chain for chain in every if point in chain.stones), None)


def _here(rows: Sequence[str], point: Point, chain: Chain | None, most: int = NAMED) -> str:
    """The point itself, in a sentence."""
    if chain is None:
        return f"{point} is {_STATES[rows[len(rows) - 1 - point.row][point.column]]}."
    stones = len(chain.stones)
    company = "a single stone" if stones == 1 else f"one of {stones} connected stones"
    return f"{chain.color.word.capitalize()} {point} is {company}: {chain.breath(most)}."


def _ahead(last: Point, away: int, state: str) -> str:
    """The end of a look in one direction: a stone, or the edge."""
    if not away:
        return "the edge of the board"
    if state not in _COLORS:
        return f"no stone up to {last} at the edge"
    return f"{_STATES[state]} {last}, {'next to it' if away == 1 else f'{away} lines away'}"


def _way(here: Point, there: Point) -> str:
    """How to get from a point to another: `1 to the right, 2 up`."""
    across, up = _offset(here, there)
    steps = [f"{abs(across)} to the {'right' if across > 0 else 'left'}"] if across else []
    return ", ".join([*steps, *([f"{abs(up)} {'up' if up > 0 else 'down'}"] if up else [])])


def _offset(here: Point, there: Point) -> tuple[int, int]:
    return there.column - here.column, there.row - here.row


def _apart(one: Point, other: Point) -> int:
    return sum(map(abs, _offset(one, other)))


def _counted(number: int, noun: str, plural: str = "") -> str:
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def _listed(points: Iterable[object]) -> str:
    """`A1`, `A1 and B2`, `A1, B2 and C3`."""
    *first, last = map(str, points)
    return f"{', '.join(first)} and {last}" if first else last
