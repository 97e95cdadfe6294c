"""A game as a record holds it: who played what on which board, and how it ended. Pure values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from godaemon.rules.points import Color, Point, Size
from godaemon.rules.position import Move


@dataclass(frozen=True, slots=True)
class Record:
    """One game; all of it is facts, and nothing says that the moves are legal."""

    size: Size
    komi: float = 0.0
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
    result: str | None = None
    """In SGF's form: `B+3.5`, `W+R`, `0`, `Void`."""
    rows: tuple[str, ...] | None = None
    """The seven-state board at the end (`rules.scoring.board_rows`), where it was counted."""
    date: str | None = None
    """Days as SGF writes them: `2026-11-21`, or `2026-11-21,22` for a game of two days."""
    name: str | None = None
    event: str | None = None
