"""A seat at a stored game: the cursor that a controller moves along the game's record.

Pure. A controller replays its own record when it connects. The cursor follows as long as that
agrees with ours, and nothing changes in the game (godaemon/README.md, "The cursor"). Methods return
a `SeatDecision`: an answer, or the next step before one. A command that departs from the record
raises a `Refusal` with GTP's words, and the cursor does not move. A cursor is

    looking      not `begun`: the controller sees the current game
    following    all its steps are RECORDED; it is at the head after the last one
    pending      its last step is the seat's own next move, which can still be taken back
    overtaken    its last step is LOST: the game went on with another move
    choosing     `chosen`: the handicap stones are Black's choice, not yet released
    departed     its board is another game's: moves are refused until undo or clear_board
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import NamedTuple

from godaemon.errors import Refusal
from godaemon.games.model import Phase, Revisions
from godaemon.rules.handicap import fixed_points, most_fixed
from godaemon.rules.points import Color, Point
from godaemon.rules.position import Move
from gtp.argument_readers import ILLEGAL_MOVE, format_vertex
from gtp.client.syntax import Reply
from gtp.seat.seat_decision import Act, ActEffect, Answer, Release, SeatDecision, Wait
from gtp.seat.seat_view import (
    SeatView,
    end_text,
    no_move_reason,
    place_first_text,
    set_up_command,
    too_late_text,
    unsent_text,
)

OFF_RECORD = "this is not the game any more: undo your last move, or clear_board and replay"
NEVER = Revisions(-1, -1)
"""The revisions of a controller that has seen nothing; they match no game."""

_MOST_EXTRA_PASSES = 100
"""The limit on passes after play has stopped; programs need two or three."""

RESIGN = Reply(ok=True, text="resign")


class StepKind(Enum):
    """The relation of a step of the cursor to the record."""

    RECORDED = "recorded"
    """It is the record's move."""
    PENDING = "pending"
    """It is the seat's next move, not yet released."""
    LOST = "lost"
    """It was pending, but the game went on with another move."""
    EXTRA = "extra"
    """It is a controller's pass after play had stopped, and not in the record."""


class Step(NamedTuple):
    """One move on the controller's board, after the handicap stones."""

    move: Move
    kind: StepKind


