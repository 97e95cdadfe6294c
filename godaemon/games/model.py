"""The model of a game: its terms, its players, and its state.

Frozen values. The `Position` inside a `Game` is never changed either, only copied.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from godaemon.games.game_clock import GameClock
from godaemon.games.time_systems import TimeSettings
from godaemon.records.record import Record
from godaemon.records.replay import replay
from godaemon.rules import scoring
from godaemon.rules.handicap import handicap_stones
from godaemon.rules.named_rulesets import parse_ruleset
from godaemon.rules.points import Color, Point, Size
from godaemon.rules.position import Position
from godaemon.rules.ruleset import Ruleset, Scoring

MAX_RESUMPTIONS = 3
"""Maximum number of returns from counting to playing, so that every dispute ends."""


class Phase(StrEnum):
    """The phases of a game's life: proposed -> playing <-> scoring -> finished."""

    PROPOSED = "proposed"
    PLAYING = "playing"
    SCORING = "scoring"
    FINISHED = "finished"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    EXPIRED = "expired"

    @property
    def over(self) -> bool:
        return self not in OPEN_PHASES


OPEN_PHASES = frozenset({Phase.PROPOSED, Phase.PLAYING, Phase.SCORING})
STARTED_PHASES = frozenset({Phase.PLAYING, Phase.SCORING, Phase.FINISHED})
"""The phases after both players agreed to the terms."""


class Seat(StrEnum):
    """A seat: a colour, or a side of the proposal; the value is its letter in tokens."""

    BLACK = "b"
    WHITE = "w"
    PROPOSER = "p"
    INVITED = "i"

    @classmethod
    def of(cls, color: Color) -> "Seat":
        return cls.BLACK if color is Color.BLACK else cls.WHITE

    @classmethod
    def named(cls, word: str) -> "Seat":
        """The seat of a `word`: `black`, `invited` ..."""
        return cls[word.upper()]

    @property
    def word(self) -> str:
        return self.name.lower()

    @property
    def other(self) -> "Seat":
        return Seat({"b": "w", "w": "b", "p": "i", "i": "p"}[self.value])


ENGINE_PREFIX = "engine:"
"""Prefix of an engine's address."""
FORMER_PREFIX = "former:"
"""Prefix of the address that replaces a forgotten player's."""
FORMER_NAME = "a former player"
OPEN = "open"
"""The invited player's address in an open challenge."""
PUBLIC = "public"
"""A pseudo-address: the games listed under it may be watched by anybody."""


def shown_address(address: str) -> str:
    """An address for display: of an engine the name, of a former player ""."""
    return "" if address.startswith(FORMER_PREFIX) else address.removeprefix(ENGINE_PREFIX)


@dataclass(frozen=True, slots=True)
class Player:
    """A person, by email address, or an engine, by `engine:NAME`; `name` is shown to others."""

    address: str
    name: str

    @property
    def engine(self) -> str | None:
        """The name of an engine; None for a person."""
        return shown_address(self.address) if self.address.startswith(ENGINE_PREFIX) else None

    @property
    def former(self) -> bool:
        return self.address.startswith(FORMER_PREFIX)

    @property
    def gets_email(self) -> bool:
        """True for a person to whom we can write."""
        return self.engine is None and not self.former and self.address != OPEN


@dataclass(frozen=True, slots=True)
class Spec:
    """The terms of a game; `events.Proposed` explains the other fields."""

    size: Size
    rules: str
    """A ruleset as `named_rulesets.format_ruleset` writes it."""
    komi: float
    handicap: int
    proposer: Player
    invited: Player
    color: Color | None
    """The proposer's colour; None for nigiri."""
    nonce: str
    """Random; it makes tokens valid for this game only."""
    free: bool = False
    words: str = ""
    opening: Record | None = None
    time: TimeSettings | None = None
    named: bool = False
    estimates: bool = False
    ranks: tuple[str, ...] = ("", "")
    rated: bool = False
    former: tuple[float, ...] = ()
    public: bool = False

    @property
    def ruleset(self) -> Ruleset:
        return parse_ruleset(self.rules)

    @property
    def names(self) -> tuple[str, str]:
        return self.proposer.name, self.invited.name

    @property
    def teaching(self) -> bool:
        """True if one person holds both seats."""
        return self.proposer.address.casefold() == self.invited.address.casefold()

    @property
    def estimable(self) -> bool:
        """True if both players have agreed to estimates, or there is only one person."""
        return self.estimates or self.teaching or self.invited.engine is not None

    @property
    def open(self) -> bool:
        """True while anybody may take the game."""
        return self.invited.address == OPEN

    def starting_position(self, chosen: Collection[Point] = ()) -> Position:
        """The position before the first move, with Black's `chosen` handicap stones, if any."""
        if self.opening is not None:
            return replay(self.opening, self.ruleset)
        waits = self.free and not chosen
        stones = () if waits else handicap_stones(self.size, self.ruleset, self.handicap, chosen)
        return Position(self.size, self.ruleset, stones)


