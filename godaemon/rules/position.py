"""A board with its history: legality by the ruleset, ko and superko, prisoners, dry run and undo.

Pure. `play` raises `IllegalMove`, whose `reason` says which rule forbids the move; alternation is
not a matter of legality here (GTP 2 draft 2, 6.3.3: consecutive moves of a colour are legal).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from godaemon.errors import IllegalMove, Reason
from godaemon.rules.board import EMPTY, Board, Outcome
from godaemon.rules.points import Color, Point, Size
from godaemon.rules.rulesets import Ko, Ruleset

_NOTHING = Outcome((), 0, suicide=False)
_WHITE_NEXT = 0x9E3779B97F4A7C15  # flips a position's key where White is to move (situational)


class Move(NamedTuple):
    """A stone on a point, or a pass where `point` is None."""

    color: Color
    point: Point | None


class _Turn(NamedTuple):
    """What `undo` needs: the move, what it did, and what stood before it."""

    move: Move
    outcome: Outcome
    key: int
    to_move: Color


class Position:
    """A board, how it came about, and who is to move.

    `handicap` stones are set up before the first move and are no part of the history, so that
    `undo` never reaches them (GTP 2 draft 2, 6.3.3); White moves first where there are any.
    `white` stones are set up like them, as records of problems do, and then Black moves first.
    Raises `IllegalMove` where a stone is set up off the board or on another one.
    """

    __slots__ = (
        "_seen",
        "_turns",
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
        self.ruleset = ruleset
        self.board = Board(size)
        self.handicap = tuple(dict.fromkeys(handicap))
        self.set_up_white = tuple(dict.fromkeys(white))
        for point in self.handicap:
            self._set_up(point, Color.BLACK)
        for point in self.set_up_white:
            self._set_up(point, Color.WHITE)
        self.to_move = Color.WHITE if self.handicap and not self.set_up_white else Color.BLACK
        self.prisoners = {Color.BLACK: 0, Color.WHITE: 0}
        """Stones taken *by* that colour."""
        self._turns: list[_Turn] = []
        self._seen = {self._situation(self.board.key, self.to_move): 0}

    def copy(self) -> Position:
        """Another position with the same board and the same past."""
        twin = Position.__new__(Position)
        twin.ruleset, twin.to_move = self.ruleset, self.to_move
        twin.handicap, twin.set_up_white = self.handicap, self.set_up_white
        twin.board = self.board.copy()
        twin.prisoners = dict(self.prisoners)
        twin._turns = self._turns[:]  # noqa: SLF001 - it is one of us
        twin._seen = dict(self._seen)  # noqa: SLF001
        return twin

    @property
    def size(self) -> Size:
        """The board's size."""
        return self.board.size

    @property
    def moves(self) -> tuple[Move, ...]:
        """All moves and passes, the first one first."""
        return tuple(turn.move for turn in self._turns)

    @property
    def move_number(self) -> int:
        """How many moves and passes have been made."""
        return len(self._turns)

    @property
    def last(self) -> Move | None:
        """The last move or pass."""
        return self._turns[-1].move if self._turns else None

    @property
    def captured(self) -> tuple[Point, ...]:
        """The stones that the last move took off the board."""
        if not self._turns:
            return ()
        return tuple(map(self.board.point, self._turns[-1].outcome.captured))

    def passes(self) -> int:
        """How many passes in a row the game ends with so far."""
        count = 0
        for turn in reversed(self._turns):
            if turn.move.point is not None:
                break
            count += 1
        return count

    def dry_run(self, color: Color, point: Point) -> tuple[Point, ...]:
        """The stones a move would take; nothing is changed. Raises `IllegalMove`."""
        return tuple(map(self.board.point, self._legal(color, point).captured))

    def is_legal(self, color: Color, point: Point) -> bool:
        """Whether the rules let `color` play there now."""
        try:
            self._legal(color, point)
        except IllegalMove:
            return False
        return True

    def repeats(self, color: Color, point: Point) -> int | None:
        """The number of the move after which the board stood as a move on an empty point leaves it.

        None where it would be new. Whether the ruleset minds is another matter (`is_legal`).
        """
        outcome = self.board.outcome(self.board.index(point), color)
        return self._seen.get(self._situation(outcome.key, color.opponent))

    def play(self, color: Color, point: Point) -> tuple[Point, ...]:
        """Play a stone and return those it captured; raises `IllegalMove` and changes nothing."""
        outcome = self._legal(color, point)
        self._record(Move(color, point), outcome)
        self.board.apply(self.board.index(point), color, outcome)
        taker = color.opponent if outcome.suicide else color
        self.prisoners[taker] += len(outcome.captured)
        self._arrive(color.opponent)
        return tuple(map(self.board.point, outcome.captured))

    def pass_(self, color: Color) -> None:
        """Pass: always legal."""
        self._record(Move(color, None), _NOTHING)
        if self.ruleset.ko is Ko.NATURAL:
            self.to_move = color.opponent
        else:
            self._arrive(color.opponent)

    def undo(self) -> Move | None:
        """Take the last move or pass back and return it; None where there is none."""
        if not self._turns:
            return None
        number, turn = len(self._turns), self._turns.pop()
        color, point = turn.move
        situation = self._situation(self.board.key, color.opponent)
        if self._seen.get(situation) == number:
            del self._seen[situation]
        if point is not None:
            self.board.unapply(self.board.index(point), color, turn.outcome, turn.key)
            taker = color.opponent if turn.outcome.suicide else color
            self.prisoners[taker] -= len(turn.outcome.captured)
        self.to_move = turn.to_move
        return turn.move

    def give_turn(self, color: Color) -> None:
        """Let `color` move next, as resuming play may ask; the history is kept."""
        self.to_move = color
        if not self._turns:
            self._seen = {self._situation(self.board.key, color): 0}

    def _set_up(self, point: Point, color: Color) -> None:
        if not self.size.has(point):
            raise IllegalMove(f"{point} is off the {self.size} board.", Reason.OFF_BOARD)
        index = self.board.index(point)
        if self.board.cells[index] != EMPTY:
            raise IllegalMove(f"There is already a stone on {point}.", Reason.OCCUPIED)
        self.board.put(index, color)

    def _record(self, move: Move, outcome: Outcome) -> None:
        self._turns.append(_Turn(move, outcome, self.board.key, self.to_move))

    def _arrive(self, to_move: Color) -> None:
        self.to_move = to_move
        self._seen.setdefault(self._situation(self.board.key, to_move), len(self._turns))

    def _situation(self, key: int, to_move: Color) -> int:
        """What may not come about again: the position, with the player to move if that counts."""
        if to_move is Color.WHITE and self.ruleset.ko in {Ko.SITUATIONAL, Ko.NATURAL}:
            return key ^ _WHITE_NEXT
        return key

    def _legal(self, color: Color, point: Point) -> Outcome:
        """What the move does; raises `IllegalMove`."""
        if not self.size.has(point):
            raise IllegalMove(f"{point} is off the {self.size} board.", Reason.OFF_BOARD)
        index = self.board.index(point)
        if self.board.cells[index] != EMPTY:
            raise IllegalMove(f"There is already a stone on {point}.", Reason.OCCUPIED)
        outcome = self.board.outcome(index, color)
        if outcome.suicide and (not self.ruleset.suicide or len(outcome.captured) == 1):
            message = f"{point} would be suicide: the stone there would have no liberty."
            raise IllegalMove(message, Reason.SUICIDE)
        self._forbid_repetition(color, point, outcome)
        return outcome

    def _forbid_repetition(self, color: Color, point: Point, outcome: Outcome) -> None:
        """Raise `IllegalMove` where the ruleset forbids what the move would bring back.

        A move that takes nothing is looked up as well: after captures elsewhere it can put the
        last missing stone of an earlier position in its place.
        """
        simple = self.ruleset.ko is Ko.SIMPLE
        earlier = None if simple else self._seen.get(self._situation(outcome.key, color.opponent))
        at_once = bool(self._turns and outcome.captured and outcome.key == self._turns[-1].key)
        if at_once and (simple or earlier is not None):
            message = f"{point} takes the ko back at once: play elsewhere first."
            raise IllegalMove(message, Reason.KO, repeats=len(self._turns) - 1)
        if earlier is not None:
            when = f"as it stood after move {earlier}" if earlier else "as it stood at the start"
            message = f"{point} would bring the board back {when}."
            raise IllegalMove(message, Reason.SUPERKO, repeats=earlier)
