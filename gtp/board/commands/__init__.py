"""The commands of a free board, a module for each family, all in one table."""

from __future__ import annotations

from gtp.board.commands import (
    gogui,
    gomill,
    inspect,
    kata,
    kgs,
    play,
    scoring,
    setup,
)
from gtp.board.commands.table import FREE

__all__ = [
    "FREE",
    "gogui",
    "gomill",
    "inspect",
    "kata",
    "kgs",
    "play",
    "scoring",
    "setup",
]
