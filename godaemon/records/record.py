"""The contents of a game record."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from godaemon.errors import Unknown
from godaemon.rules.named_rulesets import parse_ruleset
from godaemon.rules.points import Color, Point, Size
from godaemon.rules.position import Move
from godaemon.rules.ruleset import Ruleset

INFO = ("BR", "WR", "BT", "WT", "PC", "RO", "ON", "AN", "US", "SO", "CP", "GC")
"""SGF's properties of other facts (FF[4], game info): ranks, teams, place, round, opening,
annotator, recorder, source, copyright, and words about the game."""

Node = dict[str, list[str]]
"""The properties of an SGF node by name, with the raw values between brackets."""


class TreeNode(NamedTuple):
    """A node of a game tree, with the number of its parent, -1 for a root."""

    parent: int
    properties: Node


@dataclass(frozen=True, slots=True)
class ClockReading:
    """A player's clock after a move; None for a missing value."""

    seconds: float | None = None
    """Time left (BL, WL); negative if the player is over time."""
    moves: int | None = None
    """Moves or periods left in overtime (OB, OW)."""


@dataclass(frozen=True, slots=True)
class Edit:
    """A change of the board by hand: stones added and removed, and who moves next."""

    black: tuple[Point, ...] = ()
    white: tuple[Point, ...] = ()
    empty: tuple[Point, ...] = ()
    to_move: Color | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """A game; its moves need not be legal. Its hash leaves out the fields that cannot be hashed."""

    size: Size
    komi: float = 0.0
    has_komi: bool = field(default=True, compare=False, kw_only=True)
    """True if the record states a komi."""
    handicap: int = 0
    """The number of handicap stones, which are in `setup_black`."""
    rules: str = ""
    """The ruleset's name as SGF writes it (`Ruleset.sgf`, or its name)."""
    black: str = ""
    white: str = ""
    setup_black: tuple[Point, ...] = ()
    """Black stones on the board before the first move, handicap stones included."""
    setup_white: tuple[Point, ...] = ()
    to_move: Color | None = None
    """The colour that moves first, if the record states it."""
    moves: tuple[Move, ...] = ()
    comments: Mapping[int, str] = field(default_factory=dict, hash=False)
    """Comments by move number; 0 is the start."""
    edits: Mapping[int, Edit] = field(default_factory=dict, hash=False)
    """Changes of the board by hand, by the number of the move before, from 1."""
    main_time: float | None = None
    """Each player's main time in seconds (TM)."""
    overtime: str = ""
    """The overtime in the form of servers: `5x30 byo-yomi`, `25/600 canadian`."""
    clocks: Mapping[int, ClockReading] = field(default_factory=dict, hash=False)
    """The mover's clock after a move, by move number."""
    result: str | None = None
    """The result in SGF's form: `B+3.5`, `W+R`, `0`, `Void`."""
    rows: tuple[str, ...] | None = None
    """The seven-state board at the end (`rules.scoring.board_rows`) of a counted game."""
    date: str | None = None
    """The date in SGF's form: `2026-11-21`, or `2026-11-21,22` for a game of two days."""
    name: str | None = None
    event: str | None = None
    info: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Other facts, by their properties (`INFO`)."""
    tree: tuple[TreeNode, ...] = field(default=(), repr=False, hash=False)
    """All lines of play, marks on the board, and further games of the file.

    The main line follows each node's first child, and is written instead of the fields about moves.
    Empty if the fields have everything."""
    left_out: tuple[str, ...] = field(default=(), compare=False)
    """Sentences for the reader about parts of the file that the fields do not have."""

    @property
    def ruleset(self) -> Ruleset | None:
        """The ruleset that `rules` names in any spelling, if we know it."""
        try:
            return parse_ruleset(self.rules) if self.rules else None
        except Unknown:
            return None
