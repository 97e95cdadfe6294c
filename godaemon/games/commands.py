"""Commands: all that a player can ask of a game, as values that mail and GTP translate into.

Pure data. `Turn` commands are the ones of which a letter may hold at most one; `Query` commands
change nothing and may stand beside any other.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from enum import Enum, StrEnum
from typing import Any

from godaemon.games.opening import Opening
from godaemon.rules.points import Color, Point, Size, column_name


class EmailLevel(StrEnum):
    """How many of our letters a player wants (`games.email_settings`)."""

    ALL = "all"
    MY_TURN = "my-turn"
    DAILY = "daily"
    NONE = "none"


NAMED = 12
"""The most points on one line that we print, so that no mail program breaks it."""


class Extent(Enum):
    """The reach of `dead` and `alive` from the stone that is named."""

    GROUP = "group"
    """The flood: all stones of its colour that no live stone of the other colour fences off."""
    CHAIN = "only"
    """The one chain of connected stones."""
    JOINED = "joined"
    """The chain, and those that cannot be parted from it."""
    ALL = "all"
    """The flood, even where it leaves the colour no live stone."""


@dataclass(frozen=True, slots=True)
class Play:
    """Place a stone of one's own colour."""

    point: Point


@dataclass(frozen=True, slots=True)
class Place:
    """Place all of one's handicap stones, where the rules let Black choose; none: on the stars."""

    points: tuple[Point, ...] = ()


@dataclass(frozen=True, slots=True)
class Pass:
    """Place no stone."""


@dataclass(frozen=True, slots=True)
class Undo:
    """Take back one's last move, if the opponent agrees."""


@dataclass(frozen=True, slots=True)
class If:
    """Plan moves for later, as `plans` has a line of them; without any, show what is planned."""

    line: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CancelIfs:
    """Forget all that was planned."""


@dataclass(frozen=True, slots=True)
class AskScore:
    """Look at an estimate of how the game stands, or at its count once there is one."""


@dataclass(frozen=True, slots=True)
class Resign:
    """Give the game up."""


@dataclass(frozen=True, slots=True)
class Done:
    """Agree to the marks as they stand."""


@dataclass(frozen=True, slots=True)
class Resume:
    """Take the game from scoring back to playing."""


@dataclass(frozen=True, slots=True)
class Void:
    """End the game with no result, where a position has come about a third time."""


@dataclass(frozen=True, slots=True)
class Public:
    """Let others watch the game, if the opponent agrees; or (not `wanted`) nobody, at once."""

    wanted: bool = True


@dataclass(frozen=True, slots=True)
class Yes:
    """The yes that our letter asked for: a confirmation, or an invitation (`accept`)."""


@dataclass(frozen=True, slots=True)
class Agree:
    """Agreement: a yes where one is awaited, `done` in the count, and talk at other times."""


@dataclass(frozen=True, slots=True)
class No:
    """The refusal of what our letter asked (`decline`), with words for who had asked."""

    words: str = ""
    blocking: bool = False
    """Whether it comes of a block, whose own letter tells its writer of both."""


@dataclass(frozen=True, slots=True)
class Withdraw:
    """Take back one's own proposal before it is accepted."""


@dataclass(frozen=True, slots=True)
class Mark:
    """Set the status of the groups at the points named: dead, or alive."""

    points: tuple[Point, ...]
    dead: bool
    extent: Extent = Extent.GROUP

    def __str__(self) -> str:
        """The mark as the line of a letter: `dead Q16 C3 only`."""
        extent = "" if self.extent is Extent.GROUP else f" {self.extent.value}"
        return f"{'dead' if self.dead else 'alive'} {' '.join(map(str, self.points))}{extent}"

    @property
    def parts(self) -> tuple[Mark, ...]:
        """The mark as marks of at most `NAMED` points, each for a line of one letter."""
        points = (self.points[at : at + NAMED] for at in range(0, len(self.points), NAMED))
        return tuple(replace(self, points=some) for some in points)


@dataclass(frozen=True, slots=True)
class Say:
    """Words for the opponent, tied to the present move."""

    text: str


@dataclass(frozen=True, slots=True)
class Note:
    """Words to keep for oneself, or (`hidden`) to be shown to both once the game is over."""

    text: str
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class History:
    """The moves and all that was said, or one page of that."""

    page: int | None = None


@dataclass(frozen=True, slots=True)
class Try:
    """The board as it would be after some moves from here, by turns, which nobody else hears of."""

    line: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Branch:
    """A teaching game that goes on from here, or from after move `move`."""

    move: int | None = None


@dataclass(frozen=True, slots=True)
class Send:
    """Pass on the words that were last held back from the opponent."""


