"""Scoring, time, files and the drawn board on a free board (GTP 2 draft 2, 6.3.4 to 6.3.8)."""

from __future__ import annotations

from pathlib import Path

from godaemon.errors import Refusal
from godaemon.rules import scoring
from godaemon.rules.rulesets import format_ruleset
from gtp import argument_readers
from gtp.board.commands.table import FREE, FreeHost
from gtp.board.time_settings import Left, TimeLimits
from gtp.client.syntax import Arguments


@FREE.command(slow=True)
def final_score(host: FreeHost, _: Arguments) -> str:
    """Count the game by the session's rules and our judgement of what is dead (6.3.5).

    Returns: W+ or B+ and the points, or 0 for a tie.
    Example: `final_score` -> `= W+3.5`
    """
    return host.board.score().result


@FREE.command(slow=True)
def final_status_list(host: FreeHost, arguments: Arguments) -> str:
    """The stones of a status at the end of the game, by our judgement (6.3.5).

    Arguments: alive, seki or dead; a stone is in one of the lists. Or of the empty points, as GNU
        Go has it: black_territory, white_territory or dame.
    Fails: `syntax error`.
    Returns: one chain a line, its vertices in a row; empty points in one row.
    Example: `final_status_list dead` -> `= C3 C4`
    """
    board = host.board
    if state := _EMPTY.get(argument_readers.word(arguments, 0)):
        rows = scoring.board_rows(board.position.board, board.dead(), board.ruleset)
        points = (point for point, found in scoring.point_states(rows) if found == state)
        return " ".join(map(str, sorted(points)))
    return argument_readers.written_chains(host.board.chains(argument_readers.status(arguments, 0)))


_EMPTY = {"black_territory": "B", "white_territory": "W", "dame": "."}


@FREE.command("godaemon-doubtful_stones", slow=True)
def doubtful_stones(host: FreeHost, _: Arguments) -> str:
    """The stones of which we are not sure whether they are dead.

    Returns: one chain a line, its vertices in a row.
    Example: `godaemon-doubtful_stones` -> `= C3 C4`
    """
    board = host.board
    return argument_readers.written_chains(
        scoring.chains(board.position.board, board.reading().doubtful)
    )


@FREE.command()
def time_settings(host: FreeHost, arguments: Arguments) -> str:
    """Set the time limits (6.3.4), which our moves keep.

    Arguments: int main time, int byo-yomi time, both in seconds, int byo-yomi stones. Byo-yomi
        time without stones means no limits, and so do three noughts.
    Fails: `syntax error`.
    Example: `time_settings 300 30 5` -> `=`
    """
    main, overtime, stones = (argument_readers.decimal(arguments, at) for at in range(3))
    unlimited = stones < 1 and (overtime > 0 or main <= 0)
    limits = TimeLimits(main, overtime if stones >= 1 else 0.0, int(stones))
    host.board.time.limit(None if unlimited else limits)
    return ""


@FREE.command()
def time_left(host: FreeHost, arguments: Arguments) -> str:
    """Say how much time a colour has left (6.3.4).

    Arguments: color, int seconds, int stones (0 while main time runs).
    Fails: `syntax error`.
    Example: `time_left black 120 0` -> `=`
    """
    color = argument_readers.color(arguments, 0)
    seconds, stones = (argument_readers.decimal(arguments, at) for at in (1, 2))
    host.board.time.tell(color, Left(max(0.0, seconds), max(0, int(stones))))
    return ""


@FREE.command(local=True)
def loadsgf(host: FreeHost, arguments: Arguments) -> str:
    """Take a position from an SGF file (6.3.6): its size, komi, rules, stones and moves.

    Arguments: file name without blanks, and perhaps int move number: the position before it.
    Fails: `cannot load file`, `syntax error`; and then the board is as it was.
    Returns: the colour to move there, as GNU Go does; and below it, in sentences, what of the
    file could not be read or is not in its main line.
    Example: `loadsgf game.sgf 120` -> `= white`
    """
    name = argument_readers.word(arguments, 0)
    before = argument_readers.integer(arguments, 1) if len(arguments) > 1 else None
    left_out = host.board.load(_read(Path(name)), before)
    return "\n".join([host.board.position.to_move.word, *left_out])


def _read(file: Path) -> bytes:
    """What is in a file, up to where it is too long for a game; raises `Refusal` for no file."""
    from godaemon.records.sgf_read import LARGEST_FILE  # noqa: PLC0415 - few sessions load a file

    try:
        if not file.is_file():
            raise Refusal("cannot load file", detail=f"{file} is no file")
        with file.open("rb") as opened:
            return opened.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as fault:
        raise Refusal("cannot load file", detail=str(fault)) from fault


@FREE.command()
def showboard(host: FreeHost, _: Arguments) -> str:
    """Draw the board, for people (6.3.8): X is black, O is white, the last move in brackets.

    Returns: the board with its coordinates, then prisoners and komi.
    Example: `showboard` -> a drawing
    """
    from gtp import board_in_words  # noqa: PLC0415 - programs never ask for it

    position, rules = host.board.position, format_ruleset(host.board.ruleset)
    rows = scoring.board_rows(position.board, None)
    return board_in_words.drawn(rows, position, host.board.komi, rules)
