"""GNU Go's commands that look at a free board, which tools ask for (gnugo/doc/gtp-commands)."""

from __future__ import annotations

import time
from pathlib import Path

from godaemon.errors import Refusal
from godaemon.rules.points import Point
from godaemon.rules.scoring import board_rows
from gtp import argument_readers
from gtp.board.commands.table import FREE, FreeHost
from gtp.client.syntax import Arguments


@FREE.command()
def list_stones(host: FreeHost, arguments: Arguments) -> str:
    """The stones of a colour.

    Arguments: color.
    Fails: `syntax error`.
    Returns: their vertices in one row; nothing where there are none.
    Example: `list_stones black` -> `= D4 Q16`
    """
    board = host.board.position.board
    return _row(board.points_at(board.stones(argument_readers.color(arguments, 0))))


@FREE.command()
def color(host: FreeHost, arguments: Arguments) -> str:
    """What stands on a vertex.

    Arguments: vertex.
    Fails: `invalid coordinate` off the board and for pass, `syntax error`.
    Returns: black, white or empty.
    Example: `color D4` -> `= black`
    """
    stone = host.board.position.board.color(_point(host, arguments))
    return stone.word if stone is not None else "empty"


@FREE.command()
def is_legal(host: FreeHost, arguments: Arguments) -> str:
    """Whether the rules let a colour play on a vertex now; it may always pass.

    Arguments: color, vertex.
    Fails: `syntax error`.
    Returns: 1 or 0.
    Example: `is_legal black D4` -> `= 1`
    """
    color, point = argument_readers.color(arguments, 0), argument_readers.vertex(arguments, 1)
    return "1" if point is None or host.board.position.is_legal(color, point) else "0"


@FREE.command()
def all_legal(host: FreeHost, arguments: Arguments) -> str:
    """Where the rules let a colour play now.

    Arguments: color.
    Fails: `syntax error`.
    Returns: the vertices in one row, without pass.
    Example: `all_legal black` -> `= A1 B1` and so on
    """
    return _row(host.board.position.legal_moves(argument_readers.color(arguments, 0)))


@FREE.command()
def captures(host: FreeHost, arguments: Arguments) -> str:
    """How many stones a colour has captured.

    Arguments: color.
    Fails: `syntax error`.
    Returns: the number.
    Example: `captures black` -> `= 3`
    """
    return str(host.board.position.prisoners[argument_readers.color(arguments, 0)])


@FREE.command()
def countlib(host: FreeHost, arguments: Arguments) -> str:
    """How many liberties the chain on a vertex has.

    Arguments: vertex.
    Fails: `vertex must not be empty`, `invalid coordinate` off the board and for pass,
        `syntax error`.
    Returns: the number.
    Example: `countlib D4` -> `= 4`
    """
    return str(len(_liberties(host, arguments)))


@FREE.command()
def findlib(host: FreeHost, arguments: Arguments) -> str:
    """The liberties of the chain on a vertex.

    Arguments: vertex.
    Fails: `vertex must not be empty`, `invalid coordinate` off the board and for pass,
        `syntax error`.
    Returns: their vertices in one row.
    Example: `findlib D4` -> `= C4 D3 D5 E4`
    """
    return _row(sorted(_liberties(host, arguments)))


@FREE.command("godaemon-describe")
def describe(host: FreeHost, arguments: Arguments) -> str:
    """The board in sentences, made to be read aloud.

    Arguments: none for all of it; or near or group and a vertex, row and its number, column and
        its letter.
    Fails: `invalid coordinate` off the board, `syntax error`.
    Returns: one sentence a line.
    Example: `godaemon-describe row 4` -> `= Row 4, from left to right: empty A4 to C4; Black D4.`
    """
    from gtp import board_in_words  # noqa: PLC0415 - programs never ask for it

    return board_in_words.describe(board_rows(host.board.position.board, None), arguments)


@FREE.command()
def query_boardsize(host: FreeHost, _: Arguments) -> str:
    """The size of the board.

    Returns: its side; its width and height where they differ.
    Example: `query_boardsize` -> `= 19`
    """
    width, height = host.board.size
    return str(width) if width == height else f"{width} {height}"


@FREE.command()
def get_komi(host: FreeHost, _: Arguments) -> str:
    """The komi.

    Returns: points to White.
    Example: `get_komi` -> `= 6.5`
    """
    return repr(host.board.komi).removesuffix(".0")


