"""The examination of all games for `godaemon doctor`: their logs, and whether they can go on.

A question to the store like those of `operations`, a page at a time: all who write wait for it.
Changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from godaemon.daemon.health import Trouble, trouble, trouble_if
from godaemon.errors import Corrupt, Damaged
from godaemon.games.awaited import awaited
from godaemon.games.model import Game, Phase, Seat
from godaemon.games.state import replay
from godaemon.games.store_protocols import GameSummary, Unit
from godaemon.games.views import summary_of

PAGE = 200
LATE = timedelta(hours=1)
"""So much after its moment a timer has been forgotten: they ring every few seconds."""
_TELLS = ("phase", "to_move", "move_number", "result")
"""What a game's row for lists must say as its log does: timers and lists go by it."""


def examine(
    unit: Unit, now: str, before: int | None = None, *, running: bool = False
) -> dict[str, Any]:
    """The troubles of some games with numbers below `before`, and where to go on; None at the end.

    Of timers that are late only where a daemon is `running`, which should have heard them.
    """
    moment, rows = datetime.fromisoformat(now), unit.games.page(before, PAGE)
    found = [one.told() for row in rows for one in _troubles(unit, row, moment, running=running)]
    return {"troubles": found, "before": rows[-1].id if len(rows) == PAGE else None}


def _troubles(unit: Unit, row: GameSummary, now: datetime, *, running: bool) -> list[Trouble]:
    try:
        game = replay(row.id, unit.games.log(row.id))
    except Damaged as fault:
        return [trouble("game-damaged", game=row.id, why=fault.detail)]
    except Corrupt as fault:
        return [trouble("game-unreadable", game=row.id, why=fault.public)]
    why = "; ".join(_stuck(game, row, now, running=running))
    return trouble_if(why, "game-stuck", game=row.id, why=why)


def _stuck(game: Game, row: GameSummary, now: datetime, *, running: bool) -> Iterator[str]:
    """Why a game does not go on by itself."""
    true = summary_of(game, now)
    wrong = [name for name in _TELLS if getattr(row, name) != getattr(true, name)]
    if wrong:
        yield f"the list of games has another {' and '.join(wrong)} than its record"
    if not game.phase.over and not any(awaited(game, seat) for seat in Seat):
        yield "nobody is awaited"
    if game.phase in {Phase.PLAYING, Phase.SCORING}:
        if row.alarm is None:
            yield "it has no timer"
        elif running and row.alarm < now - LATE:
            yield f"its timer should have rung at {row.alarm:%Y-%m-%d %H:%M} UTC"
