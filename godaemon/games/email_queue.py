"""Queues the emails that a change of a game causes. Within one transaction; raises nothing.

A player whose Go program sits in the seat gets no email about the program's own actions, or about
the move that it waits for. The notice is kept instead, in the same transaction. It is queued when
the program has gone or has been silent for a while, if the game still awaits that player. A pass is
emailed sooner, because a program that counts by itself, such as Sabaki, never sends the second one.
Words, the start of a count and the end of a game are always emailed.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from godaemon.games import commands as cmd
from godaemon.games import events as ev
from godaemon.games import ratings, wanted_emails
from godaemon.games.awaited_decisions import awaited_decision
from godaemon.games.game_clock import LAST_DAY
from godaemon.games.invitation_limits import count_invitation
from godaemon.games.model import Game, Seat
from godaemon.games.notices import Kind, Notice, is_reviewable
from godaemon.games.people import person
from godaemon.games.player_settings import Preferences
from godaemon.games.service_calls import Caller, Decision
from godaemon.games.special_moves import last_moves
from godaemon.games.stored_values import KeptNotice, Unit
from godaemon.games.stranger_limits import Origin, Quotas, WritingLimits, is_stranger
from godaemon.games.wanted_emails import effective_preferences, wants_email
from godaemon.rules.points import Color
from godaemon.texts.catalogue import sentence_to_json

FORGETTING = "forget"
"""The cause of the events that end a forgotten player's games."""
SEATED = "seated"
"""Key in the `about` of a notice that was kept."""
_PASS_PATIENCE = timedelta(minutes=2)
_MOVE_PATIENCE = timedelta(minutes=15)
_INTRODUCING_KINDS = (Kind.STARTED, Kind.INVITATION, Kind.COUNTERED)
_RATING_KINDS = (*_INTRODUCING_KINDS, Kind.INVITED)
_TO_STRANGERS = {Kind.CONFIRM, Kind.INVITATION, Kind.WITHDRAWN, Kind.EXPIRED}


