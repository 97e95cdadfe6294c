"""The commands of a seat, a module for each family, all in one table (`SEAT_COMMANDS`).

A new command is a function in the module of its family (`gtp.command_table`). It only returns a
`SeatDecision`, which `gtp.seat.seat_session` carries out. A text or None is an answer without a
move of the cursor. It fails by a `Refusal` in the specification's words.
"""

from gtp.seat.commands import act, look, play  # noqa: F401 - each fills the table
from gtp.seat.commands.play import SEAT_COMMANDS

__all__ = ["SEAT_COMMANDS"]
