"""Repetition: the history of a board, and the positions that a ruleset forbids to repeat.

What counts as a repetition:

- Positional superko: any earlier position.
- Situational: any earlier position with the same player to move. A pass makes such a situation.
  If a colour moves out of turn, or by `give_turn`, the skipped turn counts as a pass.
- Natural: any earlier position that the same player made with a stone. Passes and skipped turns
  do not count. The player who does not move first made the starting position.
- Simple ko: if a stone has just captured a single stone, that stone cannot be put back to
  capture it.

Superko considers the whole game, including the stones set up at its start.

A board can repeat only if the move puts back a captured stone, which one or two moves of a hundred
do. So we record which stones were ever captured. We then look at the last few moves: if the stone
of one of them still stands and was never captured, no board before it can be the same. Usually the
very last move settles it. Otherwise we look the board up among the hashes of all earlier boards. If
it is there, we go back through the game and compare stones, because a ruleset may forbid only some
repetitions. Pure; raises nothing.
"""

from collections.abc import Iterator, Sequence

from godaemon.errors import IllegalMove
from godaemon.rules import moves
from godaemon.rules.board import is_suicide, unplace
from godaemon.rules.moves import Spot
from godaemon.rules.points import Color
from godaemon.rules.ruleset import Ko, Ruleset

_RECENT_MOVES = 8
"""The moves to look at before hashing all boards, so that long games stay fast."""


class MoveHistory:
    """The moves of a game and their captures, on cells that others change."""

    __slots__ = (
        "_captures",
        "_cells",
        "_ever_captured",
        "_first",
        "_hashed",
        "_hashes",
        "_played",
        "ruleset",
    )

    def __init__(self, cells: list[int], ruleset: Ruleset, first: Color) -> None:
        self._cells = cells
        self.ruleset = ruleset
        self._played: list[Spot] = []
        self._first = first
        self._captures: dict[int, Sequence[int]] = {}
        """The captures of moves, by move number."""
        self._ever_captured = bytearray(2 * (len(cells) + 1))
        """1 at the `move_code` of each stone that was ever captured, even if undone since."""
        self._hashes: set[int] = set()
        """Hashes of the boards after fewer than `_hashed` moves, and of some undone ones."""
        self._hashed = 0

    def _repetition_refusal(
        self, spot: Spot, captures: Sequence[int], cells: list[int]
    ) -> IllegalMove | None:
        """The refusal of a move that repeats what the ruleset forbids, or None."""
        retakes, is_simple = self._retakes(spot, captures), self.ruleset.ko is Ko.SIMPLE
        earlier = None if is_simple else self._earlier_occurrence(spot, captures, cells)
        if retakes and (is_simple or earlier is not None):
            return moves.ko_error(spot, len(self._played) - 1)
        return None if earlier is None else moves.superko_error(spot, earlier)

    def _retakes(self, spot: Spot, captures: Sequence[int]) -> bool:
        """True if a stone captures the stone that has just captured a single stone at its point."""
        if len(captures) != 1 or not self._played:
            return False
        index, _, color_number, _ = spot
        last_index, _, last_color_number, _ = self._played[-1]
        last_captures = self._captures.get(len(self._played), ())
        return (
            color_number != last_color_number
            and captures[0] == last_index
            and [*last_captures] == [index]
        )

    def _earlier_occurrence(
        self, spot: Spot, captures: Sequence[int], cells: list[int]
    ) -> int | None:
        """The number of the first move that left `cells`, or None."""
        index, code, color_number, (color, _) = spot
        # Only a stone that was captured before, or suicide, can repeat a board.
        if not (self._ever_captured[code] or is_suicide(index, captures)):
            return None
        first, earliest = self._last_ruling_out(cells), None
        if 0 < first == len(self._played):  # the last move rules out all earlier boards
            return None
        # Compare all boards since the last move that rules out those before it.
        present = cells[:]
        unplace(present, index, color_number, captures)
        if first or self._may_have_occurred(present, cells):
            for number, before in self._past_boards(present):
                if number < first:
                    break
                if before == cells and self._forbids_repeating(number, color):
                    earliest = number
        return earliest

    def _last_ruling_out(self, cells: list[int]) -> int:
        """The number of the last recent move that rules out all earlier boards, or 0."""
        for number in range(len(self._played), max(len(self._played) - _RECENT_MOVES, 0), -1):
            index, code, color_number, _ = self._played[number - 1]
            if cells[index] == color_number and index >= 0 and not self._ever_captured[code]:
                return number
        return 0

    def _may_have_occurred(self, present: list[int], cells: list[int]) -> bool:
        """False if `cells` never occurred in the game; `present` are the current cells."""
        for number, before in self._past_boards(present[:]):
            if number < self._hashed:
                break
            self._hashes.add(_hash(before))
        self._hashed = len(self._played) + 1
        return _hash(cells) in self._hashes

    def _past_boards(self, cells: list[int]) -> Iterator[tuple[int, list[int]]]:
        """Each move number from the last down to 0, with the cells after that move.

        `cells` are the current ones; they are changed in place.
        """
        for number in range(len(self._played), 0, -1):
            yield number, cells
            index, _, color_number, _ = self._played[number - 1]
            if index >= 0:
                unplace(cells, index, color_number, self._captures.get(number, ()))
        yield 0, cells

    def _forbids_repeating(self, number: int, color: Color) -> bool:
        """True if the ruleset forbids `color` to repeat the board after this move number."""
        ko = self.ruleset.ko
        if ko in {Ko.SIMPLE, Ko.POSITIONAL}:
            return True
        if self._mover(number) is color:
            return ko is Ko.SITUATIONAL or self._was_stone(number)
        skipped = number < len(self._played) and self._played[number][3].color is not color
        return ko is Ko.SITUATIONAL and skipped

    def _mover(self, number: int) -> Color:
        """The colour that made the move; for the start, the one that does not move first."""
        return self._played[number - 1][3].color if number else self._first.opponent

    def _was_stone(self, number: int) -> bool:
        """True if the move was no pass; the start counts as a stone."""
        return not number or self._played[number - 1][0] >= 0


def _hash(cells: Sequence[int]) -> int:
    return hash(tuple(cells))
