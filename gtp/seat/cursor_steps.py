"""Ways to bring a seat's cursor somewhere in one command, and the board that it has there.

Pure, over `gtp.seat.cursor.SeatCursor`. What departs from the record raises a `Refusal` in GTP's
words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from godaemon.errors import Refusal
from godaemon.rules.points import Color
from godaemon.rules.position import Move, Position
from godaemon.rules.scoring import board_rows
from gtp.argument_readers import ILLEGAL_MOVE
from gtp.client.syntax import Reply
from gtp.seat.cursor import Answer, SeatCursor, set_up_words
from gtp.seat.seat_view import SeatView


def position_at(cursor: SeatCursor, view: SeatView) -> Position:
    """The board that the controller has: its handicap stones and the moves it has followed or made.

    Before it has set one up, the game's. A value: not to be changed.
    """
    record = view.game.position
    if not cursor.begun:
        return record
    moves = tuple(step.move for step in cursor.steps)
    if moves == view.moves and {*cursor.stones} == {*view.handicap}:
        return record
    black, white = (
        [stone for stone in cursor.stones if view.set_up(stone).color is color] for color in Color
    )
    position = Position(view.size, view.game.spec.ruleset, black, white=white)
    position.play_all(moves)
    return position


def to_move(cursor: SeatCursor, view: SeatView) -> Color:
    """The colour whose move comes next where the cursor stands."""
    at = len(cursor.followed())
    return view.moves[at].color if at < len(view.moves) else view.game.position.to_move


def rows_at(cursor: SeatCursor, view: SeatView) -> tuple[str, ...]:
    """That board as rows of seven states; with the marks of a count where it is the game's."""
    if at_head(cursor, view) or not cursor.begun:
        return view.game.rows()
    return board_rows(position_at(cursor, view).board, None)


def at_head(cursor: SeatCursor, view: SeatView) -> bool:
    """True where the controller has followed the whole record, with no move of its own on top."""
    there = not cursor.off_record(view) and cursor.pending is None
    return there and len(cursor.followed()) == len(view.moves)


def back(cursor: SeatCursor, steps: int) -> Answer:
    """So many steps back, or none: raises `Refusal`: cannot undo."""
    for _ in range(steps):
        cursor = cursor.undo().cursor
    return Answer(cursor)


def sequence(cursor: SeatCursor, view: SeatView, moves: Sequence[Move]) -> Answer:
    """Several moves at once, or none of them: raises `Refusal`: illegal move.

    Only the last one can be a move that is not in the record yet. A pending move that the other
    colour's is played upon is taken back, as `SeatCursor.play` does: it is another game's.
    """
    start = cursor
    for move in moves:
        if cursor.unreleased is not None and cursor is not start:
            raise Refusal(ILLEGAL_MOVE)
        answer = cursor.play(view, move)
        if not answer.reply.ok:
            return answer
        cursor = answer.cursor
    return Answer(cursor)


def set_up(cursor: SeatCursor, view: SeatView, stones: Sequence[Move]) -> Answer:
    """Stones set up on an empty board, which must be the game's handicap stones, or none.

    Where Black has still to choose those, and this is Black, they are chosen so. Raises `Refusal`;
    what the game did not begin with is refused with what can be set up.
    """
    if cursor.stones or cursor.steps:
        raise Refusal("board not empty")
    if view.placing and all(stone.color is Color.BLACK for stone in stones):
        return cursor.choose(view, [stone.point for stone in stones])
    if len(stones) != len({*stones}) or {*stones} != {*map(view.set_up, view.handicap)}:
        refused = Reply(ok=False, text=_set_up_words(view))
        return Answer(replace(cursor, departed=True), refused)
    there = replace(cursor, stones=view.handicap, commanded=bool(view.handicap), begun=True)
    return Answer(replace(there, departed=False))


def set_player(cursor: SeatCursor, view: SeatView, color: Color) -> Answer:
    """The player to move after stones were set up: whoever is; raises `Refusal` otherwise."""
    expected = to_move(cursor, view)
    if color is not expected:
        raise Refusal(f"{expected.word} is to move here")
    return Answer(cursor, Reply(ok=True, text=""))


def _set_up_words(view: SeatView) -> str:
    if not view.handicap:
        return "this game began with an empty board: replay its moves instead"
    which = "the game's first" if view.game.spec.opening else "the handicap"
    return f"only {which} stones can be set up: {set_up_words(view)}"
