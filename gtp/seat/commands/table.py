"""The table of a seat's commands. Each gets the cursor, the game as it is, and its arguments."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from godaemon.games.model import Phase
from godaemon.rules.position import Position
from gtp.client.syntax import Arguments, Reply
from gtp.inspection import LOOKS
from gtp.registry import Registry
from gtp.seat.cursor import Answer, SeatCursor, SeatDecision
from gtp.seat.cursor_steps import position_at
from gtp.seat.seat_view import SeatView

SEAT: Registry[Callable[[SeatCursor, SeatView, Arguments], SeatDecision]] = Registry()
"""The commands of a seat, beside the administrative ones."""


def _looking(
    look: Callable[[Position, Arguments], str],
) -> Callable[[SeatCursor, SeatView, Arguments], SeatDecision]:
    @wraps(look)
    def _look(cursor: SeatCursor, view: SeatView, arguments: Arguments) -> SeatDecision:
        return answer(cursor, look(position_at(cursor, view), arguments))

    return _look


for _one in LOOKS:
    SEAT.command(_one.name)(_looking(_one.handle))


def answer(cursor: SeatCursor, text: str) -> Answer:
    """Success, with a text; the cursor stays or goes where it is."""
    return Answer(cursor, Reply(ok=True, text=text))


def counted(cursor: SeatCursor, view: SeatView, text: str) -> Answer:
    """Success, with a text that tells how the stones are marked, so that `done` may follow."""
    counting = view.game.phase is Phase.SCORING
    return answer(cursor.shown(view.game.revisions) if counting else cursor, text)
