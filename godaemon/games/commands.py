"""Commands: everything that a player can ask for, by email or GTP, as values. Pure.

An email has at most one `Turn` command; any number of `Query` commands may accompany it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from enum import Enum, StrEnum
from typing import Any

from godaemon.games.opening import Opening
from godaemon.rules.points import Color, Point, Size, column_name


class EmailLevel(StrEnum):
    """How many emails a player wants (`games.wanted_emails`)."""

    ALL = "all"
    MY_TURN = "my-turn"
    DAILY = "daily"
    NONE = "none"


POINTS_PER_LINE = 12
"""The most points on one line of an email, so that no mail program wraps it."""


class Extent(Enum):
    """Which stones `dead` and `alive` mark in addition to the named one."""

    GROUP = "group"
    """All stones of its colour that no live stone of the other colour fences off."""
    CHAIN = "only"
    """The chain of connected stones."""
    JOINED = "joined"
    """The chain, and the chains that cannot be cut off from it."""
    ALL = "all"
    """Like `GROUP`, even if that leaves the colour no live stone."""


@dataclass(frozen=True, slots=True)
class Play:
    """Play a stone."""

    point: Point


@dataclass(frozen=True, slots=True)
class Place:
    """Place all handicap stones where Black may choose; without points, on the star points."""

    points: tuple[Point, ...] = ()


@dataclass(frozen=True, slots=True)
class Pass:
    """Pass."""


@dataclass(frozen=True, slots=True)
class Undo:
    """Take back the last move, if the opponent agrees."""


@dataclass(frozen=True, slots=True)
class If:
    """Plan a line of moves (`planned_moves`); without a line, show the plans."""

    line: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CancelIfs:
    """Delete all plans."""


@dataclass(frozen=True, slots=True)
class AskScore:
    """Show an estimate of the score, or the count once there is one."""


@dataclass(frozen=True, slots=True)
class Resign:
    """Resign."""


@dataclass(frozen=True, slots=True)
class Done:
    """Agree to the count."""


@dataclass(frozen=True, slots=True)
class Resume:
    """Go back from counting to playing."""


@dataclass(frozen=True, slots=True)
class Void:
    """Offer to end the game without a result, after a repetition."""


@dataclass(frozen=True, slots=True)
class Public:
    """Let others watch, if the opponent agrees; or (not `wanted`) stop that at once."""

    wanted: bool = True


@dataclass(frozen=True, slots=True)
class Yes:
    """A yes to a question of ours, such as a confirmation or an invitation (`accept`)."""


@dataclass(frozen=True, slots=True)
class Agree:
    """`OK`: a yes if one is awaited, `done` during a count, talk at other times."""


@dataclass(frozen=True, slots=True)
class No:
    """A no to a question of ours (`decline`), with words for the other player."""

    words: str = ""
    blocking: bool = False
    """True if the email also blocks the proposer; the answer to `block` then covers both."""


@dataclass(frozen=True, slots=True)
class Withdraw:
    """Take back a proposal before it is accepted."""


@dataclass(frozen=True, slots=True)
class Mark:
    """Mark the groups at some points as dead, or alive."""

    points: tuple[Point, ...]
    dead: bool
    extent: Extent = Extent.GROUP

    def __str__(self) -> str:
        """The mark as a line of an email: `dead Q16 C3 only`."""
        extent = "" if self.extent is Extent.GROUP else f" {self.extent.value}"
        return f"{'dead' if self.dead else 'alive'} {' '.join(map(str, self.points))}{extent}"

    @property
    def parts(self) -> tuple[Mark, ...]:
        """The mark in parts of at most `POINTS_PER_LINE` points, one for each line."""
        starts, most = range(0, len(self.points), POINTS_PER_LINE), POINTS_PER_LINE
        return tuple(replace(self, points=self.points[at : at + most]) for at in starts)


@dataclass(frozen=True, slots=True)
class Say:
    """Words for the opponent."""

    text: str


@dataclass(frozen=True, slots=True)
class Note:
    """A note to oneself, or (`hidden`) for both players after the game."""

    text: str
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class History:
    """The moves and the words said, or one page of these."""

    page: int | None = None


@dataclass(frozen=True, slots=True)
class Try:
    """Show the board after some moves from here, by turns; nobody else is told."""

    line: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Branch:
    """Begin a teaching game from here, or from after move `move`."""

    move: int | None = None


@dataclass(frozen=True, slots=True)
class Send:
    """Pass on the words that were last held back."""


@dataclass(frozen=True, slots=True)
class Propose:
    """Ask for a new game; `events.Proposed` explains the fields not explained here."""

    opponent: str
    size: Size = Size(19, 19)
    rules: str | None = None
    komi: float | None = None
    """None for the usual komi of the rules."""
    handicap: int = 0
    color: Color | None = None
    """The proposer's colour; None for nigiri."""
    words: str = ""
    opening: Opening | None = None
    time: str | None = None
    """As `time_systems.TimeSettings` writes it; "" for none, None for the usual."""
    estimates: bool = False
    public: bool = False
    called: str = ""
    """The other player's name, if the proposer gave it in place of an address."""
    left_out: tuple[str, ...] = ()
    """The parts of the starting record that were not read (`Record.left_out`)."""
    rated: bool = False


