"""The changes of games that are caused by time and by sent emails, not by players.

Clocks start, remind players, end games, and stop on days off; old proposals expire. In a game
without a clock, both players are warned after a long silence, and after a year it is void. Within
one transaction.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import islice

from godaemon.games import events as ev
from godaemon.games import vacations
from godaemon.games.awaited_decisions import last_activity
from godaemon.games.game_clock import MAX_AHEAD, MAX_PAUSE, NO_DAYS_OFF, TIME_AFTER_FLAG, GameClock
from godaemon.games.model import OPEN_PHASES, Game, Seat
from godaemon.games.notices import Kind, Notice
from godaemon.games.service import GameService
from godaemon.games.service_calls import Caller, Decision
from godaemon.games.stored_values import GameSummary
from godaemon.games.uncounted_time import credit_due, days_off_event, oldest_unread
from godaemon.games.views import alarms_of, next_look
from godaemon.rules.points import Color

BATCH = 50
"""Maximum number of games in one transaction, because all writers wait for it."""
ABANDONED_AFTER = timedelta(days=365)
"""The longest time that a game without a clock waits for a player."""
WARNING_PERIOD = timedelta(days=28)
"""The time between the warning to both players and the end of the game."""


def start_clocks(games: GameService, notice: Notice) -> None:
    """Start the clocks that waited for an email, after a mail server has accepted it."""
    if notice.game is not None and notice.seat is not None:
        _start_clock(games, notice.game, notice.seat, notice.until)
    for entry in notice.about.get("listed", ()):
        _start_clock(games, entry["game"], Seat(entry["seat"]), entry["length"])


def _start_clock(games: GameService, number: int, reader: Seat, until: int) -> None:
    """Start the clock of a reader who was sent the log up to `until`, if it is their turn.

    A person who plays both sides gets one email for either seat.
    """
    game = games.game(number)
    clock = game.clock
    if clock is None or not clock.waits:
        return
    seat = Seat.of(clock.turn)
    mine = reader is seat or game.player(reader).address == game.player(seat).address
    if mine and until >= clock.log_length:
        games.add_event(game, ev.Handed(clock.turn.word), seat, Caller("outbox"))


def due_games(games: GameService) -> list[int]:
    """The games whose clocks are due, at most `BATCH`."""
    return list(games.unit.games.games_with_due_alarm(games.now, BATCH))


def postpone_alarm(games: GameService, number: int) -> None:
    """Postpone the alarm of a game that cannot be read or changed, so that other games go on."""
    games.unit.games.set_alarm(number, None, games.now + TIME_AFTER_FLAG)


def act_on_alarm(games: GameService, number: int) -> None:
    """Act on a due clock: remind a player, or end the game."""
    game = games.readable_game(number)
    if game is None:
        postpone_alarm(games, number)
        return
    for seat in game.seats:
        _pause_clock(games, game, seat, Caller("timer"))
    game = games.game(number)
    clock, began = game.clock, oldest_unread(games.unit, game)
    if clock is None or clock.next_alarm is None:
        _check_silence(games, game)
    elif began is not None and games.now < began + MAX_PAUSE:
        games.unit.games.set_alarm(number, clock.deadline, games.now + TIME_AFTER_FLAG)
    elif event := _credit(games, game) or _clock_event(game, clock, games.now):
        seat, ends = Seat.of(clock.turn), isinstance(event, ev.Finished)
        if not (ends and game.begun and _begin_vacation(games, game, seat)):
            games.add_event(game, event, seat, Caller("timer"))
    else:
        games.unit.games.set_alarm(number, *alarms_of(game, games.now))


def _clock_event(game: Game, clock: GameClock, now: datetime) -> ev.Event | None:
    """The event that a clock causes now; None before its alarm.

    Before both players have moved, nobody loses by time: the game is cancelled.
    """
    alarm = clock.next_alarm
    if alarm is None or now < alarm:
        latest = now if clock.email_sent else now + MAX_AHEAD
        ahead = clock.since is not None and clock.since > latest  # by a wrong machine clock
        return ev.Credited(clock.turn.word, 0) if ahead else None  # starts the clock now
    if clock.deadline is not None and now < clock.deadline:
        due = sum(moment <= now for moment in clock.reminder_moments)
        return ev.Reminded(clock.turn.word, due)
    if not game.begun:
        return ev.Finished("Void", why="cancelled")
    winner = "W" if clock.turn is Color.BLACK else "B"
    return ev.Finished(f"{winner}+T", why="time")


def _begin_vacation(games: GameService, game: Game, seat: Seat) -> bool:
    """Begin an automatic vacation if the player wants one and has days left; returns whether."""
    clock, address = game.clock, game.player(seat).address
    profile = games.unit.players.profile(address)
    if clock is None or not profile.away_by_itself:
        return False
    rest = clock.vacation_left(clock.turn, games.now)
    changed = vacations.begin_automatic_vacation(profile, games.now, rest)
    if changed is None:
        return False
    games.unit.players.set_profile(address, changed)
    caller, away = Caller("timer"), days_off_event(games.unit, game, seat, games.now)
    if away is not None:
        decision = games.add_event(game, away, seat, caller)
        for reader in (seat,) if game.spec.teaching else (seat, seat.other):
            if game.player(reader).engine is None:
                games.email_queue.queue(Kind.AWAY, reader, decision)
    pause_clocks(games, address)
    return True


def give_back(games: GameService, address: str, began: datetime) -> None:
    """Credit a player with the time since `began`, when their email went into quarantine."""
    for game, seat in _games_with_clock(games, games.unit.games.summaries(address, OPEN_PHASES)):
        if game.knows(seat, address) and (credit := _credit(games, game, began)):
            games.add_event(game, credit, seat, Caller("operator"))


def give_back_pause(games: GameService, before: int | None) -> int | None:
    """Credit a pause in the next games below number `before`; returns the last, or None if none."""
    rows = games.unit.games.page(before, BATCH)
    for game, seat in _games_with_clock(games, rows):
        if credit := _credit(games, game):
            games.add_event(game, credit, seat, Caller("operator"))
    return rows[-1].id if rows else None


def _games_with_clock(
    games: GameService, rows: Sequence[GameSummary]
) -> Iterator[tuple[Game, Seat]]:
    """The readable games with a running clock, each with the seat to act."""
    for row in rows:
        game = games.readable_game(row.id) if row.deadline is not None else None
        if game is not None and game.clock is not None:
            yield game, Seat.of(game.clock.turn)


def pause_clocks(games: GameService, address: str) -> dict[int, ev.Paused]:
    """Apply a player's days off to their clocks; returns each game's event, empty if unchanged."""
    events = dict[int, ev.Paused]()
    for row in games.unit.games.summaries(address, OPEN_PHASES):
        game = games.readable_game(row.id)
        if game is None or game.clock is None:
            continue
        for seat in game.seats_of(address):
            away = _pause_clock(games, game, seat, Caller("vacation"))
            events[game.id] = away or events.get(game.id) or ev.Paused("")
    return events


def _pause_clock(games: GameService, game: Game, seat: Seat, caller: Caller) -> ev.Paused | None:
    """Apply its player's days off to a seat's clock, if they have changed."""
    away = days_off_event(games.unit, games.game(game.id), seat, games.now)
    if away is None or game.clock is None:
        return None
    credit = _credit(games, game) if Seat.of(game.clock.turn) is seat else None
    for event in (credit, away):
        if event is not None:
            games.add_event(games.game(game.id), event, seat, caller)
    return away


def expire_proposals(games: GameService, older_than: timedelta) -> tuple[Decision, ...]:
    """End proposals that nobody has answered for `older_than`, at most `BATCH`."""
    since = games.now - older_than
    old = games.unit.games.proposals_before(since - _time_lost(games, since))
    readable = islice(filter(None, map(games.readable_game, old)), BATCH)
    return tuple(
        games.add_event(game, ev.Expired(), Seat.PROPOSER, Caller("timer")) for game in readable
    )


def _check_silence(games: GameService, game: Game) -> None:
    """In a game without a clock, warn both players after a long silence, and later end it."""
    since, warned = last_activity(game, games.unit.games.log(game.id))
    end = since + ABANDONED_AFTER - WARNING_PERIOD
    if warned is not None:
        end = warned + WARNING_PERIOD + _time_lost(games, warned)
    if games.now < end:
        alarm = min(end, next_look(game.id, games.now))
        games.unit.games.set_alarm(game.id, None, alarm)
        return
    event = ev.Finished("Void", why="abandoned") if warned else ev.Reminded("", 1)
    games.add_event(game, event, Seat.PROPOSER, Caller("timer"))


def _time_lost(games: GameService, since: datetime) -> timedelta:
    """The time since `since` in which we were down, or the machine's clock was uncertain."""
    return games.lost(since, games.now, NO_DAYS_OFF.running_time)


def _credit(games: GameService, game: Game, began: datetime | None = None) -> ev.Credited | None:
    return credit_due(games.unit, games.lost, game, games.now, began)
