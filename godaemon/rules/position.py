"""A board with its history: legal moves by the ruleset, ko and superko, prisoners, undo.

`play` raises `IllegalMove`, whose `reason` names the rule. Turns are not checked: a colour may move
twice in a row (GTP 2 draft 2, 6.3.3).
"""

from collections.abc import Iterable, Sequence

from godaemon.errors import IllegalMove, Reason
from godaemon.rules.board import EMPTY, Board, flood, is_suicide, place, points_of, unplace
from godaemon.rules.points import Color, Point, Size
from godaemon.rules.repetition import PASSES, Move, MoveHistory, Spot, move_code, spots
from godaemon.rules.ruleset import Resumption, Ruleset
from godaemon.texts.catalogue import sentence

__all__ = ["Move", "Position"]

REPETITIONS = 3
"""How often a position must occur before a game may end with no result."""
_MUTABLE = {"board", "prisoners", "_history", "_turns_given"}
"""The attributes that a position changes in place, so a copy needs its own."""


class Position:
    """A board, its history, and who is to move.

    `handicap` stones are set up before the first move and are not part of the history, so `undo`
    never reaches them (GTP 2 draft 2, 6.3.3). With handicap stones White moves first.
    `set_up_white` is for records of problems. If it has stones, the black ones are no handicap, and
    Black moves first.
    Raises `IllegalMove` if a stone is set up off the board or on another one.

    Two positions are equal if they have the same ruleset, setup, moves and turn. Compare `board`
    to compare stones only. Queries never change the board, so several threads may query it.

    >>> from godaemon.rules.points import parse_point
    >>> from godaemon.rules.named_rulesets import RULESETS
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
        "_history",
        "_near",
        "_spots",
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
        set_up_white: Iterable[Point] = (),
    ) -> None:
        self.handicap = tuple(dict.fromkeys(handicap))
        self.set_up_white = tuple(dict.fromkeys(set_up_white))
        self.board = board = Board(size)
        self.ruleset = ruleset
        first = Color.WHITE if self.handicap and not self.set_up_white else Color.BLACK
        self._history = MoveHistory(size.points, first)
        self._cells = board.cells
        self._near = board.neighbours
        self._spots = spots(size)
        self.prisoners = {Color.BLACK: 0, Color.WHITE: 0}
        """The stones that each colour has captured."""
        self._turns_given: dict[int, Color] = {}
        """The colours that `give_turn` set, by the number of moves before."""
        for color, points in ((Color.BLACK, self.handicap), (Color.WHITE, self.set_up_white)):
            for point in points:
                index, _, cell, _ = self._empty_spot(color, point)
                self._cells[index] = cell

    def _empty_spot(self, color: Color, point: Point) -> Spot:
        """The `Spot` of an empty point; raises `IllegalMove` for any other point."""
        spot = self._spots[color].get(point)
        if spot is None:
            reason = sentence("off-board", point=point, size=self.size, last=self.size.last)
            raise IllegalMove(reason, Reason.OFF_BOARD)
        if self._cells[spot[0]]:
            raise IllegalMove(sentence("occupied", point=point), Reason.OCCUPIED)
        return spot

    def copy(self) -> "Position":
        twin = Position.__new__(Position)
        for name in Position.__slots__:
            value = getattr(self, name)
            setattr(twin, name, value.copy() if name in _MUTABLE else value)
        twin._cells = twin.board.cells  # noqa: SLF001 - another Position
        return twin

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash((self.board, self.to_move, self.move_number))

    def _identity(self) -> tuple[object, ...]:
        stones = (self.size, frozenset(self.handicap), frozenset(self.set_up_white))
        return (self.ruleset, stones, self._history.played, self._history.first, self.to_move)

    # -- what has been played ------------------------------------------------------------------
    @property
    def size(self) -> Size:
        return self.board.size

    @property
    def to_move(self) -> Color:
        last_move = self.last
        usual_turn = last_move.color.opponent if last_move else self._history.first
        return self._turns_given.get(self.move_number, usual_turn)

    @property
    def moves(self) -> tuple[Move, ...]:
        return tuple([move for _, _, _, move in self._history.played])

    @property
    def move_number(self) -> int:
        return len(self._history.played)

    @property
    def handicap_count(self) -> int:
        """The number of handicap stones; 0 if white stones were set up too."""
        return 0 if self.set_up_white else len(self.handicap)

    @property
    def last(self) -> Move | None:
        played = self._history.played
        return played[-1][3] if played else None

    @property
    def captured(self) -> tuple[Point, ...]:
        """The stones that the last move captured."""
        return self.board.points_at(self._history.captures.get(self.move_number, ()))

    def count_passes(self) -> int:
        """The number of consecutive passes at the end of the game so far."""
        count = 0
        for index, *_ in reversed(self._history.played):
            if index >= 0:
                break
            count += 1
        return count

    @property
    def pass_stones(self) -> dict[Color, int]:
        """The stones that each colour received for passes, if the ruleset has pass stones.

        If White must pass last and Black did, White owes one more (AGA Concise Rules, 7 and 12).
        """
        counts = {Color.BLACK: 0, Color.WHITE: 0}
        if self.ruleset.pass_stones:
            for color, point in self.moves:
                counts[color.opponent] += point is None
            if self.ruleset.white_passes_last and self.last == Move(Color.BLACK, None):
                counts[Color.BLACK] += 1
        return counts

    def liberties(self, point: Point) -> frozenset[Point]:
        """The liberties of the chain at a point; empty if there is no stone."""
        return self.all_liberties().get(point, frozenset())

    def all_liberties(self) -> dict[Point, frozenset[Point]]:
        """The liberties of every stone on the board; stones of one chain share one set."""
        board, points = self.board, points_of(self.size)
        liberties_of: dict[Point, frozenset[Point]] = {}
        for index, cell in enumerate(board.cells):
            if cell != EMPTY and points[index] not in liberties_of:
                chain = flood(board.cells, board.neighbours, index)
                liberties = frozenset(points[each] for each in board.liberties(chain))
                liberties_of.update((points[stone], liberties) for stone in chain)
        return liberties_of

    # -- legal moves ---------------------------------------------------------------------------
    def dry_run(self, color: Color, point: Point) -> tuple[Point, ...]:
        """The stones that a move would capture; it is not played. Raises `IllegalMove`."""
        spot = self._empty_spot(color, point)
        captures = self._simulate(spot)
        refusal = self._refusal(spot, captures)
        if refusal is not None:
            raise refusal
        return self.board.points_at(captures)

    def is_legal(self, color: Color, point: Point) -> bool:
        spot = self._spots[color].get(point)
        if spot is None or self._cells[spot[0]]:
            return False
        return self._refusal(spot, self._simulate(spot)) is None

    def legal_moves(self, color: Color) -> tuple[Point, ...]:
        """All legal moves of `color` except passing, in the order of the board.

        Most moves need no check: they have a liberty, and no such stone was ever captured there.
        `is_legal` checks the others.
        """
        ever_captured = self._history.ever_captured[move_code(0, color) :: 2]
        points, near = points_of(self.size), self._near
        free = [index for index, cell in enumerate(self._cells) if not cell]
        is_blocked = set(free).isdisjoint
        return tuple(
            [
                points[index]
                for index in free
                if not (ever_captured[index] or is_blocked(near[index]))
                or self.is_legal(color, points[index])
            ]
        )

    def repeats(self, color: Color, point: Point) -> int | None:
        """The number of the move whose board this move would repeat, or None.

        The ruleset may allow the repetition (`is_legal`).
        """
        spot = self._spots[color].get(point)
        if spot is None or self._cells[spot[0]]:
            return None
        return self._history.earlier_occurrence(spot, self._simulate(spot), self.ruleset.ko)

    # -- stops and ends ------------------------------------------------------------------------
    @property
    def is_stopped(self) -> bool:
        """True if the last pass stopped play, so that dead stones can be agreed on.

        Passes before and after a resumption count as one row: play stops whenever the length of the
        row is a multiple of the ruleset's number.
        """
        passes = self.count_passes()
        return passes > 0 and passes % self.ruleset.passes == 0

    @property
    def is_settled(self) -> bool:
        """True if the passes have ended the game with every stone alive.

        Two passes do if no stones are removed (Tromp-Taylor); four do if the players stopped,
        disagreed and stopped again (AGA rule 9; Ing).
        """
        settles = self.ruleset.settles
        return settles is not None and self.count_passes() >= settles

    @property
    def is_long_cycle(self) -> bool:
        """True if the players may agree that the game has no result (Nihon Kiin 1989, art. 12).

        The position has occurred `REPETITIONS` times after a stone, with the same player to move.
        """
        if not self.ruleset.long_cycle or not self.captured:
            return False
        return self._history.count_occurrences(self.to_move.opponent) >= REPETITIONS

    def first_after_stop(self, asker: Color) -> Color:
        """The colour that moves first when `asker` resumes a stopped game."""
        opponent_moves = self.ruleset.resumption is Resumption.OPPONENT
        return asker.opponent if opponent_moves else self.to_move

    # -- playing and undoing -------------------------------------------------------------------
    def play(self, color: Color, point: Point) -> tuple[Point, ...]:
        """Play a stone and return its captures; if it raises `IllegalMove`, nothing has changed.

        The stone is placed at once, and removed if a rule forbids it. Most moves capture nothing
        and repeat no stone, so they need no further check (`tests.benchmarks.rules`).
        """
        index, code, cell, _ = spot = self._empty_spot(color, point)
        history = self._history
        captures = place(self._cells, self._near, index, cell)
        if captures or history.ever_captured[code]:
            self._check_and_record(spot, captures)
        history.played.append(spot)
        return self.board.points_at(captures) if captures else ()

    def play_all(self, game: Iterable[tuple[Color, Point | None]]) -> None:
        """Play moves and passes in order.

        Raises `IllegalMove` at the first illegal move; those before it stay played.
        """
        for color, point in game:
            if point is None:
                self.pass_(color)
            else:
                self.play(color, point)

    def pass_(self, color: Color) -> None:
        self._history.played.append(PASSES[color])

    def give_turn(self, color: Color) -> None:
        """Let `color` move next, for example after play resumes; the history is kept."""
        if not self._history.played:
            self._history.first = color
        elif color is not self.to_move:
            self._turns_given[self.move_number] = color

    def undo(self) -> Move | None:
        """Undo the last move or pass and return it; None if there is none."""
        if not self._history.played:
            return None
        if self._turns_given:
            self._turns_given.pop(self.move_number, None)
        (index, _, cell, move), captures = self._history.take_back()
        if index >= 0:
            if captures:
                suicide = is_suicide(index, captures)
                taker = move.color.opponent if suicide else move.color
                self.prisoners[taker] -= len(captures)
            unplace(self._cells, index, cell, captures)
        return move

    # -- legality ------------------------------------------------------------------------------
    def _check_and_record(self, spot: Spot, captures: Sequence[int]) -> None:
        """Record the captures of a move; if it is illegal, remove its stone and raise."""
        index, code, cell, (color, _) = spot
        suicide = is_suicide(index, captures)
        if suicide or self._history.ever_captured[code]:
            refusal = self._refusal(spot, captures)
            if refusal is not None:
                unplace(self._cells, index, cell, captures)
                raise refusal
        if captures:
            self._history.record_captures(spot, captures)
            self.prisoners[color.opponent if suicide else color] += len(captures)

    def _simulate(self, spot: Spot) -> Sequence[int]:
        """The captures of a move on an empty point."""
        index, _, cell, _ = spot
        return place(self._cells[:], self._near, index, cell)

    def _refusal(self, spot: Spot, captures: Sequence[int]) -> IllegalMove | None:
        index, _, _, move = spot
        if is_suicide(index, captures) and (len(captures) == 1 or not self.ruleset.suicide):
            return IllegalMove(sentence("suicide", point=move.point), Reason.SUICIDE)
        return self._history.refusal(spot, captures, self.ruleset.ko)
