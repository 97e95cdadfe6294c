"""The state on which a seat's commands act: the controller's cursor and the game. Pure.

A command that departs from the record raises a `Refusal` in GTP's words.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from godaemon.errors import Refusal
from godaemon.games.model import Phase
from godaemon.rules.points import Color
from godaemon.rules.position import Move, Position
from godaemon.rules.scoring import board_rows
from gtp.argument_readers import ILLEGAL_MOVE
from gtp.client.syntax import Reply
from gtp.command_table import CommandTable
from gtp.seat.cursor import SeatCursor
from gtp.seat.seat_decision import Answer
from gtp.seat.seat_view import SeatView, set_up_command

SEAT = CommandTable()
"""The commands of a seat, beside those of every session."""


class SeatState(NamedTuple):
    """A seat at one moment."""

    cursor: SeatCursor
    view: SeatView

    @property
    def position(self) -> Position:
        """The controller's board: its handicap stones and moves; do not change it.

        Until the controller has set up a board, this is the game's.
        """
        cursor, view, record = self.cursor, self.view, self.view.game.position
        if not cursor.begun:
            return record
        moves = tuple(step.move for step in cursor.steps)
        if moves == view.moves and {*cursor.stones} == {*view.handicap}:
            return record
        black, white = (
            [stone for stone in cursor.stones if view.setup_stone(stone).color is color]
            for color in Color
        )
        position = Position(view.size, view.game.spec.ruleset, black, white=white)
        position.play_all(moves)
        return position

    @property
    def rows(self) -> tuple[str, ...]:
        """The rows of the controller's board (`board_rows`); with marks if it is the game's."""
        same_stones = {*self.cursor.stones} == {*self.view.handicap}
        if not self.cursor.begun or (self.at_head and same_stones):
            return self.view.game.rows()
        return board_rows(self.position.board, None)

    @property
    def at_head(self) -> bool:
        """True if the controller has followed the whole record, without a move of its own."""
        on_record = not self.cursor.is_off_record(self.view) and self.cursor.pending is None
        return on_record and len(self.cursor.followed_moves()) == len(self.view.moves)

    def answer_with_marks(self, text: str) -> Answer:
        """An answer that shows all marks, so that `godaemon-done` may follow."""
        cursor = self.cursor
        if self.view.game.phase is Phase.SCORING:
            cursor = cursor.with_marks_seen(self.view.game.revisions)
        return Answer(cursor, Reply(ok=True, text=text))

    def go_back(self, steps: int) -> Answer:
        """Go all these steps back; raises `Refusal` (cannot undo) if there are fewer."""
        cursor = self.cursor
        for _ in range(steps):
            cursor = cursor.undo().cursor
        return Answer(cursor)

    def play_all(self, moves: Sequence[Move]) -> Answer:
        """Play several moves, or none of them; raises `Refusal`: illegal move.

        Only the last one may be missing from the record. A move of the other colour on top of a
        pending one is refused, and the pending one is taken back, as in `SeatCursor.play`.
        """
        cursor = self.cursor
        for move in moves:
            if cursor.unreleased is not None and cursor is not self.cursor:
                raise Refusal(ILLEGAL_MOVE)
            answer = cursor.play(self.view, move)
            if not answer.reply.ok:
                return answer
            cursor = answer.cursor
        return Answer(cursor)

    def set_up(self, stones: Sequence[Move]) -> Answer:
        """Set up the game's handicap stones on an empty board.

        If they are not chosen yet, this is Black's choice. Raises `Refusal` with the right command.
        """
        cursor, view = self
        if cursor.stones or cursor.steps:
            raise Refusal("board not empty")
        if view.stones_to_place and all(stone.color is Color.BLACK for stone in stones):
            return cursor.choose_handicap(view, [stone.point for stone in stones])
        if len(stones) != len({*stones}) or {*stones} != {*map(view.setup_stone, view.handicap)}:
            refusal = Reply(ok=False, text=_set_up_advice(view))
            return Answer(replace(cursor, departed=True), refusal)
        cursor = replace(cursor, stones=view.handicap, commanded=bool(view.handicap), begun=True)
        return Answer(replace(cursor, departed=False))

    @property
    def to_move(self) -> Color:
        """The colour to move at the cursor."""
        at, view = len(self.cursor.followed_moves()), self.view
        return view.moves[at].color if at < len(view.moves) else view.game.position.to_move


def _set_up_advice(view: SeatView) -> str:
    if not view.handicap:
        return "this game began with an empty board: replay its moves instead"
    kind = "the game's first" if view.game.spec.opening else "the handicap"
    return f"only {kind} stones can be set up: {set_up_command(view)}"
