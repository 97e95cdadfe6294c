"""The service through which every front end acts: mail, GTP, the command line and the timer.

A `GameService` lives as long as one transaction. Each method decides everything first and only then
writes, so that a `Refusal` leaves the transaction as clean as it was. Imports nothing that does
I/O: the transaction, the moment and chance come in from outside.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial, reduce

from godaemon.errors import Corrupt, Damaged, NotAllowed, Unknown, WrongPhase
from godaemon.games import commands as cmd
from godaemon.games import email_settings, vacation_days
from godaemon.games import events as ev
from godaemon.games.alarms import adjudged, begun, clock_event
from godaemon.games.days_off import DaysOff, Span
from godaemon.games.dead_stones import together
from godaemon.games.decisions import Draw, decide_after, following
from godaemon.games.engine_seats import Roster
from godaemon.games.event_notices import kinds, reviewable
from godaemon.games.game_cache import GameCache
from godaemon.games.game_clock import LAST_DAY, LATE, NONE, RESTS, WRONG
from godaemon.games.invitation_blocks import check_welcome
from godaemon.games.kept_notices import keep, owe_kept, silent_passes, spared
from godaemon.games.model import ENGINE, OPEN, Game, Phase, Player, Revisions, Seat, bare
from godaemon.games.notices import Kind, Notice
from godaemon.games.open_challenges import check_rank, check_taking
from godaemon.games.people import person
from godaemon.games.proposal_limits import (
    WritingLimits,
    check_confirmations,
    check_engine_games,
    check_invitations,
    check_open,
    check_opening,
    count_invitation,
    count_open,
)
from godaemon.games.proposals import proposed
from godaemon.games.ranks import rank_of
from godaemon.games.staleness import check_fresh
from godaemon.games.state import apply, at_move, begin
from godaemon.games.store_protocols import GameSummary, Unit
from godaemon.games.stranger_quotas import Origin, Quotas, is_stranger
from godaemon.rules.points import Color
from godaemon.rules.turn_order import long_cycle

_SEATS = (Seat.BLACK, Seat.WHITE)
_TO_STRANGERS = {Kind.CONFIRM, Kind.INVITATION, Kind.WITHDRAWN, Kind.EXPIRED}
AT_ONCE = 50
"""So many proposals end in one transaction, for which all players wait."""


ABANDONED = timedelta(days=365)
"""After so long in which neither player did anything a game without a clock is over."""
WARNED = timedelta(days=28)
"""So long before that both are told."""


@dataclass(frozen=True, slots=True)
class Chance:
    """All that is left to chance: nigiri, and the nonce of a new game."""

    nigiri: Draw
    nonce: Callable[[], str]


_NOWHERE = Origin()


@dataclass(frozen=True, slots=True)
class Caller:
    """The actor, and by what: `cause` goes into the log, `answers` is the letter's Message-ID."""

    cause: str
    address: str = ""
    name: str = ""
    answers: str = ""
    told: bool = False
    """True where a letter of its own says what was done, so that no move needs a receipt."""
    seated: bool = False
    """True for a Go program in the actor's seat."""
    origin: Origin = _NOWHERE
    """Where the letter came from."""


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a call: the game before and after, and the events between."""

    before: Game
    after: Game
    events: tuple[ev.Event, ...]
    asked: Game | None = None
    """The game as the commands alone make it, where it went on by itself: by the other's plan."""


@dataclass(frozen=True, slots=True)
class Decision:
    """The result that a call will have: all that is left to do is to write it down."""

    known: int
    """How many of the game's events are in the store already."""
    result: Result
    actor: Seat
    commands: tuple[cmd.Command, ...]
    caller: Caller

    @property
    def after(self) -> Game:
        """The game as it will be."""
        return self.result.after


def _always_there(_since: datetime, _until: datetime) -> timedelta:
    return timedelta()


def _unwatched(_game: int, _color: Color) -> bool:
    return False


