"""The model of a game: its specification, its players, and the state that its log comes to.

Frozen values; the moment, chance and addresses come in from outside. A `Position` inside a `Game`
is treated as a value too: whoever changes it copies it first.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import NamedTuple

from godaemon.games.game_clock import GameClock, TimeSettings
from godaemon.games.opening import Opening
from godaemon.rules import scoring
from godaemon.rules.handicap import placed
from godaemon.rules.points import Color, Point, Size
from godaemon.rules.position import Position
from godaemon.rules.rulesets import Ruleset, Scoring, parse_ruleset

RESUMPTIONS = 3
"""So often a game can be taken back from counting to playing, so that no dispute is endless."""


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
        """True where nothing more can happen."""
        return self not in GOING


GOING = frozenset({Phase.PROPOSED, Phase.PLAYING, Phase.SCORING})
"""In which something can happen still."""
BEGUN = frozenset({Phase.PLAYING, Phase.SCORING, Phase.FINISHED})
"""Of a game that its two players have both said yes to."""


class Seat(StrEnum):
    """A place in a game: a colour, or a side of the proposal while colours are not yet drawn.

    The value is the letter that stands for it in a token.
    """

    BLACK = "b"
    WHITE = "w"
    PROPOSER = "p"
    INVITED = "i"

    @classmethod
    def of(cls, color: Color) -> Seat:
        """The seat of a colour."""
        return cls.BLACK if color is Color.BLACK else cls.WHITE

    @property
    def word(self) -> str:
        """The lower-case word: "black", "white", "proposer" or "invited"."""
        return self.name.lower()

    @property
    def other(self) -> Seat:
        """The seat across the board, or the proposal's other side."""
        pairs = {"b": "w", "w": "b", "p": "i", "i": "p"}
        return Seat(pairs[self.value])


ENGINE = "engine:"
"""The beginning of a playing program's address; no mail address begins so."""

FORMER = "former:"
"""The beginning of what stands for the address of somebody who was forgotten; none begins so."""
FORMER_NAME = "a former player"
"""What such a player is called."""


OPEN = "open"
"""The address in place of the other player's while anybody may take a game."""
PUBLIC = "public"
"""The address under which the games stand that anybody may watch."""


def bare(address: str) -> str:
    """An address as we show it: a program's is its name alone; "" for a former player."""
    return "" if address.startswith(FORMER) else address.removeprefix(ENGINE)


@dataclass(frozen=True, slots=True)
class Player:
    """A person, by mail address, or an engine, by `engine:NAME`; `name` is what others see."""

    address: str
    name: str

    @property
    def engine(self) -> str | None:
        """The name of the engine that plays; None for a person. No letter is owed to an engine."""
        return bare(self.address) if self.address.startswith(ENGINE) else None

    @property
    def former(self) -> bool:
        """True for somebody who was forgotten, and can be told nothing any more."""
        return self.address.startswith(FORMER)

    @property
    def mailed(self) -> bool:
        """True for a person: no program, nobody forgotten, nor who will take an open challenge."""
        return self.engine is None and not self.former and self.address != OPEN


@dataclass(frozen=True, slots=True)
class Spec:
    """The terms agreed on before the first move; `color` is the proposer's, None for nigiri."""

    size: Size
    rules: str
    """A ruleset as `rulesets.format_ruleset` has it: its name, and what is different from it."""
    komi: float
    handicap: int
    proposer: Player
    invited: Player
    color: Color | None
    nonce: str
    """Random; tokens of this game are worthless for any other."""
    free: bool = False
    """Whether Black begins by placing the handicap stones; else they stand on the star points."""
    names: tuple[str, str] = ("", "")
    """The proposer's and the invited's as the proposal had them, and from the start on as both
    called themselves then: what the game is called by."""
    words: str = ""
    """The proposer's, for the other player to read once they have accepted."""
    opening: Opening | None = None
    """The position that the game begins from, where that is not the empty board."""
    time: TimeSettings | None = None
    """The time settings; None for a game without clocks."""
    named: bool = False
    """Whether the proposer named the other player, so that neither is told the other's address."""
    rank: str = ""
    """Who may take an open challenge, from one rank to another: `8k-5k`; "" for anybody."""
    estimates: bool = False
    """Whether both have agreed to estimates of the score."""
    ranks: tuple[str, ...] = ("", "")
    """What the proposer and the invited said of their rank when the game began."""
    rated: bool = False
    """Whether its result counts for the ratings of both (`ratings`)."""
    former: tuple[float, ...] = ()
    """How a former player was rated (`events.Started`)."""
    public: bool = False
    """Whether others may watch it from the start."""

    @property
    def ruleset(self) -> Ruleset:
        """The ruleset that is played by."""
        return parse_ruleset(self.rules)

    @property
    def teaching(self) -> bool:
        """True where one person holds both seats."""
        return self.proposer.address.casefold() == self.invited.address.casefold()

    @property
    def estimable(self) -> bool:
        """True where estimates may be asked for: both have agreed, or there is one person alone."""
        return self.estimates or self.teaching or self.invited.engine is not None

    @property
    def open(self) -> bool:
        """True while anybody may take it."""
        return self.invited.address == OPEN

    def setup(self, chosen: Collection[Point] = ()) -> Position:
        """The position before the first move, with the handicap stones that Black chose, if any."""
        if self.opening is not None:
            return self.opening.position(self.size, self.ruleset)
        waits = self.free and not chosen
        stones = () if waits else placed(self.size, self.ruleset, self.handicap, chosen)
        return Position(self.size, self.ruleset, stones)