@FREE.command()
def get_handicap(host: FreeHost, _: Arguments) -> str:
    """The handicap.

    Returns: how many handicap stones were placed, 0 for none.
    Example: `get_handicap` -> `= 2`
    """
    return str(host.board.handicap)


@FREE.command()
def last_move(host: FreeHost, _: Arguments) -> str:
    """The last move or pass.

    Fails: `no previous move known`.
    Returns: its colour and vertex.
    Example: `last_move` -> `= white D4`
    """
    move = host.board.position.last
    if move is None:
        raise Refusal("no previous move known")
    return f"{move.color.word} {argument_readers.written(move.point)}"


@FREE.command()
def move_history(host: FreeHost, _: Arguments) -> str:
    """All moves and passes, the last one first; stones that were set up are none.

    Returns: colour and vertex, one move a line.
    Example: `move_history` -> `= white D4` and so on, line by line
    """
    moves = reversed(host.board.position.moves)
    return "\n".join(f"{move.color.word} {argument_readers.written(move.point)}" for move in moves)


@FREE.command()
def printsgf(host: FreeHost, arguments: Arguments) -> str:
    """The game so far as an SGF record.

    Arguments: none or `-`; or a file name without blanks, in a session of the operator's own.
    Fails: `cannot write file`.
    Returns: the record; nothing where it went into the file.
    Example: `printsgf` -> `= (;FF[4]GM[1]` and so on
    """
    from gtp.board.board_record import sgf_of  # noqa: PLC0415 - few sessions write a record

    text = sgf_of(host.board)
    if not arguments or arguments[0] == "-":
        return text
    if not host.local:
        raise Refusal("cannot write file")
    try:
        Path(arguments[0]).write_text(text, "utf-8")
    except (OSError, ValueError) as fault:
        raise Refusal("cannot write file", detail=str(fault)) from fault
    return ""


@FREE.command(local=True)
def cputime(_: FreeHost, __: Arguments) -> str:
    """The processor time that the program has used since it was started.

    Returns: seconds.
    Example: `cputime` -> `= 0.052`
    """
    return f"{time.process_time():.3f}"


@FREE.command()
def clear_cache(host: FreeHost, _: Arguments) -> str:
    """Let our player forget what it has thought so far, so that it thinks afresh.

    Example: `clear_cache` -> `=`
    """
    host.board.forget()
    return ""


@FREE.command()
def get_random_seed(host: FreeHost, _: Arguments) -> str:
    """What the chance in our player's moves comes from (GNU Go's, for its twogtp).

    Returns: int seed.
    Example: `get_random_seed` -> `= 1718053247`
    """
    return str(host.board.seed)


@FREE.command(local=True)
def set_random_seed(host: FreeHost, arguments: Arguments) -> str:
    """Let our player's chance begin anew: the same questions then have the same answers.

    That is as far as the clock, which ends its thinking, allows it (GNU Go's, for its twogtp).

    Arguments: int seed.
    Fails: `syntax error`.
    Example: `set_random_seed 42` -> `=`
    """
    host.board.reseed(argument_readers.integer(arguments, 0))
    return ""


@FREE.command()
def level(host: FreeHost, arguments: Arguments) -> str:
    """Tell or change the level at which our player plays.

    Arguments: perhaps int level, from 1, the quickest and weakest.
    Fails: where there is no such level, with those there are; `syntax error`.
    Returns: the level where none was given, else nothing.
    Example: `level 5` -> `=`
    """
    if not arguments:
        return str(host.board.level)
    host.board.grade(argument_readers.integer(arguments, 0))
    return ""


def _liberties(host: FreeHost, arguments: Arguments) -> frozenset[Point]:
    point = _point(host, arguments)
    found = host.board.position.liberties(point)
    if not found:  # a stone on the board has at least one
        raise Refusal("vertex must not be empty")
    return found


def _point(host: FreeHost, arguments: Arguments) -> Point:
    """The point of the board that the first argument names."""
    point = argument_readers.vertex(arguments, 0)
    if point is None or not host.board.size.has(point):
        raise Refusal("invalid coordinate")
    return point


def _row(points: tuple[Point, ...] | list[Point]) -> str:
    return " ".join(map(str, points))
