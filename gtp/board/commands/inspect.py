"""GNU Go's commands for a free board and its player, and the board in sentences and as a record."""

from __future__ import annotations

import time
from pathlib import Path

from godaemon.errors import Refusal
from godaemon.rules.scoring import board_rows
from gtp import argument_readers
from gtp.board.commands.table import FREE, FreeHost
from gtp.client.syntax import Arguments


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
def printsgf(host: FreeHost, arguments: Arguments) -> str:
    """The game so far as an SGF record.

    Arguments: none or `-`; or a file name without blanks, in a session of the operator's own.
    Fails: `cannot write file`.
    Returns: the record; nothing where it went into the file.
    Example: `printsgf` -> `= (;FF[4]GM[1]` and so on
    """
    from godaemon.records.sgf import write  # noqa: PLC0415 - few sessions write a record
    from gtp.board.board_record import record_of  # noqa: PLC0415

    text = write(record_of(host.board))
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
