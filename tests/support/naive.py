"""The rules of Go written as plainly as possible, to judge the fast ones by: floods and lists."""

from __future__ import annotations

from godaemon.errors import Reason
from godaemon.rules.named_rulesets import Ko, Ruleset
from godaemon.rules.points import Color, Point, Size

Stones = dict[Point, Color]


def beside(size: Size, point: Point) -> list[Point]:
    steps = ((0, 1), (1, 0), (0, -1), (-1, 0))
    near = [Point(point.column + right, point.row + up) for right, up in steps]
    return [each for each in near if size.has(each)]


def chain(size: Size, stones: Stones, start: Point) -> set[Point]:
    """Connected stones of one colour."""
    found = {start}
    while True:
        more = {
            near
            for stone in found
            for near in beside(size, stone)
            if stones.get(near) is stones[start]
        }
        if more <= found:
            return found
        found |= more


def breathes(size: Size, stones: Stones, one: set[Point]) -> bool:
    return any(near not in stones for stone in one for near in beside(size, stone))


class NaiveGame:
    """Every position of the game is kept, and each is compared with each."""

    def __init__(self, size: Size, ruleset: Ruleset) -> None:
        self.size, self.ruleset = size, ruleset
        self.history: list[tuple[Stones, Color]] = [({}, Color.BLACK)]
        self.prisoners = [{Color.BLACK: 0, Color.WHITE: 0}]
        self.movers: list[Color] = []

    @property
    def stones(self) -> Stones:
        return self.history[-1][0]

    def after(self, color: Color, point: Point) -> Stones:
        """The stones after a move on an empty point, legal or not."""
        stones = self.stones | {point: color}
        for owner in (color.opponent, color):  # only chains at the new stone can lose a liberty
            for start in (*beside(self.size, point), point):
                if stones.get(start) is owner:
                    one = chain(self.size, stones, start)
                    if not breathes(self.size, stones, one):
                        stones = {at: each for at, each in stones.items() if at not in one}
        return stones

    def verdict(self, color: Color, point: Point) -> Reason | None:
        """Why a move is illegal, or None."""
        if not self.size.has(point):
            return Reason.OFF_BOARD
        if point in self.stones:
            return Reason.OCCUPIED
        after = self.after(color, point)
        if point not in after and (not self.ruleset.suicide or after == self.stones):
            return Reason.SUICIDE
        return self._repetition(color, after)

    def _repetition(self, color: Color, after: Stones) -> Reason | None:
        ko = self.ruleset.ko
        retaken = (
            len(self.history) > 1
            and self.movers[-1] is color.opponent
            and after == self.history[-2][0]
            and not self.stones.keys() <= after.keys()
        )
        if ko is Ko.SIMPLE:
            return Reason.KO if retaken else None
        for number, (stones, _) in enumerate(self.history):
            if stones == after and color.opponent in self._left_to(number):
                return Reason.KO if retaken else Reason.SUPERKO
        return None

    def _left_to(self, number: int) -> set[Color]:
        """The players to whom what stood after so many moves may not be left again."""
        (stones, mover), ko = self.history[number], self.ruleset.ko
        if ko is Ko.POSITIONAL:
            return set(Color)
        if ko is Ko.NATURAL:
            passed = number > 0 and stones == self.history[number - 1][0]
            return set() if passed else {mover}
        return {mover, *self.movers[number : number + 1]}

    def play(self, color: Color, point: Point) -> None:
        before, after = self.stones, self.after(color, point)
        taken = dict(self.prisoners[-1])
        for stone, owner in (before | {point: color}).items():
            if stone not in after:
                taken[owner.opponent] += 1
        self.movers.append(color)
        self.history.append((after, color.opponent))
        self.prisoners.append(taken)

    def pass_(self, color: Color) -> None:
        self.movers.append(color)
        self.history.append((self.stones, color.opponent))
        self.prisoners.append(self.prisoners[-1])

    def undo(self) -> None:
        """Take the last move or pass back, if there is one."""
        if len(self.history) > 1:
            self.movers.pop()
            self.history.pop()
            self.prisoners.pop()