@dataclass(frozen=True, slots=True)
class Counter:
    """Answer a proposal with other terms: fields of `Propose`; a colour is the sender's."""

    terms: tuple[tuple[str, Any], ...]
    words: str = ""


@dataclass(frozen=True, slots=True)
class Rematch:
    """Propose this game, or `game`, again with colours exchanged, and other `terms` if given."""

    game: int | None = None
    terms: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Show:
    """Show the board of a game (None: this one), now or after a move."""

    game: int | None = None
    move: int | None = None


class Look(Enum):
    """A part of the board for `describe`; the value is its word in emails."""

    BOARD = "board"
    NEAR = "near"
    GROUP = "group"
    ROW = "row"
    COLUMN = "column"


@dataclass(frozen=True, slots=True)
class Describe:
    """Describe the board of a game, or the part of it around a point, in sentences."""

    look: Look = Look.BOARD
    point: Point | None = None
    game: int | None = None

    @property
    def part(self) -> str:
        """The part in words: `point D4`, `row 5`; "" for the whole board."""
        if self.point is None:
            return ""
        names = {
            Look.ROW: f"row {self.point.row + 1}",
            Look.COLUMN: f"column {column_name(self.point.column)}",
        }
        return names.get(self.look, f"point {self.point}")


@dataclass(frozen=True, slots=True)
class Sgf:
    """Send the record of a game."""

    game: int | None = None


@dataclass(frozen=True, slots=True)
class Kifu:
    """Send the record of a game as a picture, all of it or some moves (`1-100`)."""

    game: int | None = None
    moves: str = ""


@dataclass(frozen=True, slots=True)
class Gif:
    """Send a game as an animation."""

    game: int | None = None


@dataclass(frozen=True, slots=True)
class Estimate:
    """Show which stones we think are dead, and mark nothing (`propose` in emails)."""


@dataclass(frozen=True, slots=True)
class Review:
    """Review a finished game: the moves that lost most."""

    game: int | None = None


@dataclass(frozen=True, slots=True)
class Gui:
    """Send the key that lets a Go program sit in the sender's seat, or revoke it."""

    on: bool = True


@dataclass(frozen=True, slots=True)
class Games:
    """List the sender's games."""


@dataclass(frozen=True, slots=True)
class Help:
    """Send the help page, or the one about a `topic`."""

    topic: str = ""


@dataclass(frozen=True, slots=True)
class Learn:
    """Send a lesson on the rules, or the answer to a point tried in it."""

    lesson: int = 1
    point: Point | None = None


@dataclass(frozen=True, slots=True)
class Receipts:
    """Switch receipts of accepted moves, in this game or everywhere."""

    wanted: bool
    everywhere: bool = False


@dataclass(frozen=True, slots=True)
class Reviews:
    """Switch reviews after the end, of this game or everywhere."""

    wanted: bool
    everywhere: bool = False


