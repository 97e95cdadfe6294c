"""Commands: everything that a player can ask for, by email or GTP, as values.

An email has at most one `Turn` command; any number of `Query` commands may accompany it.
"""

from dataclasses import dataclass, replace
from datetime import timedelta
from enum import Enum, StrEnum
from typing import Any, dataclass_transform

from godaemon.records.record import Record
from godaemon.rules.points import Color, Point, Size, column_name


class EmailLevel(StrEnum):
    """How many emails a player wants (`games.wanted_emails`)."""

    ALL = "all"
    MY_TURN = "my-turn"
    DAILY = "daily"
    NONE = "none"


POINTS_PER_LINE = 12
"""Maximum number of points on one line of an email, so that no mail program wraps it."""


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


@dataclass_transform(frozen_default=True)
class _Command:
    """The base of all commands; each is a frozen dataclass."""

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True)(cls)


class Play(_Command):
    """Play a stone."""

    point: Point


class Place(_Command):
    """Place all handicap stones where Black may choose; without points, on the star points."""

    points: tuple[Point, ...] = ()


class Pass(_Command):
    """Pass."""


class Undo(_Command):
    """Take back the last move, if the opponent agrees."""


class If(_Command):
    """Plan a line of moves (`planned_moves`); without a line, show the plans."""

    line: tuple[str, ...] = ()


class CancelIfs(_Command):
    """Delete all plans."""


class AskScore(_Command):
    """Show an estimate of the score, or the count once there is one."""


class Resign(_Command):
    """Resign."""


class Done(_Command):
    """Agree to the count."""


class Resume(_Command):
    """Go back from counting to playing."""


class Void(_Command):
    """Offer to end the game without a result, after a repetition."""


class Public(_Command):
    """Let others watch, if the opponent agrees; or (not `wanted`) stop that at once."""

    wanted: bool = True


class Yes(_Command):
    """A yes to a question of ours, such as a confirmation or an invitation (`accept`)."""


class Agree(_Command):
    """`OK`: a yes if one is awaited, `done` during a count, talk at other times."""


class No(_Command):
    """A no to a question of ours (`decline`), with words for the other player."""

    words: str = ""
    blocking: bool = False
    """True if the email also blocks the proposer; the answer to `block` then covers both."""


class Withdraw(_Command):
    """Take back a proposal before it is accepted."""


class Mark(_Command):
    """Mark the groups at some points as dead, or alive."""

    points: tuple[Point, ...]
    dead: bool
    extent: Extent = Extent.GROUP

    def __str__(self) -> str:
        """The mark as a line of an email: `dead Q16 C3 only`."""
        extent = "" if self.extent is Extent.GROUP else f" {self.extent.value}"
        return f"{'dead' if self.dead else 'alive'} {' '.join(map(str, self.points))}{extent}"

    @property
    def parts(self) -> "tuple[Mark, ...]":
        """The mark in parts of at most `POINTS_PER_LINE` points, one for each line."""
        starts = range(0, len(self.points), POINTS_PER_LINE)
        return tuple(
            replace(self, points=self.points[start : start + POINTS_PER_LINE]) for start in starts
        )


class Say(_Command):
    """Words for the opponent."""

    text: str


class Note(_Command):
    """A note to oneself, or (`hidden`) for both players after the game."""

    text: str
    hidden: bool = False


class History(_Command):
    """The moves and the words said, or one page of these."""

    page: int | None = None


class Try(_Command):
    """Show the board after some moves by both colours in turn; the opponent is not told."""

    line: tuple[str, ...]


class Branch(_Command):
    """Begin a teaching game at the current position, or at the one after `move`."""

    move: int | None = None


class Send(_Command):
    """Pass on the words that were last held back."""


class Propose(_Command):
    """Ask for a new game; `events.Proposed` explains the other fields."""

    opponent: str
    size: Size = Size(19, 19)
    rules: str | None = None
    komi: float | None = None
    """None for the usual komi of the rules."""
    handicap: int = 0
    color: Color | None = None
    """The proposer's colour; None for nigiri."""
    words: str = ""
    opening: Record | None = None
    time: str | None = None
    """As `time_systems.TimeSettings` writes it; "" for none, None for the usual."""
    estimates: bool = False
    public: bool = False
    called: str = ""
    """The other player's name, if the proposer gave it in place of an address."""
    left_out: tuple[str, ...] = ()
    """The parts of the starting record that were not read (`Record.left_out`)."""
    rated: bool = False