@dataclass(frozen=True, slots=True)
class EmailQueue:
    """Queues notices about games in the outbox, unless their readers do not want them."""

    unit: Unit
    now: datetime
    limits: WritingLimits
    game: Callable[[int], Game | None]
    """Returns the game with a number, or None for one that this program cannot read."""
    is_watched: Callable[[int, Color], bool]
    """Returns whether a program in a seat waits for the opponent's move."""

    def queue(self, kind: Kind, seat: Seat, decision: Decision) -> bool:
        """Queue an email to a seat; returns whether it, or the daily email, has the news."""
        game, caller = decision.after, decision.caller
        to = game.player(seat).address
        mine = game.color_seat(decision.actor) == seat
        extra_facts = caller.extra_facts if mine and kind is not Kind.REVIEW else {}
        if not extra_facts and self._program_shows(kind, seat, decision):
            keep_notice(self.unit, kind, game, seat, decision.stored_events)
            return False
        preferences = effective_preferences(self.unit, to, game.id)
        about = self._facts_if_wanted(kind, seat, decision, preferences)
        if about is None and not extra_facts:
            return preferences.emails is cmd.EmailLevel.DAILY and kind is not Kind.MOVED
        if kind in _TO_STRANGERS and not self._count_to_stranger(kind, to, caller):
            return False
        if kind is Kind.INVITATION:
            count_invitation(self.unit, to, self.now)
        about = {**(about or {}), **extra_facts, **self._facts(kind, seat, decision)}
        notice = Notice.of(kind, game, seat, _responsible_person(kind, game, caller), about)
        answers = caller.message_id if mine else ""
        notice = replace(notice, since=decision.stored_events, answers=answers)
        if not self.unit.outbox.queue(notice, self.now) and kind is Kind.INVITATION:
            back = Notice.of(Kind.UNREACHABLE, game, Seat.PROPOSER)  # its address is suspended
            self.unit.outbox.queue(back, self.now)
        return True

    def _facts(self, kind: Kind, seat: Seat, decision: Decision) -> dict[str, object]:
        """The facts that an email of this kind adds, such as ratings, or an undo that lapsed."""
        game = decision.after
        found = self._about_opponent(kind, game, seat)
        if kind is Kind.FINISHED:
            found = self._rating_change(game, seat)
        if (lapsed := _lapsed_undo(decision, seat)) is not None:
            found["lapsed"] = lapsed
        marks = (one for one in decision.commands if isinstance(one, cmd.Mark))
        if any(one.extent is cmd.Extent.CHAIN for one in marks):
            found["exact"] = True
        if kind is Kind.FINISHED and decision.caller.cause == FORGETTING:
            found["left"] = True
        return found

    def _about_opponent(self, kind: Kind, game: Game, seat: Seat) -> dict[str, object]:
        """Facts before a game: the opponent's profile, both strengths, and if the reader is new."""
        me, other, found = game.player(seat), game.player(seat.other), dict[str, object]()
        if kind not in _RATING_KINDS or game.spec.teaching or not other.gets_email:
            return found
        line = ratings.profile_line(self.unit, other.address)
        line = line if kind is Kind.STARTED else line.partition(",")[0]
        if line and kind in _INTRODUCING_KINDS:
            found["introduced"] = line
        if kind is Kind.INVITATION and is_stranger(self.unit, self.game, me.address):
            found["newcomer"] = True
        if kind is Kind.INVITED and not game.spec.named:
            return found  # nobody may look up the rating of an address
        if rating := ratings.rating_of(self.unit, other.address):
            found["rating"] = ratings.round_rating(rating)
        both = [ratings.strength_of(self.unit, one) for one in (me, other)]
        if None not in both:
            found["strengths"] = [ratings.round_rating(one)[0] for one in both]
        return found

    def _rating_change(self, game: Game, seat: Seat) -> dict[str, object]:
        change = ratings.rating_change(self.unit, game, seat)
        unchanged = change and change[0] and change[0].value == change[1].value
        if change is None or unchanged:
            return {}
        return {"rated": [*map(ratings.round_rating, change)]}

    def quotas(self, to: str, origin: Origin, *, proven: bool = False) -> Quotas | None:
        """The quotas of an email to a stranger; None if the address is no stranger's."""
        if not is_stranger(self.unit, self.game, to):
            return None
        return Quotas(self.unit, self.limits, self.now, to, origin, proven)

    def _count_to_stranger(self, kind: Kind, to: str, caller: Caller) -> bool:
        """Count an email to a stranger; False if their limit forbids news of a proposal's end."""
        quotas = self.quotas(to, caller.origin, proven=kind is not Kind.CONFIRM)
        if quotas is not None:
            if kind in (Kind.WITHDRAWN, Kind.EXPIRED) and quotas.reader_is_over_limit():
                return False
            quotas.count()
        return True

    def _facts_if_wanted(
        self, kind: Kind, seat: Seat, decision: Decision, preferences: Preferences
    ) -> dict[str, object] | None:
        """The facts of one email; None if its reader does not want it."""
        game = decision.after
        to, color = game.player(seat).address, game.color_of(seat)
        if kind is Kind.MOVED:
            if wanted_emails.is_receipt_due(preferences) and not decision.caller.receipt_included:
                return {"last": self._count_receipt(to)}
            # After a long cycle the player needs an email of this position to answer with `void`.
            silent = decision.caller.receipt_included or preferences.emails is cmd.EmailLevel.NONE
            return None if silent or not game.position.is_long_cycle else {}
        if decision.caller.message_id and game.color_seat(decision.actor) == seat:
            proposals = (one for one in decision.commands if isinstance(one, cmd.Propose))
            left_out = [sentence_to_json(text) for one in proposals for text in one.left_out]
            return {"left_out": left_out} if left_out else {}
        daily = kind is Kind.REMINDER and preferences.emails is cmd.EmailLevel.DAILY
        if not wanted_emails.is_wanted(preferences.emails, kind, game, seat) or (
            daily and self._digest_suffices(game, to)
        ):
            return None
        delayed = {cmd.EmailLevel.MY_TURN, cmd.EmailLevel.DAILY}
        if preferences.emails not in delayed or color is None:
            return {}
        before = self.unit.games.log(game.id)[: decision.stored_events]
        return {"unheard": wanted_emails.unheard_words(before, color)}

    def _digest_suffices(self, game: Game, address: str) -> bool:
        """True if the daily email was just sent, or will be sent within half of the time left."""
        due = self.unit.players.profile(address).digest_due
        deadline = game.clock.deadline if game.clock else None
        if due is None or deadline is None:
            return False
        left = deadline - self.now
        return due <= self.now + left / 2 or due - LAST_DAY >= self.now - left / 4

    def wants_review(self, game: Game, seat: Seat) -> bool:
        """True if a player gets a review of a game that has ended."""
        preferences = effective_preferences(self.unit, game.player(seat).address, game.id)
        return is_reviewable(game) and preferences.reviews is True

    def _program_shows(self, kind: Kind, seat: Seat, decision: Decision) -> bool:
        """True if the program in a seat makes an email unnecessary."""
        game, events = decision.after, decision.events
        color = game.color_of(seat)
        if decision.caller.from_program and game.color_seat(decision.actor) == seat:
            return kind not in {Kind.SCORING_STARTED, Kind.FINISHED, Kind.REVIEW}
        silent = kind is Kind.YOUR_TURN and not any(isinstance(one, ev.Said) for one in events)
        return silent and color is not None and self.is_watched(game.id, color)

    def _count_receipt(self, address: str) -> bool:
        """Count a receipt; returns whether it is the last one of a player without a setting."""
        preferences, _ = self.unit.players.preferences(address)
        sent = preferences.receipts_sent + 1
        self.unit.players.set_preferences(address, replace(preferences, receipts_sent=sent))
        return preferences.receipts is None and sent == wanted_emails.DEFAULT_RECEIPTS


