"""A record played on a board: strictly by a ruleset, or as SGF executes it. Pure."""

from __future__ import annotations

from godaemon.errors import IllegalMove
from godaemon.records.record import Record
from godaemon.rules.board import EMPTY, Board
from godaemon.rules.points import Point
from godaemon.rules.position import Position
from godaemon.rules.rulesets import Ruleset


def replay(record: Record, ruleset: Ruleset, upto: int | None = None) -> Position:
    """The position after `upto` moves of a record, or after all of them.

    Raises `IllegalMove`, with the number of the move, where the ruleset forbids one.
    """
    position = Position(record.size, ruleset, record.setup_black, white=record.setup_white)
    if record.to_move is not None:
        position.give_turn(record.to_move)
    for number, (color, point) in enumerate(record.moves[:upto], start=1):
        if point is None:
            position.pass_(color)
            continue
        try:
            position.play(color, point)
        except IllegalMove as refusal:
            message = f"Move {number}, {color.word} {point}, is illegal: {refusal.public}"
            raise IllegalMove(message, refusal.reason) from refusal
    return position


def executed(record: Record) -> Board:
    """The board after all moves as SGF executes them: whatever the rules say of them.

    A stone replaces what stands on its point, captures, and vanishes if it has no liberty (FF[4],
    "Move vs. Place"). The points must be on the board.
    """
    board = Board(record.size)
    for point in record.setup_black:
        _place(board, point, 1)
    for point in record.setup_white:
        _place(board, point, -1)
    for color, played in record.moves:
        if played is not None:
            index = board.index(played)
            if board.cells[index] != EMPTY:
                board.lift(index)
            board.apply(index, color, board.outcome(index, color))
    return board


def _place(board: Board, point: Point, color: int) -> None:
    index = board.index(point)
    if board.cells[index] != EMPTY:
        board.lift(index)
    board.put(index, color)
