"""The cursor of a seat, which its controller moves along the record of a stored game.

A controller replays its own record when it connects. The cursor follows as long as that agrees with
ours, and nothing changes in the game (godaemon/README.md, "The cursor"). Each command returns a
`SeatDecision`: an answer, or the next step before one. A cursor is

    looking      not `begun`: the controller sees the current game
    following    all its steps are RECORDED; it is at the head after the last one
    pending      its last step is the seat's own next move, which can still be taken back
    overtaken    its last step is LOST: the game went on with another move
    choosing     `chosen`: the handicap stones are Black's choice, not yet released
    departed     its board is another game's: moves are refused until undo or clear_board
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from typing import NamedTuple

from godaemon.errors import Refusal
from godaemon.games import commands as cmd
from godaemon.games.model import Game, Phase, Revisions
from godaemon.rules.points import Color, Point
from godaemon.rules.position import Move, Position
from godaemon.rules.scoring import board_rows
from gtp.seat.seat_view import SeatView

CHANGED = "the game has changed since you looked: godaemon-status shows it as it is now"
NEVER = Revisions(-1, -1)
"""The revisions of a controller that has seen nothing; they match no game."""


class StepKind(Enum):
    """The relation of a step of the cursor to the record."""

    RECORDED = "recorded"
    """It is the record's move."""
    PENDING = "pending"
    """It is the seat's next move, not yet released."""
    LOST = "lost"
    """It was pending, but the game went on with another move."""
    EXTRA = "extra"
    """It is a controller's pass after play had stopped; the record does not have it."""


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

    def catch_up_with(self, view: SeatView) -> SeatCursor:
        """The cursor after the game has gone on, which may have overtaken a pending move."""
        if self.chosen and not view.game.to_place:
            return self.with_stones_released(kept={*self.stones} == {*view.handicap})
        if self.pending is None:
            return self
        at = len(self.followed_moves())
        if at < len(view.moves):
            same = view.moves[at] == self.pending
            return self._with_last_kind(StepKind.RECORDED if same else StepKind.LOST)
        return self if view.my_turn else self.with_pending_lost()

    def with_pending_lost(self) -> SeatCursor:
        """The cursor after its pending move or handicap stones could not be released."""
        if self.chosen:
            return self.with_stones_released(kept=False)
        return self._with_last_kind(StepKind.LOST)

    def with_stones_released(self, *, kept: bool) -> SeatCursor:
        """The cursor after its handicap stones were accepted (`kept`) or refused."""
        if kept:
            return replace(self, chosen=False, commanded=True)
        return replace(self, chosen=False, stones=(), departed=True)

    def came_too_late(self, view: SeatView) -> bool:
        """True if the last step was lost because the game had ended without a count."""
        return bool(self.steps) and self.steps[-1].kind is StepKind.LOST and view.uncounted

    def is_off_record(self, view: SeatView) -> bool:
        """True if the controller's board is not the game's, now or at any earlier move."""
        followed = self.followed_moves()
        strayed = any(step.kind is StepKind.LOST for step in self.steps)
        return self.departed or strayed or followed != view.moves[: len(followed)]

    def cleared(self) -> SeatCursor:
        """The cursor on the empty board; a pending move is taken back."""
        return SeatCursor(begun=True, marks_seen=self.marks_seen)

    def undone(self) -> SeatCursor:
        """The cursor one step back; a pending move is taken back. Raises `Refusal`: cannot undo."""
        if self.departed:  # the departing move is not on the cursor
            return replace(self, departed=False)
        if self.steps:
            return replace(self, steps=self.steps[:-1])
        if self.stones and not self.commanded:
            return replace(self, stones=self.stones[:-1], chosen=False)
        raise Refusal("cannot undo")

    def with_act(self, act: Act, outcome: ActEffect) -> SeatCursor:
        """The cursor after the seat's own act.

        If the controller had seen all marks before, or the answer shows them, it has seen them now.
        After the counting this no longer matters.
        """
        if outcome.after.phase is not Phase.SCORING:
            return replace(self, marks_seen=None)
        before, after = outcome.before.revisions, outcome.after.revisions
        knows = act.shows or self.marks_seen == before
        return replace(self, marks_seen=after) if knows else self

    def with_handicap(self, view: SeatView) -> SeatCursor:
        """The cursor with the game's handicap stones on the board."""
        stones, commanded = view.handicap, bool(view.handicap)
        return replace(self, stones=stones, commanded=commanded, begun=True, departed=False)

    def with_step(self, move: Move, kind: StepKind) -> SeatCursor:
        """The cursor after one more move."""
        return replace(self, steps=(*self.steps, Step(move, kind)), begun=True)

    def _with_last_kind(self, kind: StepKind) -> SeatCursor:
        *before, last = self.steps
        return replace(self, steps=(*before, Step(last.move, kind)))


class Answer(NamedTuple):
    """Store a new pending move, then move the cursor and answer."""

    cursor: SeatCursor
    text: str = ""
    ok: bool = True


class Release(NamedTuple):
    """Release the pending move, or the chosen handicap stones, then ask again."""

    pending: Move | tuple[Point, ...]


class Wait(NamedTuple):
    """Wait until the game changes, then ask again."""


class Act(NamedTuple):
    """Carry out a command in the game, and answer with its effect."""

    command: cmd.Action
    seen: Revisions
    """The revisions that the controller saw; the command is refused if they are outdated."""
    text: Callable[[ActEffect], str]
    stale: str = CHANGED
    """The answer if they are outdated."""
    shows: bool = False
    """Whether the answer shows all marks."""


class ActEffect(NamedTuple):
    """The game directly before and after an act."""

    before: Game
    after: Game


class ListGames(NamedTuple):
    """Answer with the games of the player at an address."""

    address: str


class Analyze(NamedTuple):
    """Let our player analyze a position until the next line of input."""

    position: Position


class AskEstimate(NamedTuple):
    """Ask our player for an estimate at these revisions; the opponent is told."""

    seen: Revisions


SeatDecision = str | None | Answer | Release | Wait | Act | ListGames | Analyze | AskEstimate
"""A text or None is an answer without a move of the cursor."""


class SeatState(NamedTuple):
    """A seat at one moment."""

    cursor: SeatCursor
    view: SeatView

    @property
    def position(self) -> Position:
        """The controller's board: its handicap stones and moves; do not change it.

        Until the controller has set up a board, this is the game's.
        """
        cursor = self.cursor
        view = self.view
        record = view.game.position
        if not cursor.begun:
            return record
        moves = tuple(step.move for step in cursor.steps)
        if moves == view.moves and {*cursor.stones} == {*view.handicap}:
            return record
        black, white = (
            [stone for stone in cursor.stones if view.setup_stone(stone).color is color]
            for color in Color
        )
        position = Position(view.size, view.game.spec.ruleset, black, set_up_white=white)
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
            cursor = replace(cursor, marks_seen=self.view.game.revisions)
        return Answer(cursor, text)

    @property
    def to_move(self) -> Color:
        """The colour to move at the cursor."""
        at, view = len(self.cursor.followed_moves()), self.view
        return view.moves[at].color if at < len(view.moves) else view.game.position.to_move
