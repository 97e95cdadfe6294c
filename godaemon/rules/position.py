"""A board with its past: legality by the ruleset, ko and superko, prisoners, dry run and undo.

Pure. `play` raises `IllegalMove`, whose `reason` says which rule forbids the move; alternation is
not a matter of legality here (GTP 2 draft 2, 6.3.3: consecutive moves of a colour are legal).

How a repetition is found, without looking for it at most moves: a board comes back only where the
stone just played stood there once before, since when it was taken. So it is noted which stones were
ever *lost*, and a move that puts back none of them repeats nothing: of a hundred in real games one
or two put one back. For these the last moves are gone through: where the stone of one of them still
stands and was never lost, no board before it can be the same; mostly that is the very last one. In
the rare game that has none among its last few, the boards are known by their hashes. Only what is
left is gone through backwards, and stones are compared, since the ruleset may mind only some.

What repetition looks at. Positional superko: every earlier position.
Situational: every earlier position with the same player to move; a pass makes such a situation,
and where a colour moves out of turn (`give_turn` does the same) the turn it skipped counts like a
pass, so that both situations stood on the board. Natural: every earlier position that the same
player made with a stone, so that passes and skipped turns make nothing; the one at the start was
made by whoever was not to move. Simple ko: the stone that just took one stone may not be taken by
putting that one back. All of them remember the whole game, with the stones set up at its start.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import compress
from typing import Any

from godaemon.errors import IllegalMove
from godaemon.rules import moves
from godaemon.rules.board import EMPTY, Board, connected, open_points, place, points_of, unplace
from godaemon.rules.moves import PASSES, Move, Spot
from godaemon.rules.points import Color, Point, Size
from godaemon.rules.ruleset import Ko, Ruleset

__all__ = ["Move", "Position"]


class Position:
    """A board, how it came about, and who is to move.

    `handicap` stones are set up before the first move and are no part of the history, so that
    `undo` never reaches them (GTP 2 draft 2, 6.3.3); White moves first where there are any.
    `white` stones are set up like them, as records of problems do, and then Black moves first.
    Raises `IllegalMove` where a stone is set up off the board or on another one.

    Two positions are equal when they are the same game so far: ruleset, stones set up, moves and
    turn. Compare `board` to ask for the same stones. Questions change no stone, not even for a
    moment, so that several threads may ask.

    >>> from godaemon.rules.points import parse_point
    >>> from godaemon.rules.rulesets import RULESETS
    >>> position = Position(Size(9, 9), RULESETS["japanese"])
    >>> for name in ("C1", "A2", "B2", "E5", "A1"):
    ...     taken = position.play(position.to_move, parse_point(name))
    >>> position.play(Color.WHITE, parse_point("B1"))
    (Point(column=0, row=0),)
    >>> position.prisoners[Color.WHITE]
    1
    >>> position.play(Color.BLACK, parse_point("A1"))
    Traceback (most recent call last):
        ...
    godaemon.errors.IllegalMove: A1 takes the ko back at once: play elsewhere first.
    >>> position.pass_(Color.BLACK)
    >>> position.undo()
    Move(color=<Color.BLACK: 1>, point=None)
    >>> position.is_legal(Color.BLACK, parse_point("E6"))
    True
    """

    __slots__ = (
        "_cells",
        "_first",
        "_hashed",
        "_hashes",
        "_lost",
        "_near",
        "_played",
        "_spots",
        "_taken",
        "_turns_given",
        "board",
        "handicap",
        "prisoners",
        "ruleset",
        "set_up_white",
    )

    def __init__(
        self,
        size: Size,
        ruleset: Ruleset,
        handicap: Iterable[Point] = (),
        *,
        white: Iterable[Point] = (),
    ) -> None:
        self.board = board = Board(size)
        self._cells, self._near = board.cells, board.neighbours
        self.ruleset = ruleset
        self.handicap = tuple(dict.fromkeys(handicap))
        self.set_up_white = tuple(dict.fromkeys(white))
        self.prisoners = {Color.BLACK: 0, Color.WHITE: 0}
        """Stones taken *by* that colour."""
        self._spots = moves.spots(size)
        self._played: list[Spot] = []
        """Every move and pass."""
        self._first = Color.WHITE if self.handicap and not self.set_up_white else Color.BLACK
        """The colour that moves first."""
        self._turns_given: dict[int, Color] = {}
        """The colour whose turn `give_turn` made it, by the number of moves made before."""
        self._taken: dict[int, Sequence[int]] = {}
        """The stones that moves took, by the numbers of those moves."""
        self._lost = bytearray(2 * (size.points + 1))
        """By codes (`moves.code`): 1 for stones that were ever taken, even if that was undone."""
        self._hashes: set[int] = set()
        """Of the boards after fewer than `_hashed` moves, and of some that were taken back."""
        self._hashed = 0
        for color, points in ((Color.BLACK, self.handicap), (Color.WHITE, self.set_up_white)):
            for point in points:
                self._set_up(color, point)

    def _set_up(self, color: Color, point: Point) -> None:
        spot = self._spots[color].get(point)
        if spot is None:
            raise moves.off_board(self.size, point)
        index, _, own, _ = spot
        if self._cells[index] != EMPTY:
            raise moves.occupied(point)
        self._cells[index] = own

    def copy(self) -> Position:
        """Another position with the same board and the same past."""
        twin = Position.__new__(Position)
        for name in Position.__slots__:
            value = getattr(self, name)
            setattr(twin, name, value.copy() if name in _GROWING else value)
        twin._cells = twin.board.cells  # noqa: SLF001 - it is one of us
        return twin

    def __reduce__(self) -> tuple[type[Position], tuple[Size, Ruleset], tuple[object, ...]]:
        """As numbers, from which it is there again without a move being played."""
        state = (
            self.handicap,
            self.set_up_white,
            array("H", [code for _, code, _, _ in self._played]).tobytes(),
            array("b", self._cells).tobytes(),
            bytes(self._lost),
            self._taken,
            [*self.prisoners.values()],
            self._first,
            self._turns_given,
        )
        return Position, (self.size, self.ruleset), state

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        """Put in place what `__reduce__` told."""
        self.handicap, self.set_up_white, codes, cells, lost, self._taken, *rest = state
        prisoners, self._first, self._turns_given = rest
        every = moves.by_code(self.size)
        self._played = [every[code] for code in array("H", codes)]
        self._cells[:] = array("b", cells)
        self._lost = bytearray(lost)
        self.prisoners = dict(zip(Color, prisoners, strict=True))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash((self.board, self.to_move, self.move_number))

    def _identity(self) -> tuple[object, ...]:
        stones = (self.size, frozenset(self.handicap), frozenset(self.set_up_white))
        return (self.ruleset, stones, self._played, self._first, self.to_move)

    @property
    def size(self) -> Size:
        """The board's size."""
        return self.board.size

    @property
    def to_move(self) -> Color:
        """The colour that moves next."""
        number = len(self._played)
        if number in self._turns_given:
            return self._turns_given[number]
        return self._played[-1][3].color.opponent if number else self._first

    @property
    def moves(self) -> tuple[Move, ...]:
        """All moves and passes, the first one first."""
        return tuple([move for _, _, _, move in self._played])

    @property
    def move_number(self) -> int:
        """The number of moves and passes made."""
        return len(self._played)

    @property
    def handicap_count(self) -> int:
        """How many stones Black has for a handicap: none where White's were set up beside them."""
        return 0 if self.set_up_white else len(self.handicap)

    @property
    def last(self) -> Move | None:
        """The last move or pass."""
        return self._played[-1][3] if self._played else None

    @property
    def captured(self) -> tuple[Point, ...]:
        """The stones that the last move took off the board."""
        return self.board.points_at(self._taken.get(self.move_number, ()))

    def passes(self) -> int:
        """The number of passes in a row that the game ends with so far."""
        count = 0
        for index, *_ in reversed(self._played):
            if index >= 0:
                break
            count += 1
        return count

    def liberties(self, point: Point) -> frozenset[Point]:
        """The liberties of the stone on a point, with its chain; none where there is no stone."""
        spot = self._spots[Color.BLACK].get(point)
        if spot is None or self._cells[spot[0]] == EMPTY:
            return frozenset()
        return frozenset(map(self.board.point, self.board.liberties(self.board.chain(spot[0]))))

    def all_liberties(self) -> dict[Point, frozenset[Point]]:
        """The liberties of every stone on the board; stones of one chain have one set."""
        board, points = self.board, points_of(self.size)
        found: dict[Point, frozenset[Point]] = {}
        for index, cell in enumerate(board.cells):
            if cell != EMPTY and points[index] not in found:
                chain = connected(board.cells, board.neighbours, index)
                liberties = frozenset(points[each] for each in board.liberties(chain))
                found.update((points[stone], liberties) for stone in chain)
        return found

    def dry_run(self, color: Color, point: Point) -> tuple[Point, ...]:
        """The stones a move would take; nothing is changed. Raises `IllegalMove`."""
        spot = self._spots[color].get(point)
        if spot is None:
            raise moves.off_board(self.size, point)
        if self._cells[spot[0]] != EMPTY:
            raise moves.occupied(point)
        taken, after = self._tried(spot)
        refusal = self._refusal(spot, taken, after)
        if refusal is not None:
            raise refusal()
        return self.board.points_at(taken)

    def is_legal(self, color: Color, point: Point) -> bool:
        """True where the rules let `color` play there now."""
        spot = self._spots[color].get(point)
        if spot is None or self._cells[spot[0]] != EMPTY:
            return False
        return self._refusal(spot, *self._tried(spot)) is None

    def legal_moves(self, color: Color) -> tuple[Point, ...]:
        """All legal moves of `color` but passing, which always is, in the order of the board.

        A stone that has a liberty is no suicide, and one that was never taken there repeats
        nothing: letters offer all moves there are, and most are of that kind (`tests.benchmarks.
        compose`). The others are looked at one by one.
        """
        points, gone = points_of(self.size), self._lost[moves.code(0, color) :: 2]
        free, breathing = open_points(self._cells, self.size)
        legal = breathing & ~int(gone.translate(_DIGITS), 2)
        others = free & ~legal
        while others:
            last = others & -others
            others -= last
            if self.is_legal(color, points[-last.bit_length()]):
                legal |= last
        return tuple(compress(points, f"{legal:0{len(points)}b}".encode().translate(_TRUTH)))

    def play(self, color: Color, point: Point) -> tuple[Point, ...]:
        """Play a stone and return those it captured; raises `IllegalMove` and changes nothing.

        Hot, and written as such (`tests.benchmarks.rules`), as is `play_all`: one look-up gives all
        that is known of the point, the stone is put down at once, and taken back where a rule
        forbids it. Most moves take nothing and put no stone back, and need no further look.
        """
        try:
            index, code, own, _ = spot = self._spots[color][point]
        except KeyError:
            raise moves.off_board(self.size, point) from None
        cells = self._cells
        if cells[index]:
            raise moves.occupied(point)
        taken = place(cells, self._near, index, own)
        if taken or self._lost[code]:
            self._judge(spot, taken)
        self._played.append(spot)
        return self.board.points_at(taken) if taken else ()

    def play_all(self, game: Iterable[tuple[Color, Point | None]]) -> None:
        """Play moves and passes one after the other, as `play` and `pass_` do, but faster.

        Raises `IllegalMove` at the first that is illegal; those before it have been played.
        """
        cells, near, lost = self._cells, self._near, self._lost
        spots, played = self._spots, self._played
        try:
            for color, point in game:
                if point is None:
                    played.append(PASSES[color])
                    continue
                index, code, own, _ = spot = spots[color][point]
                if cells[index]:
                    raise moves.occupied(point)
                taken = place(cells, near, index, own)
                if taken or lost[code]:
                    self._judge(spot, taken)
                played.append(spot)
        except KeyError as unknown:
            raise moves.off_board(self.size, unknown.args[0]) from None

    def pass_(self, color: Color) -> None:
        """Pass: always legal."""
        self._played.append(PASSES[color])

    def give_turn(self, color: Color) -> None:
        """Let `color` move next, as resuming play may ask; the history is kept."""
        if not self._played:
            self._first = color
        elif color is not self.to_move:
            self._turns_given[len(self._played)] = color

    def undo(self) -> Move | None:
        """Take the last move or pass back and return it; None where there is none."""
        played = self._played
        if not played:
            return None
        number = len(played)
        index, _, own, move = played.pop()
        if self._turns_given:
            self._turns_given.pop(number, None)
        if index >= 0:
            taken = self._taken.pop(number, ())
            if taken:
                taker = move.color.opponent if taken[0] == index else move.color
                self.prisoners[taker] -= len(taken)
            unplace(self._cells, index, own, taken)
        if self._hashed:
            self._hashed = min(self._hashed, number)
        return move

    def _judge(self, spot: Spot, taken: Sequence[int]) -> None:
        """Note the stones that a move took; where it is illegal, take it back and raise."""
        index, code, own, (color, _) = spot
        suicide = bool(taken) and taken[0] == index
        if suicide or self._lost[code]:
            refusal = self._refusal(spot, taken, self._cells)
            if refusal is not None:
                unplace(self._cells, index, own, taken)
                raise refusal()
        if taken:
            self._taken[len(self._played) + 1] = taken
            self.prisoners[color.opponent if suicide else color] += len(taken)
            owner = own if suicide else -own
            for stone in taken:
                self._lost[moves.code(stone, owner)] = 1

    def _tried(self, spot: Spot) -> tuple[Sequence[int], list[int]]:
        """The stones that a move on an empty point takes, and the cells as it leaves them."""
        after = self._cells[:]
        return place(after, self._near, spot[0], spot[2]), after

    def _refusal(
        self, spot: Spot, taken: Sequence[int], after: list[int]
    ) -> Callable[[], IllegalMove] | None:
        """Why a move that leaves the cells `after` is illegal, or None; said where it is raised."""
        if taken and taken[0] == spot[0] and (len(taken) == 1 or not self.ruleset.suicide):
            return partial(moves.suicide, spot)
        retakes = self._retakes(spot, taken)
        if self.ruleset.ko is Ko.SIMPLE:
            return partial(moves.ko, spot, len(self._played) - 1) if retakes else None
        earlier = self._earlier(spot, taken, after)
        if earlier is None:
            return None
        if retakes:
            return partial(moves.ko, spot, len(self._played) - 1)
        return partial(moves.superko, spot, earlier)

    def _retakes(self, spot: Spot, taken: Sequence[int]) -> bool:
        """True where a stone takes the one that just took a single stone where it stands."""
        if len(taken) != 1 or not self._played:
            return False
        index, _, own, _ = self._played[-1]
        return (
            own != spot[2]
            and taken[0] == index
            and [*self._taken.get(self.move_number, ())] == [spot[0]]
        )

    def repeats(self, color: Color, point: Point) -> int | None:
        """The number of the move after which the board stood as a move on an empty point leaves it.

        None where it would be new. Whether the ruleset minds is another matter (`is_legal`).
        """
        spot = self._spots[color].get(point)
        if spot is None or self._cells[spot[0]]:
            return None
        return self._earlier(spot, *self._tried(spot))

    def occurrences(self) -> int:
        """The times that this position came about by a stone with the same player to move.

        The one before the first move counts, and so does the present one. Looks back over the whole
        game, so ask it where it matters: after a capture, under rules that know long cycles.
        """
        cells, mover = self._cells, self.to_move.opponent
        return sum(
            before == cells and self._by_stone(number) and self._maker(number) is mover
            for number, before in self._past(cells[:])
        )

    def _earlier(self, spot: Spot, taken: Sequence[int], after: list[int]) -> int | None:
        """The first number of moves after which the cells stood as a move leaves them, or None."""
        index, code, own, (color, _) = spot
        if not (self._lost[code] or (taken and taken[0] == index)):
            return None
        first, earliest = self._last_settled(after), None
        if 0 < first == len(self._played):
            return None
        now = after[:]
        unplace(now, index, own, taken)
        if first or self._may_have_stood(now, after):
            for number, before in self._past(now):
                if number < first:
                    break
                if before == after and self._stood(number, color):
                    earliest = number
        return earliest

    def _last_settled(self, after: list[int]) -> int:
        """The last of a few moves before which the cells cannot have stood so; 0 where none is."""
        for number in range(len(self._played), max(len(self._played) - _FEW, 0), -1):
            index, code, own, _ = self._played[number - 1]
            if after[index] == own and index >= 0 and not self._lost[code]:
                return number
        return 0

    def _may_have_stood(self, now: list[int], cells: list[int]) -> bool:
        """False where the cells never stood so in all the game; `now` are the present ones."""
        for number, before in self._past(now[:]):
            if number < self._hashed:
                break
            self._hashes.add(_hash(before))
        self._hashed = len(self._played) + 1
        return _hash(cells) in self._hashes

    def _past(self, cells: list[int]) -> Iterator[tuple[int, list[int]]]:
        """Every number of moves from now down to 0, with the stones that stood after so many.

        `cells` hold the present stones, and are taken apart.
        """
        for number in range(len(self._played), 0, -1):
            yield number, cells
            index, _, own, _ = self._played[number - 1]
            if index >= 0:
                unplace(cells, index, own, self._taken.get(number, ()))
        yield 0, cells

    def _stood(self, number: int, color: Color) -> bool:
        """True where the board after so many moves counts as left to the opponent by `color`."""
        ko = self.ruleset.ko
        if ko in {Ko.SIMPLE, Ko.POSITIONAL}:
            return True
        if self._maker(number) is color:
            return ko is Ko.SITUATIONAL or self._by_stone(number)
        skipped = number < len(self._played) and self._played[number][3].color is not color
        return ko is Ko.SITUATIONAL and skipped

    def _maker(self, number: int) -> Color:
        """The colour that made that move; of the start, the one that does not move first."""
        return self._played[number - 1][3].color if number else self._first.opponent

    def _by_stone(self, number: int) -> bool:
        """True where that move was no pass; the start is as good as a stone."""
        return not number or self._played[number - 1][0] >= 0


_FEW = 8
"""So many moves are gone through before all boards are hashed, lest a long game be gone through."""

_DIGITS, _TRUTH = bytes.maketrans(b"\0\1", b"01"), bytes.maketrans(b"01", b"\0\1")

_GROWING = {"board", "prisoners", "_played", "_turns_given", "_taken", "_lost", "_hashes"}
"""What a position changes in place, and a copy has of its own."""


def _hash(cells: Sequence[int]) -> int:
    return hash(tuple(cells))
