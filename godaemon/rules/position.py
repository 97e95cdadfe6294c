"""A board with its history: legality by the ruleset, ko and superko, prisoners, dry run and undo.

Pure. `play` raises `IllegalMove`, whose `reason` says which rule forbids the move; alternation is
not a matter of legality here (GTP 2 draft 2, 6.3.3: consecutive moves of a colour are legal).
What a move may not repeat is `godaemon.rules.history`'s business.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from godaemon.errors import IllegalMove
from godaemon.rules import moves
from godaemon.rules.board import EMPTY, Board, connected, place, points_of, unplace
from godaemon.rules.history import History
from godaemon.rules.moves import PASSES, Move, Spot
from godaemon.rules.points import Color, Point, Size
from godaemon.rules.ruleset import Ruleset

__all__ = ["Move", "Position"]


class Position(History):
    """A board, how it came about, and who is to move.

    `handicap` stones are set up before the first move and are no part of the history, so that
    `undo` never reaches them (GTP 2 draft 2, 6.3.3); White moves first where there are any.
    `white` stones are set up like them, as records of problems do, and then Black moves first.
    Raises `IllegalMove` where a stone is set up off the board or on another one.

    Two positions are equal when they are the same game so far: ruleset, stones set up, moves and
    turn. Compare `board` to ask for the same stones. Questions change nothing, not even for a
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

    __slots__ = ("_due", "_irregular", "handicap", "prisoners", "set_up_white")

    def __init__(
        self,
        size: Size,
        ruleset: Ruleset,
        handicap: Iterable[Point] = (),
        *,
        white: Iterable[Point] = (),
    ) -> None:
        board = Board(size)
        self.handicap = tuple(dict.fromkeys(handicap))
        self.set_up_white = tuple(dict.fromkeys(white))
        for color, points in ((Color.BLACK, self.handicap), (Color.WHITE, self.set_up_white)):
            for point in points:
                _set_up(board, point, color)
        first = Color.WHITE if self.handicap and not self.set_up_white else Color.BLACK
        super().__init__(board, ruleset, first)
        self.prisoners = {Color.BLACK: 0, Color.WHITE: 0}
        """Stones taken *by* that colour."""
        self._due: Color | None = first
        """Who moves next by alternation; None where `give_turn` says otherwise."""
        self._irregular: dict[int, tuple[Color, Color | None]] = {}
        """`to_move` and `_due` after so many moves, where the next move did not alternate."""

    def copy(self) -> Position:
        """Another position with the same board and the same past."""
        twin = Position.__new__(Position)
        for name in (*History.__slots__, *Position.__slots__):
            value = getattr(self, name)
            own = isinstance(value, Board | list | dict | set) and value is not self._spots
            setattr(twin, name, value.copy() if own else value)
        return twin

    def __reduce__(self) -> tuple[Callable[..., Position], tuple[object, ...]]:
        """As its moves, each a number: much less than what is known of them beforehand."""
        moves = [own * (index + 2) for index, _, own, _, _ in self._turns]
        turns = (self._first, self.to_move, self._due, self._irregular)
        return _again, (self.size, self.ruleset, self.handicap, self.set_up_white, moves, turns)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash((self.board.key, self.to_move, len(self._turns)))

    def _identity(self) -> tuple[object, ...]:
        stones = (self.size, frozenset(self.handicap), frozenset(self.set_up_white))
        return (self.ruleset, stones, self._turns, self._first, self.to_move)

    @property
    def size(self) -> Size:
        """The board's size."""
        return self.board.size

    @property
    def over(self) -> bool:
        """Whether passes have stopped play, or neither side has a move but to pass."""
        if self.passes() >= self.ruleset.passes:
            return True
        return not any(True for color in Color for _ in self._legal_moves(color))

    def placed(self) -> tuple[Move, ...]:
        """The stones on the board in the order in which they were placed, set-up stones first."""
        left = {index for index, cell in enumerate(self.board.cells) if cell != EMPTY}
        sides = ((Color.BLACK, self.handicap), (Color.WHITE, self.set_up_white))
        set_up = [self._spots[color][point] for color, points in sides for point in points]
        found = []
        for index, *_, move in reversed(set_up + self._turns):
            if index in left:
                left.remove(index)
                found.append(move)
        return tuple(reversed(found))

    def liberties(self, point: Point) -> frozenset[Point]:
        """The liberties of the stone on a point, with its chain; none where there is no stone."""
        spot = self._spots[Color.BLACK].get(point)
        if spot is None or self.board.cells[spot[0]] == EMPTY:
            return frozenset()
        return frozenset(map(self.board.point, self.board.liberties(self.board.chain(spot[0]))))

    def all_liberties(self) -> dict[Point, frozenset[Point]]:
        """The liberties of every stone on the board; stones of one chain have one set."""
        board, points = self.board, points_of(self.size)
        found: dict[Point, frozenset[Point]] = {}
        for index, cell in enumerate(board.cells):
            if cell != EMPTY and points[index] not in found:
                chain = connected(board.cells, board.table, index)
                liberties = frozenset(points[each] for each in board.liberties(chain))
                found.update((points[stone], liberties) for stone in chain)
        return found

    def dry_run(self, color: Color, point: Point) -> tuple[Point, ...]:
        """The stones a move would take; nothing is changed. Raises `IllegalMove`."""
        spot = self._spots[color].get(point)
        if spot is None:
            raise moves.off_board(self.size, point)
        if self.board.cells[spot[0]] != EMPTY:
            raise moves.occupied(point)
        cells = self.board.cells[:]
        taken = place(cells, self.board.table, spot[0], spot[2])
        refusal = self._refusal(spot, taken, cells)
        if refusal is not None:
            raise refusal
        return self.board.points_at(taken)

    def is_legal(self, color: Color, point: Point) -> bool:
        """Whether the rules let `color` play there now."""
        try:
            self.dry_run(color, point)
        except IllegalMove:
            return False
        return True

    def legal_moves(self, color: Color) -> tuple[Point, ...]:
        """Where the rules let `color` play now, in the order of the board; passing always is."""
        return tuple(self._legal_moves(color))

    def _legal_moves(self, color: Color) -> Iterator[Point]:
        for index, point in enumerate(points_of(self.size)):
            if not self.board.cells[index] and (
                self._free(index, color) or self.is_legal(color, point)
            ):
                yield point

    def _free(self, index: int, color: int) -> bool:
        """Whether a move is seen at once to be legal: most are, and letters offer all there are.

        The stone has a liberty, it is beside none that it could take, and no earlier position had
        as many stones (as `play` says).
        """
        if self._short:
            return False
        cells, breathes = self.board.cells, False
        for beside in self.board.table[index]:
            cell = cells[beside]
            if not cell:
                breathes = True
            elif cell != color:
                return False
        return breathes

    def play(self, color: Color, point: Point) -> tuple[Point, ...]:
        """Play a stone and return those it captured; raises `IllegalMove` and changes nothing.

        The one hot path, and written as such. One look-up gives all that is known of the point;
        the stone is put down at once, and taken back where a rule forbids it. A move that takes
        nothing while there are as many stones as ever there were makes more than ever there were:
        so it repeats nothing, and nine moves of ten in real games need no further look. All
        others are judged in `_arrive`, those that take nothing too: after captures elsewhere they
        can put the last missing stone of an earlier position in its place.
        """
        try:
            spot = self._spots[color][point]
        except KeyError:
            raise moves.off_board(self.size, point) from None
        index, number, own, opponent, _ = spot
        board = self.board
        cells = board.cells
        if cells[index]:
            raise moves.occupied(point)
        taken = place(cells, board.table, index, own)
        if taken or self._short:
            self._arrive(spot, taken)
        else:
            board.key = key = board.key ^ number
            self._rising.append(key)
        if color is not self._due:
            self._irregular[len(self._turns)] = self.to_move, self._due
        self._turns.append(spot)
        self.to_move = self._due = opponent
        return board.points_at(taken) if taken else ()

    def _arrive(self, spot: Spot, taken: Sequence[int]) -> None:
        """Judge and note a move that may repeat; where it is illegal, take it back and raise."""
        index, _, own, opponent, (color, _) = spot
        board = self.board
        key = board.after(index, own, taken)
        short = self._short - 1 + len(taken)
        known = key in self._seen
        if known or self._rose(short, key) or (taken and taken[0] == index):
            refusal = self._refusal(spot, taken, board.cells)
            if refusal is not None:
                unplace(board.cells, index, own, taken)
                raise refusal
        board.key, self._short = key, short
        self._late[len(self._turns) + 1] = taken, known
        if not known:
            self._seen.add(key)
        if taken:
            self.prisoners[opponent if taken[0] == index else color] += len(taken)

    def pass_(self, color: Color) -> None:
        """Pass: always legal."""
        if color is not self._due:
            self._irregular[len(self._turns)] = self.to_move, self._due
        self._turns.append(PASSES[color])
        self.to_move = self._due = color.opponent

    def undo(self) -> Move | None:
        """Take the last move or pass back and return it; None where there is none."""
        turns = self._turns
        if not turns:
            return None
        index, number, _, _, move = spot = turns[-1]
        if index >= 0:
            if len(turns) in self._late:
                self._leave(spot)
            else:
                board = self.board
                board.cells[index] = 0
                board.key ^= number
                self._rising.pop()
        turns.pop()
        self.to_move = self._due = move[0]
        if len(turns) in self._irregular:
            self.to_move, self._due = self._irregular.pop(len(turns))
        return move

    def _leave(self, spot: Spot) -> None:
        """Undo `_arrive`."""
        index, _, own, opponent, (color, _) = spot
        board = self.board
        taken, known = self._late.pop(len(self._turns))
        if not known:
            self._seen.remove(board.key)
        self._short += 1 - len(taken)
        if taken:
            self.prisoners[opponent if taken[0] == index else color] -= len(taken)
        unplace(board.cells, index, own, taken)
        board.key = board.after(index, own, taken)  # the same numbers take themselves back

    def give_turn(self, color: Color) -> None:
        """Let `color` move next, as resuming play may ask; the history is kept."""
        if not self._turns:
            self.to_move = self._due = self._first = color
        elif color is not self.to_move:
            self.to_move, self._due = color, None

    def _refusal(self, spot: Spot, taken: Sequence[int], after: list[int]) -> IllegalMove | None:
        """Why a move that leaves the cells `after` is illegal, or None."""
        if taken and taken[0] == spot[0] and (len(taken) == 1 or not self.ruleset.suicide):
            return moves.suicide(spot)
        return self._repetition(spot, taken, after)


def _again(
    size: Size,
    ruleset: Ruleset,
    handicap: Iterable[Point],
    white: Iterable[Point],
    moves: Iterable[int],
    turns: tuple[Color, Color, Color | None, dict[int, tuple[Color, Color | None]]],
) -> Position:
    """The position that `Position.__reduce__` told of."""
    position = Position(size, ruleset, handicap, white=white)
    position._first, to_move, due, irregular = turns  # noqa: SLF001 - it is one of us
    points = points_of(size)
    for move in moves:
        color, index = (Color.BLACK, move - 2) if move > 0 else (Color.WHITE, -move - 2)
        if index < 0:
            position.pass_(color)
        else:
            position.play(color, points[index])
    position.to_move, position._due = to_move, due  # noqa: SLF001
    position._irregular = irregular  # noqa: SLF001
    return position


def _set_up(board: Board, point: Point, color: Color) -> None:
    if not board.size.has(point):
        raise moves.off_board(board.size, point)
    index = board.index(point)
    if board.cells[index] != EMPTY:
        raise moves.occupied(point)
    board.put(index, color)
