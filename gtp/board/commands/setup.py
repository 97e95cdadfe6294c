"""Setup and tournament commands of a free board (GTP 2 draft 2, 6.2 and 6.3)."""

from __future__ import annotations

from collections.abc import Iterable

from godaemon.rules.points import Point
from gtp import argument_readers
from gtp.board.commands.table import FREE, FreeHost
from gtp.client.syntax import Arguments


@FREE.command()
def boardsize(host: FreeHost, arguments: Arguments) -> str:
    """An empty board of a new size (6.3.1); the komi stays.

    Arguments: int size, from 1 to 25; or int width and int height, as KataGo and Sabaki have it.
    Fails: `unacceptable size`, and then the board is as it was; `syntax error`.
    Example: `boardsize 19` -> `=`
    """
    host.board.resize(*argument_readers.sides(arguments))
    return ""


@FREE.command()
def rectangular_boardsize(host: FreeHost, arguments: Arguments) -> str:
    """An empty board with unequal sides (KataGo's extension, which Sabaki and q5Go use).

    Arguments: int width, int height, each from 1 to 25.
    Fails: `unacceptable size`, `syntax error`.
    Example: `rectangular_boardsize 9 13` -> `=`
    """
    host.board.resize(
        argument_readers.integer(arguments, 0), argument_readers.integer(arguments, 1)
    )
    return ""


@FREE.command()
def clear_board(host: FreeHost, _: Arguments) -> str:
    """Take all stones and prisoners away and forget the moves (6.3.1); size and komi stay.

    Example: `clear_board` -> `=`
    """
    host.board.clear()
    return ""


@FREE.command()
def komi(host: FreeHost, arguments: Arguments) -> str:
    """Set the komi, however ridiculous (6.3.1).

    Arguments: float komi, in points to White.
    Fails: `syntax error`.
    Example: `komi 6.5` -> `=`
    """
    host.board.komi = argument_readers.decimal(arguments, 0) + 0.0  # never -0.0
    return ""


@FREE.command()
def fixed_handicap(host: FreeHost, arguments: Arguments) -> str:
    """Place handicap stones on their fixed points (6.3.2, 4.1.1); they cannot be undone.

    Arguments: int number of stones, 2 to 9 on boards of odd sides from 9, 2 to 4 on others from 7.
    Fails: `board not empty`, `invalid number of stones`, `syntax error`.
    Returns: the vertices.
    Example: `fixed_handicap 2` -> `= D4 Q16`
    """
    return _vertices(host.board.place_fixed(argument_readers.integer(arguments, 0)))


@FREE.command()
def place_free_handicap(host: FreeHost, arguments: Arguments) -> str:
    """Place handicap stones where we like, perhaps fewer than allowed (6.3.2).

    Arguments: int number of stones, from 2 to one less than the board has points.
    Fails: `board not empty`, `invalid number of stones`, `syntax error`.
    Returns: the vertices.
    Example: `place_free_handicap 2` -> `= D4 Q16`
    """
    return _vertices(host.board.place_free(argument_readers.integer(arguments, 0)))


@FREE.command()
def set_free_handicap(host: FreeHost, arguments: Arguments) -> str:
    """Place handicap stones where the controller likes (6.3.2).

    Arguments: from 2 vertices to one less than the board has points, none twice and no pass.
    Fails: `board not empty`, `bad vertex list`; and then no stone at all is placed.
    Example: `set_free_handicap D4 Q16` -> `=`
    """
    host.board.set_free(argument_readers.stones(arguments))
    return ""


def _vertices(points: Iterable[Point]) -> str:
    return " ".join(map(str, points))
