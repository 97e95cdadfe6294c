"""The commands of a seat at a stored game, family by family, in one table."""

from __future__ import annotations

from gtp.seat.commands import game, gogui, inspect, play, scoring
from gtp.seat.commands.table import SEAT

__all__ = ["SEAT", "game", "gogui", "inspect", "play", "scoring"]
