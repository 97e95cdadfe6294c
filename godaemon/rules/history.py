"""The past of a board: its moves, and which earlier positions a new one may not repeat.

Pure; cannot fail. How a repetition is found, without looking for it at most moves: every position
has a key (`Board.key`). A move that takes nothing while there are as many stones as ever there were
makes a *peak*, more stones than at any time before: so it repeats nothing, and nine moves of ten in
real games are such. No more is done for it than to append its key to `peak_keys`, one for each
number of stones. Every other move is *judged*, those that take nothing too: after captures
elsewhere they can put the last missing stone of an earlier position in its place. Where its key is
that of an earlier judged move, or of the one peak of as many stones, the game is gone through
backwards and stones are compared, since two positions may share a key and the ruleset may mind only
some; that is slow, exact and rare.

What repetition looks at. Positional superko: every earlier position.
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
from godaemon.rules.board import Board, unplace
from godaemon.rules.moves import Spot
from godaemon.rules.points import Color
from godaemon.rules.ruleset import Ko, Ruleset


class History:
    """The moves that led to a board, and a key of every position on the way.

    `godaemon.rules.position` writes peaks into it by hand, for that is the hot path.
    """

    __slots__ = (
        "board",
        "first",
        "judged_keys",
        "judged_moves",
        "peak_keys",
        "played",
        "ruleset",
        "stones_below_peak",
    )

    def __init__(self, board: Board, ruleset: Ruleset, first: Color) -> None:
        self.board = board
        self.ruleset = ruleset
        self.first = first
        """The colour that moves first."""
        self.played: list[Spot] = []
        """Every move and pass."""
        self.peak_keys = [board.key]
        """The key of the start, and of each position that had more stones than any before it."""
        self.stones_below_peak = 0
        """The most stones there ever were, less those there are now."""
        self.judged_moves: dict[int, Sequence[int]] = {}
        """The stones taken by each move that made no peak, by its number."""
        self.judged_keys: dict[int, int] = {}
        """The keys that such moves left, with the number of the first one."""

    def copy(self, board: Board) -> History:
        """The same past, for a copy of the board."""
        twin = History(board, self.ruleset, self.first)
        twin.played, twin.peak_keys = self.played[:], self.peak_keys[:]
        twin.stones_below_peak = self.stones_below_peak
        twin.judged_moves, twin.judged_keys = self.judged_moves.copy(), self.judged_keys.copy()
        return twin

    def knows(self, key: int, taken: Sequence[int]) -> bool:
        """True where a position stood with the key that a move leaves by taking those stones."""
        if key in self.judged_keys:
            return True
        below = self.stones_below_peak - 1 + len(taken)
        return 0 <= below < len(self.peak_keys) and self.peak_keys[-1 - below] == key

    def note(self, key: int, taken: Sequence[int]) -> None:
        """Remember the judged move that is about to be added to `played`."""
        number = len(self.played) + 1
        self.judged_moves[number] = taken
        self.judged_keys.setdefault(key, number)
        self.stones_below_peak += len(taken) - 1

    def forget(self, key: int) -> Sequence[int]:
        """Undo `note` for the last of `played`, which left that key; the stones it took."""
        number = len(self.played)
        taken = self.judged_moves.pop(number)
        if self.judged_keys[key] == number:
            del self.judged_keys[key]
        self.stones_below_peak -= len(taken) - 1
        return taken

    def taken(self, number: int) -> Sequence[int]:
        """The stones that a move took."""
        return self.judged_moves.get(number, ())

    def refusal(self, spot: Spot, taken: Sequence[int], after: list[int]) -> IllegalMove | None:
        """Why a move that leaves the cells `after` may not repeat what it repeats, or None."""
        retakes = self._retakes(spot, taken)
        if self.ruleset.ko is Ko.SIMPLE:
            return moves.ko(spot, len(self.played) - 1) if retakes else None
        earlier = self.earlier(spot, taken, after)
        if earlier is None:
            return None
        return moves.ko(spot, len(self.played) - 1) if retakes else moves.superko(spot, earlier)

    def _retakes(self, spot: Spot, taken: Sequence[int]) -> bool:
        """True where a stone takes the one that just took a single stone where it stands."""
        if len(taken) != 1 or not self.played:
            return False
        last = self.played[-1]
        return (
            last[3] is spot[4].color
            and taken[0] == last[0]
            and tuple(self.taken(len(self.played))) == (spot[0],)
        )

    def earlier(self, spot: Spot, taken: Sequence[int], after: list[int]) -> int | None:
        """The first number of moves after which the cells stood as a move leaves them, or None."""
        index, _, own, _, (color, _) = spot
        if not self.knows(self.board.after(index, own, taken), taken):
            return None
        now = after[:]
        unplace(now, index, own, taken)
        earliest = None
        for number, before in self._past(now):
            if before == after and self._stood(number, color):
                earliest = number
        return earliest

    def occurrences(self, to_move: Color) -> int:
        """The times that the present position came about by a stone with that player to move."""
        cells, mover = self.board.cells, to_move.opponent
        return sum(
            before == cells and self._by_stone(number) and self._maker(number) is mover
            for number, before in self._past(cells[:])
        )

    def _past(self, cells: list[int]) -> Iterator[tuple[int, list[int]]]:
        """Every number of moves from now down to 0, with the stones that stood after so many.

        `cells` hold the present stones, and are taken apart.
        """
        for number in range(len(self.played), 0, -1):
            yield number, cells
            index, _, own, _, _ = self.played[number - 1]
            if index >= 0:
                unplace(cells, index, own, self.taken(number))
        yield 0, cells

    def _stood(self, number: int, color: Color) -> bool:
        """True where the board after so many moves counts as left to the opponent by `color`."""
        ko = self.ruleset.ko
        if ko in {Ko.SIMPLE, Ko.POSITIONAL}:
            return True
        if self._maker(number) is color:
            return ko is Ko.SITUATIONAL or self._by_stone(number)
        skipped = number < len(self.played) and self.played[number][4].color is not color
        return ko is Ko.SITUATIONAL and skipped

    def _maker(self, number: int) -> Color:
        """The colour that made that move; of the start, the one that does not move first."""
        return self.played[number - 1][4].color if number else self.first.opponent

    def _by_stone(self, number: int) -> bool:
        """True where that move was no pass; the start is as good as a stone."""
        return not number or self.played[number - 1][0] >= 0
