"""Seki, and points that must be filled: what territory rules do not count (Nihon Kiin 1989, 8).

`rules.scoring` applies it. All stones that are not agreed to be dead are alive. A living stone
without two eyes, beside dame that nobody can fill, is in seki. Other open dame count as filled. The
steps:

1. Empty regions that only one colour borders are its own; the others are dame. Dead stones count as
   empty. Chains connected at a filled point (2) are one unit.
2. A unit with a single own point must connect there if the opponent can put it in atari and it
   cannot connect elsewhere over dame. There its owner moves first and the opponent answers
   (`join_inseparable`); a point where an opponent's stone would be in atari at once is already
   connected. The single point is then a false eye, and is filled. Repeat until none is left.
3. Units that border the same own region, or the same dame, are a family: while that dame is open,
   they count as connected (a player who wants to cut them fills it).
4. A family has the eyes that its regions can still become. With fewer than two it is weak, unless
   it borders a region so open that it can make more. Dame that only weak families border stay
   open: these families are in seki, and so are weak ones that touch their stones; none of their
   points count. Dame beside stones that live without them can be filled.

No such rule is always right; filling the dame leaves less to guess. Counting eyes over regions is
an idea of lightvector's goscorer; the steps are our own.
"""

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from godaemon.rules.board import EMPTY, Board, Near, components
from godaemon.rules.inseparable_chains import chains_of, join_inseparable, merge_groups
from godaemon.rules.points import Color

ALIVE = 2
"""The eyes that make a family alive."""


class Family(NamedTuple):
    """Chains of one colour that live together; points are indices of the board."""

    color: Color
    stones: frozenset[int]
    points: frozenset[int]
    """Its own points that it need not fill, including those under dead stones."""
    filled: frozenset[int]
    """The false eyes: its own points where it must connect in the end."""
    eyes: int
    """The eyes that it can make, from 0 to `ALIVE`."""
    seki: bool = False
    """True if it lives without owning a point."""


def families(board: Board, dead: Iterable[int]) -> tuple[Family, ...]:
    """Black's families, then White's, if the stones at `dead` are dead."""
    cells = board.cells[:]
    for index in dead:
        cells[index] = EMPTY
    sides = [_Side(board, cells, color) for color in Color]
    result = [family for side in sides for family in side.families()]
    near, numbers = board.neighbours, range(len(result))
    regions = components(sides[0].dame, near)
    room = {index for region in regions if _has_room(cells, near, region) for index in region}
    poor = {number for number in numbers if result[number].eyes < ALIVE}
    weak = {number for number in poor if not _are_adjacent(near, room, result[number].stones)}
    seki = set[int]()
    for region in regions:
        border = {
            number for number in numbers if _are_adjacent(near, region, result[number].stones)
        }
        seki |= border if border <= weak else set()
    while more := {
        number for number in weak - seki if _touches_seki(near, result[number], result, seki)
    }:
        seki |= more
    return tuple(family._replace(seki=number in seki) for number, family in enumerate(result))


def _has_room(cells: list[int], near: Near, region: Iterable[int]) -> bool:
    """True if a point has no stone beside it, so players can still make eyes there."""
    return any(not any(cells[neighbour] for neighbour in near[index]) for index in region)


def _are_adjacent(near: Near, points: Iterable[int], stones: Collection[int]) -> bool:
    return any(neighbour in stones for index in points for neighbour in near[index])


def _touches_seki(near: Near, family: Family, others: list[Family], seki: set[int]) -> bool:
    sekis = (others[number] for number in seki if others[number].color != family.color)
    return any(_are_adjacent(near, family.stones, other.stones) for other in sekis)