class Counter(_Command):
    """Answer a proposal with other terms: fields of `Propose`; a colour is the sender's."""

    terms: tuple[tuple[str, Any], ...]
    words: str = ""


class Rematch(_Command):
    """Propose this game, or `game`, again with colours exchanged, and other `terms` if given."""

    game: int | None = None
    terms: tuple[tuple[str, Any], ...] = ()


class Show(_Command):
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


class Describe(_Command):
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


class Sgf(_Command):
    """Send the record of a game."""

    game: int | None = None


class Kifu(_Command):
    """Send the record of a game as a picture, all of it or some moves (`1-100`)."""

    game: int | None = None
    moves: str = ""


class Gif(_Command):
    """Send a game as an animation."""

    game: int | None = None


class Estimate(_Command):
    """Show which stones we think are dead, and mark nothing (`propose` in emails)."""


class Review(_Command):
    """Review a finished game: the moves that lost most."""

    game: int | None = None


class Gui(_Command):
    """Send the key that lets a Go program sit in the sender's seat, or revoke it."""

    on: bool = True


class Games(_Command):
    """List the sender's games."""


class Help(_Command):
    """Send the help page, or the one about a `topic`."""

    topic: str = ""


class Learn(_Command):
    """Send a lesson on the rules, or the answer to a point tried in it."""

    lesson: int = 1
    point: Point | None = None


class Receipts(_Command):
    """Switch receipts of accepted moves, in this game or everywhere."""

    wanted: bool
    everywhere: bool = False


class Reviews(_Command):
    """Switch reviews after the end, of this game or everywhere."""

    wanted: bool
    everywhere: bool = False


class Emails(_Command):
    """Set how many emails the sender gets, in this game or everywhere."""

    wanted: EmailLevel
    everywhere: bool = False
    at: int | None = None
    """The hour of the daily email, in minutes after midnight; None if not specified."""


class Set(_Command):
    """Set a field of the sender's `Profile`: their zone, name, language ...

    A `zone` may be named by a city or a country; `listed` is a bool here.
    """

    field: str
    value: str | bool | None


class Players(_Command):
    """List the players."""


class Export(_Command):
    """Send all games and settings of the sender, as files."""


class Forget(_Command):
    """Delete everything that identifies the sender."""


class Boards(_Command):
    """Set the style of boards (`diagrams.board_style`); None leaves it as it is."""

    sides: int | None = None
    shown: str | None = None


class Stop(_Command):
    """Stop the emails of this game, or all; an invitation is declined."""

    everywhere: bool = False


class ShowSettings(_Command):
    """Show the sender's settings."""


class Block(_Command):
    """Block invitations from the opponent, from everybody, or from `whom`."""

    everybody: bool = False
    whom: str = ""
    """An address or a name, as written."""


class Unblock(_Command):
    """Allow invitations again."""

    everybody: bool = False
    whom: str = ""


class Relocate(_Command):
    """Move this game, or all of the sender's, to another address."""

    address: str
    everything: bool = False


class Take(_Command):
    """Take an open challenge; without a number, list them."""

    game: int | None


class Challenges(_Command):
    """List the open challenges."""


NewGame = Propose | Rematch | Take
"""Commands that ask for a game; words beside them are for the other player."""


class Watch(_Command):
    """Watch a public game, of a `player` if it has no number; without either, list them."""

    game: int | None = None
    daily: bool | None = None
    """Whether to send at most one email a day about it; None leaves that as it is."""
    player: str = ""


class Unwatch(_Command):
    """Stop watching a game; without a number, all games."""

    game: int | None = None


class Vacation(_Command):
    """Take a vacation for a `span` or `until` a day (`24 december`), from the day `since` or now.

    With none of these, end the present one. `by_itself` sets whether a vacation begins when the
    sender's time runs out.
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

OutsideEffect = _Change | Gui | Block | Unblock | Relocate
"""Commands with an effect beyond this game, or that give access to a seat."""

Command = Action | Query | NewGame | Send | Agree


def log_text(command: Command) -> str:
    """A command for the daemon's log: its name and its points."""
    points = (command.point,) if isinstance(command, Play) else getattr(command, "points", ())
    return " ".join([type(command).__name__.lower(), *map(str, points)])
