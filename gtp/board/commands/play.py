"""Core play commands of a free board (GTP 2 draft 2, 6.3.3 and 6.3.4)."""

from __future__ import annotations

from gtp import argument_readers
from gtp.board.commands.table import FREE, FreeHost
from gtp.client.syntax import Arguments


@FREE.command()
def play(host: FreeHost, arguments: Arguments) -> str:
    """Play a stone or pass, for either colour at any time (6.3.3).

    Arguments: color, vertex.
    Fails: `illegal move` where the rules forbid it, off the board too; `syntax error`.
    Example: `play black Q16` -> `=`
    """
    color = argument_readers.color(arguments, 0)
    host.board.play(color, argument_readers.vertex(arguments, 1))
    return ""


@FREE.command(slow=True)
def genmove(host: FreeHost, arguments: Arguments) -> str:
    """Choose a move for a colour, whoever played last, and play it (6.3.3).

    `# interrupt` ends the thinking: the best move so far is played. The time limits are kept.

    Arguments: color.
    Fails: `syntax error`; never for a good colour.
    Returns: a vertex, pass, or resign, after which the board is as it was.
    Example: `genmove white` -> `= D4`
    """
    color = argument_readers.color(arguments, 0)
    choice = host.board.genmove(color, host.stop)
    if choice.resigns:
        return "resign"
    host.board.play(color, choice.point)
    return argument_readers.written(choice.point)


@FREE.command(slow=True)
def reg_genmove(host: FreeHost, arguments: Arguments) -> str:
    """Choose a move for a colour and leave the board as it is (6.3.7).

    Arguments: color.
    Fails: `syntax error`; never for a good colour.
    Returns: a vertex, pass or resign.
    Example: `reg_genmove white` -> `= D4`
    """
    choice = host.board.genmove(argument_readers.color(arguments, 0), host.stop)
    return "resign" if choice.resigns else argument_readers.written(choice.point)


@FREE.command()
def undo(host: FreeHost, _: Arguments) -> str:
    """Take the last move or pass back (6.3.3).

    Fails: `cannot undo` where no move is left; handicap stones stay.
    Example: `undo` -> `=`
    """
    host.board.undo()
    return ""


@FREE.command("gg-undo")
def gg_undo(host: FreeHost, arguments: Arguments) -> str:
    """Take several moves back (GNU Go's, which GoGui uses).

    Arguments: perhaps int number of moves, else one.
    Fails: `cannot undo` where there are fewer, and then none is taken back; `syntax error`.
    Example: `gg-undo 2` -> `=`
    """
    host.board.undo(argument_readers.integer(arguments, 0) if arguments else 1)
    return ""