class _Side:
    """Finds the families of one colour."""

    def __init__(self, board: Board, cells: list[int], color: Color) -> None:
        self._board, self._cells, self._color = board, cells, color
        self._near = board.neighbours
        self._chains = chains_of(cells, self._near, color)
        self._number = {
            index: number for number, chain in enumerate(self._chains) for index in chain
        }
        self._groups = list(range(len(self._chains)))
        self._own: set[int] = set()
        self.dame: set[int] = set()
        self._filled: dict[int, int] = {}
        """The false eyes, each with a chain that it connects."""
        self._divide()

    def families(self) -> Iterator[Family]:
        """The families, in the order of their first chains."""
        while self._fill_one_point():
            pass
        spaces = components(self._own, self._near)
        worth = [(self._chains_around(space), space, self._count_eyes(space)) for space in spaces]
        for region in (*spaces, *({index} for index in self.dame)):
            merge_groups(self._groups, self._chains_around(region))
        groups = self._groups
        for group in sorted(set(groups)):
            own = [space for space in worth if group in {groups[number] for number in space[0]}]
            stones = {index for index, number in self._number.items() if groups[number] == group}
            yield Family(
                self._color,
                frozenset(stones),
                frozenset(index for _, space, _ in own for index in space),
                frozenset(
                    index for index, number in self._filled.items() if groups[number] == group
                ),
                min(sum(eyes for _, _, eyes in own), ALIVE),
            )

    def _divide(self) -> None:
        """Find the regions that only this colour borders, and those that both border."""
        empty = [index for index, cell in enumerate(self._cells) if cell == EMPTY]
        for region in components(empty, self._near):
            colors = {
                self._cells[neighbour] for index in region for neighbour in self._near[index]
            } - {EMPTY}
            if colors == {int(self._color)}:
                self._own |= region
            elif len(colors) > 1:
                self.dame |= region

    def _chains_beside(self, index: int) -> set[int]:
        """The chains beside a point; a false eye counts as a stone of the chain it connects."""
        chains = set()
        for neighbour in self._near[index]:
            number = self._number.get(neighbour, self._filled.get(neighbour))
            if number is not None:
                chains.add(self._groups[number])
        return chains

    def _chains_around(self, region: Iterable[int]) -> set[int]:
        return {chain for index in region for chain in self._chains_beside(index)}

    def _fill_one_point(self) -> bool:
        """Fill one false eye; returns whether there was one."""
        units_beside = {index: self._chains_beside(index) for index in sorted(self._own)}
        only: dict[int, int] = {}
        """The only own point of each unit; -1 for a unit with several."""
        for index, units in units_beside.items():
            for unit in units:
                only[unit] = -1 if unit in only else index
        every = set(self._groups)
        for index, units in units_beside.items():
            weak = {one for one in units if only[one] == index and self._can_be_attacked(one)}
            if weak and not self._escapes(
                weak, index, {one for one in every if only.get(one) != index}
            ):
                self._own.remove(index)
                self._filled[index] = min(weak)
                merge_groups(self._groups, units)
                return True
        return False

    def _escapes(self, units: set[int], index: int, others: set[int]) -> bool:
        """True if units whose only point is `index` can connect elsewhere over dame, moving first.

        All must reach a unit with other own points (`others`), or everything around their
        space must connect.
        """
        space = next(space for space in components(self._own, self._near) if index in space)
        around, connected = self._chains_around(space), self._groups.copy()
        merge_groups(connected, others)
        for point in filter(self._is_protected, self.dame):
            merge_groups(connected, self._chains_beside(point))
        beside = [
            frozenset(connected[chain] for chain in self._chains_beside(point))
            for point in self.dame
        ]
        links = dict(enumerate(units for units in beside if len(units) > 1))
        for move in {frozenset[int](), *links.values()}:
            groups = connected.copy()
            merge_groups(groups, move)
            join_inseparable(groups, links)
            safe = {groups[chain] for chain in others}
            joined = len({groups[chain] for chain in around}) == 1
            if joined or safe.issuperset(groups[chain] for chain in units):
                return True
        return False

    def _is_protected(self, index: int) -> bool:
        """True if an opponent's stone there would stand alone, with at most one liberty."""
        sides = [self._cells[neighbour] for neighbour in self._near[index]]
        return -self._color not in sides and sides.count(EMPTY) < 2

    def _can_be_attacked(self, unit: int) -> bool:
        """True if an opponent's stone touches the unit or can be played beside it."""
        opponent, dame = -self._color, self.dame
        return any(
            self._cells[neighbour] == opponent or neighbour in dame
            for index, number in self._number.items()
            if self._groups[number] == unit
            for neighbour in self._near[index]
        )

    def _count_eyes(self, space: set[int]) -> int:
        """The eyes, up to `ALIVE`, that a space can become if its owner moves first."""
        if len(space) <= 2 * _TWO_EYED_SPACE:
            space = {index for index in space if not self._is_cut(index, space)}
        dead = {index for index in space if self._board.cells[index] != EMPTY}
        inner = sum(
            1 for index in dead if sum(neighbour in space for neighbour in self._near[index]) > 1
        )
        if len(space) - inner > _TWO_EYED_SPACE:
            return ALIVE
        if any(self._divides(index, space) for index in space - dead):
            return ALIVE
        # The points of captured dead stones may be enough.
        rooms = components(dead, self._near)
        cuts = sum(self._divides(index, room) for room in rooms for index in room)
        return ALIVE if len(rooms) + cuts // 2 >= ALIVE else min(len(space), 1)

    def _is_cut(self, index: int, space: set[int]) -> bool:
        """True if only this point at the end of a space connects the stones beside it.

        Then an opponent's stone there cuts them, and the point is a false eye.
        """
        neighbours = self._near[index]
        if sum(neighbour in space for neighbour in neighbours) > 1 or not neighbours:
            return False
        reached = {index, neighbours[0]}
        frontier = [neighbours[0]]
        unreached = set(neighbours[1:])
        while frontier and unreached:
            here = frontier.pop()
            for neighbour in self._near[here]:
                if neighbour not in reached and self._stays_connected(here, neighbour):
                    reached.add(neighbour)
                    unreached.discard(neighbour)
                    frontier.append(neighbour)
        return bool(unreached)

    def _stays_connected(self, index: int, neighbour: int) -> bool:
        """True if stones connected at one point are connected at the next; two dame are a cut."""
        if self._cells[neighbour] == -self._color:
            return False
        return index not in self.dame or neighbour not in self.dame

    def _divides(self, index: int, space: set[int]) -> bool:
        return len(components(space - {index}, self._near)) > 1


_TWO_EYED_SPACE = 5
"""A larger space, without the dead stones in its middle, is two eyes."""