@dataclass(slots=True)
class GameService:
    """All games, within one transaction at one moment."""

    unit: Unit
    cache: GameCache
    now: datetime
    chance: Chance
    limits: WritingLimits
    engines: Roster = field(default_factory=Roster)
    """The engines that can be invited."""
    watched: Callable[[int, Color], bool] = _unwatched
    """Whether a program in a colour's seat waits for the opponent's move."""
    lost: Callable[[datetime, datetime], timedelta] = _always_there
    """For how long between two moments nobody's answer could be taken."""
    _latest: dict[int, Game] = field(default_factory=dict)
    """The games as this transaction has made them; that is not in the cache before COMMIT."""

    def game(self, number: int) -> Game:
        """A game as it stands; raises `Unknown`."""
        latest = self._latest.get(number)
        return latest or self.cache.load(self.unit, number)

    @staticmethod
    def check_move(game: Game, move: int) -> None:
        """Raise `Unknown` where a game has not had so many moves and passes."""
        if game.black is None:
            raise Unknown(f"Game {game.id} has not been played: there are no moves to look at.")
        if not 0 <= move <= game.move_number:
            made = "1 move" if game.move_number == 1 else f"{game.move_number} moves"
            raise Unknown(
                f"Game {game.id} has {made} so far; there is no move {move}.",
                hints=("show", f"show {game.move_number}"),
            )

    def at_move(self, number: int, move: int) -> Game:
        """A game as it stood after so many moves and passes; raises `Unknown`."""
        self.check_move(self.game(number), move)
        return at_move(number, [entry.event for entry in self.unit.games.log(number)], move)

    def check_proposal(self, wanted: cmd.Propose, caller: Caller, *, vouched: bool) -> None:
        """Raise what `propose` would."""
        self.engines.check(wanted)
        event = self._proposed(wanted, caller)
        if wanted.opponent == OPEN:
            check_opening(self.unit, self.limits, caller.address, self.now)
        if not vouched:
            check_confirmations(self.unit, self.limits, caller.address, self.now)
            if quotas := self.quotas(caller.address, caller.origin):
                quotas.check()
        elif not begin(0, event).spec.teaching:
            self._limit_invitations(event.proposer, event.invited, event.invited_name, caller)

    def propose(self, wanted: cmd.Propose, caller: Caller, *, vouched: bool) -> Result:
        """A new game; unless `vouched`, its proposer must say yes before others are written to.

        Raises `Unreadable` or `Unknown` where there is no such game, `NotAllowed` past the limits.
        """
        self.check_proposal(wanted, caller, vouched=vouched)
        event = self._proposed(wanted, caller)
        game = begin(self.unit.games.create(), event)
        result = Result(game, game, (event,))
        if vouched:
            more = self._decide(game, Seat.PROPOSER, (cmd.Yes(),), caller)
            result = Result(game, more.after, (event, *more.events))
        return self.carry_out(Decision(0, result, Seat.PROPOSER, (wanted,), caller))

    def taking(self, number: int, words: str, caller: Caller) -> Decision:
        """What it comes to that somebody takes an open challenge; raises a `Refusal`."""
        check_open(self.unit, self.limits, caller.address, self.now)
        check_taking(self.unit, number, caller.address)
        before, name = self.game(number), caller.name or _name(caller.address)
        check_rank(number, before.spec.rank, self._line(caller.address))
        taken = ev.Taken(caller.address, name)
        said: list[cmd.Action] = [cmd.Yes(), *([cmd.Say(words)] if words else [])]
        more = self._decide(apply(before, taken, self.now), Seat.INVITED, said, caller)
        result = Result(before, more.after, (taken, *more.events))
        return Decision(before.length, result, Seat.INVITED, tuple(said), caller)

    def decide(
        self,
        number: int,
        seat: Seat,
        commands: Sequence[cmd.Action],
        caller: Caller,
        *,
        seen: Revisions | None = None,
    ) -> Decision:
        """What a seat asks of a game, all of the commands or none; raises a `Refusal`.

        `seen` are the revisions the player's letter answers (None: they see it as it is now).
        """
        before = self.game(number)
        check_fresh(before, commands, seen)
        result = self._decide(before, seat, commands, caller)
        return Decision(before.length, result, seat, tuple(commands), caller)

    def act(
        self,
        number: int,
        seat: Seat,
        commands: Sequence[cmd.Action],
        caller: Caller,
        *,
        seen: Revisions | None = None,
    ) -> Result:
        """Do what a seat asks of a game (`decide`); after a `Refusal` nothing has changed."""
        return self.carry_out(self.decide(number, seat, commands, caller, seen=seen))

    def carry_out(self, decision: Decision) -> Result:
        """Write the events, the row for lists and the notices that they make us owe."""
        result, caller = decision.result, decision.caller
        after = self._latest[result.after.id] = result.after
        if result.events:
            entries = [ev.LogEntry(event, self.now, caller.cause) for event in result.events]
            self.unit.games.append(after.id, decision.known, entries)
        if any(not isinstance(event, ev.QUIET) for event in result.events):
            self.unit.games.set_summary(summary_of(after, self.now), addresses_of(after))
        elif after.clock and any(isinstance(event, ev.CLOCK) for event in result.events):
            self._set_alarm(after)
        if any(isinstance(event, ev.Confirmed | ev.Started) for event in result.events):
            player = after.player(decision.actor).address
            email_settings.said_yes(self.unit, player, after.id)
        opened = after.spec.open and any(isinstance(one, ev.Confirmed) for one in result.events)
        if opened or any(isinstance(one, ev.Taken) for one in result.events):
            count_open(self.unit, caller.address, self.now)
        told = kinds(after, result.events, decision.actor, decision.commands)
        written_to = set[Seat]()
        for seat, kind in told.items():
            if self._owe(kind, after, seat, decision):
                written_to.add(seat)
            if kind is Kind.FINISHED and self._wants_review(after, seat):
                self._owe(Kind.REVIEW, after, seat, decision)
        new = after.clock is not None and after.clock.asked > decision.known
        if after.clock and new and Seat.of(after.clock.turn) not in written_to:
            # Their program shows it, or they want no letters.
            self._handed(after.id, Seat.of(after.clock.turn), after.length)
        return result

    def sent(self, notice: Notice) -> None:
        """A letter has been handed over: it may be what its reader's clock waited for."""
        if notice.game is not None and notice.seat is not None:
            self._handed(notice.game, notice.seat, notice.until)
        for entry in notice.about.get("listed", ()):
            self._handed(entry["game"], Seat(entry["seat"]), entry["length"])

    def _handed(self, number: int, told: Seat, until: int) -> None:
        """Who is awaited has been told so, by the log up to `until`: their clock runs."""
        game = self.game(number)
        clock = game.clock
        if clock is None or not clock.waits:
            return
        seat = Seat.of(clock.turn)
        if told is seat and until >= clock.asked:
            self.happened(game, ev.Handed(clock.turn.word), seat, Caller("outbox"))

    def ring(self) -> int:
        """Do what clocks ask for: remind players, end games, `AT_ONCE` at the most; how many."""
        numbers = self.unit.games.alarms(self.now, AT_ONCE)
        for number in numbers:
            game = self._readable(number)
            if game is None:
                self.unit.games.set_alarm(number, None, None)  # or no other clock would ring again
                continue
            clock, began = game.clock, self._unread_since(game)
            if clock is None or clock.alarm is None:
                self._close(game)
            elif began is not None and self.now < began + RESTS:
                self.unit.games.set_alarm(number, clock.deadline, self.now + LATE)
            elif event := self._credit(game) or clock_event(game, clock, self.now):
                seat, ends = Seat.of(clock.turn), isinstance(event, ev.Finished)
                if not (ends and begun(game) and self._leave(game, seat)):
                    self.happened(game, event, seat, Caller("timer"))
            else:
                self._set_alarm(game)
        return len(numbers)

    def _readable(self, number: int) -> Game | None:
        """A game; None for one that this program cannot read, for which no other shall wait."""
        try:
            return self.game(number)
        except Damaged:
            raise  # to be put aside
        except Corrupt:
            return None

    def _set_alarm(self, game: Game) -> None:
        deadline, alarm = _alarms(game, self.now)
        self.unit.games.set_alarm(game.id, deadline, alarm)

    def _leave(self, game: Game, seat: Seat) -> bool:
        """Have a vacation begin by itself, where a player wants that and has days left."""
        clock, address = game.clock, game.player(seat).address
        profile = self.unit.players.profile(address)
        if clock is None or not profile.away_by_itself:
            return False
        rest = clock.rest_left(clock.turn, self.now)
        found = vacation_days.begun_by_itself(profile, self.now, rest)
        if found is None:
            return False
        self.unit.players.set_profile(address, found)
        caller, paused = Caller("timer"), self._paused(game, seat)
        if paused is not None:
            result = self.happened(game, paused, seat, caller)
            decision = Decision(game.length, result, seat, (), caller)
            for told in (seat,) if game.spec.teaching else (seat, seat.other):
                if game.player(told).engine is None:
                    self._owe(Kind.AWAY, result.after, told, decision)
        self.pause(address)
        return True

    def _credit(self, game: Game, began: datetime | None = None) -> ev.Credited | None:
        """The time that is to be given back to who is awaited, if any."""
        clock = game.clock
        if clock is None or clock.since is None:
            return None
        lost, began = self.lost(clock.since, self.now), began or self._unread_since(game)
        if began is not None:
            lost = max(lost, min(self.now, began + RESTS) - max(began, clock.since))
        return ev.Credited(clock.turn.word, lost.total_seconds()) if lost > NONE else None

    def _unread_since(self, game: Game) -> datetime | None:
        """Since when an email of who is awaited waits for the operator, by a fault of ours."""
        if game.clock is None:
            return None
        seat = Seat.of(game.clock.turn)
        known = {game.player(seat).address, *game.addresses.get(game.side(seat), ())}
        return self.unit.players.unread_since(known)

    def give_back(self, address: str, began: datetime) -> None:
        """Give somebody back what passed while an email of theirs waited for the operator."""
        for row in self.unit.games.summaries(address):
            game = self.game(row.id) if row.deadline is not None else None
            if game is None or game.clock is None:
                continue
            seat = Seat.of(game.clock.turn)
            if game.knows(seat, address) and (credit := self._credit(game, began)):
                self.happened(game, credit, seat, Caller("operator"))

    def adjudicate(self, number: int, result: str) -> Result:
        """End a game by the operator's word; raises `WrongPhase` and `Unreadable`."""
        game = self.game(number)
        if game.phase not in {Phase.PLAYING, Phase.SCORING}:
            raise WrongPhase(f"Game {number} is not going on: it is {game.phase.value}.")
        event = ev.Finished(adjudged(result), why="adjudicated")
        return self.happened(game, event, Seat.BLACK, Caller("operator"))

    def pause(self, address: str) -> dict[int, ev.Paused]:
        """Let a player's clocks stand when they have said; what that comes to, by game."""
        stand = dict[int, ev.Paused]()
        for row in self.unit.games.summaries(address):
            game = self.game(row.id) if not row.phase.over else None
            if game is None or game.clock is None:
                continue
            for seat in game.seats_of(address):
                paused = self._paused(self.game(game.id), seat)
                credit = self._credit(game) if Seat.of(game.clock.turn) is seat else None
                for event in (credit, paused) if paused else ():
                    if event is not None:
                        self.happened(self.game(game.id), event, seat, Caller("vacation"))
                stand[game.id] = paused or stand.get(game.id) or ev.Paused("")
        return stand

    def _paused(self, game: Game, seat: Seat) -> ev.Paused | None:
        """When a seat's clock stands by what its player has said; None where it does already.

        No longer in one game than it has days for.
        """
        clock, color = game.clock, game.color_of(seat)
        if clock is None or color is None:
            return None
        profile = self.unit.players.profile(game.player(seat).address)
        spans, room = list[Span](), clock.rest_left(color, self.now)
        for first, end in (
            DaysOff(vacation_days.planned(profile, self.now)).after(self.now).vacations
        ):
            spans.append((first, min(end, first + room)))
            room -= spans[-1][1] - first
        off = DaysOff(
            tuple(one for one in spans if one[0] < one[1]),
            (profile.zone or "UTC") if profile.weekends_off else "",
        )
        if off == clock.off(color).after(self.now):
            return None
        away = tuple((first.isoformat(), end.isoformat()) for first, end in off.vacations)
        return ev.Paused(color.word, away=away, weekends=off.weekends)

    def recognise(self, number: int, seat: Seat, address: str, caller: Caller) -> Result:
        """Remember that a seat's player writes from another address too."""
        before = self.game(number)
        return self.happened(before, ev.Recognised(before.side(seat).word, address), seat, caller)

    def expire(self, older_than: timedelta) -> tuple[Result, ...]:
        """End proposals that nobody has answered for so long, `AT_ONCE` of them at the most.

        And tell of games without a clock that nobody goes on with: they will be closed.
        """
        old = self.unit.games.proposals_before(self.now - older_than)
        left = self.unit.games.untimed_before(self.now - ABANDONED + WARNED, AT_ONCE)
        ends: list[tuple[int, ev.Event]] = [(number, ev.Expired()) for number in old]
        ends += [(number, ev.Reminded("", 1)) for number in left]
        found = list[Result]()
        for number, event in ends:
            game = self._readable(number) if len(found) < AT_ONCE else None
            if game is None:
                continue
            found.append(self.happened(game, event, Seat.PROPOSER, Caller("timer")))
            if isinstance(event, ev.Reminded):
                self.unit.games.set_alarm(number, None, self.now + WARNED)
        return tuple(found)

    def _close(self, game: Game) -> None:
        """End a game without a clock, where nobody did anything after they were warned."""
        last = self.unit.games.log(game.id, game.length - 1)[0]
        warned = isinstance(last.event, ev.Reminded)
        end = last.at + WARNED + self.lost(last.at, self.now)
        if warned and end <= self.now:
            over = ev.Finished("Void", why="abandoned")
            self.happened(game, over, Seat.PROPOSER, Caller("timer"))
        else:
            self.unit.games.set_alarm(game.id, None, end if warned else None)

    def summaries(self, address: str | None = None) -> Sequence[GameSummary]:
        """The games of an address, or all; the newest first."""
        return self.unit.games.summaries(address)

    def _proposed(self, wanted: cmd.Propose, caller: Caller) -> ev.Proposed:
        name = caller.name or _name(caller.address)
        return proposed(
            wanted,
            Player(caller.address, name),
            wanted.called or _name(wanted.opponent),
            self.chance.nonce(),
        )

    def _decide(
        self, before: Game, seat: Seat, commands: Sequence[cmd.Action], caller: Caller
    ) -> Result:
        """The events of all commands, one after the other; raises the first one's `Refusal`."""
        credit, events, asked = self._credit(before), list[ev.Event](), None
        start = game = apply(before, credit, self.now) if credit else before
        for command in together(commands):
            for decided in decide_after(start, game, seat, command, self.chance.nigiri):
                event = self._ranked(_named(decided, game, seat, caller), game)
                if isinstance(event, ev.Confirmed) and not game.spec.teaching:
                    spec = game.spec
                    self._limit_invitations(
                        spec.proposer.address, spec.invited.address, spec.invited.name, caller
                    )
                events.append(event)
                game = apply(game, event, self.now)
        if any(isinstance(event, ev.Moved | ev.Passed) for event in events):
            # Last of all: else who asks for more beside a move could tell what was planned for it.
            more = following(start, game, self.chance.nigiri)
            events += more
            asked, game = game, reduce(partial(apply, at=self.now), more, game)
        if any(isinstance(event, ev.Started) for event in events):
            for paused in filter(None, (self._paused(game, one) for one in _SEATS)):
                events.append(paused)
                game = apply(game, paused, self.now)
        if credit and events:
            events.insert(0, credit)
        return Result(before, game if events else before, tuple(events), asked)

    def _line(self, address: str) -> str:
        """What a player says of themselves."""
        return self.unit.players.profile(address).line or ""

    def _ranked(self, event: ev.Event, game: Game) -> ev.Event:
        """The beginning of a game with the ranks that its players state."""
        if not isinstance(event, ev.Started) or game.spec.teaching:
            return event
        both = (game.spec.proposer.address, game.spec.invited.address)
        ranks = tuple(rank_of(self._line(address)) for address in both)
        return replace(event, ranks=ranks) if any(ranks) else event

    def happened(self, before: Game, event: ev.Event, actor: Seat, caller: Caller) -> Result:
        """Write down what no command asked for."""
        result = Result(before, apply(before, event, self.now), (event,))
        return self.carry_out(Decision(before.length, result, actor, (), caller))

    def _owe(self, kind: Kind, game: Game, seat: Seat, decision: Decision) -> bool:
        """Owe a seat a letter; False where none need be written."""
        caller = decision.caller
        if self._spared(kind, game, seat, decision):
            keep(self.unit, kind, game, seat, decision.known)
            return False
        about = self._about(kind, game, seat, decision)
        if about is not None and kind in (Kind.STARTED, Kind.INVITATION, Kind.COUNTERED):
            about = {**about, **self._introduced(kind, game, seat)}
        to, by = game.player(seat).address, caller.address
        if (
            about is None
            and email_settings.in_force(self.unit, to, game.id).emails is cmd.EmailLevel.DAILY
        ):
            return kind is not Kind.MOVED  # the email of the day will tell
        if about is None or (kind in _TO_STRANGERS and not self._counted(kind, to, caller)):
            return False
        if kind in (Kind.INVITATION, Kind.CONFIRM):
            # Invitations count against the proposer, whichever address the yes came from; and
            # nobody has shown yet to have asked for a game that is to be confirmed.
            by = ""
        if kind is Kind.INVITATION:
            by = person(game.spec.proposer.address)
            count_invitation(self.unit, to, self.now)
        notice = Notice(
            kind=kind,
            to=to,
            by=by,
            game=game.id,
            seat=seat,
            since=decision.known,
            until=game.length,
            answers=caller.answers if game.seat(decision.actor) == seat else "",
            about=about,
        )
        self.unit.outbox.owe(notice, self.now)
        return True

    def _introduced(self, kind: Kind, game: Game, seat: Seat) -> dict[str, object]:
        """What the other player says of themselves; before a yes their rank alone."""
        other = game.player(seat.other)
        line = "" if game.spec.teaching or not other.mailed else self._line(other.address)
        said = line if kind is Kind.STARTED else line.partition(",")[0]
        return {"introduced": said} if said else {}

    def quotas(self, to: str, origin: Origin, *, proven: bool = False) -> Quotas | None:
        """The quotas of a letter to somebody of whom we know nothing; None for anybody else."""
        if not is_stranger(self.unit, self.game, to):
            return None
        return Quotas(self.unit, self.limits, self.now, to, origin, proven)

    def _counted(self, kind: Kind, to: str, caller: Caller) -> bool:
        """Count a letter that may be a stranger's; False where it is one too many for them.

        What somebody began for whom we wrote before is told to the end, where it can be.
        """
        quotas = self.quotas(to, caller.origin, proven=kind is not Kind.CONFIRM)
        if quotas is not None:
            if kind in (Kind.WITHDRAWN, Kind.EXPIRED) and quotas.person_had_enough():
                return False
            quotas.count()
        return True

    def _about(
        self, kind: Kind, game: Game, seat: Seat, decision: Decision
    ) -> dict[str, object] | None:
        """What only this letter needs; None where its reader does not want it."""
        to, color = game.player(seat).address, game.color_of(seat)
        wishes = email_settings.in_force(self.unit, to, game.id)
        if kind is Kind.MOVED:
            if email_settings.receipt_due(wishes) and not decision.caller.told:
                return {"last": self._count_receipt(to)}
            # One to say `void` from: their last letter is of before the move.
            silent = decision.caller.told or wishes.emails is cmd.EmailLevel.NONE
            return None if silent or not long_cycle(game.position) else {}
        if decision.caller.answers and game.seat(decision.actor) == seat:
            asked = (one for one in decision.commands if isinstance(one, cmd.Propose))
            left_out = [sentence for one in asked for sentence in one.left_out]
            return {"left_out": left_out} if left_out else {}
        daily = kind is Kind.REMINDER and wishes.emails is cmd.EmailLevel.DAILY
        if not email_settings.wanted(wishes.emails, kind, game, seat) or (
            daily and self._told_in_time(game, to)
        ):
            return None
        late = {cmd.EmailLevel.MY_TURN, cmd.EmailLevel.DAILY}
        if wishes.emails not in late or color is None:
            return {}
        known = self.unit.games.log(game.id)[: decision.known]
        return {"unheard": email_settings.unheard(known, color)}

    def _told_in_time(self, game: Game, address: str) -> bool:
        """True where the email of the day tells of what is left while there is enough of it.

        It came a short while ago, or comes while half of it will still be left.
        """
        due = self.unit.players.profile(address).digest_due
        deadline = game.clock.deadline if game.clock else None
        if due is None or deadline is None:
            return False
        left = deadline - self.now
        return due <= self.now + left / 2 or due - LAST_DAY >= self.now - left / 4

    def _wants_review(self, game: Game, seat: Seat) -> bool:
        wishes = email_settings.in_force(self.unit, game.player(seat).address, game.id)
        return reviewable(game) and wishes.reviews is True

    def _spared(self, kind: Kind, game: Game, seat: Seat, decision: Decision) -> bool:
        color = game.color_of(seat)
        watches = color is not None and self.watched(game.id, color)
        did = decision.caller.seated and game.seat(decision.actor) == seat
        return spared(kind, decision.result.events, did=did, watches=watches)

    def left(self, number: int, color: Color) -> None:
        """The last program in a seat has gone: owe what it had spared its player, if need be."""
        owe_kept(self.unit, self.game(number), Seat.of(color), self.now)

    def silent_passes(self, patience: timedelta) -> int:
        """Owe what was kept for seats that have not answered a pass for so long; how many did."""
        seats = silent_passes(self.unit, self.now - patience)
        for number, color in seats:
            self.left(number, color)
        return len(seats)

    def _count_receipt(self, address: str) -> bool:
        """Count one more receipt; True where it is the last that comes unasked."""
        said, _ = self.unit.players.preferences(address)
        sent = said.receipts_sent + 1
        self.unit.players.set_preferences(address, replace(said, receipts_sent=sent))
        return said.receipts is None and sent == email_settings.RECEIPTS

    def _limit_invitations(self, proposer: str, invited: str, name: str, caller: Caller) -> None:
        if invited.startswith(ENGINE):
            check_engine_games(self.unit, self.engines.games_per_player, proposer)
            return
        if invited == OPEN:
            check_opening(self.unit, self.limits, proposer, self.now)
            return
        check_welcome(self.unit, proposer, invited, name)
        check_invitations(self.unit, self.limits, proposer, invited, name, self.now)
        quotas = self.quotas(invited, caller.origin, proven=True)
        if quotas is not None:
            if quotas.person_had_enough():
                raise NotAllowed(
                    f"I have written to {name}, or to an address much like theirs, often today;"
                    " please try again tomorrow."
                )
            quotas.check()


