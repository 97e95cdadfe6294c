"""A game as a record holds it: who played what on which board, and how it ended. Pure values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from godaemon.errors import Unknown
from godaemon.rules.points import Color, Point, Size
from godaemon.rules.position import Move
from godaemon.rules.rulesets import Ruleset, parse_ruleset

INFO = {
    "BR": "Black's rank",
    "WR": "White's rank",
    "BT": "Black's team",
    "WT": "White's team",
    "PC": "place",
    "RO": "round",
    "ON": "opening",
    "AN": "annotated by",
    "US": "recorded by",
    "SO": "source",
    "CP": "copyright",
    "GC": "about the game",
}
"""Other facts that a record may tell: SGF's property (FF[4], game info), and its meaning."""


Node = dict[str, list[str]]
"""The properties of a node of SGF by name, with their values as they stand between brackets."""


class TreeNode(NamedTuple):
    """A node of a tree of games: the number of the node before it, -1 for a game's first."""

    parent: int
    properties: Node


@dataclass(frozen=True, slots=True)
class ClockReading:
    """The reading of a player's clock after a move; None where the record does not say."""

    seconds: float | None = None
    """Time left (BL, WL); below zero where the player was over time."""
    moves: int | None = None
    """Moves or periods left in overtime (OB, OW)."""


@dataclass(frozen=True, slots=True)
class Edit:
    """A board changed by hand: stones put on it and taken off it, and who moves then."""

    black: tuple[Point, ...] = ()
    white: tuple[Point, ...] = ()
    empty: tuple[Point, ...] = ()
    to_move: Color | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """One game; all of it is facts, and nothing says that the moves are legal."""

    size: Size
    komi: float = 0.0
    tells_komi: bool = field(default=True, compare=False, kw_only=True)
    """False where its file says nothing of a komi."""
    handicap: int = 0
    """Handicap stones, 0 for none; the stones themselves are in `setup_black`."""
    rules: str = ""
    """The ruleset's name as SGF writes it (`Ruleset.sgf`, or its name)."""
    black: str = ""
    white: str = ""
    setup_black: tuple[Point, ...] = ()
    """Black stones on the board before the first move, handicap stones too."""
    setup_white: tuple[Point, ...] = ()
    to_move: Color | None = None
    """Who moves first, where the record says so."""
    moves: tuple[Move, ...] = ()
    comments: Mapping[int, str] = field(default_factory=dict)
    """Move number -> words; 0 is the beginning."""
    edits: Mapping[int, Edit] = field(default_factory=dict)
    """Move number -> how the board was changed by hand after that move; never 0."""
    main_time: float | None = None
    """Seconds each player had to begin with (TM)."""
    overtime: str = ""
    """What follows the main time, as servers write it: `5x30 byo-yomi`, `25/600 canadian`."""
    clocks: Mapping[int, ClockReading] = field(default_factory=dict)
    """Move number -> what the mover's clock showed after it."""
    result: str | None = None
    """In SGF's form: `B+3.5`, `W+R`, `0`, `Void`."""
    rows: tuple[str, ...] | None = None
    """The seven-state board at the end (`rules.scoring.board_rows`), where it was counted."""
    date: str | None = None
    """Days as SGF writes them: `2026-11-21`, or `2026-11-21,22` for a game of two days."""
    name: str | None = None
    event: str | None = None
    info: Mapping[str, str] = field(default_factory=dict)
    """Whatever else is said of the game, by the names in `INFO`."""
    tree: tuple[TreeNode, ...] = field(default=(), repr=False)
    """Every line of play, marks on the board, and further games of the same file.

    The main line follows the first node that comes after each; all that is told above is of it.
    Empty where the main line is all there is.
    """
    left_out: tuple[str, ...] = field(default=(), compare=False)
    """What a file had that is not in the main line, in whole sentences for its reader."""

    @property
    def ruleset(self) -> Ruleset | None:
        """The ruleset that `rules` names, in whatever spelling; None for none that we know."""
        try:
            return parse_ruleset(self.rules) if self.rules else None
        except Unknown:
            return None
