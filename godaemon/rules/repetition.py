"""Moves, the history of a board, and the positions that a ruleset forbids to repeat.

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
stone and its captures. Raises nothing.
"""

import random
from collections.abc import Sequence
from functools import lru_cache, reduce
from operator import xor
from typing import NamedTuple

from godaemon.errors import IllegalMove, Reason
from godaemon.rules.board import is_suicide, points_of
from godaemon.rules.points import LARGEST, Color, Point, Size
from godaemon.rules.ruleset import Ko
from godaemon.texts.catalogue import sentence


class Move(NamedTuple):
    """A stone on a point, or a pass if `point` is None."""

    color: Color
    point: Point | None


Spot = tuple[int, int, int, Move]
"""A point for one colour: index, code, cell value, move. A pass has index -1."""


def move_code(index: int, color: int) -> int:
    """One number for a stone on a point, or for a pass, from 0: Black's even, White's odd."""
    return 2 * (index + 1) + (color < 0)


PASSES: dict[Color, Spot] = {
    color: (-1, move_code(-1, color), int(color), Move(color, None)) for color in Color
}


@lru_cache(maxsize=64)
def spots(size: Size) -> dict[Color, dict[Point, Spot]]:
    """The `Spot` of each point by colour; all games of a size share the table."""
    return {
        color: {
            point: (index, move_code(index, color), int(color), Move(color, point))
            for index, point in enumerate(points_of(size))
        }
        for color in Color
    }


_bits = random.Random("godaemon").getrandbits  # noqa: S311 - no secret, and the same each time
_KEYS = [0, 0, *(_bits(128) for _ in range(2 * LARGEST**2))]
"""A random number for each `move_code`, 0 for a pass; a board's hash is the XOR of its stones'."""


class MoveHistory:
    """The moves of a game, and what they captured."""

    __slots__ = ("_hashes", "captures", "ever_captured", "first", "played")

    def __init__(self, points: int, first: Color) -> None:
        self.first = first
        """The colour that moves first."""
        self.played: list[Spot] = []
        self.captures: dict[int, Sequence[int]] = {}
        """The captures of moves, by move number."""
        self.ever_captured = bytearray(2 * (points + 1))
        """1 at the `move_code` of each stone that was ever captured, even if undone since."""
        self._hashes = [0]
        """The hash of the board at the start (0) and after each move, as far as it was needed."""

    def copy(self) -> "MoveHistory":
        twin = MoveHistory.__new__(MoveHistory)
        twin.first = self.first
        twin.played = self.played.copy()
        twin.captures = self.captures.copy()
        twin.ever_captured = self.ever_captured.copy()
        twin._hashes = self._hashes.copy()  # noqa: SLF001 - another MoveHistory
        return twin

    def record_captures(self, spot: Spot, captures: Sequence[int]) -> None:
        """Record the captures of the next move, which is appended to `played` afterwards."""
        self.captures[len(self.played) + 1] = captures
        owner = _owner_of_captures(spot, captures)
        for stone in captures:
            self.ever_captured[move_code(stone, owner)] = 1

    def take_back(self) -> tuple[Spot, Sequence[int]]:
        """Remove the last move; returns it and its captures."""
        number = len(self.played)
        del self._hashes[number:]
        return self.played.pop(), self.captures.pop(number, ())

    def refusal(self, spot: Spot, captures: Sequence[int], ko: Ko) -> IllegalMove | None:
        """The refusal of a move that repeats what the ruleset forbids, or None."""
        point, is_simple = spot[3].point, ko is Ko.SIMPLE
        earlier = None if is_simple else self.earlier_occurrence(spot, captures, ko)
        if (is_simple or earlier is not None) and self._retakes(spot, captures):
            repeats = len(self.played) - 1
            return IllegalMove(sentence("ko", point=point), Reason.KO, repeats=repeats)
        if earlier is None:
            return None
        moment = sentence("after-move" if earlier else "before-first-move", number=earlier)
        reason = sentence("superko", point=point, when=moment)
        return IllegalMove(reason, Reason.SUPERKO, repeats=earlier)

    def _retakes(self, spot: Spot, captures: Sequence[int]) -> bool:
        """True if a stone captures the stone that has just captured a single stone at its point."""
        if len(captures) != 1 or not self.played:
            return False
        index, _, color_number, _ = spot
        last_index, _, last_color_number, _ = self.played[-1]
        last_captures = self.captures.get(len(self.played), ())
        return (
            color_number != last_color_number
            and captures[0] == last_index
            and [*last_captures] == [index]
        )

    def earlier_occurrence(self, spot: Spot, captures: Sequence[int], ko: Ko) -> int | None:
        """The number of the first move after which the board was as after this one, or None."""
        index, code, _, (color, _) = spot
        # Only a stone that was captured before, or suicide, can repeat a board.
        if not (self.ever_captured[code] or is_suicide(index, captures)):
            return None
        last, last_code, *_ = self.played[-1] if self.played else (-1, 0)
        # No earlier board has the stone of the last move, if none was ever captured there.
        if last >= 0 and last not in captures and not self.ever_captured[last_code]:
            return None
        hashes = self._all_hashes()
        result = hashes[-1] ^ _KEYS[code] ^ _hash_of_captures(spot, captures)
        if result not in hashes:
            return None
        repeated = (number for number, one in enumerate(hashes) if one == result)
        return next((one for one in repeated if self._forbids_repeating(one, color, ko)), None)

    def count_occurrences(self, mover: Color) -> int:
        """How often a stone of `mover` led to the present board; the start counts as a stone."""
        hashes = self._all_hashes()
        return sum(
            one == hashes[-1] and self._was_stone(number) and self._mover(number) is mover
            for number, one in enumerate(hashes)
        )

    def _all_hashes(self) -> list[int]:
        hashes, captures = self._hashes, self.captures
        for number, spot in enumerate(self.played[len(hashes) - 1 :], len(hashes)):
            change = _KEYS[spot[1]]
            if number in captures:
                change ^= _hash_of_captures(spot, captures[number])
            hashes.append(hashes[-1] ^ change)
        return hashes

    def _forbids_repeating(self, number: int, color: Color, ko: Ko) -> bool:
        """True if the ruleset forbids `color` to repeat the board after this move number."""
        if ko in {Ko.SIMPLE, Ko.POSITIONAL}:
            return True
        if self._mover(number) is color:
            return ko is Ko.SITUATIONAL or self._was_stone(number)
        skipped = number < len(self.played) and self.played[number][3].color is not color
        return ko is Ko.SITUATIONAL and skipped

    def _mover(self, number: int) -> Color:
        """The colour that made the move; for the start, the one that does not move first."""
        return self.played[number - 1][3].color if number else self.first.opponent

    def _was_stone(self, number: int) -> bool:
        """True if the move was no pass; the start counts as a stone."""
        return not number or self.played[number - 1][0] >= 0


def _owner_of_captures(spot: Spot, captures: Sequence[int]) -> int:
    """The colour number of captured stones: the mover's own in a suicide."""
    index, _, color_number, _ = spot
    return color_number if is_suicide(index, captures) else -color_number


def _hash_of_captures(spot: Spot, captures: Sequence[int]) -> int:
    owner = _owner_of_captures(spot, captures)
    return reduce(xor, (_KEYS[move_code(stone, owner)] for stone in captures), 0)
