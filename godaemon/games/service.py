"""The service for all front ends that act on games: mail, GTP, the command line and the timers.

A `GameService` lives as long as one transaction. Each method decides everything before it writes
anything, so that a `Refusal` leaves the transaction unchanged.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial, reduce

from godaemon.errors import Corrupt, Damaged, NotAllowed, Unknown, Unreadable, WrongPhase
from godaemon.games import commands as cmd
from godaemon.games import events as ev
from godaemon.games import public_games, ratings, wanted_emails
from godaemon.games.awaited_decisions import check_fresh
from godaemon.games.dead_stones import join_marks
from godaemon.games.decisions import Draw, decide_after, planned_events
from godaemon.games.email_queue import EmailQueue, is_unanswered, queue_kept_notice
from godaemon.games.engine_seats import Roster
from godaemon.games.game_cache import GameCache
from godaemon.games.invitation_limits import (
    check_challenge_limits,
    check_confirmations,
    check_engine_games,
    check_has_name,
    check_invitations,
    check_new_challenge,
    count_challenge,
)
from godaemon.games.model import (
    ENGINE_PREFIX,
    OPEN,
    OPEN_PHASES,
    STARTED_PHASES,
    Game,
    Phase,
    Player,
    Revisions,
    Seat,
    Spec,
    shown_address,
)
from godaemon.games.notices import Kind, notice_kinds
from godaemon.games.people import check_welcome, known_name
from godaemon.games.proposals import build_proposal
from godaemon.games.public_games import check_taking
from godaemon.games.ratings import profile_line, rank_of
from godaemon.games.service_calls import Caller, Decision
from godaemon.games.state import apply, begin, end_moment, game_at, game_at_move
from godaemon.games.stored_values import Alarm, GameSummary, Unit
from godaemon.games.stranger_limits import WritingLimits
from godaemon.games.uncounted_time import LostTime, credit_due, days_off_event
from godaemon.games.views import addresses_of, alarms_of, summary_of
from godaemon.games.wanted_emails import set_our_addresses
from godaemon.rules.points import Color
from godaemon.texts.catalogue import sentence

_SEATS = (Seat.BLACK, Seat.WHITE)


@dataclass(frozen=True, slots=True)
class Randomness:
    """The random choices: the colours at nigiri, and the nonce of a new game."""

    nigiri: Draw
    nonce: Callable[[], str]


@dataclass(slots=True)
class GameService:
    """All games, within one transaction at one moment."""

    unit: Unit
    cache: GameCache
    now: datetime
    randomness: Randomness
    limits: WritingLimits
    engines: Roster = field(default_factory=Roster)
    is_watched: Callable[[int, Color], bool] = lambda _game, _color: False
    """Returns whether a program in a colour's seat waits for the opponent's move."""
    lost: LostTime = lambda *_: timedelta()

    def game(self, number: int) -> Game:
        """A game in its present state; raises `Unknown`."""
        return self.cache.load(self.unit, number)

    def readable_game(self, number: int) -> Game | None:
        """A game, or None if this program cannot read it; raises `Damaged`, `Unknown`."""
        try:
            return self.game(number)
        except Damaged:
            raise  # the writer sets the game aside
        except Corrupt:
            return None

    @staticmethod
    def check_move(game: Game, move: int) -> None:
        """Raise `Unknown` if a game has no move with this number."""
        if game.black is None:
            raise Unknown(sentence("no-moves", game=game.id))
        if not 0 <= move <= game.move_number:
            why = sentence("no-such-move", count=game.move_number, number=move)
            raise Unknown(why, hints=("show", f"show {game.move_number}"))

    def game_at_move(self, number: int, move: int) -> Game:
        """A game as it stood after a move; raises `Unknown`."""
        self.check_move(self.game(number), move)
        return game_at_move(number, [entry.event for entry in self.unit.games.log(number)], move)

    def check_proposal(
        self, proposal: cmd.Propose, caller: Caller, *, vouched: bool
    ) -> ev.Proposed:
        """The first event of a proposal; raises like `propose`."""
        self.engines.check(proposal)
        event = self._build_proposal(proposal, caller)
        spec = begin(0, event).spec
        if proposal.opponent == OPEN:
            check_has_name(caller.name)
            check_new_challenge(self.unit, self.limits, caller.address, self.now)
        if not vouched:
            check_confirmations(self.unit, self.limits, caller.address, self.now)
            if quotas := self.email_queue.quotas(caller.address, caller.origin):
                quotas.check()
        elif not spec.teaching:
            self._check_invitation(spec, caller)
        return event

    def propose(self, proposal: cmd.Propose, caller: Caller, *, vouched: bool) -> Decision:
        """Create a game; unless `vouched`, the proposer must confirm before the invitation is sent.

        Raises `Unreadable` or `Unknown` for impossible terms, `NotAllowed` above a limit.
        """
        event = self.check_proposal(proposal, caller, vouched=vouched)
        game = begin(self.unit.games.create(), event)
        decision = Decision(game, game, (event,), Seat.PROPOSER, caller, (proposal,))
        if vouched:
            more = self._decide(game, Seat.PROPOSER, (cmd.Yes(),), caller)
            decision = replace(decision, after=more.after, events=(event, *more.events))
        return self.carry_out(decision)

    def decide_taking(self, number: int, words: str, caller: Caller) -> Decision:
        """Decide that the caller takes an open challenge; raises a `Refusal`."""
        check_challenge_limits(self.unit, self.limits, caller.address, self.now)
        check_taking(self.unit, number, caller.address)
        check_has_name(caller.name)
        before = self.game(number)
        taken = ev.Taken(caller.address, caller.name)
        commands: list[cmd.Action] = [cmd.Yes(), *([cmd.Say(words)] if words else [])]
        more = self._decide(apply(before, taken, self.now), Seat.INVITED, commands, caller)
        return replace(more, before=before, events=(taken, *more.events))

    def decide(
        self,
        number: int,
        seat: Seat,
        commands: Sequence[cmd.Action],
        caller: Caller,
        *,
        seen: Revisions | None = None,
    ) -> Decision:
        """Decide a seat's commands, all or none; raises a `Refusal`.

        `seen` are the revisions that the player's email answers, or None for a live view.
        """
        before = self.game(number)
        shown = None
        if seen and seen.marks != before.revisions.marks:
            shown = game_at(number, [entry.event for entry in self.unit.games.log(number)], seen)
        check_fresh(before, commands, seen, seat, shown)
        return self._decide(before, seat, commands, caller)

    def act(
        self,
        number: int,
        seat: Seat,
        commands: Sequence[cmd.Action],
        caller: Caller,
        *,
        seen: Revisions | None = None,
    ) -> Decision:
        """Decide and carry out a seat's commands; on a `Refusal` nothing has changed."""
        return self.carry_out(self.decide(number, seat, commands, caller, seen=seen))

    def carry_out(self, decision: Decision) -> Decision:
        """Write the events and the summary row, update ratings, and queue the notices."""
        after, caller = decision.after, decision.caller
        if decision.events:
            self._write_events(decision)
            self.cache.keep(after)
        if decision.before.spec.rated and decision.has(ev.Finished, ev.Unrated):
            end = end_moment(self.unit.games.log(after.id))
            if end is not None:
                ratings.rate_game(self.unit, self.game, after, end)
        if decision.has(ev.Confirmed, ev.Started):
            player = after.player(decision.actor).address
            wanted_emails.allow_emails(self.unit, player, after.id)
        if decision.has(ev.Proposed, ev.Taken):
            set_our_addresses(self.unit, after, decision.actor, caller.our_address)
        if decision.has(ev.Taken) or (after.spec.open and decision.has(ev.Confirmed)):
            count_challenge(self.unit, caller.address, self.now)
        self._queue_notices(decision)
        return decision

    def open_games_of(self, address: str, limit: int | None = None) -> Iterator[tuple[Game, Seat]]:
        """The readable open games of an address, each with its seat; the newest first."""
        for row in self.unit.games.summaries(address, OPEN_PHASES, limit):
            game = self.readable_game(row.id)
            seat = None if game is None else game.seat_held_by(address)
            if game is not None and seat is not None:
                yield game, seat

    def _write_events(self, decision: Decision) -> None:
        """Write the events, and the summary row if it has changed."""
        after, events, games = decision.after, decision.events, self.unit.games
        row: GameSummary | Alarm | None = None
        if any(not isinstance(event, ev.QUIET_EVENTS) for event in events):
            row = summary_of(after, self.now)
        elif after.clock and decision.has(*ev.CLOCK_EVENTS):
            row = alarms_of(after, self.now)
        entries = [ev.LogEntry(event, self.now, decision.caller.cause) for event in events]
        games.append(after.id, decision.stored_events, entries, row)
        addresses = addresses_of(after)
        if isinstance(row, GameSummary) and (
            not decision.stored_events or addresses != addresses_of(decision.before)
        ):
            games.set_addresses(after.id, addresses)

    def _queue_notices(self, decision: Decision) -> None:
        """Queue the notices; a clock that waits for no email starts at once."""
        after, events = decision.after, decision.events
        kinds = notice_kinds(after, events, decision.actor, decision.commands)
        emails, written_to = self.email_queue, set[Seat]()
        for seat, kind in kinds.items():
            if emails.queue(kind, seat, decision):
                written_to.add(seat)
            if kind is Kind.FINISHED and emails.wants_review(after, seat):
                emails.queue(Kind.REVIEW, seat, decision)
        public_games.tell_spectators(self.unit, decision.before, after, events, self.now)
        new = after.clock is not None and after.clock.log_length > decision.stored_events
        if after.clock and new and after.clock.waits:
            turn = after.clock.turn
            if Seat.of(turn) not in written_to:  # their program shows it, or they want no email
                self.add_event(after, ev.Handed(turn.word), Seat.of(turn), Caller("outbox"))

    def adjudicate(self, number: int, result: str) -> Decision:
        """Set a game's result, for the operator; raises a `Refusal`."""
        game = self.game(number)
        if game.phase not in STARTED_PHASES:
            raise WrongPhase(f"Game {number} has not begun: it is {game.phase.value}.")
        event = ev.Finished(parse_result(result), why="adjudicated")
        if game.phase is Phase.FINISHED and game.result == event.result:
            raise WrongPhase(f"Game {number} is over with this result already: {event.result}.")
        return self.add_event(game, event, Seat.BLACK, Caller("operator"))

    def unrate(self, number: int) -> Decision:
        """Take a game out of the ratings, for the operator; raises `WrongPhase`."""
        game = self.game(number)
        if game.phase not in STARTED_PHASES or not game.spec.rated:
            raise WrongPhase(f"Game {number} does not count for ratings.")
        return self.add_event(game, ev.Unrated(), Seat.BLACK, Caller("operator"))

    def recognise(self, number: int, seat: Seat, address: str, caller: Caller) -> Decision:
        """Record another address that the player of a seat has confirmed."""
        before = self.game(number)
        return self.add_event(before, ev.Recognised(before.side(seat).word, address), seat, caller)

    def _build_proposal(self, proposal: cmd.Propose, caller: Caller) -> ev.Proposed:
        name = caller.name or self._latest_name(caller.address) or _default_name(caller.address)
        return build_proposal(
            proposal,
            Player(caller.address, name),
            proposal.called
            or known_name(self.unit, caller.address, proposal.opponent)
            or _default_name(proposal.opponent),
            self.randomness.nonce(),
        )

    def _latest_name(self, address: str) -> str:
        """The name of an address in its newest game, or ""."""
        key = address.casefold()
        for row in self.unit.games.summaries(address, limit=1):
            names = {row.black.casefold(): row.black_name, row.white.casefold(): row.white_name}
            return names.get(key, "")
        return ""

    def _decide(
        self, before: Game, seat: Seat, commands: Sequence[cmd.Action], caller: Caller
    ) -> Decision:
        """The events of all commands in turn; raises the first `Refusal`."""
        credit = credit_due(self.unit, self.lost, before, self.now)
        events, before_replies = list[ev.Event](), None
        start = game = apply(before, credit, self.now) if credit else before
        for command in join_marks(commands):
            for decided in decide_after(start, game, seat, command, self.randomness.nigiri):
                event = self._with_people(decided, game, seat, caller)
                if isinstance(event, ev.Confirmed) and not game.spec.teaching:
                    self._check_invitation(game.spec, caller)
                events.append(event)
                game = apply(game, event, self.now)
        if any(isinstance(event, ev.Moved | ev.Passed) for event in events):
            # After all other commands, which must not see the opponent's planned reply.
            replies = planned_events(start, game, self.randomness.nigiri)
            events += replies
            before_replies, game = game, reduce(partial(apply, now=self.now), replies, game)
        if any(isinstance(event, ev.Started) for event in events):
            pauses = (days_off_event(self.unit, game, one, self.now) for one in _SEATS)
            for pause in filter(None, pauses):
                events.append(pause)
                game = apply(game, pause, self.now)
        if credit and events:
            events.insert(0, credit)
        after = game if events else before
        commands = tuple(commands)
        return Decision(before, after, tuple(events), seat, caller, commands, before_replies)

    def _with_people(self, event: ev.Event, game: Game, seat: Seat, caller: Caller) -> ev.Event:
        """The event with the invited player's name from their email, and with stated ranks."""
        name, both = caller.name, (game.spec.proposer, game.spec.invited)
        if isinstance(event, ev.Countered) and event.side == "invited" and name:
            return ev.rename_invited(event, name)
        if not isinstance(event, ev.Started):
            return event
        if game.spec.teaching:
            return replace(event, invited_name=game.spec.proposer.name)
        if game.side(seat) is Seat.INVITED and name:
            event = replace(event, invited_name=name)
        ranks = tuple(rank_of(profile_line(self.unit, one.address)) for one in both)
        return replace(event, ranks=ranks) if any(ranks) else event

    def add_event(self, before: Game, event: ev.Event, actor: Seat, caller: Caller) -> Decision:
        """Carry out an event without a command."""
        after = apply(before, event, self.now)
        return self.carry_out(Decision(before, after, (event,), actor, caller))

    @property
    def email_queue(self) -> EmailQueue:
        return EmailQueue(self.unit, self.now, self.limits, self.readable_game, self.is_watched)

    def queue_kept_notice(self, number: int, color: Color) -> None:
        """Queue the notice kept for a seat, after its last program has gone."""
        queue_kept_notice(self.unit, self.game(number), Seat.of(color), self.now)

    def queue_unanswered_notices(self) -> None:
        """Queue the kept notices of seats whose programs have been silent for a while."""
        for number, color in self.unit.seats.seats_with_notice():
            if is_unanswered(self.unit.games.log(number), self.now):
                self.queue_kept_notice(number, Color.named(color))

    def _check_invitation(self, spec: Spec, caller: Caller) -> None:
        proposer = spec.proposer.address
        invited = spec.invited.address
        name = spec.invited.name
        if invited.startswith(ENGINE_PREFIX):
            check_engine_games(self.unit, self.engines.games_per_player, proposer)
            return
        if invited == OPEN:
            check_new_challenge(self.unit, self.limits, proposer, self.now)
            return
        check_welcome(self.unit, proposer, invited, name)
        check_invitations(self.unit, self.limits, proposer, invited, name, self.now)
        quotas = self.email_queue.quotas(invited, caller.origin, proven=True)
        if quotas is not None:
            if quotas.reader_is_over_limit():
                raise NotAllowed(sentence("written-enough", who=name))
            quotas.check()


def parse_result(words: str) -> str:
    """An operator's result in SGF's form; raises `Unreadable`.

    >>> parse_result("b+3.5"), parse_result("void")
    ('B+3.5', 'Void')
    """
    found = re.fullmatch(
        r"(?i)([bw])\+(?:[1-9]\d{0,2}(?:\.5)?|0\.5|[rtf])|(0|draw|jigo)|void", words
    )
    if found is None:
        raise Unreadable("A result looks like B+3.5, W+R, B+T, 0 (or draw) or void.")
    if found[1]:
        return found[0].upper()
    return "0" if found[2] else "Void"


def _default_name(address: str) -> str:
    return "anybody" if address == OPEN else shown_address(address).partition("@")[0] or address