@dataclass(frozen=True, slots=True)
class Emails:
    """Set how many emails the sender gets, in this game or everywhere."""

    wanted: EmailLevel
    everywhere: bool = False
    at: int | None = None
    """The hour of the daily email, in minutes after midnight; None if not specified."""


@dataclass(frozen=True, slots=True)
class Set:
    """Set a field of the sender's `Profile`: their zone, name, language ...

    A `zone` may be named by a city or a country; `listed` is a bool here.
    """

    field: str
    value: str | bool | None


@dataclass(frozen=True, slots=True)
class Players:
    """List the players."""


@dataclass(frozen=True, slots=True)
class Export:
    """Send all games and settings of the sender, as files."""


@dataclass(frozen=True, slots=True)
class Forget:
    """Delete everything that identifies the sender."""


@dataclass(frozen=True, slots=True)
class Boards:
    """Set the style of boards (`diagrams.board_style`); None leaves it as it is."""

    sides: int | None = None
    shown: str | None = None


@dataclass(frozen=True, slots=True)
class Stop:
    """Stop the emails of this game, or all; an invitation is declined."""

    everywhere: bool = False


@dataclass(frozen=True, slots=True)
class ShowSettings:
    """Show the sender's settings."""


@dataclass(frozen=True, slots=True)
class Block:
    """Block invitations from the opponent, from everybody, or from `whom`."""

    everybody: bool = False
    whom: str = ""
    """An address or a name, as written."""


@dataclass(frozen=True, slots=True)
class Unblock:
    """Allow invitations again."""

    everybody: bool = False
    whom: str = ""


@dataclass(frozen=True, slots=True)
class Relocate:
    """Move this game, or all of the sender's, to another address."""

    address: str
    everything: bool = False


@dataclass(frozen=True, slots=True)
class Take:
    """Take an open challenge; without a number, list them."""

    game: int | None


@dataclass(frozen=True, slots=True)
class Challenges:
    """List the open challenges."""


NewGame = Propose | Rematch | Take
"""Commands that ask for a game; words beside them are for the other player."""


@dataclass(frozen=True, slots=True)
class Watch:
    """Watch a public game, of a `player` if it has no number; without either, list them."""

    game: int | None = None
    daily: bool | None = None
    """Whether to send at most one email a day about it; None leaves that as it is."""
    player: str = ""


@dataclass(frozen=True, slots=True)
class Unwatch:
    """Stop watching a game; without a number, all games."""

    game: int | None = None


@dataclass(frozen=True, slots=True)
class Vacation:
    """A vacation for a `span` or `until` a day (`24 december`), from the day `since` or from now.

    With none of these, the sender's vacation ends. `by_itself` sets whether a vacation begins
    automatically when their time runs out.
    """

    span: timedelta | None = None
    until: str = ""
    since: str = ""
    by_itself: bool | None = None


_Step = Play | Place | Pass | Undo | Resign | Done | Resume | Void
_Answer = Yes | No | Counter | Withdraw
Turn = _Step | _Answer | Agree | NewGame
"""An email has at most one of these: each decides what happens next."""

Action = _Step | _Answer | Mark | Say | Note | If | CancelIfs | AskScore | Public
"""Commands that act on one game."""

_Change = Emails | Receipts | Reviews | Boards | Stop | Set | Vacation
Setting = _Change | ShowSettings
"""Commands about the sender's settings."""

Query = (
    (Show | Describe | Sgf | Kifu | Gif | Estimate | Review | Gui | Games | Export | Help)
    | (Challenges | Players | Learn)
    | (History | Try | Branch)
    | (Watch | Unwatch)
    | Setting
    | (Block | Unblock | Relocate | Forget)
)
"""Commands that never become stale: they only ask, or change settings."""

Beyond = _Change | Gui | Block | Unblock | Relocate
"""Commands with an effect beyond this game, or that give access to a seat."""

Command = Action | Query | NewGame | Send | Agree


def log_text(command: Command) -> str:
    """A command for the daemon's log: its name and its points."""
    points = (command.point,) if isinstance(command, Play) else getattr(command, "points", ())
    return " ".join([type(command).__name__.lower(), *map(str, points)])
