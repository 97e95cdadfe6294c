"""A stored game seen from one of its seats, and the sentences for it. Pure."""

from dataclasses import dataclass
from datetime import datetime

from godaemon.games.model import Game, Phase
from godaemon.rules.points import Color, Point, Size
from godaemon.rules.position import Move
from gtp.argument_readers import ILLEGAL_MOVE, format_vertex


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


def outcome(game: Game) -> str:
    """The result of a finished game, such as `B+T: white's time has run out`."""
    result = game.result or "no result"
    if game.why == "adjudicated":
        return f"{_NONE if result == 'Void' else result}: as the people who run this server decided"
    if result.endswith("+T"):
        loser = Color.WHITE if result[0] == "B" else Color.BLACK
        return f"{result}: {loser.word}'s time has run out"
    return _NONE if result == "Void" else result


_NONE = "without a result"


def no_move_reason(view: SeatView) -> str:
    """Why the seat does not choose a move itself, and the remedy."""
    if view.game.phase.over:
        return end_text(view)
    if not view.playing:
        return "play has stopped: there is no move to make"
    own, other = view.color.word, view.color.opponent.word
    if view.game.to_place and view.color is Color.BLACK:
        return place_first_text(view)
    if view.my_turn:
        return f"it is {own}'s turn, which is yours: play {own} and a point, or play {own} pass"
    return f"it is {other}'s turn: genmove {other} waits for the move"


def too_late_text(view: SeatView) -> str:
    return f"{ILLEGAL_MOVE}: {end_text(view)}"


def unsent_text(move: Move) -> str:
    """The refusal of an opponent's move on top of a pending one, and the remedy."""
    own = format_vertex(move.point)
    return f"{ILLEGAL_MOVE}: your {own} is not sent: undo it, or clear_board and replay"


def end_text(view: SeatView) -> str:
    return f"the game is over, {outcome(view.game)}"


def place_first_text(view: SeatView) -> str:
    """The next step while Black has not chosen the handicap stones."""
    number = view.game.to_place
    if not view.stones_to_place:
        return f"black places {number} handicap stones first: genmove black waits for them"
    return f"place your {number} handicap stones: set_free_handicap and their points"


def set_up_command(view: SeatView) -> str:
    """The command that sets up the stones with which the game began."""
    stones = (view.setup_stone(point) for point in view.handicap)
    return " ".join(["gogui-setup", *(f"{one.color.word[0]} {one.point}" for one in stones)])
