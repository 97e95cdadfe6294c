"""The table of a seat's commands. Each gets the cursor, the game as it is, and its arguments."""

from __future__ import annotations

from collections.abc import Callable

from godaemon.games.model import Phase
from gtp.client.syntax import Arguments, Reply
from gtp.registry import Registry
from gtp.seat.cursor import Answer, SeatCursor, SeatDecision
from gtp.seat.seat_view import SeatView

SEAT: Registry[Callable[[SeatCursor, SeatView, Arguments], SeatDecision]] = Registry()
"""The commands of a seat, beside the administrative ones."""


def answer(cursor: SeatCursor, text: str) -> Answer:
    """Success, with a text; the cursor stays or goes where it is."""
    return Answer(cursor, Reply(ok=True, text=text))


def counted(cursor: SeatCursor, view: SeatView, text: str) -> Answer:
    """Success, with a text that tells how the stones are marked, so that `done` may follow."""
    counting = view.game.phase is Phase.SCORING
    return answer(cursor.shown(view.game.revisions) if counting else cursor, text)