class Revisions(NamedTuple):
    """The state that a letter was written against; both numbers only ever grow."""

    position: int = 0
    """Counts what changes the position or the phase."""
    marks: int = 0
    """Counts what changes the marks of dead stones."""


class Uncounted(Revisions):
    """The state that a letter was written against which showed another count than the game's."""

    __slots__ = ()


class Chat(NamedTuple):
    """Words for the opponent, and how many moves had been made when they were said."""

    color: Color
    move_number: int
    text: str


class Remark(NamedTuple):
    """Words that a player keeps, and how many moves had been made then."""

    color: Color
    move_number: int
    text: str
    hidden: bool
    """Whether both see it once the game is over; else its writer alone does."""


@dataclass(frozen=True, slots=True)
class Game:
    """The state that a log comes to. `games.state.apply` makes the next one of it."""

    id: int
    spec: Spec
    position: Position
    phase: Phase = Phase.PROPOSED
    confirmed: bool = False
    """Whether the proposer has answered for the proposal, so that the invitation may go out."""
    counters: int = 0
    """How often the terms have been answered with others."""
    black: Player | None = None
    white: Player | None = None
    passes: int = 0
    """Passes in a row since the last stone or the last resumption."""
    since: tuple[int, int] = (0, 0)
    """The moves and passes before this stretch of play, which are never taken back, and how many
    of `passes` are among them."""
    undo_asked: Color | None = None
    """Who would take the last move back."""
    undo_refused: bool = False
    """Whether the other player has said that it stands."""
    plans: Mapping[Color, tuple[tuple[str, ...], ...]] = field(default_factory=dict)
    """What each player has planned (`plans`); to be shown to nobody else."""
    resumptions: int = 0
    """How often the game was taken back from counting to playing."""
    dead: frozenset[Point] = frozenset()
    agreed: Mapping[Color, str] = field(default_factory=dict)
    """The board string each player who has said done agreed to."""
    voiding: frozenset[Color] = frozenset()
    """Who would end the game with no result as the board stands, after a long cycle."""
    watchable: Mapping[Color, bool] = field(default_factory=dict)
    """What each player has said to being watched; neither where they have not."""
    public_asked: Color | None = None
    """Who has asked for that of late, so that a bare yes or no answers it."""
    revisions: Revisions = Revisions()
    digest: str = ""
    """The hash of the log so far, less the chat: what tokens answer for."""
    length: int = 0
    """How many events the log holds."""
    result: str | None = None
    counted: bool = False
    """Whether the result is that of a count."""
    why: str = ""
    """What ended it, as `Finished` has it."""
    clock: GameClock | None = None
    """What the players have left; None before the start, and where there are no clocks."""
    chat: tuple[Chat, ...] = ()
    remarks: tuple[Remark, ...] = ()
    """What the players keep; `notes_for` says who sees what of it."""
    undone: tuple[Chat, ...] = ()
    """The moves that were taken back, as words: who asked, what was left, and which."""
    estimates: tuple[Chat, ...] = ()
    """The estimates that were looked at, as words: by whom, and after which move."""
    addresses: Mapping[Seat, frozenset[str]] = field(default_factory=dict)
    """Other addresses that PROPOSER and INVITED have answered for."""

    @property
    def public(self) -> bool:
        """True while others may watch: it goes on, and neither player would rather they did not."""
        going = self.phase in {Phase.PLAYING, Phase.SCORING}
        return going and all(
            self.watchable.get(color) or self.player(Seat.of(color)).engine is not None
            for color in Color
        )

    @property
    def offered(self) -> Seat:
        """The side of the proposal whose terms stand, for the other to answer."""
        return Seat.INVITED if self.counters % 2 else Seat.PROPOSER

    @property
    def to_move(self) -> Color | None:
        """Who is to move; None unless stones are being played."""
        return self.position.to_move if self.phase is Phase.PLAYING else None

    @property
    def passed(self) -> bool:
        """Whether the last move was a pass."""
        moves = self.position.moves
        return bool(moves) and moves[-1].point is None

    @property
    def placing(self) -> int:
        """How many handicap stones Black is to place now; 0 once they stand, or were never due."""
        waits = self.phase is Phase.PLAYING and self.spec.free and not self.position.handicap
        return self.spec.handicap if waits else 0

    @property
    def move_number(self) -> int:
        """How many moves and passes have been made."""
        return self.position.move_number

    @property
    def moves_made(self) -> int:
        """How many of these its players have made: not those of a record that it began from."""
        return self.move_number - self.spec.setup().move_number

    @property
    def begun(self) -> bool:
        """True once each player has made a move of their own."""
        return self.moves_made > 1

    @property
    def seats(self) -> tuple[Seat, Seat]:
        """Its two seats: the colours, or the sides of the proposal while those are not drawn."""
        proposed = self.black is None
        return (Seat.PROPOSER, Seat.INVITED) if proposed else (Seat.BLACK, Seat.WHITE)

    def color_of(self, seat: Seat) -> Color | None:
        """The colour a seat has; None while the colours are not drawn."""
        if seat is Seat.BLACK or seat is Seat.WHITE:
            return Color.BLACK if seat is Seat.BLACK else Color.WHITE
        if self.black is None:
            return None
        proposer = Color.BLACK if self.black == self.spec.proposer else Color.WHITE
        return proposer if seat is Seat.PROPOSER else proposer.opponent

    def player(self, seat: Seat) -> Player:
        """Who holds a seat; before the start only PROPOSER and INVITED are held."""
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

    def seat(self, seat: Seat) -> Seat:
        """The seat by its colour where colours are drawn, else as it was named."""
        color = self.color_of(seat)
        return seat if color is None or self.black is None else Seat.of(color)

    def rank_of(self, color: Color) -> str:
        """The rank of a colour's player, as they said when the game began; "" for none."""
        return self.spec.ranks[self.color_of(Seat.PROPOSER) is not color]

    def side(self, seat: Seat) -> Seat:
        """The side of the proposal, PROPOSER or INVITED, that holds a seat.

        In a teaching game that is always PROPOSER: an address known for one seat is for both.
        """
        if self.spec.teaching:
            return Seat.PROPOSER
        color = self.color_of(seat)
        if color is None:
            return seat
        return Seat.PROPOSER if color is self.color_of(Seat.PROPOSER) else Seat.INVITED

    def knows(self, seat: Seat, address: str) -> bool:
        """Whether letters from an address count for a seat."""
        holder = self.player(seat).address.casefold()
        also = self.addresses.get(self.side(seat), frozenset())
        return address.casefold() in {holder, *map(str.casefold, also)}

    def seats_of(self, address: str) -> tuple[Seat, ...]:
        """The seats an address may speak for: none, one, or both in a teaching game."""
        return tuple(seat for seat in self.seats if self.knows(seat, address))

    def held_by(self, address: str) -> Seat | None:
        """The seat whose letters go to an address, the first where both do; None where none."""
        key = address.casefold()
        return next((one for one in self.seats if self.player(one).address.casefold() == key), None)

    @property
    def ruleset(self) -> Ruleset:
        """The ruleset that it is counted by: by area where disputes have had their bound."""
        agreed = self.spec.ruleset
        return replace(agreed, scoring=Scoring.AREA) if self.undisputed else agreed

    @property
    def undisputed(self) -> bool:
        """True where the next stop of play ends the game, counted by area as the board stands."""
        return self.resumptions >= RESUMPTIONS

    def rows(self) -> tuple[str, ...]:
        """The seven-state board, top row first; territory shows once the game is being counted."""
        counted = self.phase is Phase.SCORING or self.by_count
        return scoring.board_rows(self.position.board, self.dead if counted else None, self.ruleset)

    def notes_for(self, reader: Color | None) -> tuple[Remark, ...]:
        """The notes that the player of a colour may see; with None those that anybody may."""
        return tuple(
            one
            for one in self.remarks
            if (one.hidden and self.phase.over)
            or (reader is not None and (self.spec.teaching or one.color is reader))
        )

    @property
    def by_count(self) -> bool:
        """Whether the game has ended by counting, not by resignation or without a result."""
        return self.phase is Phase.FINISHED and self.counted

    def score(self) -> scoring.Score:
        """The count by the marks as they are."""
        spec = self.spec
        return scoring.count_position(
            self.position, self.dead, spec.komi, spec.handicap, self.ruleset
        )