@dataclass(frozen=True, slots=True)
class SeatCursor:
    """A controller's place in the record."""

    stones: tuple[Point, ...] = ()
    """Handicap stones on the controller's board."""
    commanded: bool = False
    """True if a handicap command placed them, so that `undo` keeps them (6.3.2)."""
    steps: tuple[Step, ...] = ()
    begun: bool = False
    """True once the controller has set up a board; until then it sees the current game."""
    marks_seen: Revisions | None = None
    """The revisions at which the controller last saw all marks."""
    chosen: bool = False
    """True if the handicap stones are its own choice, not yet released."""
    departed: bool = False
    """True if it has set up or played another game, until it goes back."""

    @property
    def unreleased(self) -> Move | tuple[Point, ...] | None:
        """The unreleased move or choice of handicap stones."""
        return self.stones if self.chosen else self.pending

    @property
    def pending(self) -> Move | None:
        """The unreleased move."""
        if self.steps and self.steps[-1].kind is StepKind.PENDING:
            return self.steps[-1].move
        return None

    def followed_moves(self) -> tuple[Move, ...]:
        """The record's moves on the controller's board."""
        return tuple(step.move for step in self.steps if step.kind is StepKind.RECORDED)

    def catch_up_with(self, view: SeatView) -> "SeatCursor":
        """The cursor in the current game, which may have overtaken a pending move."""
        if self.chosen and not view.game.to_place:
            return self.with_stones_released(kept={*self.stones} == {*view.handicap})
        if self.pending is None:
            return self
        at = len(self.followed_moves())
        if at < len(view.moves):
            same = view.moves[at] == self.pending
            return self._with_last_kind(StepKind.RECORDED if same else StepKind.LOST)
        return self if view.my_turn else self.with_pending_lost()

    def with_pending_lost(self) -> "SeatCursor":
        """The cursor after its pending move could not be released."""
        return self._with_last_kind(StepKind.LOST)

    def with_stones_released(self, *, kept: bool) -> "SeatCursor":
        """The cursor after its handicap stones were accepted (`kept`) or refused."""
        if kept:
            return replace(self, chosen=False, commanded=True)
        return replace(self, chosen=False, stones=(), departed=True)

    def _came_too_late(self, view: SeatView) -> bool:
        """True if the last step was lost because the game had ended without a count."""
        return bool(self.steps) and self.steps[-1].kind is StepKind.LOST and view.uncounted

    def is_off_record(self, view: SeatView) -> bool:
        """True if the controller's board is not the game's, now or at any earlier move."""
        followed = self.followed_moves()
        strayed = any(step.kind is StepKind.LOST for step in self.steps)
        return self.departed or strayed or followed != view.moves[: len(followed)]

    def resize(self, view: SeatView, width: int, height: int) -> Answer:
        """Empty the controller's board; raises `Refusal` for another size than the game's."""
        if (width, height) != tuple(view.size):
            raise Refusal("unacceptable size")
        return self.clear()

    def clear(self) -> Answer:
        """Go back to the empty board; a pending move is taken back."""
        return Answer(SeatCursor(begun=True, marks_seen=self.marks_seen))

    def undo(self) -> Answer:
        """Go one step back; a pending move is taken back. Raises `Refusal`: cannot undo."""
        if self.departed:  # the departing move is not on the cursor
            return Answer(replace(self, departed=False))
        if self.steps:
            return Answer(replace(self, steps=self.steps[:-1]))
        if self.stones and not self.commanded:
            return Answer(replace(self, stones=self.stones[:-1], chosen=False))
        raise Refusal("cannot undo")

    def place_handicap(self, view: SeatView, stones: int, *, exactly: bool) -> SeatDecision:
        """Place the game's handicap stones, if `stones` is their number, or (not `exactly`) more.

        Until Black has chosen the points, White waits, and Black is refused.
        """
        self._require_empty()
        if view.game.to_place:
            if stones < view.game.to_place:
                raise Refusal("invalid number of stones")
            return _wait_for_stones(view)
        count = view.game.position.handicap_count
        fits = not exactly or (stones == count <= most_fixed(view.size))
        if not count or stones < count or not fits:
            raise Refusal("invalid number of stones")
        text = " ".join(map(str, view.handicap))
        if exactly and {*view.handicap} != {*fixed_points(view.size, stones)}:
            raise Refusal(f"the handicap stones are elsewhere: set_free_handicap {text}")
        return Answer(self._with_handicap(view), Reply(ok=True, text=text))

    def set_handicap(self, view: SeatView, points: Sequence[Point | None]) -> SeatDecision:
        """Place the controller's handicap stones, which must be the game's.

        If Black has not chosen the points yet, this is Black's choice.
        """
        self._require_empty()
        if view.stones_to_place:
            return self.choose_handicap(view, points)
        game = {*view.handicap} if view.game.position.handicap_count else set()
        if len(points) != len(set(points)) or not points or {*points} != game:
            departed = replace(self, departed=not view.game.to_place)
            return Answer(departed, Reply(ok=False, text="bad vertex list"))
        return Answer(self._with_handicap(view))

    def choose_handicap(self, view: SeatView, points: Sequence[Point | None]) -> Answer:
        """Choose Black's handicap stones, to be released; raises `Refusal`: bad vertex list."""
        stones = tuple(point for point in points if point is not None and view.size.has(point))
        if not len(points) == len(set(stones)) == view.game.to_place:
            raise Refusal("bad vertex list")
        return Answer(replace(self, stones=stones, commanded=True, begun=True, chosen=True))

    def play(self, view: SeatView, move: Move) -> Answer:
        """Accept a move of the controller: the recorded one, or a pending one at the head.

        Raises `Refusal`: illegal move, if it departs from the record.
        """
        if view.game.to_place:
            return self._choose_one(view, move)
        if self.is_off_record(view):
            raise Refusal(too_late_text(view) if self._came_too_late(view) else ILLEGAL_MOVE)
        missing = self._missing_stones(view)
        if missing:
            if move.point in missing and move == view.setup_stone(move.point):
                return Answer(replace(self, stones=(*self.stones, move.point), begun=True))
            raise Refusal(ILLEGAL_MOVE)
        at = len(self.followed_moves())
        if at < len(view.moves):
            if move != view.moves[at]:
                raise Refusal(ILLEGAL_MOVE)
            return Answer(self.with_step(move, StepKind.RECORDED))
        return self._play_at_head(view, move)

    def _choose_one(self, view: SeatView, move: Move) -> Answer:
        """Place one of the handicap stones that Black chooses; the last completes the choice."""
        white = move.color is Color.WHITE
        if white and view.stones_to_place and self.stones:  # it replays another game
            return Answer(self.with_stones_released(kept=False), Reply(ok=False, text=ILLEGAL_MOVE))
        if white or not view.stones_to_place or move.point is None:
            raise Refusal(f"{ILLEGAL_MOVE}: {place_first_text(view)}")
        stones = (*self.stones, move.point)
        closed = self.chosen or self.departed
        if closed or move.point in self.stones or not view.size.has(move.point):
            raise Refusal(ILLEGAL_MOVE)
        chosen = len(stones) == view.stones_to_place
        return Answer(replace(self, stones=stones, begun=True, chosen=chosen))

    def _play_at_head(self, view: SeatView, move: Move) -> Answer:
        if not view.playing and move.point is None:
            if len(self.steps) >= len(view.moves) + _MOST_EXTRA_PASSES:
                raise Refusal(ILLEGAL_MOVE)
            return Answer(self.with_step(move, StepKind.EXTRA))
        if self.pending is not None and move.color is not view.color:
            # It replays past the head, so it has another game on its screen.
            departed = replace(self, steps=self.steps[:-1], departed=True)
            return Answer(departed, Reply(ok=False, text=unsent_text(self.pending)))
        if view.game.phase.over:
            raise Refusal(too_late_text(view))
        if move.color is not view.color or not view.my_turn or move == self.pending:
            raise Refusal(ILLEGAL_MOVE)
        if move.point is not None and not view.game.position.is_legal(move.color, move.point):
            raise Refusal(ILLEGAL_MOVE)
        before = self if self.pending is None else replace(self, steps=self.steps[:-1])
        return Answer(before.with_step(move, StepKind.PENDING))

    def genmove(self, view: SeatView, color: Color) -> SeatDecision:
        """Return the next recorded move of a colour; at the head wait for the opponent's.

        Raises `Refusal` with the reason if there will be no such move.
        """
        if self.is_off_record(view):
            if view.opponent_resigned and color is not view.color:
                return Answer(self, RESIGN)
            raise Refusal(end_text(view) if self._came_too_late(view) else OFF_RECORD)
        if self.chosen and color is Color.WHITE:
            return Release(self.stones)
        if view.game.to_place and color is Color.BLACK:
            return _wait_for_stones(view)
        missing = self._missing_stones(view)
        if missing:
            return self._give_stone(view, color, missing)
        at = len(self.followed_moves())
        if at < len(view.moves):
            move = view.moves[at]
            if move.color is not color:
                mover = move.color.word
                raise Refusal(f"the next move of the record is {mover}'s: genmove {mover} gives it")
            return self._give(move, StepKind.RECORDED)
        if color is view.color:
            raise Refusal(no_move_reason(view))
        return self._give_opponents(view, color)

    def _give_opponents(self, view: SeatView, color: Color) -> SeatDecision:
        if self.pending is not None:
            return Release(self.pending)
        if view.opponent_resigned:
            return Answer(self, RESIGN)
        if view.uncounted:
            raise Refusal(end_text(view))
        if not view.playing:
            return self._give(Move(color, None), StepKind.EXTRA)
        if view.my_turn:
            raise Refusal(no_move_reason(view))
        return Wait()

    def _give(self, move: Move, kind: StepKind) -> Answer:
        return Answer(self.with_step(move, kind), Reply(ok=True, text=format_vertex(move.point)))

    def _give_stone(self, view: SeatView, color: Color, missing: tuple[Point, ...]) -> Answer:
        if view.game.position.set_up_white:
            raise Refusal(f"the game began with other stones: {set_up_command(view)}")
        if color is Color.WHITE:
            stones = " ".join(map(str, view.handicap))
            raise Refusal(f"the handicap stones come first: set_free_handicap {stones}")
        placed = replace(self, stones=(*self.stones, missing[0]), begun=True)
        return Answer(placed, Reply(ok=True, text=str(missing[0])))

    def with_marks_seen(self, revisions: Revisions) -> "SeatCursor":
        """The cursor of a controller that has seen all present marks."""
        return replace(self, marks_seen=revisions)

    def with_act(self, act: Act, outcome: ActEffect) -> "SeatCursor":
        """The cursor after the seat's own act.

        If the controller had seen all marks before, or the answer shows them, it has seen them now.
        After the counting this no longer matters.
        """
        if outcome.after.phase is not Phase.SCORING:
            return replace(self, marks_seen=None)
        before, after = outcome.before.revisions, outcome.after.revisions
        return self.with_marks_seen(after) if act.shows or self.marks_seen == before else self

    def _with_handicap(self, view: SeatView) -> "SeatCursor":
        return replace(self, stones=view.handicap, commanded=True, begun=True, departed=False)

    def _missing_stones(self, view: SeatView) -> tuple[Point, ...]:
        return tuple(point for point in view.handicap if point not in self.stones)

    def with_step(self, move: Move, kind: StepKind) -> "SeatCursor":
        return replace(self, steps=(*self.steps, Step(move, kind)), begun=True)

    def _with_last_kind(self, kind: StepKind) -> "SeatCursor":
        *before, last = self.steps
        return replace(self, steps=(*before, Step(last.move, kind)))

    def _require_empty(self) -> None:
        if self.steps or self.stones:
            raise Refusal("board not empty")


def _wait_for_stones(view: SeatView) -> Wait:
    """Let White wait for Black's handicap stones; raises `Refusal` for Black, who places them."""
    if view.color is Color.BLACK:
        raise Refusal(place_first_text(view))
    return Wait()
