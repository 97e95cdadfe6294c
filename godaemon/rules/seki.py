"""Seki, and points that must be filled: what territory rules do not count (Nihon Kiin 1989, 8).

Pure. `rules.scoring` applies it, the tax too. Once the dead stones are agreed, all others live. A
living stone without two eyes, beside dame that nobody can fill, is in seki. Dame that are merely
open count as filled. The steps:

1. Empty regions (dead stones are empty here) that one colour alone borders are its own; the others
   are dame. Chains joined by what must be filled (2) are one unit.
2. A unit with one own point to it that the opponent can put in atari must connect there, if it
   cannot connect elsewhere over dame, where its owner moves first and is then answered
   (`join_inseparable`; where an opponent's stone would be in atari at once, it is connected
   already): that point is a false eye. Repeated until none is left.
3. Units that border one own region, or one and the same dame, are a family: while that dame is
   open they are not held to be cut off (players who mean them to be fill it).
4. A family is worth the eyes that its regions can still become; under two it is weak, but for one
   that stands on a border so open that there is room to make more. Dame that weak families alone
   stand beside stay open: these are in seki, as are weak ones that touch their stones, and none of
   their points count. Beside stones that live anyhow, dame can be filled.

No such judgement is always right; filling the dame leaves less to guess. The idea of counting
eyes over regions is that of lightvector's goscorer; the steps are our own.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from godaemon.rules.board import EMPTY, Board, Near, components
from godaemon.rules.inseparable_chains import DisjointSets, chains_of, join_inseparable
from godaemon.rules.points import Color

ALIVE = 2
"""The eyes that make a family alive."""


class Family(NamedTuple):
    """Chains of one colour that live together; points are indices of the board."""

    color: Color
    stones: frozenset[int]
    points: frozenset[int]
    """The points that it alone surrounds and need not fill, including those under dead stones."""
    filled: frozenset[int]
    """The false eyes: its own points on which it must connect in the end."""
    eyes: int
    """The eyes that it can make, from 0 to `ALIVE`."""
    seki: bool = False
    """True if it lives without owning a point."""


def families(board: Board, dead: Iterable[int]) -> tuple[Family, ...]:
    """Black's families, then White's, with the stones at `dead` dead."""
    cells = board.cells[:]
    for index in dead:
        cells[index] = EMPTY
    sides = [_Side(board, cells, color) for color in Color]
    found = [one for side in sides for one in side.families()]
    near = board.neighbours
    regions = components(sides[0].dame, near)
    room = {at for region in regions if _has_room(cells, near, region) for at in region}
    poor = {at for at, one in enumerate(found) if one.eyes < ALIVE}
    weak = {at for at in poor if not _are_adjacent(near, room, found[at].stones)}
    seki = set[int]()
    for region in regions:
        beside = {at for at, one in enumerate(found) if _are_adjacent(near, region, one.stones)}
        seki |= beside if beside <= weak else set()
    while more := {at for at in weak - seki if _touches_seki(near, found[at], found, seki)}:
        seki |= more
    return tuple(one._replace(seki=at in seki) for at, one in enumerate(found))


def _has_room(cells: list[int], near: Near, region: Iterable[int]) -> bool:
    """True if a point has no stone beside it, so play is not over."""
    return any(not any(cells[one] for one in near[at]) for at in region)


def _are_adjacent(near: Near, points: Iterable[int], stones: Collection[int]) -> bool:
    return any(beside in stones for at in points for beside in near[at])


def _touches_seki(near: Near, family: Family, others: list[Family], seki: set[int]) -> bool:
    theirs = {at for one in seki if others[one].color != family.color for at in others[one].stones}
    return _are_adjacent(near, family.stones, theirs)


class _Side:
    """Finds the families of one colour."""

    def __init__(self, board: Board, cells: list[int], color: Color) -> None:
        self._board, self._cells, self._color = board, cells, color
        self._near = board.neighbours
        self._chains = chains_of(cells, self._near, color)
        self._number = {at: number for number, one in enumerate(self._chains) for at in one}
        self._groups = DisjointSets(len(self._chains))
        self._own: set[int] = set()
        self.dame: set[int] = set()
        self._filled: dict[int, int] = {}
        """Each false eye, with one of the chains that it connects."""
        self._divide()

    def families(self) -> Iterator[Family]:
        """The families, in the order of their first chains."""
        while self._fill_one_point():
            pass
        spaces = components(self._own, self._near)
        worth = [(self._chains_around(space), space, self._count_eyes(space)) for space in spaces]
        for region in (*spaces, *({at} for at in self.dame)):
            self._groups.join(self._chains_around(region))
        for group in sorted({self._groups.find(one) for one in range(len(self._chains))}):
            mine = [one for one in worth if any(self._groups.find(at) == group for at in one[0])]
            stones = {at for at, one in self._number.items() if self._groups.find(one) == group}
            yield Family(
                self._color,
                frozenset(stones),
                frozenset(at for _, space, _ in mine for at in space),
                frozenset(
                    at for at, one in self._filled.items() if self._groups.find(one) == group
                ),
                min(sum(eyes for _, _, eyes in mine), ALIVE),
            )

    def _divide(self) -> None:
        """Find the regions that only this colour borders, and those that both do."""
        empty = [at for at, cell in enumerate(self._cells) if cell == EMPTY]
        for region in components(empty, self._near):
            met = {self._cells[beside] for at in region for beside in self._near[at]} - {EMPTY}
            if met == {int(self._color)}:
                self._own |= region
            elif len(met) > 1:
                self.dame |= region

    def _chains_beside(self, at: int) -> set[int]:
        """The chains beside a point; a false eye counts as a stone of the chain it connects."""
        found = set()
        for beside in self._near[at]:
            number = self._number.get(beside, self._filled.get(beside))
            if number is not None:
                found.add(self._groups.find(number))
        return found

    def _chains_around(self, region: Iterable[int]) -> set[int]:
        return {one for at in region for one in self._chains_beside(at)}

    def _fill_one_point(self) -> bool:
        """Fill one point that must be filled, if there is one."""
        beside = {at: self._chains_beside(at) for at in sorted(self._own)}
        only: dict[int, int] = {}
        for at, units in beside.items():
            for unit in units:
                only[unit] = -1 if unit in only else at
        every = {self._groups.find(one) for one in range(len(self._chains))}
        for at, units in beside.items():
            loose = {one for one in units if only[one] == at and self._can_be_attacked(one)}
            if loose and not self._escapes(
                loose, at, {one for one in every if only.get(one) != at}
            ):
                self._own.remove(at)
                self._filled[at] = min(loose)
                self._groups.join(units)
                return True
        return False

    def _escapes(self, loose: set[int], at: int, rest: set[int]) -> bool:
        """True if units whose only point is `at` can connect elsewhere over dame, moving first.

        Elsewhere is where units live by other points, or everything around `at`.
        """
        space = next(one for one in components(self._own, self._near) if at in one)
        around, known = self._chains_around(space), self._groups.copy()
        known.join(rest)
        for one in filter(self._is_safe_cut, self.dame):
            known.join(self._chains_beside(one))
        met = [frozenset(map(known.find, self._chains_beside(one))) for one in self.dame]
        links = dict(enumerate(one for one in met if len(one) > 1))
        for move in {frozenset[int](), *links.values()}:
            groups = known.copy()
            groups.join(move)
            join_inseparable(groups, links)
            safe = {groups.find(one) for one in rest}
            held = {groups.find(one) for one in around}
            if len(held) == 1 or all(groups.find(one) in safe for one in loose):
                return True
        return False

    def _is_safe_cut(self, at: int) -> bool:
        """True if an opponent's stone would be in atari at once."""
        sides = [self._cells[one] for one in self._near[at]]
        return -self._color not in sides and sides.count(EMPTY) < 2

    def _can_be_attacked(self, unit: int) -> bool:
        """True if an opponent's stone touches the unit or can be played beside it."""
        theirs, dame = -self._color, self.dame
        return any(
            self._cells[beside] == theirs or beside in dame
            for at, number in self._number.items()
            if self._groups.find(number) == unit
            for beside in self._near[at]
        )

    def _count_eyes(self, space: set[int]) -> int:
        """The eyes that a space can become if its owner moves first."""
        if len(space) <= 2 * _LARGE:
            space = {at for at in space if not self._is_cut(at, space)}
        taken = {at for at in space if self._board.cells[at] != EMPTY}
        inner = sum(1 for at in taken if sum(one in space for one in self._near[at]) > 1)
        if len(space) - inner > _LARGE:
            return ALIVE
        if any(self._count_parts(space - {at}) > 1 for at in space - taken):
            return ALIVE
        return ALIVE if self._lives_in_captures(taken) else min(len(space), 1)

    def _is_cut(self, at: int, space: set[int]) -> bool:
        """True if only this point at the end of a space connects the stones beside it.

        Then an opponent's stone there cuts them, and the point is a false eye.
        """
        sides = self._near[at]
        if sum(one in space for one in sides) > 1 or not sides:
            return False
        met, edge, left = {at, sides[0]}, [sides[0]], set(sides[1:])
        while edge and left:
            here = edge.pop()
            for one in self._near[here]:
                if one not in met and self._stays_connected(here, one):
                    met.add(one)
                    left.discard(one)
                    edge.append(one)
        return bool(left)

    def _stays_connected(self, here: int, there: int) -> bool:
        """True if the stones connected at one point are connected at the next, without two dame."""
        if self._cells[there] == -self._color:
            return False
        return here not in self.dame or there not in self.dame

    def _count_parts(self, space: set[int]) -> int:
        return len(components(space, self._near))

    def _lives_in_captures(self, taken: set[int]) -> bool:
        """True if the space of captured dead stones alone makes two eyes."""
        rooms = components(taken, self._near)
        cuts = sum(self._count_parts(room - {at}) > 1 for room in rooms for at in room)
        return len(rooms) + cuts // 2 >= ALIVE


_LARGE = 5
"""A space of more points is two eyes, less the dead stones in the middle of it."""
