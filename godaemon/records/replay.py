"""A record played on a board: strictly by a ruleset, or as SGF executes it."""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from godaemon.errors import IllegalMove, Unknown, Unreadable
from godaemon.records.record import Edit, Record
from godaemon.rules.board import Board
from godaemon.rules.points import Color, Point
from godaemon.rules.position import Position
from godaemon.rules.ruleset import Ruleset
from godaemon.texts.catalogue import sentence


def replay(record: Record, ruleset: Ruleset) -> Position:
    """The position after all moves of a record.

    Raises `IllegalMove`, with the number of the move, if the ruleset forbids one, and `Unreadable`
    if the record changes the board by hand.
    """
    position = _start(record, ruleset)
    edited = min((number for number in record.edits if number < len(record.moves)), default=None)
    try:
        position.play_all(record.moves[:edited])
    except IllegalMove as refusal:
        number = position.move_number + 1
        color, point = record.moves[number - 1]
        values = {"color": sentence(color.word), "point": point, "number": number}
        message = sentence("cannot-play", **values, why=refusal.public)
        raise IllegalMove(message, refusal.reason) from refusal
    if edited is not None:
        raise Unreadable(sentence("changed-by-hand", number=edited))
    return position


def _start(record: Record, ruleset: Ruleset) -> Position:
    position = Position(record.size, ruleset, record.setup_black, set_up_white=record.setup_white)
    if record.to_move is not None:
        position.give_turn(record.to_move)
    return position


def after_last_edit(record: Record, count: int | None = None) -> Record:
    """The first `count` moves of a record, or all, without those before its last edit.

    The stones after that edit are set up.
    """
    moves = record.moves[:count]
    edited = max((number for number in record.edits if number <= len(moves)), default=0)
    if not edited:
        return replace(record, moves=moves)
    board = execute(record, edited)
    black, white = (board.points_at(board.stones(color)) for color in Color)
    mover = moves[edited].color if moves[edited:] else record.edits[edited].to_move
    return Record(
        record.size,
        setup_black=black,
        setup_white=white,
        to_move=mover or moves[edited - 1].color.opponent,
        moves=moves[edited:],
    )


def playable(
    record: Record, ruleset: Ruleset, count: int | None = None
) -> tuple[Position, tuple[str, ...]]:
    """The position after a record, replayed from its last change of the board by hand.

    It ends before an illegal move. Sentences report both. Raises `IllegalMove` for the first move.
    """
    rest, remarks = after_last_edit(record, count), list[str]()
    if edited := len(record.moves[:count]) - len(rest.moves):
        remarks.append(sentence("begins-after-change", number=edited))
    position = _start(rest, ruleset)
    try:
        position.play_all(rest.moves)
    except IllegalMove as refusal:
        number = edited + position.move_number
        if not number:
            raise
        remarks.append(sentence("record-read-up-to", number=number, why=refusal.public))
    return position, tuple(remarks)


def execute(record: Record, count: int | None = None) -> Board:
    """The board after `count` moves, or all, as SGF executes them under any rules.

    A stone replaces the stone on its point, captures, and is removed if it has no liberties (FF[4],
    "Move vs. Place"). The points must be on the board.
    """
    ((board, _),) = deque(board_steps(record, count), maxlen=1)
    return board


def captures(record: Record) -> tuple[tuple[Point, ...], ...]:
    """The stones that each move captures, as SGF executes moves."""
    return tuple(board.points_at(taken) for board, taken in islice(board_steps(record), 1, None))


def board_steps(record: Record, count: int | None = None) -> Iterator[tuple[Board, Sequence[int]]]:
    """The board before the first move, and after each with its captures: one object."""
    board = Board(record.size)
    _apply_edit(board, Edit(record.setup_black, record.setup_white))
    yield board, ()
    for number, (color, point) in enumerate(record.moves[:count], start=1):
        taken: Sequence[int] = ()
        if point is not None:
            index = board.index(point)
            board.lift(index)
            taken = board.play(index, color)
        if number in record.edits:
            _apply_edit(board, record.edits[number])
        yield board, taken


def move_index(record: Record, number: int | None) -> int:
    """Check the number of a move; None is the last move. Raises `Unknown`."""
    count = len(record.moves)
    if number is None:
        return count
    if not 0 <= number <= count:
        raise Unknown(sentence("no-such-move", count=count, number=number))
    return number


def _apply_edit(board: Board, edit: Edit) -> None:
    for point in edit.empty:
        board.lift(board.index(point))
    for color, points in ((1, edit.black), (-1, edit.white)):
        for point in points:
            board.put(board.index(point), color)
