"""A board with its history: legality by the ruleset, ko and superko, prisoners, dry run and undo.

Pure. `play` raises `IllegalMove`, whose `reason` says which rule forbids the move; alternation is
not a matter of legality here (GTP 2 draft 2, 6.3.3: consecutive moves of a colour are legal).
How repetitions are found is told in `godaemon.rules.history`.
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


class Position:
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

    __slots__ = (
        "_history",
        "_next_in_turn",
        "_out_of_turn",
        "_spots",
        "board",
        "handicap",
        "prisoners",
        "ruleset",
        "set_up_white",
        "to_move",
    )

    def __init__(
        self,
        size: Size,
        ruleset: Ruleset,
        handicap: Iterable[Point] = (),
        *,
        white: Iterable[Point] = (),
    ) -> None:
        self.board = Board(size)
        self.ruleset = ruleset
        self.handicap = tuple(dict.fromkeys(handicap))
        self.set_up_white = tuple(dict.fromkeys(white))
        for color, points in ((Color.BLACK, self.handicap), (Color.WHITE, self.set_up_white)):
            for point in points:
                _set_up(self.board, point, color)
        first = Color.WHITE if self.handicap and not self.set_up_white else Color.BLACK
        self.to_move = first
        self.prisoners = {Color.BLACK: 0, Color.WHITE: 0}
        """Stones taken *by* that colour."""
        self._history = History(self.board, ruleset, first)
        self._next_in_turn: Color | None = first
        """The colour that moves next by alternation; None where `give_turn` says otherwise."""
        self._out_of_turn: dict[int, tuple[Color, Color | None]] = {}
        """`to_move` and `_next_in_turn` after so many moves, where the next did not alternate."""
        self._spots = moves.spots(size)

    def copy(self) -> Position:
        """Another position with the same board and the same past."""
        twin = Position.__new__(Position)
        for name in Position.__slots__:
            setattr(twin, name, getattr(self, name))
        twin.board, twin.prisoners = self.board.copy(), self.prisoners.copy()
        twin._history = self._history.copy(twin.board)  # noqa: SLF001 - it is one of us
        twin._out_of_turn = self._out_of_turn.copy()  # noqa: SLF001
        return twin

    def __reduce__(self) -> tuple[Callable[..., Position], tuple[object, ...]]:
        """As its moves, each a number: much less than what is known of them beforehand."""
        moves = [own * (index + 2) for index, _, own, _, _ in self._history.played]
        turns = (self._history.first, self.to_move, self._next_in_turn, self._out_of_turn)
        return _again, (self.size, self.ruleset, self.handicap, self.set_up_white, moves, turns)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash((self.board.key, self.to_move, self.move_number))

    def _identity(self) -> tuple[object, ...]:
        stones = (self.size, frozenset(self.handicap), frozenset(self.set_up_white))
        return (self.ruleset, stones, self._history.played, self._history.first, self.to_move)

    @property
    def size(self) -> Size:
        """The board's size."""
        return self.board.size

    @property
    def moves(self) -> tuple[Move, ...]:
        """All moves and passes, the first one first."""
        return tuple(spot[-1] for spot in self._history.played)

    @property
    def move_number(self) -> int:
        """The number of moves and passes made."""
        return len(self._history.played)

    @property
    def last(self) -> Move | None:
        """The last move or pass."""
        return self._history.played[-1][-1] if self._history.played else None

    @property
    def captured(self) -> tuple[Point, ...]:
        """The stones that the last move took off the board."""
        return self.board.points_at(self._history.taken(self.move_number))

    def passes(self) -> int:
        """The number of passes in a row that the game ends with so far."""
        count = 0
        for spot in reversed(self._history.played):
            if spot[0] >= 0:
                break
            count += 1
        return count

    def repeats(self, color: Color, point: Point) -> int | None:
        """The number of the move after which the board stood as a move on an empty point leaves it.

        None where it would be new. Whether the ruleset minds is another matter (`is_legal`).
        """
        spot = self._spots[color].get(point)
        if spot is None or self.board.cells[spot[0]]:
            return None
        after = self.board.cells[:]
        taken = place(after, self.board.neighbours, spot[0], spot[2])
        return self._history.earlier(spot, taken, after)

    def occurrences(self) -> int:
        """The times that this position came about by a stone with the same player to move.

        The one before the first move counts, and so does the present one. Looks back over the whole
        game, so ask it where it matters: after a capture, under rules that know long cycles.
        """
        return self._history.occurrences(self.to_move)

    @property
    def over(self) -> bool:
        """True where passes have stopped play, or neither side has a move but to pass."""
        if self.passes() >= self.ruleset.passes:
            return True
        return not any(True for color in Color for _ in self._legal_moves(color))

    def placed(self) -> tuple[Move, ...]:
        """The stones on the board in the order in which they were placed, set-up stones first."""
        left = {index for index, cell in enumerate(self.board.cells) if cell != EMPTY}
        sides = ((Color.BLACK, self.handicap), (Color.WHITE, self.set_up_white))
        set_up = [self._spots[color][point] for color, points in sides for point in points]
        found = []
        for index, *_, move in reversed(set_up + self._history.played):
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
                chain = connected(board.cells, board.neighbours, index)
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
        taken = place(cells, self.board.neighbours, spot[0], spot[2])
        refusal = self._refusal(spot, taken, cells)
        if refusal is not None:
            raise refusal
        return self.board.points_at(taken)

    def is_legal(self, color: Color, point: Point) -> bool:
        """True where the rules let `color` play there now."""
        try:
            self.dry_run(color, point)
        except IllegalMove:
            return False
        return True

    def legal_moves(self, color: Color) -> tuple[Point, ...]:
        """All legal moves of `color` but passing, which always is, in the order of the board."""
        return tuple(self._legal_moves(color))

    def _legal_moves(self, color: Color) -> Iterator[Point]:
        makes_peak = not self._history.stones_below_peak
        for index, point in enumerate(points_of(self.size)):
            if not self.board.cells[index] and (
                (makes_peak and self._is_open(index, color)) or self.is_legal(color, point)
            ):
                yield point

    def _is_open(self, index: int, color: int) -> bool:
        """True where a stone has a liberty and is beside none that it could take.

        Most moves are of that kind, and letters offer all there are: so they are seen at once.
        """
        cells, breathes = self.board.cells, False
        for beside in self.board.neighbours[index]:
            cell = cells[beside]
            if not cell:
                breathes = True
            elif cell != color:
                return False
        return breathes

    def play(self, color: Color, point: Point) -> tuple[Point, ...]:
        """Play a stone and return those it captured; raises `IllegalMove` and changes nothing.

        The one hot path, and written as such: one look-up gives all that is known of the point,
        the stone is put down at once, and taken back where a rule forbids it. Most moves make a
        peak (as `godaemon.rules.history` says), and need no further look.
        """
        try:
            spot = self._spots[color][point]
        except KeyError:
            raise moves.off_board(self.size, point) from None
        index, number, own, opponent, _ = spot
        board, history = self.board, self._history
        cells = board.cells
        if cells[index]:
            raise moves.occupied(point)
        taken = place(cells, board.neighbours, index, own)
        if taken or history.stones_below_peak:
            self._play_judged(spot, taken)
        else:
            board.key = key = board.key ^ number
            history.peak_keys.append(key)
        if color is not self._next_in_turn:
            self._out_of_turn[len(history.played)] = self.to_move, self._next_in_turn
        history.played.append(spot)
        self.to_move = self._next_in_turn = opponent
        return board.points_at(taken) if taken else ()

    def _play_judged(self, spot: Spot, taken: Sequence[int]) -> None:
        """Judge and note a move that makes no peak; where it is illegal, take it back and raise."""
        index, number, own, opponent, (color, _) = spot
        board, history = self.board, self._history
        key = board.after(index, own, taken) if taken else board.key ^ number
        if history.knows(key, taken) or (taken and taken[0] == index):
            refusal = self._refusal(spot, taken, board.cells)
            if refusal is not None:
                unplace(board.cells, index, own, taken)
                raise refusal
        board.key = key
        history.note(key, taken)
        if taken:
            self.prisoners[opponent if taken[0] == index else color] += len(taken)

    def pass_(self, color: Color) -> None:
        """Pass: always legal."""
        if color is not self._next_in_turn:
            self._out_of_turn[self.move_number] = self.to_move, self._next_in_turn
        self._history.played.append(PASSES[color])
        self.to_move = self._next_in_turn = color.opponent

    def undo(self) -> Move | None:
        """Take the last move or pass back and return it; None where there is none."""
        history = self._history
        played = history.played
        if not played:
            return None
        index, number, _, _, move = spot = played[-1]
        if index >= 0:
            if len(played) in history.judged_moves:
                self._undo_judged(spot)
            else:
                board = self.board
                board.cells[index] = 0
                board.key ^= number
                history.peak_keys.pop()
        played.pop()
        self.to_move = self._next_in_turn = move[0]
        if self._out_of_turn and len(played) in self._out_of_turn:
            self.to_move, self._next_in_turn = self._out_of_turn.pop(len(played))
        return move

    def _undo_judged(self, spot: Spot) -> None:
        """Take back what `_play_judged` did."""
        index, _, own, opponent, (color, _) = spot
        board = self.board
        taken = self._history.forget(board.key)
        if taken:
            self.prisoners[opponent if taken[0] == index else color] -= len(taken)
        unplace(board.cells, index, own, taken)
        board.key = board.after(index, own, taken)  # the same numbers take themselves back

    def give_turn(self, color: Color) -> None:
        """Let `color` move next, as resuming play may ask; the history is kept."""
        if not self.move_number:
            self.to_move = self._next_in_turn = self._history.first = color
        elif color is not self.to_move:
            self.to_move, self._next_in_turn = color, None

    def _refusal(self, spot: Spot, taken: Sequence[int], after: list[int]) -> IllegalMove | None:
        """Why a move that leaves the cells `after` is illegal, or None."""
        if taken and taken[0] == spot[0] and (len(taken) == 1 or not self.ruleset.suicide):
            return moves.suicide(spot)
        return self._history.refusal(spot, taken, after)


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
    position._history.first, to_move, next_in_turn, out_of_turn = turns  # noqa: SLF001 - one of us
    points = points_of(size)
    for move in moves:
        color, index = (Color.BLACK, move - 2) if move > 0 else (Color.WHITE, -move - 2)
        if index < 0:
            position.pass_(color)
        else:
            position.play(color, points[index])
    position.to_move, position._next_in_turn = to_move, next_in_turn  # noqa: SLF001
    position._out_of_turn = out_of_turn  # noqa: SLF001
    return position


def _set_up(board: Board, point: Point, color: Color) -> None:
    if not board.size.has(point):
        raise moves.off_board(board.size, point)
    index = board.index(point)
    if board.cells[index] != EMPTY:
        raise moves.occupied(point)
    board.put(index, color)
