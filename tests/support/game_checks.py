"""Checks of a game by simple rules: `awaited_fault`, and `remaining_time` from the log alone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from godaemon.games import events as ev
from godaemon.games.awaited_decisions import Awaited, awaited_decision
from godaemon.games.events import LogEntry
from godaemon.games.game_clock import MAX_EMAIL_WAIT, TIME_AFTER_FLAG
from godaemon.games.model import Game, Phase, Seat
from godaemon.games.state import apply, replay
from godaemon.games.time_systems import TimeLeft
from godaemon.rules.points import Color

_NONE = timedelta()


def awaited_fault(game: Game) -> str:  # noqa: PLR0911 - a line for each phase
    """The fault in the game's awaited decisions; "" if there is none."""
    waits = {seat: found for seat in game.seats if (found := awaited_decision(game, seat))}
    clock, turn = game.clock, None if game.clock is None else game.clock.turn
    if game.phase.over:
        running = clock is not None and clock.since is not None
        return f"it is over, and waits: {waits}" if waits or running else ""
    if game.spec.teaching:
        return ""
    if game.phase is Phase.PROPOSED:
        return "" if len(waits) == 1 else f"it waits for {waits}"
    if clock is not None and clock.since is None:
        return "no clock runs"
    if game.phase is Phase.PLAYING:
        movers = [seat for seat, found in waits.items() if found is Awaited.TURN]
        mover = game.to_move
        right = mover is not None and movers == [Seat.of(mover)] and turn in (None, mover)
        return "" if right else f"{mover} is to move, and it waits for {waits}, the clock of {turn}"
    if turn is not None and (turn in game.agreed or Seat.of(turn) not in waits):
        return f"the clock of {turn} runs, who has agreed already"
    return "" if waits else "it waits for nobody"


@dataclass(slots=True)
class _Turn:
    """A turn on the simple clock."""

    begun: datetime
    read: datetime | None = None
    taken: timedelta = _NONE

    def runs_from(self) -> datetime:
        limit = self.begun + MAX_EMAIL_WAIT
        return min(self.read or limit, limit)

    def used(self, now: datetime, away: Sequence[tuple[datetime, datetime]]) -> timedelta:
        """The time used since the player got the letter, without days off."""
        begin, used = self.runs_from(), _NONE
        for start, end in _gaps(begin, now, away):
            used += end - start
        return self.taken + used


def _gaps(
    begin: datetime, end: datetime, away: Sequence[tuple[datetime, datetime]]
) -> list[tuple[datetime, datetime]]:
    """The parts of a period outside of the spans `away`."""
    found, at = [], begin
    for start, until in sorted(away):
        if start > at:
            found.append((at, min(start, end)))
        at = max(at, until)
    found.append((at, end))
    return [(start, until) for start, until in found if start < until]


def remaining_time(  # noqa: C901, PLR0912 - independent of the real clock
    number: int, log: Sequence[LogEntry]
) -> Mapping[Color, TimeLeft]:
    """The time left of both colours at the beginning of the last turn."""
    game = replay(number, [log[0]])
    away: dict[Color, list[tuple[datetime, datetime]]] = {color: [] for color in Color}
    left: dict[Color, TimeLeft] = {}
    turn, mover = None, Color.BLACK
    for entry in log[1:]:
        event, at = entry.event, entry.at
        game = apply(game, event)
        settings = game.spec.time
        if settings is None:
            continue
        if isinstance(event, ev.Started):
            left = dict.fromkeys(Color, settings.full)
            turn, mover = _Turn(at), game.to_move or Color.BLACK
        if turn is None or isinstance(event, ev.Started):
            continue
        if isinstance(event, ev.Paused):
            color = Color.named(event.to)
            if color is mover and turn.runs_from() <= at:  # it has run
                turn = _Turn(at, at, turn.used(at, away[color]))
            away[color] = _stopped_periods(event, at)  # replaces earlier days off
            continue
        mine = getattr(event, "to", "") == mover.word
        if isinstance(event, ev.Handed):
            if mine and turn.read is None:
                turn.read = at
        elif isinstance(event, ev.Credited):
            if mine:
                used = turn.used(at, away[mover]) - timedelta(seconds=event.seconds)
                turn = _Turn(at, at, max(used, _NONE))
        elif game.phase.over:
            turn = None
        elif (next_ := _awaited(game, event) or mover) is not mover:
            earns = not isinstance(event, ev.Undone)
            used = turn.used(at, away[mover])
            before = left[mover]
            after = (
                settings.after_move(before, used) if earns else settings.after_no_move(before, used)
            )
            left[mover] = (
                after if settings.longest_turn(after) else after._replace(main=TIME_AFTER_FLAG)
            )
            turn, mover = _Turn(at), next_
        elif isinstance(event, ev.Marked | ev.Resumed) and event.color != mover.word:
            turn = _Turn(at, None, turn.used(at, away[mover]))
    return left


def _stopped_periods(event: ev.Paused, at: datetime) -> list[tuple[datetime, datetime]]:
    """The periods in which a clock is stopped: vacations, and weekends of the years around `at`."""
    spans = [(datetime.fromisoformat(one), datetime.fromisoformat(end)) for one, end in event.away]
    if event.until:
        spans = [(at, datetime.fromisoformat(event.until))]
    if event.weekends:
        day = at.date()
        spans += _weekends(event.weekends, day - timedelta(days=(day.weekday() - 5) % 7))
    return [(start, end) for start, end in spans if end > start]


@lru_cache(500)
def _weekends(zone: str, saturday: date) -> Sequence[tuple[datetime, datetime]]:
    found = []
    for week in range(-60, 105):
        day, place = saturday + timedelta(days=7 * week), ZoneInfo(zone)
        ends = (datetime.combine(day + timedelta(days=more), time(), place) for more in (0, 2))
        first, last = (one.astimezone(UTC) for one in ends)
        found.append((first, last))
    return found


def _awaited(game: Game, event: ev.Event) -> Color | None:
    """The colour awaited after an event: to move, or the other one in a count."""
    if game.to_move is not None:
        return game.to_move
    if isinstance(event, ev.Passed | ev.Marked | ev.Agreed):
        return Color.named(event.color).opponent
    return None
