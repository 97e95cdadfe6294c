"""The commands of a free board, a module for each family, all in one table (`table`).

A new command is a function in the module of its family, whose docstring is its contract
(`gtp.registry`). It fails by a `Refusal` in the specification's words.
"""

from __future__ import annotations

from gtp.board.commands import (  # noqa: F401 - each adds its commands to the table
    analyze,
    gogui,
    gomill,
    inspect,
    kata,
    kgs,
    play,
    review,
    scoring,
    setup,
)
from gtp.board.commands.table import FREE

__all__ = ["FREE"]
