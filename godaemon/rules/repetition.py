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
do. So we record which stones were ever captured, and look up the board only after such a move.
Boards are compared by their hashes of 128 bits (A. L. Zobrist, 1970), which a move changes by its
stone and its captures. Pure; raises nothing.
"""

import random
from collections.abc import Sequence
from functools import reduce
from operator import xor

from godaemon.errors import IllegalMove
from godaemon.rules import moves
from godaemon.rules.board import is_suicide
from godaemon.rules.moves import Spot
from godaemon.rules.points import LARGEST, Color
from godaemon.rules.ruleset import Ko, Ruleset

_bits = random.Random("godaemon").getrandbits  # noqa: S311 - no secret, and the same each time
_KEYS = [0, 0, *(_bits(128) for _ in range(2 * LARGEST**2))]
"""A random number for each `move_code`, 0 for a pass; a board's hash is the XOR of its stones'."""


class MoveHistory:
    """The moves of a game and their captures, on cells that others change."""

    __slots__ = ("_captures", "_cells", "_ever_captured", "_first", "_hashes", "_played", "ruleset")

    def __init__(self, cells: list[int], ruleset: Ruleset, first: Color) -> None:
        self._cells = cells
        self.ruleset = ruleset
        self._played: list[Spot] = []
        self._first = first
        self._captures: dict[int, Sequence[int]] = {}
        """The captures of moves, by move number."""
        self._ever_captured = bytearray(2 * (len(cells) + 1))
        """1 at the `move_code` of each stone that was ever captured, even if undone since."""
        self._hashes = [0]
        """The hash of the board at the start (0) and after each move, as far as it was needed."""

    def _repetition_refusal(self, spot: Spot, captures: Sequence[int]) -> IllegalMove | None:
        """The refusal of a move that repeats what the ruleset forbids, or None."""
        retakes, is_simple = self._retakes(spot, captures), self.ruleset.ko is Ko.SIMPLE
        earlier = None if is_simple else self._earlier_occurrence(spot, captures)
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

    def _earlier_occurrence(self, spot: Spot, captures: Sequence[int]) -> int | None:
        """The number of the first move after which the board was as after this one, or None."""
        index, code, _, (color, _) = spot
        # Only a stone that was captured before, or suicide, can repeat a board.
        if not (self._ever_captured[code] or is_suicide(index, captures)):
            return None
        last, last_code, *_ = self._played[-1] if self._played else (-1, 0)
        # No earlier board has the stone of the last move, if none was ever captured there.
        if last >= 0 and last not in captures and not self._ever_captured[last_code]:
            return None
        hashes = self._all_hashes()
        result = hashes[-1] ^ _KEYS[code] ^ _hash_of_captures(spot, captures)
        if result not in hashes:
            return None
        repeated = (number for number, one in enumerate(hashes) if one == result)
        return next((one for one in repeated if self._forbids_repeating(one, color)), None)

    def _all_hashes(self) -> list[int]:
        hashes, captures = self._hashes, self._captures
        for number, spot in enumerate(self._played[len(hashes) - 1 :], len(hashes)):
            change = _KEYS[spot[1]]
            if number in captures:
                change ^= _hash_of_captures(spot, captures[number])
            hashes.append(hashes[-1] ^ change)
        return hashes

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


def _hash_of_captures(spot: Spot, captures: Sequence[int]) -> int:
    index, _, color_number, _ = spot
    owner = color_number if is_suicide(index, captures) else -color_number
    return reduce(xor, (_KEYS[moves.move_code(stone, owner)] for stone in captures), 0)