def _name(address: str) -> str:
    return "anybody" if address == OPEN else bare(address).partition("@")[0] or address


def _named(event: ev.Event, game: Game, seat: Seat, caller: Caller) -> ev.Event:
    """Let the invited player be called as they call themselves from their first answer on."""
    if isinstance(event, ev.Started) and game.side(seat) is Seat.INVITED and caller.name:
        return replace(event, invited_name=caller.name)
    if isinstance(event, ev.Countered) and event.side == "invited" and caller.name:
        return ev.renamed(event, caller.name)
    if isinstance(event, ev.Started) and game.spec.teaching:
        return replace(event, invited_name=game.spec.proposer.name)
    return event


def addresses_of(game: Game) -> set[str]:
    """The addresses whose game it is."""
    known = {game.spec.proposer.address}
    if game.confirmed and not (game.spec.open and game.phase.over):
        known.add(game.spec.invited.address)
    return known.union(*game.addresses.values())


def summary_of(game: Game, now: datetime) -> GameSummary:
    """A game's row for lists, as it is now."""
    black: Player = game.black or game.spec.proposer
    white: Player = game.white or game.spec.invited
    deadline, alarm = _alarms(game, now)
    return GameSummary(
        id=game.id,
        phase=game.phase,
        size=str(game.spec.size),
        rules=game.spec.rules,
        black=black.address,
        white=white.address,
        move_number=game.move_number,
        to_move=game.to_move.word if game.to_move else None,
        result=game.result,
        updated=now,
        black_name=black.name,
        white_name=white.name,
        deadline=deadline,
        alarm=alarm,
    )


def _alarms(game: Game, now: datetime) -> tuple[datetime | None, datetime | None]:
    """When the flag falls, and when to look at the clock next: `WRONG` from now at the latest.

    What is to ring later than that was written while the machine's clock was ahead.
    """
    clock = game.clock
    alarm = clock.alarm if clock else None
    return clock.deadline if clock else None, alarm and min(alarm, now + WRONG)
