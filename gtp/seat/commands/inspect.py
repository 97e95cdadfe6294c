"""What a controller can ask of its own board: the one at the cursor, pending move and all. Pure."""

from __future__ import annotations

from godaemon.errors import Refusal
from godaemon.rules.points import Point
from godaemon.rules.scoring import board_rows
from gtp import argument_readers
from gtp.argument_readers import written
from gtp.client.syntax import Arguments
from gtp.seat.commands.table import SEAT, answer
from gtp.seat.cursor import SeatCursor, SeatDecision
from gtp.seat.cursor_steps import at_head, position_at
from gtp.seat.seat_view import SeatView
from gtp.seat.sentences import points


@SEAT.command()
def list_stones(cursor: SeatCursor, view: SeatView, arguments: Arguments) -> SeatDecision:
    """The stones of a colour on the board at the cursor (GNU Go's extension).

    Arguments: color.
    Fails: `syntax error`.
    Returns: the vertices.
    Example: `list_stones black` -> `= D4 E5`
    """
    board = position_at(cursor, view).board
    return answer(
        cursor, points(map(board.point, board.stones(argument_readers.color(arguments, 0))))
    )


@SEAT.command()
def color(cursor: SeatCursor, view: SeatView, arguments: Arguments) -> SeatDecision:
    """What stands on a vertex, on the board at the cursor (GNU Go's extension).

    Arguments: vertex.
    Fails: `invalid coordinate` off the board and for pass, `syntax error`.
    Returns: black, white or empty.
    Example: `color D4` -> `= black`
    """
    stone = position_at(cursor, view).board.color(_point(view, arguments))
    return answer(cursor, stone.word if stone is not None else "empty")


@SEAT.command()
def is_legal(cursor: SeatCursor, view: SeatView, arguments: Arguments) -> SeatDecision:
    """Whether the rules let a colour move there, on the board at the cursor (GNU Go's extension).

    Arguments: color, vertex.
    Fails: `syntax error`.
    Returns: 1 or 0.
    Example: `is_legal black D4` -> `= 1`
    """
    mover, point = argument_readers.color(arguments, 0), argument_readers.vertex(arguments, 1)
    legal = point is None or position_at(cursor, view).is_legal(mover, point)
    return answer(cursor, "1" if legal else "0")


@SEAT.command()
def all_legal(cursor: SeatCursor, view: SeatView, arguments: Arguments) -> SeatDecision:
    """Where the rules let a colour play, on the board at the cursor (GNU Go's extension).

    Arguments: color.
    Fails: `syntax error`.
    Returns: the vertices.
    Example: `all_legal black` -> `= A1 B1` and so on
    """
    mover = argument_readers.color(arguments, 0)
    return answer(cursor, points(position_at(cursor, view).legal_moves(mover)))


@SEAT.command()
def captures(cursor: SeatCursor, view: SeatView, arguments: Arguments) -> SeatDecision:
    """How many stones a colour has taken, up to the cursor (GNU Go's extension).

    Arguments: color.
    Fails: `syntax error`.
    Returns: the number of prisoners.
    Example: `captures black` -> `= 2`
    """
    taker = argument_readers.color(arguments, 0)
    return answer(cursor, str(position_at(cursor, view).prisoners[taker]))


@SEAT.command()
def countlib(cursor: SeatCursor, view: SeatView, arguments: Arguments) -> SeatDecision:
    """How many liberties a chain has, on the board at the cursor (GNU Go's extension).

    Arguments: vertex of a stone.
    Fails: `vertex must not be empty`, `invalid coordinate` off the board and for pass,
        `syntax error`.
    Returns: the number of liberties.
    Example: `countlib D4` -> `= 4`
    """
    return answer(cursor, str(len(_liberties(cursor, view, arguments))))


@SEAT.command()
def findlib(cursor: SeatCursor, view: SeatView, arguments: Arguments) -> SeatDecision:
    """Where the liberties of a chain are, on the board at the cursor (GNU Go's extension).

    Arguments: vertex of a stone.
    Fails: `vertex must not be empty`, `invalid coordinate` off the board and for pass,
        `syntax error`.
    Returns: the vertices.
    Example: `findlib D4` -> `= D3 C4 E4 D5`
    """
    return answer(cursor, points(_liberties(cursor, view, arguments)))


@SEAT.command("godaemon-describe")
def describe(cursor: SeatCursor, view: SeatView, arguments: Arguments) -> SeatDecision:
    """The board at the cursor in sentences, made to be read aloud.

    Arguments: none for all of it; or near or group and a vertex, row and its number, column and
        its letter.
    Fails: `invalid coordinate` off the board, `syntax error`.
    Returns: one sentence a line.
    Example: `godaemon-describe row 4` -> `= Row 4, from left to right: empty A4 to C4; Black D4.`
    """
    from gtp import board_in_words  # noqa: PLC0415 - programs never ask for it

    rows = board_rows(position_at(cursor, view).board, None)
    if at_head(cursor, view):  # with the marks of a count
        rows = view.game.rows()
    return answer(cursor, board_in_words.describe(rows, arguments))


@SEAT.command()
def last_move(cursor: SeatCursor, view: SeatView, _: Arguments) -> SeatDecision:
    """The last move that the controller has on its board (GNU Go's extension).

    Fails: `no previous move known`.
    Returns: color and vertex.
    Example: `last_move` -> `= white E5`
    """
    last = position_at(cursor, view).last
    if last is None:
        raise Refusal("no previous move known")
    return answer(cursor, f"{last.color.word} {written(last.point)}")


@SEAT.command()
def move_history(cursor: SeatCursor, view: SeatView, _: Arguments) -> SeatDecision:
    """The moves that the controller has on its board, the last one first (GNU Go's extension).

    Returns: color and vertex, one move a line.
    Example: `move_history` -> `= white E5` and so on, line by line
    """
    moves = reversed(position_at(cursor, view).moves)
    lines = [f"{move.color.word} {written(move.point)}" for move in moves]
    return answer(cursor, "\n".join(lines))


def _liberties(cursor: SeatCursor, view: SeatView, arguments: Arguments) -> frozenset[Point]:
    """The liberties of the chain at the vertex named; raises `Refusal`."""
    found = position_at(cursor, view).liberties(_point(view, arguments))
    if not found:  # a stone on the board has at least one
        raise Refusal("vertex must not be empty")
    return found


def _point(view: SeatView, arguments: Arguments) -> Point:
    """The point of the board that the first argument names; raises `Refusal`."""
    point = argument_readers.vertex(arguments, 0)
    if point is None or not view.size.has(point):
        raise Refusal("invalid coordinate")
    return point
