"""A free board: what an ordinary GTP engine holds, one board on which anybody plays anything.

It knows no lines, files or sockets; it drives `godaemon.rules` and asks an `Engine` for moves. What
cannot be done raises a `Refusal` whose sentence is the specification's failure text.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Protocol

from godaemon.errors import IllegalMove, Refusal, Unreadable
from godaemon.rules import handicap, procedure, scoring
from godaemon.rules.points import LETTERS, Color, Point, Size
from godaemon.rules.position import Position
from godaemon.rules.rulesets import RULESETS, Ruleset

LARGEST_SIDE = len(LETTERS)
"""GTP names 25 columns with one letter each, so no side is longer (2.11)."""

DEFAULT_RULES = RULESETS["chinese-superko"]
"""Area and positional superko: programs can play to the end and agree on what they see."""


class Engine(Protocol):
    """What a free board asks a player; the module `godaemon.engine` is one."""

    def choose(self, position: Position, color: Color, *, rng: random.Random) -> Point | None:
        """A legal move for `color`, None to pass; the position is left as it was."""

    def dead_stones(self, position: Position) -> frozenset[Point]:
        """The stones that it takes for dead at the end of a game."""


def house() -> Engine:
    """Our own engine, loaded when it is first asked, so that a session starts at once."""
    from godaemon import engine  # noqa: PLC0415 - only sessions that play pay for it

    return engine


class FreeBoard:
    """A position, its komi, and a player to ask; everything is done by one of the methods.

    A new board is 19x19 and empty. The komi outlives `clear` (GTP 2 draft 2, 6.3.2) and so does
    the ruleset, which is the session's.
    """

    def __init__(
        self,
        ruleset: Ruleset = DEFAULT_RULES,
        *,
        engine: Callable[[], Engine] = house,
        rng: random.Random | None = None,
    ) -> None:
        self.position = Position(Size(19, 19), ruleset)
        self.komi = ruleset.komi
        self._engine = engine
        self._rng = rng or random.Random()  # noqa: S311 - moves, not secrets

    @property
    def size(self) -> Size:
        """The board's size."""
        return self.position.size

    def resize(self, width: int, height: int) -> None:
        """An empty board of another size; raises `Refusal`: unacceptable size."""
        if not (1 <= width <= LARGEST_SIDE and 1 <= height <= LARGEST_SIDE):
            raise Refusal("unacceptable size")
        self._begin(Size(width, height))

    def clear(self) -> None:
        """No stones, no prisoners, no history."""
        self._begin(self.size)

    def play(self, color: Color, point: Point | None) -> None:
        """A move or pass of either colour, also twice in a row and after passes."""
        if point is None:
            self.position.pass_(color)
        else:
            self.position.play(color, point)

    def choose(self, color: Color) -> Point | None:
        """The engine's move, which is not played."""
        return self._engine().choose(self.position, color, rng=self._rng)

    def undo(self) -> None:
        """Take the last move back; raises `Refusal`: cannot undo."""
        if self.position.undo() is None:
            raise Refusal("cannot undo")

    def place_fixed(self, stones: int) -> tuple[Point, ...]:
        """Handicap stones on their fixed points (4.1.1), and where they are."""
        self._demand_empty()
        try:
            points = handicap.fixed_points(self.size, stones)
        except Unreadable as refusal:
            raise Refusal("invalid number of stones") from refusal
        self._begin(self.size, points)
        return points

    def place_free(self, stones: int) -> tuple[Point, ...]:
        """Handicap stones where we like, and where they are: nine at most."""
        self._demand_empty()
        if not 2 <= stones < self.size.points:
            raise Refusal("invalid number of stones")
        most = handicap.most_fixed(self.size)
        if most:
            points = handicap.fixed_points(self.size, min(stones, most))
        else:
            points = _spread(self.size, min(stones, max(2, self.size.points // 6)))
        self._begin(self.size, points)
        return points

    def set_free(self, points: Sequence[Point | None]) -> None:
        """Handicap stones where the controller likes; raises `Refusal`: bad vertex list."""
        self._demand_empty()
        stones = {point for point in points if point is not None and self.size.has(point)}
        if len(stones) < len(points) or not 2 <= len(stones) < self.size.points:
            raise Refusal("bad vertex list")
        self._begin(self.size, tuple(stones))

    def load(self, data: bytes, before: int | None = None) -> Color:
        """The position of an SGF file before move `before`, or at its end; who is to move there.

        Size and komi come from the file, the rules stay ours. Raises `Refusal`: cannot load file.
        """
        from godaemon.records import replay, sgf  # noqa: PLC0415 - few sessions load a file

        try:
            record = sgf.read(data)
            upto = None if before is None else max(before - 1, 0)
            position = replay.replay(record, self.position.ruleset, upto)
        except (Unreadable, IllegalMove) as refusal:
            raise Refusal("cannot load file", detail=refusal.public) from refusal
        if max(record.size) > LARGEST_SIDE:
            raise Refusal("cannot load file", detail=f"{record.size} is more than GTP can name")
        self.position, self.komi = position, record.komi
        return position.to_move

    def score(self) -> str:
        """The result by our own judgement of what is dead: `B+3.5`, `W+2` or `0`."""
        return scoring.count(
            self.position.board,
            self._dead(),
            self.position.ruleset,
            prisoners=self.position.prisoners,
            komi=self.komi,
            handicap=len(self.position.handicap),
            handed=scoring.handed_over(self.position.moves, self.position.ruleset),
        ).result

    def chains(self, status: scoring.Status) -> tuple[frozenset[Point], ...]:
        """The chains of a status, by the engine's opinion on what is dead."""
        board = self.position.board
        return scoring.chains(board, scoring.of_status(board, self._dead(), status))

    def _dead(self) -> frozenset[Point]:
        """The stones that come off: the engine's opinion, unless the rules leave all of them on."""
        position = self.position
        if not position.ruleset.removal or procedure.settled(position):
            return frozenset()
        return self._engine().dead_stones(position)

    def _begin(self, size: Size, stones: Sequence[Point] = ()) -> None:
        self.position = Position(size, self.position.ruleset, stones)

    def _demand_empty(self) -> None:
        if any(self.position.board.cells):
            raise Refusal("board not empty")


def _spread(size: Size, stones: int) -> tuple[Point, ...]:
    """Points far from each other, for boards too small or too thin to have handicap points."""
    free = [Point(column, row) for row in range(size.height) for column in range(size.width)]
    placed = [free.pop(0)]
    while len(placed) < stones:
        far = max(free, key=lambda point: min(_distance(point, other) for other in placed))
        free.remove(far)
        placed.append(far)
    return tuple(placed)


def _distance(one: Point, other: Point) -> int:
    return abs(one.column - other.column) + abs(one.row - other.row)
