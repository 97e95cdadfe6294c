"""A stored game as one of its seats sees it. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from godaemon.games.model import Game, Phase
from godaemon.rules.points import Color, Point, Size
from godaemon.rules.position import Move


@dataclass(frozen=True, slots=True)
class SeatView:
    """The game as it is at one moment, seen from the seat of `color`."""

    game: Game
    color: Color
    now: datetime
    """The moment; where all clocks stand, that since which they do."""
    paused: str = ""
    """Why all clocks stand; "" where they do not."""

    @property
    def moves(self) -> tuple[Move, ...]:
        """The record: all moves and passes."""
        return self.game.position.moves

    @property
    def handicap(self) -> tuple[Point, ...]:
        """The stones on the board before the first move, Black's first."""
        return (*self.game.position.handicap, *self.game.position.set_up_white)

    def set_up(self, point: Point) -> Move:
        """One of those stones, with its colour; any that Black is choosing is black."""
        white = point in self.game.position.set_up_white
        return Move(Color.WHITE if white else Color.BLACK, point)

    @property
    def placing(self) -> int:
        """How many handicap stones this seat is to place now."""
        return self.game.placing if self.color is Color.BLACK else 0

    @property
    def size(self) -> Size:
        """The board's size."""
        return self.game.spec.size

    @property
    def revision(self) -> int:
        """The count of the changes of position and phase; moves are written against it."""
        return self.game.revisions.position

    @property
    def playing(self) -> bool:
        """True while stones are being played."""
        return self.game.phase is Phase.PLAYING

    @property
    def my_turn(self) -> bool:
        """True where this seat is to move."""
        return self.game.to_move is self.color

    @property
    def uncounted(self) -> bool:
        """True where the game is over, and not by a count."""
        return self.game.phase.over and not self.game.by_count

    @property
    def given_up(self) -> bool:
        """True where the opponent has resigned."""
        return self.game.result == f"{self.color.word[0].upper()}+R"


def outcome(game: Game) -> str:
    """The result of a game that is over, and what it says: `B+T: white's time has run out`."""
    result = game.result or "no result"
    if game.why == "adjudicated":
        return f"{_NONE if result == 'Void' else result}: as the people who run this server decided"
    if result.endswith("+T"):
        loser = Color.WHITE if result[0] == "B" else Color.BLACK
        return f"{result}: {loser.word}'s time has run out"
    return _NONE if result == "Void" else result


_NONE = "without a result"
