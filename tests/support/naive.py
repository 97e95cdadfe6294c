"""The rules of Go in simple, slow code, to compare the fast implementation with."""

from godaemon.errors import Reason
from godaemon.rules.points import Color, Point, Size
from godaemon.rules.ruleset import Ko, Ruleset

Stones = dict[Point, Color]


def neighbors(size: Size, point: Point) -> list[Point]:
    steps = ((0, 1), (1, 0), (0, -1), (-1, 0))
    near = [Point(point.column + right, point.row + up) for right, up in steps]
    return [each for each in near if size.has(each)]


def chain(size: Size, stones: Stones, start: Point) -> set[Point]:
    """The chain of the stone at `start`."""
    found = {start}
    while True:
        more = {
            near
            for stone in found
            for near in neighbors(size, stone)
            if stones.get(near) is stones[start]
        }
        if more <= found:
            return found
        found |= more


def has_liberty(size: Size, stones: Stones, group: set[Point]) -> bool:
    return any(near not in stones for stone in group for near in neighbors(size, stone))


class NaiveGame:
    """A game that keeps all positions, and compares each new one with all of them."""

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
            for start in (*neighbors(self.size, point), point):
                if stones.get(start) is owner:
                    group = chain(self.size, stones, start)
                    if not has_liberty(self.size, stones, group):
                        stones = {at: each for at, each in stones.items() if at not in group}
        return stones

    def verdict(self, color: Color, point: Point) -> Reason | None:
        """Why a move is illegal, or None if it is legal."""
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
            if stones == after and color.opponent in self._forbidden_movers(number):
                return Reason.KO if retaken else Reason.SUPERKO
        return None

    def _forbidden_movers(self, number: int) -> set[Color]:
        """The players who may not be to move again in position `number` of the history."""
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
        """Undo the last move or pass, if any."""
        if len(self.history) > 1:
            self.movers.pop()
            self.history.pop()
            self.prisoners.pop()
