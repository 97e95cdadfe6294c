"""The commands, a module for each family, all in the tables of `gtp.board.commands.table`."""

from __future__ import annotations

from gtp.board.commands import (
    administrative,
    gogui,
    gomill,
    inspect,
    kata,
    kgs,
    play,
    scoring,
    setup,
)
from gtp.board.commands.table import ANY, FREE, FreeHost, Host

__all__ = [
    "ANY",
    "FREE",
    "FreeHost",
    "Host",
    "administrative",
    "gogui",
    "gomill",
    "inspect",
    "kata",
    "kgs",
    "play",
    "scoring",
    "setup",
]
