"""The commands of a seat, a module for each family, all in one table (`table`).

A new command is a function in the module of its family, whose docstring is its contract
(`gtp.registry`). It decides and does nothing itself: `gtp.seat.seat_session` carries its
`SeatDecision` out. It fails by a `Refusal` in the specification's words.
"""

from __future__ import annotations

from gtp.seat.commands import (  # noqa: F401 - each adds its commands to the table
    analyze,
    game,
    gogui,
    play,
    scoring,
    talk,
)
from gtp.seat.commands.table import SEAT

__all__ = ["SEAT"]