class Revisions(NamedTuple):
    """Two counters of a game's changes, which never decrease; an email carries those it shows."""

    position: int = 0
    """The number of changes of the position or the phase."""
    marks: int = 0
    """The number of changes of the marks of dead stones."""


class Uncounted(Revisions):
    """The revisions in an email whose count differs from the game's."""

    __slots__ = ()


class Remark(NamedTuple):
    """Words of a player, or about their request, and the number of moves made before them."""

    color: Color
    move_number: int
    text: str
    hidden: bool = False
    """Of a note: whether both players see it after the game; otherwise only its writer does."""


@dataclass(frozen=True, slots=True)
class Game:
    """The state of a game, computed from its log (`games.state`)."""

    id: int
    spec: Spec
    position: Position
    phase: Phase = Phase.PROPOSED
    confirmed: bool = False
    """Whether the proposer has confirmed, so that the invitation may go out."""
    counters: int = 0
    """The number of counter-proposals."""
    black: Player | None = None
    white: Player | None = None
    passes: int = 0
    """Consecutive passes since the last stone or the last resumption."""
    since: tuple[int, int] = (0, 0)
    """The move number and `passes` when play began or was resumed; no earlier move is undone."""
    undo_asked: Color | None = None
    undo_refused: bool = False
    plans: Mapping[Color, tuple[tuple[str, ...], ...]] = field(default_factory=dict)
    """The plans of each player (`planned_moves`), for their eyes only."""
    resumptions: int = 0
    """The number of returns from counting to playing."""
    dead: frozenset[Point] = frozenset()
    agreed: Mapping[Color, str] = field(default_factory=dict)
    """The players who said done, each with the board (`rows`) that they agreed to."""
    voiding: frozenset[Color] = frozenset()
    """The players who offer to end the game without a result."""
    watchable: Mapping[Color, bool] = field(default_factory=dict)
    """Whether each player allows others to watch; a player who gave no answer is missing."""
    public_asked: Color | None = None
    """The player who last asked to let others watch: a bare yes or no answers that."""
    revisions: Revisions = Revisions()
    digest: str = ""
    """The hash of the events that change revisions; tokens are signed over it."""
    length: int = 0
    """The number of events in the log."""
    result: str | None = None
    counted: bool = False
    """Whether the result comes from a count."""
    why: str = ""
    clock: GameClock | None = None
    """None before the start, and in a game without clocks."""
    chat: tuple[Remark, ...] = ()
    remarks: tuple[Remark, ...] = ()
    undone: tuple[Remark, ...] = ()
    """Takebacks, in words."""
    estimates: tuple[Remark, ...] = ()
    """Requests for estimates of the score, in words."""
    addresses: Mapping[Seat, frozenset[str]] = field(default_factory=dict)
    """Other addresses that PROPOSER and INVITED have confirmed."""

    @property
    def public(self) -> bool:
        """True while others may watch: both players allow it, and the game is in progress."""
        going = self.phase in {Phase.PLAYING, Phase.SCORING}
        return going and all(
            self.watchable.get(color) or self.player(Seat.of(color)).engine is not None
            for color in Color
        )

    @property
    def offering_side(self) -> Seat:
        """The side that made the last offer."""
        return Seat.INVITED if self.counters % 2 else Seat.PROPOSER

    @property
    def to_move(self) -> Color | None:
        """The colour to move; None unless the game is being played."""
        return self.position.to_move if self.phase is Phase.PLAYING else None

    @property
    def to_place(self) -> int:
        """The number of handicap stones that Black is to place now."""
        waits = self.phase is Phase.PLAYING and self.spec.free and not self.position.handicap
        return self.spec.handicap if waits else 0

    @property
    def move_number(self) -> int:
        return self.position.move_number

    @property
    def moves_made(self) -> int:
        """The number of moves and passes, without those of a starting record."""
        return self.move_number - self.spec.starting_position().move_number

    @property
    def begun(self) -> bool:
        """True once each player has made a move of their own."""
        return self.moves_made > 1

    @property
    def seats(self) -> tuple[Seat, Seat]:
        """The two seats: the colours, or the sides of the proposal before the start."""
        proposed = self.black is None
        return (Seat.PROPOSER, Seat.INVITED) if proposed else (Seat.BLACK, Seat.WHITE)

    def color_of(self, seat: Seat) -> Color | None:
        """The colour of a seat; None before the start."""
        if seat is Seat.BLACK or seat is Seat.WHITE:
            return Color.BLACK if seat is Seat.BLACK else Color.WHITE
        if self.black is None:
            return None
        proposer = Color.BLACK if self.black == self.spec.proposer else Color.WHITE
        return proposer if seat is Seat.PROPOSER else proposer.opponent

    def player(self, seat: Seat) -> Player:
        """The player of a seat; raises `LookupError` for a colour before the start."""
        holders = {
            Seat.BLACK: self.black,
            Seat.WHITE: self.white,
            Seat.PROPOSER: self.spec.proposer,
            Seat.INVITED: self.spec.invited,
        }
        holder = holders[seat]
        if holder is None:
            raise LookupError(seat)
        return holder

    def color_seat(self, seat: Seat) -> Seat:
        """The seat by its colour; before the start the seat itself."""
        color = self.color_of(seat)
        return seat if color is None else Seat.of(color)

    def rank_of(self, color: Color) -> str:
        """The rank that a colour's player stated when the game began, or ""."""
        return self.spec.ranks[self.color_of(Seat.PROPOSER) is not color]

    def side(self, seat: Seat) -> Seat:
        """The side of the proposal, PROPOSER or INVITED, that holds a seat.

        In a teaching game it is always PROPOSER: a confirmed address counts for both seats.
        """
        if self.spec.teaching:
            return Seat.PROPOSER
        color = self.color_of(seat)
        if color is None:
            return seat
        return Seat.PROPOSER if color is self.color_of(Seat.PROPOSER) else Seat.INVITED

    def knows(self, seat: Seat, address: str) -> bool:
        """True if emails from an address may act for a seat."""
        holder = self.player(seat).address.casefold()
        also = self.addresses.get(self.side(seat), frozenset())
        return address.casefold() in {holder, *map(str.casefold, also)}

    def seats_of(self, address: str) -> tuple[Seat, ...]:
        return tuple(seat for seat in self.seats if self.knows(seat, address))

    def seat_held_by(self, address: str) -> Seat | None:
        """The first seat whose player has this address, or None."""
        key = address.casefold()
        return next((one for one in self.seats if self.player(one).address.casefold() == key), None)

    @property
    def ruleset(self) -> Ruleset:
        """The ruleset of the count: area scoring after too many disputes."""
        agreed = self.spec.ruleset
        return agreed.replace(scoring=Scoring.AREA) if self.undisputed else agreed

    @property
    def undisputed(self) -> bool:
        """True if the next stop of play ends the game, counted by area as the board stands."""
        return self.resumptions >= MAX_RESUMPTIONS

    def rows(self) -> tuple[str, ...]:
        """The seven-state board, top row first; with territory once the game is counted."""
        counted = self.phase is Phase.SCORING or self.ended_by_count
        return scoring.board_rows(self.position.board, self.dead if counted else None, self.ruleset)

    def notes_for(self, reader: Color | None) -> tuple[Remark, ...]:
        """The notes that a reader may see; `reader` is None for somebody who does not play."""
        return tuple(
            one
            for one in self.remarks
            if (one.hidden and self.phase.over)
            or (reader is not None and (self.spec.teaching or one.color is reader))
        )

    @property
    def ended_by_count(self) -> bool:
        return self.phase is Phase.FINISHED and self.counted

    def score(self) -> scoring.Score:
        spec = self.spec
        return scoring.count(self.position, self.dead, spec.komi, spec.handicap, self.ruleset)
