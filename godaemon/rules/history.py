"""What a game has come through: its moves, and the earlier positions that a move may repeat.

Pure; cannot fail. What repetition looks at. Positional superko: every earlier position.
Situational: every earlier position with the same player to move; a pass makes such a situation,
and where a colour moves out of turn (`give_turn` does the same) the turn it skipped counts like a
pass, so that both situations stood on the board. Natural: every earlier position that the same
player made with a stone, so that passes and skipped turns make nothing; the one at the start was
made by whoever was not to move. Simple ko: the stone that just took one stone may not be taken by
putting that one back. All of them remember the whole game, with the stones set up at its start.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from godaemon.errors import IllegalMove
from godaemon.rules import moves
from godaemon.rules.board import Board, place, unplace
from godaemon.rules.moves import Move, Spot
from godaemon.rules.points import Color, Point
from godaemon.rules.ruleset import Ko, Ruleset


class History:
    """The past of a board: every move, and a key of every position, most of them without a look.

    `godaemon.rules.position` adds to it and takes from it; here it is asked.
    """

    __slots__ = (
        "_first",
        "_late",
        "_rising",
        "_seen",
        "_short",
        "_spots",
        "_turns",
        "board",
        "ruleset",
        "to_move",
    )

    def __init__(self, board: Board, ruleset: Ruleset, first: Color) -> None:
        self.board = board
        self.ruleset = ruleset
        self.to_move = self._first = first
        self._turns: list[Spot] = []
        self._spots = moves.spots(board.size)
        self._rising = [board.key]
        """The key of the start, and of each position that had more stones than any before it."""
        self._short = 0
        """How many stones fewer there are now than the most there ever were."""
        self._late: dict[int, tuple[Sequence[int], bool]] = {}
        """Of other moves, by number: the stones taken, and whether such a move had left the key."""
        self._seen: set[int] = set()
        """The keys that such moves left."""

    @property
    def moves(self) -> tuple[Move, ...]:
        """All moves and passes, the first one first."""
        return tuple(spot[-1] for spot in self._turns)

    @property
    def move_number(self) -> int:
        """How many moves and passes have been made."""
        return len(self._turns)

    @property
    def last(self) -> Move | None:
        """The last move or pass."""
        return self._turns[-1][-1] if self._turns else None

    @property
    def captured(self) -> tuple[Point, ...]:
        """The stones that the last move took off the board."""
        return self.board.points_at(self._taken(len(self._turns)))

    def passes(self) -> int:
        """How many passes in a row the game ends with so far."""
        count = 0
        for spot in reversed(self._turns):
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
        taken = place(after, self.board.table, spot[0], spot[2])
        now = self.board.cells[:]
        return self._earlier(color, now, after) if self._known(spot, taken) else None

    def occurrences(self) -> int:
        """How often this position came about by a stone with the same player to move.

        The one before the first move counts, and so does the present one. Looks back over the whole
        game, so ask it where it matters: after a capture, under rules that know long cycles.
        """
        cells, mover = self.board.cells, self.to_move.opponent
        return sum(
            before == cells and self._by_stone(number) and self._maker(number) is mover
            for number, before in self._past(cells[:])
        )

    def _repetition(self, spot: Spot, taken: Sequence[int], after: list[int]) -> IllegalMove | None:
        """Why a move that leaves the cells `after` may not repeat what it repeats, or None."""
        if not self._known(spot, taken):
            return None
        if self.ruleset.ko is Ko.SIMPLE:
            return moves.ko(spot, len(self._turns) - 1) if self._retakes(spot, taken) else None
        now = after[:]
        unplace(now, spot[0], spot[2], taken)
        earlier = self._earlier(spot[4].color, now, after)
        if earlier is None:
            return None
        if self._retakes(spot, taken):
            return moves.ko(spot, len(self._turns) - 1)
        return moves.superko(spot, earlier)

    def _known(self, spot: Spot, taken: Sequence[int]) -> bool:
        """Whether a position stood that has the key of the one after this move."""
        key = self.board.after(spot[0], spot[2], taken)
        return key in self._seen or self._rose(self._short - 1 + len(taken), key)

    def _rose(self, short: int, key: int) -> bool:
        """Whether the position that first had so many stones (fewer than the most) has this key."""
        return 0 <= short < len(self._rising) and self._rising[-1 - short] == key

    def _retakes(self, spot: Spot, taken: Sequence[int]) -> bool:
        """Whether a stone takes the one that just took a single stone where it stands."""
        if len(taken) != 1 or not self._turns:
            return False
        last = self._turns[-1]
        return (
            last[3] is spot[4].color
            and taken[0] == last[0]
            and tuple(self._taken(len(self._turns))) == (spot[0],)
        )

    def _taken(self, number: int) -> Sequence[int]:
        """The stones that a move took."""
        return self._late[number][0] if number in self._late else ()

    def _earlier(self, color: Color, now: list[int], after: list[int]) -> int | None:
        """The first number of moves after which `after` stood as a move by `color` leaves it.

        That its key is known says that there is one, unless two positions share it or the other
        player was to move. So the game is gone through and stones are compared, which is slow,
        exact and rare. `now` holds the present stones and is taken apart.
        """
        earliest = None
        for number, before in self._past(now):
            if before == after and self._stood(number, color):
                earliest = number
        return earliest

    def _past(self, cells: list[int]) -> Iterator[tuple[int, list[int]]]:
        """Every number of moves from now down to 0, with the stones that stood after so many."""
        for number in range(len(self._turns), 0, -1):
            yield number, cells
            index, _, own, _, _ = self._turns[number - 1]
            if index >= 0:
                unplace(cells, index, own, self._taken(number))
        yield 0, cells

    def _stood(self, number: int, color: Color) -> bool:
        """Whether the board after so many moves counts as one that `color` left to the opponent."""
        ko = self.ruleset.ko
        if ko in {Ko.SIMPLE, Ko.POSITIONAL}:
            return True
        if self._maker(number) is color:
            return ko is Ko.SITUATIONAL or self._by_stone(number)
        skipped = number < len(self._turns) and self._turns[number][4].color is not color
        return ko is Ko.SITUATIONAL and skipped

    def _maker(self, number: int) -> Color:
        """Who made that move; of the start, who does not move first."""
        return self._turns[number - 1][4].color if number else self._first.opponent

    def _by_stone(self, number: int) -> bool:
        """Whether that move was no pass; the start is as good as a stone."""
        return not number or self._turns[number - 1][0] >= 0
