"""The commands of a free board, a module for each family, all in one table: `BOARD_COMMANDS`.

A new command is a function in the module of its family (`gtp.command_table`). It fails by a
`Refusal` in the specification's words.
"""

from gtp.board.commands import analyze, look, play, settings  # noqa: F401 - each fills the table
from gtp.board.commands.play import BOARD_COMMANDS

__all__ = ["BOARD_COMMANDS"]
