"""Running clocks: the changes of games that no player causes, for the timers and the outbox.

Clocks start, remind players, end games, and stop while a player is away; old proposals expire.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice

from godaemon.games import events as ev
from godaemon.games import player_calendar
from godaemon.games.awaited_decisions import last_activity
from godaemon.games.clock_events import clock_event, credit_due, days_off_event, oldest_unread
from godaemon.games.game_clock import ALWAYS, LATE, RESTS
from godaemon.games.model import GOING, Game, Seat
from godaemon.games.notices import Kind, Notice
from godaemon.games.service import GameService
from godaemon.games.service_calls import Caller, Decision, Result
from godaemon.games.stored_values import GameSummary, Unit
from godaemon.games.views import alarms_of, next_look

MOST_IN_A_ROUND = 50
"""The most games that one transaction handles, as all players wait for it."""
ABANDONED = timedelta(days=365)
"""How long a game without a clock waits for the player to act."""
WARNED = timedelta(days=28)
"""How long before that both players are warned."""


@dataclass(frozen=True, slots=True)
class RunningClocks:
    """The clocks of all games."""

    games: GameService

    @property
    def _unit(self) -> Unit:
        return self.games.unit

    @property
    def _now(self) -> datetime:
        return self.games.now

    def start_clocks(self, notice: Notice) -> None:
        """Start the clocks that waited for an email, which a mail server has accepted."""
        if notice.game is not None and notice.seat is not None:
            self._start_clock(notice.game, notice.seat, notice.until)
        for entry in notice.about.get("listed", ()):
            self._start_clock(entry["game"], Seat(entry["seat"]), entry["length"])

    def _start_clock(self, number: int, reader: Seat, until: int) -> None:
        """Start the clock of a reader who was told of the log up to `until`, if it is their turn.

        A person who plays both sides is told of one.
        """
        game = self.games.game(number)
        clock = game.clock
        if clock is None or not clock.waits:
            return
        seat = Seat.of(clock.turn)
        mine = reader is seat or game.player(reader).address == game.player(seat).address
        if mine and until >= clock.asked:
            self.games.add_event(game, ev.Handed(clock.turn.word), seat, Caller("outbox"))

    def due_games(self) -> list[int]:
        """The games whose clocks are due, at most `MOST_IN_A_ROUND`."""
        return list(self._unit.games.games_to_ring(self._now, MOST_IN_A_ROUND))

    def ring_later(self, number: int) -> None:
        """Postpone a game that cannot be read or changed, so that others get their turn."""
        self._unit.games.set_alarm(number, None, self._now + LATE)

    def ring(self, number: int) -> None:
        """Act on a due clock: remind a player, or end the game."""
        game = self.games.readable_game(number)
        if game is None:
            self.ring_later(number)
            return
        for seat in game.seats:
            self._pause_clock(game, seat, Caller("timer"))
        game = self.games.game(number)
        clock, began = game.clock, oldest_unread(self._unit, game)
        if clock is None or clock.alarm is None:
            self._check_silence(game)
        elif began is not None and self._now < began + RESTS:
            self._unit.games.set_alarm(number, clock.deadline, self._now + LATE)
        elif event := self._credit(game) or clock_event(game, clock, self._now):
            seat, ends = Seat.of(clock.turn), isinstance(event, ev.Finished)
            if not (ends and game.begun and self._begin_vacation(game, seat)):
                self.games.add_event(game, event, seat, Caller("timer"))
        else:
            self._unit.games.set_alarm(number, *alarms_of(game, self._now))

    def _begin_vacation(self, game: Game, seat: Seat) -> bool:
        """Begin an automatic vacation, if a player wants that and has days left."""
        clock, address = game.clock, game.player(seat).address
        profile = self._unit.players.profile(address)
        if clock is None or not profile.away_by_itself:
            return False
        rest = clock.vacation_left(clock.turn, self._now)
        found = player_calendar.begin_automatic_vacation(profile, self._now, rest)
        if found is None:
            return False
        self._unit.players.set_profile(address, found)
        caller, away = Caller("timer"), days_off_event(self._unit, game, seat, self._now)
        if away is not None:
            result = self.games.add_event(game, away, seat, caller)
            decision = Decision(game.length, result, seat, (), caller)
            for reader in (seat,) if game.spec.teaching else (seat, seat.other):
                if game.player(reader).engine is None:
                    self.games.letters.owe(Kind.AWAY, result.after, reader, decision)
        self.pause_clocks(address)
        return True

    def give_back(self, address: str, began: datetime) -> None:
        """Give a player back the time in which an email of theirs waited for the operator."""
        for game, seat in self._games_with_clock(self._unit.games.summaries(address, GOING)):
            if game.knows(seat, address) and (credit := self._credit(game, began)):
                self.games.add_event(game, credit, seat, Caller("operator"))

    def give_back_pause(self, before: int | None) -> int | None:
        """Give back the time of a pause in a batch of games below a number; returns its last."""
        rows = self._unit.games.page(before, MOST_IN_A_ROUND)
        for game, seat in self._games_with_clock(rows):
            if credit := self._credit(game):
                self.games.add_event(game, credit, seat, Caller("operator"))
        return rows[-1].id if rows else None

    def _games_with_clock(self, rows: Sequence[GameSummary]) -> Iterator[tuple[Game, Seat]]:
        """The readable games with a running clock, and the seat whose clock it is."""
        for row in rows:
            game = self.games.readable_game(row.id) if row.deadline is not None else None
            if game is not None and game.clock is not None:
                yield game, Seat.of(game.clock.turn)

    def pause_clocks(self, address: str) -> dict[int, ev.Paused]:
        """Stop a player's clocks on their days off; returns the event of each game."""
        events = dict[int, ev.Paused]()
        for row in self._unit.games.summaries(address, GOING):
            game = self.games.readable_game(row.id)
            if game is None or game.clock is None:
                continue
            for seat in game.seats_of(address):
                away = self._pause_clock(game, seat, Caller("vacation"))
                events[game.id] = away or events.get(game.id) or ev.Paused("")
        return events

    def _pause_clock(self, game: Game, seat: Seat, caller: Caller) -> ev.Paused | None:
        """Stop a seat's clock on its player's days off, if these have changed."""
        away = days_off_event(self._unit, self.games.game(game.id), seat, self._now)
        if away is None or game.clock is None:
            return None
        credit = self._credit(game) if Seat.of(game.clock.turn) is seat else None
        for event in (credit, away):
            if event is not None:
                self.games.add_event(self.games.game(game.id), event, seat, caller)
        return away

    def expire_proposals(self, older_than: timedelta) -> tuple[Result, ...]:
        """End proposals that nobody has answered for that long, at most `MOST_IN_A_ROUND`."""
        since = self._now - older_than
        old = self._unit.games.proposals_before(since - self._time_lost(since))
        readable = islice(filter(None, map(self.games.readable_game, old)), MOST_IN_A_ROUND)
        return tuple(
            self.games.add_event(game, ev.Expired(), Seat.PROPOSER, Caller("timer"))
            for game in readable
        )

    def _check_silence(self, game: Game) -> None:
        """In a game without a clock, warn both players after a long silence, and later end it."""
        since, warned = last_activity(game, self._unit.games.log(game.id))
        end = since + ABANDONED - WARNED
        if warned is not None:
            end = warned + WARNED + self._time_lost(warned)
        if self._now < end:
            alarm = min(end, next_look(game.id, self._now))
            self._unit.games.set_alarm(game.id, None, alarm)
            return
        event = ev.Finished("Void", why="abandoned") if warned else ev.Reminded("", 1)
        self.games.add_event(game, event, Seat.PROPOSER, Caller("timer"))

    def _time_lost(self, since: datetime) -> timedelta:
        return self.games.lost(since, self._now, ALWAYS.running_time)

    def _credit(self, game: Game, began: datetime | None = None) -> ev.Credited | None:
        return credit_due(self._unit, self.games.lost, game, self._now, began)
