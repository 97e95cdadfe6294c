"""The commands of a seat at a stored game, family by family, in one table."""

from __future__ import annotations

from gtp.commands import seat_counting, seat_game, seat_gogui, seat_inspect, seat_replay
from gtp.commands.seat_host import SEAT

__all__ = ["SEAT", "seat_counting", "seat_game", "seat_gogui", "seat_inspect", "seat_replay"]