@dataclass(frozen=True, slots=True)
class Propose:
    """Ask for a new game.

    `color` is the proposer's, None for nigiri (by lot); `komi` None is the ruleset's own.
    """

    opponent: str
    size: Size = Size(19, 19)
    rules: str | None = None
    komi: float | None = None
    handicap: int = 0
    color: Color | None = None
    words: str = ""
    """What the other player shall read once they have accepted."""
    opening: Opening | None = None
    """The position that it begins from, where that is not the empty board."""
    time: str | None = None
    """As `game_clock.TimeSettings` writes it; "" for none, None where not said."""
    rank: str = ""
    """Who may take an open challenge, from one rank to another: `8k-5k`; "" for anybody."""
    estimates: bool = False
    """Whether both may look at estimates of the score."""
    public: bool = False
    """Whether others may watch it from the start."""
    called: str = ""
    """The other player's name, where they are known by it and their address is told to nobody."""
    left_out: tuple[str, ...] = ()
    """What of the record with that position was not read (`Record.left_out`)."""
    rated: bool = False
    """Whether its result shall count for the ratings of both."""


@dataclass(frozen=True, slots=True)
class Counter:
    """Answer a proposal with other terms: those named, by the fields of `Propose`; the rest stands.

    A colour is that of who answers.
    """

    terms: tuple[tuple[str, Any], ...]
    words: str = ""


@dataclass(frozen=True, slots=True)
class Rematch:
    """Another game with the player of this one, or of `game`, on its terms, colours exchanged.

    `terms` are those that shall be different, by the fields of `Propose`.
    """

    game: int | None = None
    terms: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Show:
    """The board of this game or of game `game`, now or as it stood after move `move`."""

    game: int | None = None
    move: int | None = None


class Look(Enum):
    """The part of the board that `describe` tells of, by the word that asks for it."""

    BOARD = "board"
    NEAR = "near"
    GROUP = "group"
    ROW = "row"
    COLUMN = "column"


@dataclass(frozen=True, slots=True)
class Describe:
    """The board in sentences, of this game or of game `game`: all of it, or a part.

    `point` is the point that is meant, or one of the row or column; None for the whole board.
    """

    look: Look = Look.BOARD
    point: Point | None = None
    game: int | None = None

    @property
    def part(self) -> str:
        """The part in words: `point D4`, `row 5`, `column D`; "" for the whole board."""
        if self.point is None:
            return ""
        names = {
            Look.ROW: f"row {self.point.row + 1}",
            Look.COLUMN: f"column {column_name(self.point.column)}",
        }
        return names.get(self.look, f"point {self.point}")


@dataclass(frozen=True, slots=True)
class Sgf:
    """The record of this game, or of game `game`."""

    game: int | None = None


@dataclass(frozen=True, slots=True)
class Kifu:
    """The record of this game, or of game `game`, as a picture with its moves numbered.

    `moves` are some of them, `1-100`, or "" for all.
    """

    game: int | None = None
    moves: str = ""


@dataclass(frozen=True, slots=True)
class Gif:
    """This game, or game `game`, as a film: one position after another."""

    game: int | None = None


@dataclass(frozen=True, slots=True)
class Estimate:
    """The stones we would mark dead: an opinion, which marks nothing (`propose` in letters)."""


@dataclass(frozen=True, slots=True)
class Review:
    """A look back on this game, or on game `game`, once it is over: the moves that lost most."""

    game: int | None = None


@dataclass(frozen=True, slots=True)
class Gui:
    """The key with which a Go program sits down in the sender's seat; or that none may any more."""

    on: bool = True


@dataclass(frozen=True, slots=True)
class Games:
    """The list of one's own games."""


@dataclass(frozen=True, slots=True)
class Help:
    """The help: all that can be written, with examples; or what there is to say of one `topic`."""

    topic: str = ""


@dataclass(frozen=True, slots=True)
class Learn:
    """A lesson on the rules of Go; or what comes of a point that is tried on its board."""

    lesson: int = 1
    point: Point | None = None


@dataclass(frozen=True, slots=True)
class Receipts:
    """Letters that acknowledge one's own accepted moves: in this game, or everywhere."""

    wanted: bool
    everywhere: bool = False


@dataclass(frozen=True, slots=True)
class Reviews:
    """A look back on each game when it is over, unasked: on this game, or everywhere."""

    wanted: bool
    everywhere: bool = False


@dataclass(frozen=True, slots=True)
class Emails:
    """So many letters from now on, in this game or everywhere."""

    wanted: EmailLevel
    everywhere: bool = False
    at: int | None = None
    """When the one of the day shall come, in minutes after midnight; None for no word on that."""


@dataclass(frozen=True, slots=True)
class Timezone:
    """The sender's time zone, by a name of the tz database, or a city in one."""

    zone: str


@dataclass(frozen=True, slots=True)
class Name:
    """What the sender is called in games that begin from now on; "" for what their emails say."""

    name: str


@dataclass(frozen=True, slots=True)
class IAm:
    """What the sender says of themselves to those whom they play; "" for nothing."""

    line: str


