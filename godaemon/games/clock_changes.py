"""The clock of a game after each event: which side it counts for, and when it stops. Pure."""

from datetime import datetime, timedelta

from godaemon.games import events as ev
from godaemon.games.days_off import DaysOff
from godaemon.games.fast_replace import with_changes
from godaemon.games.game_clock import GameClock
from godaemon.games.model import Game, Seat
from godaemon.rules.points import Color


def clock_after(game: Game, event: ev.Event, now: datetime) -> GameClock | None:
    """The clock after an event at the moment `now`; the rest of the game is changed already."""
    clock, settings = game.clock, game.spec.time
    length = game.length + 1
    if isinstance(event, ev.Started) and settings is not None:
        clock = GameClock(settings, dict.fromkeys(Color, settings.full), Color.BLACK, 0, None)
        return _new_turn(game, game.to_move or Color.BLACK, clock, length, now)
    if clock is None:
        return None
    if isinstance(event, ev.Paused):
        clock = clock.set_days_off(Color.named(event.to), now, _days_off(event, now))
    elif isinstance(event, ev.CLOCK_EVENTS):
        clock = _same_turn(clock, event, now) if event.to == clock.turn.word else clock
    elif game.phase.over:
        clock = clock.stop(now)
    elif (turn := _color_on_clock(game, event) or clock.turn) is not clock.turn:
        move = game.move_number if isinstance(event, ev.Moved | ev.Passed) else None
        ended = clock.end_turn(now, move, earns=not isinstance(event, ev.Undone))
        clock = _new_turn(game, turn, ended, length, now)
    elif isinstance(event, ev.Marked | ev.Resumed) and event.color != turn.word:
        clock = clock.wait_for_email(length, now)
    return clock


def _days_off(event: ev.Paused, now: datetime) -> DaysOff:
    away = event.away or (((now.isoformat(), event.until),) if event.until else ())
    spans = tuple((datetime.fromisoformat(one), datetime.fromisoformat(end)) for one, end in away)
    return DaysOff(tuple(one for one in spans if one[0] < one[1]), event.weekends)


def _same_turn(clock: GameClock, event: ev.Event, now: datetime) -> GameClock:
    match event:
        case ev.Reminded(_, number):
            return with_changes(clock, reminders=number)
        case ev.Credited(_, seconds):
            return clock.credit(now, timedelta(seconds=seconds))
    return clock.start_waiting_clock(now)


def _color_on_clock(game: Game, event: ev.Event) -> Color | None:
    """The colour whose clock runs after an event; None for no change.

    In a count it is the opponent of the player who acted last.
    """
    if game.to_move is not None:
        return game.to_move
    if isinstance(event, ev.Passed | ev.Marked | ev.Agreed):
        return Color.named(event.color).opponent
    return None


def _new_turn(game: Game, turn: Color, clock: GameClock, length: int, now: datetime) -> GameClock:
    """The clock of a new turn; that of an engine is stopped, because it runs on our machine."""
    new = clock.start_turn(turn, length, now)
    return (
        new if game.player(Seat.of(turn)).engine is None else new.start_waiting_clock(now).stop(now)
    )