def _responsible_person(kind: Kind, game: Game, caller: Caller) -> str:
    """The person against whose limits an email counts."""
    if kind is Kind.INVITATION:
        return person(game.spec.proposer.address)
    return "" if kind is Kind.CONFIRM else caller.address  # an unconfirmed proposal may be forged


def _lapsed_undo(decision: Decision, seat: Seat) -> str | None:
    """The move ("" for handicap stones) that a seat asked to undo before the opponent moved on."""
    before, after = decision.before, decision.after
    asker = before.undo_asked
    moved = decision.has(ev.Moved, ev.Passed)
    if asker is None or after.color_of(seat) is not asker or not moved:
        return None
    refused = decision.has(ev.UndoRefused)
    return None if refused else next(iter(last_moves(before, 1)), "")


def keep_notice(unit: Unit, kind: Kind, game: Game, seat: Seat, since: int) -> None:
    """Keep a notice for a seat if the game awaits its player; notices about notes are dropped."""
    if awaited_decision(game, seat) and kind is not Kind.NOTE:
        kept = KeptNotice(kind, since, game.length, game.digest)
        unit.seats.keep_notice(game.id, seat.word, kept)


def queue_kept_notice(unit: Unit, game: Game, seat: Seat, now: datetime) -> None:
    """Queue the notice that was kept for a seat, unless the game has changed since."""
    kept = unit.seats.take_notice(game.id, seat.word)
    if kept is None or kept.digest != game.digest or not awaited_decision(game, seat):
        return
    if wants_email(unit, kept.kind, game, seat):
        notice = Notice.of(kept.kind, game, seat, about={SEATED: True})
        unit.outbox.queue(replace(notice, since=kept.since, until=kept.until), now)


def is_unanswered(log: Sequence[ev.LogEntry], now: datetime) -> bool:
    """True if a program should have answered the last change of a game by now.

    Quiet events do not count as changes.
    """
    last = next(entry for entry in reversed(log) if not isinstance(entry.event, ev.QUIET_EVENTS))
    patience = _PASS_PATIENCE if isinstance(last.event, ev.Passed) else _MOVE_PATIENCE
    return last.at <= now - patience
