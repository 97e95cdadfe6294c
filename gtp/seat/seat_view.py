"""A stored game seen from one of its seats."""

from dataclasses import dataclass
from datetime import datetime

from godaemon.games.model import Game, Phase
from godaemon.rules.points import Color, Point, Size
from godaemon.rules.position import Move


@dataclass(frozen=True, slots=True)
class SeatView:
    """The game at one moment, seen from the seat of `color`."""

    game: Game
    color: Color
    now: datetime
    """The current time for its clocks, or the start of a pause of all clocks."""
    paused: str = ""
    """Why all clocks are paused; "" if they are not."""

    @property
    def moves(self) -> tuple[Move, ...]:
        """The record: all moves and passes."""
        return self.game.position.moves

    @property
    def handicap(self) -> tuple[Point, ...]:
        """The stones on the board before the first move, Black's first."""
        return (*self.game.position.handicap, *self.game.position.set_up_white)

    def setup_stone(self, point: Point) -> Move:
        """A stone of the setup with its colour; stones that Black chooses are black."""
        white = point in self.game.position.set_up_white
        return Move(Color.WHITE if white else Color.BLACK, point)

    @property
    def stones_to_place(self) -> int:
        """The number of handicap stones for this seat to place now."""
        return self.game.to_place if self.color is Color.BLACK else 0

    @property
    def size(self) -> Size:
        return self.game.spec.size

    @property
    def revision(self) -> int:
        """The number of changes of position and phase; moves refer to it."""
        return self.game.revisions.position

    @property
    def playing(self) -> bool:
        """True while stones are being played."""
        return self.game.phase is Phase.PLAYING

    @property
    def my_turn(self) -> bool:
        return self.game.to_move is self.color

    @property
    def uncounted(self) -> bool:
        """True if the game has ended without a count."""
        return self.game.phase.over and not self.game.ended_by_count

    @property
    def opponent_resigned(self) -> bool:
        """True if the opponent has resigned."""
        return self.game.result == f"{self.color.word[0].upper()}+R"
