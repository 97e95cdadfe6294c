"""The check of all games for `godaemon doctor`: their logs, and whether they can go on.

It is a query of `operations`, one page at a time, because all writers wait for it. Changes nothing.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from godaemon.daemon.health import Trouble, trouble, trouble_if
from godaemon.errors import Corrupt, Damaged
from godaemon.games.awaited_decisions import awaited_decision
from godaemon.games.model import Game, Phase, Seat
from godaemon.games.state import replay
from godaemon.games.stored_values import GameSummary, Unit
from godaemon.games.views import summary_of

PAGE = 200
LATE_ALARM = timedelta(hours=1)
"""An alarm this late was missed, because alarms are checked every few seconds."""
_CHECKED = ("phase", "to_move", "move_number", "result")
"""The columns of a game's summary row that are compared with its log."""


def examine(
    unit: Unit, now: str, before: int | None = None, *, running: bool = False
) -> dict[str, Any]:
    """The troubles of a page of games below number `before`, and the next `before`, or None.

    Late alarms are reported only if a daemon is `running`.
    """
    moment, rows = datetime.fromisoformat(now), unit.games.page(before, PAGE)
    found = [
        one.as_dict() for row in rows for one in _game_troubles(unit, row, moment, running=running)
    ]
    return {"troubles": found, "before": rows[-1].id if len(rows) == PAGE else None}


def _game_troubles(unit: Unit, row: GameSummary, now: datetime, *, running: bool) -> list[Trouble]:
    try:
        game = replay(row.id, unit.games.log(row.id))
    except Damaged as fault:
        return [trouble("game-damaged", game=row.id, why=fault.detail)]
    except Corrupt as fault:
        return [trouble("game-unreadable", game=row.id, why=fault.public)]
    why = "; ".join(_reasons_stuck(game, row, now, running=running))
    return trouble_if(why, "game-stuck", game=row.id, why=why)


def _reasons_stuck(game: Game, row: GameSummary, now: datetime, *, running: bool) -> Iterator[str]:
    true = summary_of(game, now)
    wrong = [name for name in _CHECKED if getattr(row, name) != getattr(true, name)]
    if wrong:
        yield f"its {' and '.join(wrong)} in the list of games differs from its record"
    if not game.phase.over and not any(awaited_decision(game, seat) for seat in Seat):
        yield "it awaits neither player"
    if game.phase in {Phase.PLAYING, Phase.SCORING}:
        if row.alarm is None:
            yield "it has no timer"
        elif running and row.alarm < now - LATE_ALARM:
            yield f"its timer should have rung at {row.alarm:%Y-%m-%d %H:%M} UTC"
