"""Core play commands of a free board (GTP 2 draft 2, 6.3.3 and 6.3.4)."""

from __future__ import annotations

from gtp import syntax
from gtp.commands.host import FREE, FreeHost
from gtp.syntax import Arguments


@FREE.command()
def play(host: FreeHost, arguments: Arguments) -> str:
    """Play a stone or pass, for either colour at any time (6.3.3).

    Arguments: color, vertex.
    Fails: `illegal move` where the rules forbid it, off the board too; `syntax error`.
    Returns: nothing.
    Example: `play black Q16` -> `=`
    """
    color = syntax.color(arguments, 0)
    host.board.play(color, syntax.vertex(arguments, 1))
    return ""


@FREE.command(slow=True)
def genmove(host: FreeHost, arguments: Arguments) -> str:
    """Choose a move for a colour, whoever played last, and play it (6.3.3).

    Arguments: color.
    Fails: `syntax error`; never for a good colour.
    Returns: a vertex or pass.
    Example: `genmove white` -> `= D4`
    """
    color = syntax.color(arguments, 0)
    point = host.board.choose(color)
    host.board.play(color, point)
    return syntax.written(point)


@FREE.command(slow=True)
def reg_genmove(host: FreeHost, arguments: Arguments) -> str:
    """Choose a move for a colour and leave the board as it is (6.3.7).

    Arguments: color.
    Fails: `syntax error`; never for a good colour.
    Returns: a vertex or pass.
    Example: `reg_genmove white` -> `= D4`
    """
    return syntax.written(host.board.choose(syntax.color(arguments, 0)))


@FREE.command()
def undo(host: FreeHost, _: Arguments) -> str:
    """Take the last move or pass back (6.3.3).

    Arguments: none.
    Fails: `cannot undo` where no move is left; handicap stones stay.
    Returns: nothing.
    Example: `undo` -> `=`
    """
    host.board.undo()
    return ""
