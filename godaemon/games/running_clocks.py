"""Running clocks: they are set going, remind, end games, and stand while a player is away.

All that happens to games by itself, for the timers, the outbox and whoever's time is given back.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from godaemon.games import events as ev
from godaemon.games import player_calendar
from godaemon.games.awaited import waited_since
from godaemon.games.calls import Caller, Decision, Result
from godaemon.games.clock_events import clock_event, credit_due, paused, unread_since
from godaemon.games.game_clock import ALWAYS, LATE, RESTS
from godaemon.games.model import GOING, Game, Seat
from godaemon.games.notices import Kind, Notice
from godaemon.games.service import GameService
from godaemon.games.store_protocols import Unit
from godaemon.games.views import alarms_of, next_look

AT_ONCE = 50
"""So many proposals end in one transaction, for which all players wait."""
ABANDONED = timedelta(days=365)
"""After so long in which nobody who is awaited did anything a game without a clock is over."""
WARNED = timedelta(days=28)
"""So long before that both are told."""


@dataclass(frozen=True, slots=True)
class RunningClocks:
    """The clocks of all games, within one transaction at one moment."""

    games: GameService

    @property
    def _unit(self) -> Unit:
        return self.games.unit

    @property
    def _now(self) -> datetime:
        return self.games.now

    def sent(self, notice: Notice) -> None:
        """A letter has been handed over: it may be what its reader's clock waited for."""
        if notice.game is not None and notice.seat is not None:
            self._handed(notice.game, notice.seat, notice.until)
        for entry in notice.about.get("listed", ()):
            self._handed(entry["game"], Seat(entry["seat"]), entry["length"])

    def _handed(self, number: int, told: Seat, until: int) -> None:
        """Who is awaited has been told so, by the log up to `until`: their clock runs."""
        game = self.games.game(number)
        clock = game.clock
        if clock is None or not clock.waits:
            return
        seat = Seat.of(clock.turn)
        mine = told is seat or game.player(told).address == game.player(seat).address
        if mine and until >= clock.asked:  # who plays both sides has one line in a list
            self.games.happened(game, ev.Handed(clock.turn.word), seat, Caller("outbox"))

    def due(self) -> list[int]:
        """The games whose clocks are to be looked at, `AT_ONCE` at the most."""
        return list(self._unit.games.alarms(self._now, AT_ONCE))

    def ring_later(self, number: int) -> None:
        """Look at a game's clock again later: that of one that cannot be read, or done anything in.

        Or no other clock would ring again.
        """
        self._unit.games.set_alarm(number, None, self._now + LATE)

    def ring_one(self, number: int) -> None:
        """Do what one game's clock asks for: remind its players, or end it."""
        game = self.games.readable(number)
        if game is None:
            self.ring_later(number)
            return
        for seat in game.seats:
            self._stand(game, seat, Caller("timer"))
        game = self.games.game(number)
        clock, began = game.clock, unread_since(self._unit, game)
        if clock is None or clock.alarm is None:
            self._wait(game)
        elif began is not None and self._now < began + RESTS:
            self._unit.games.set_alarm(number, clock.deadline, self._now + LATE)
        elif event := self._credit(game) or clock_event(game, clock, self._now):
            seat, ends = Seat.of(clock.turn), isinstance(event, ev.Finished)
            if not (ends and game.begun and self._leave(game, seat)):
                self.games.happened(game, event, seat, Caller("timer"))
        else:
            self._unit.games.set_alarm(number, *alarms_of(game, self._now))

    def _leave(self, game: Game, seat: Seat) -> bool:
        """Have a vacation begin by itself, where a player wants that and has days left."""
        clock, address = game.clock, game.player(seat).address
        profile = self._unit.players.profile(address)
        if clock is None or not profile.away_by_itself:
            return False
        rest = clock.rest_left(clock.turn, self._now)
        found = player_calendar.begun_by_itself(profile, self._now, rest)
        if found is None:
            return False
        self._unit.players.set_profile(address, found)
        caller, away = Caller("timer"), paused(self._unit, game, seat, self._now)
        if away is not None:
            result = self.games.happened(game, away, seat, caller)
            decision = Decision(game.length, result, seat, (), caller)
            for told in (seat,) if game.spec.teaching else (seat, seat.other):
                if game.player(told).engine is None:
                    self.games.letters.owe(Kind.AWAY, result.after, told, decision)
        self.pause(address)
        return True

    def give_back(self, address: str, began: datetime) -> None:
        """Give somebody back what passed while an email of theirs waited for the operator."""
        for row in self._unit.games.summaries(address, GOING):
            game = self.games.readable(row.id) if row.deadline is not None else None
            if game is None or game.clock is None:
                continue
            seat = Seat.of(game.clock.turn)
            if game.knows(seat, address) and (credit := self._credit(game, began)):
                self.games.happened(game, credit, seat, Caller("operator"))

    def go_on(self, before: int | None) -> int | None:
        """Give back the time of a pause, in some games below a number; returns the last one's."""
        rows = self._unit.games.page(before, AT_ONCE)
        for row in rows:
            game = self.games.readable(row.id) if row.deadline is not None else None
            if game is not None and game.clock and (credit := self._credit(game)):
                self.games.happened(game, credit, Seat.of(game.clock.turn), Caller("operator"))
        return rows[-1].id if rows else None

    def pause(self, address: str) -> dict[int, ev.Paused]:
        """Let a player's clocks stand when they have said; what that comes to, by game."""
        stand = dict[int, ev.Paused]()
        for row in self._unit.games.summaries(address, GOING):
            game = self.games.readable(row.id)
            if game is None or game.clock is None:
                continue
            for seat in game.seats_of(address):
                away = self._stand(game, seat, Caller("vacation"))
                stand[game.id] = away or stand.get(game.id) or ev.Paused("")
        return stand

    def _stand(self, game: Game, seat: Seat, caller: Caller) -> ev.Paused | None:
        """Let a seat's clock stand as its player has said, where it does not."""
        away = paused(self._unit, self.games.game(game.id), seat, self._now)
        if away is None or game.clock is None:
            return None
        credit = self._credit(game) if Seat.of(game.clock.turn) is seat else None
        for event in (credit, away):
            if event is not None:
                self.games.happened(self.games.game(game.id), event, seat, caller)
        return away

    def expire(self, older_than: timedelta) -> tuple[Result, ...]:
        """End proposals that nobody has answered for so long, `AT_ONCE` of them at the most."""
        since = self._now - older_than
        old = self._unit.games.proposals_before(since - self._lost(since))
        found = list[Result]()
        for number in old:
            game = self.games.readable(number) if len(found) < AT_ONCE else None
            if game is not None:
                caller = Caller("timer")
                found.append(self.games.happened(game, ev.Expired(), Seat.PROPOSER, caller))
        return tuple(found)

    def _wait(self, game: Game) -> None:
        """Go on waiting in a game without a clock; warn both, or close it, once that was long."""
        since, warned = waited_since(game, self._unit.games.log(game.id))
        end = since + ABANDONED - WARNED
        if warned is not None:
            end = warned + WARNED + self._lost(warned)
        if self._now < end:
            alarm = min(end, next_look(game.id, self._now))
            self._unit.games.set_alarm(game.id, None, alarm)
            return
        event = ev.Finished("Void", why="abandoned") if warned else ev.Reminded("", 1)
        self.games.happened(game, event, Seat.PROPOSER, Caller("timer"))

    def _lost(self, since: datetime) -> timedelta:
        return self.games.lost(since, self._now, ALWAYS.elapsed)

    def _credit(self, game: Game, began: datetime | None = None) -> ev.Credited | None:
        return credit_due(self._unit, self.games.lost, game, self._now, began)