@dataclass(frozen=True, slots=True)
class Players:
    """The list of players."""


@dataclass(frozen=True, slots=True)
class Listed:
    """Whether the sender is on the list of players."""

    wanted: bool


@dataclass(frozen=True, slots=True)
class Export:
    """All games and settings of the sender, as files."""


@dataclass(frozen=True, slots=True)
class Forget:
    """All that tells who the sender is shall be deleted."""


@dataclass(frozen=True, slots=True)
class Plain:
    """Letters in plain text alone, or in HTML too."""

    wanted: bool


@dataclass(frozen=True, slots=True)
class Calendar:
    """Whether emails in which the sender is to move bring the deadline as a calendar entry."""

    wanted: bool


@dataclass(frozen=True, slots=True)
class Boards:
    """The style of boards in letters (`diagrams.board_style`); None for no word on that."""

    signs: bool | None = None
    sides: int | None = None
    pictures: bool | None = None


@dataclass(frozen=True, slots=True)
class Speak:
    """The language of emails to the sender, by its code."""

    code: str


@dataclass(frozen=True, slots=True)
class AskWords:
    """Whether the sender is asked about words that are no command, or they are passed on."""

    wanted: bool


@dataclass(frozen=True, slots=True)
class Stop:
    """No more letters of this game, or none at all; an invitation is declined, and none comes."""

    everywhere: bool = False


@dataclass(frozen=True, slots=True)
class ShowSettings:
    """The sender's settings, with the replies that change them."""


@dataclass(frozen=True, slots=True)
class Block:
    """Never again an invitation from the other player of the game, or from anybody."""

    everybody: bool = False
    whom: str = ""
    """The address or the name of another person who is meant, as it was written."""


@dataclass(frozen=True, slots=True)
class Unblock:
    """Invitations from them are welcome again; `everybody`: from all."""

    everybody: bool = False
    whom: str = ""


@dataclass(frozen=True, slots=True)
class Relocate:
    """Letters about this game, or about all of the sender's, shall go to another address."""

    address: str
    everything: bool = False


@dataclass(frozen=True, slots=True)
class Take:
    """Take the open challenge of that number: the game begins; without one, see which there are."""

    game: int | None


@dataclass(frozen=True, slots=True)
class Challenges:
    """The list of the open challenges."""


NewGame = Propose | Rematch | Take
"""What asks for a game; the words beside it are for who is invited."""


@dataclass(frozen=True, slots=True)
class Watch:
    """Watch a public game of others; or, without a number, the list of those."""

    game: int | None = None
    daily: bool | None = None
    """Whether at most one letter a day tells of it; None leaves that as it is."""
    player: str = ""
    """Whose game, where it has no number."""


@dataclass(frozen=True, slots=True)
class Unwatch:
    """Watch a game no longer; or, without a number, none."""

    game: int | None = None


@dataclass(frozen=True, slots=True)
class Vacation:
    """The sender is away for a while, or until a day (`24 december`), from a day on or from now.

    Without any they are back; `by_itself` says only whether one begins where their time runs out.
    """

    span: timedelta | None = None
    until: str = ""
    since: str = ""
    by_itself: bool | None = None


@dataclass(frozen=True, slots=True)
class Weekends:
    """Whether the sender's clocks run on weekends."""

    wanted: bool


_Step = Play | Place | Pass | Undo | Resign | Done | Resume | Void
_Answer = Yes | No | Counter | Withdraw
Turn = _Step | _Answer | Agree | NewGame
"""At most one of these in a letter: each decides what happens next."""

Action = _Step | _Answer | Mark | Say | Note | If | CancelIfs | AskScore | Public
"""Commands that act on one game."""

_Letters = Emails | Receipts | Reviews | Plain | Calendar | Boards | Stop
_Self = Timezone | Name | IAm | Listed | Vacation | Weekends | AskWords | Speak
Setting = _Letters | _Self | ShowSettings
"""Commands about which letters their sender wants, and when they are there."""

Query = (
    (Show | Describe | Sgf | Kifu | Gif | Estimate | Review | Gui | Games | Export | Help)
    | (Challenges | Players | Learn)
    | (History | Try | Branch)
    | (Watch | Unwatch)
    | Setting
    | (Block | Unblock | Relocate | Forget)
)
"""Commands that only ask, or set one's own preferences; they need no fresh board."""

Beyond = _Letters | _Self | Gui | Block | Unblock | Relocate
"""Commands whose effect goes beyond the game at hand, or hands a seat on."""

Command = Action | Query | NewGame | Send | Agree


def logged(command: Command) -> str:
    """A command in a line of the log: its name, and the points that it is about."""
    points = (command.point,) if isinstance(command, Play) else getattr(command, "points", ())
    return " ".join([type(command).__name__.lower(), *map(str, points)])
