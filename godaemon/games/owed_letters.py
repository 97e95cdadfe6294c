"""The emails that we owe after a change of a game. Within one transaction; raises nothing.

A player whose Go program sits in the seat is spared the email about what the program did, and about
the move that it waits for. The notice is kept in the same transaction instead, and owed once the
program has gone if the game still awaits that player. An unanswered pass is emailed after a while
all the same, because a program that counts by itself, such as Sabaki, never sends the second pass.
Words, the start of a count and the end of a game are always emailed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from godaemon.games import commands as cmd
from godaemon.games import events as ev
from godaemon.games import ratings, wanted_emails
from godaemon.games.awaited_decisions import awaited_decision
from godaemon.games.invitation_limits import count_invitation
from godaemon.games.model import Game, Seat
from godaemon.games.notices import Kind, Notice, is_reviewable
from godaemon.games.people import person
from godaemon.games.player_settings import Preferences
from godaemon.games.reminders import LAST_DAY
from godaemon.games.service_calls import Caller, Decision
from godaemon.games.special_moves import last_moves
from godaemon.games.stored_values import KeptNotice, Unit
from godaemon.games.stranger_limits import Origin, Quotas, WritingLimits, is_stranger
from godaemon.games.wanted_emails import effective_preferences, wants_email
from godaemon.rules.points import Color
from godaemon.rules.turn_order import is_long_cycle
from godaemon.texts.catalogue import sentence_to_json

FORGETTING = "forget"
"""The cause of the end of a forgotten player's games."""
SEATED = "seated"
"""The key in a notice's `about` that says that it was kept."""
_INTRODUCING = (Kind.STARTED, Kind.INVITATION, Kind.COUNTERED)
_COMPARING = (*_INTRODUCING, Kind.INVITED)
_TO_STRANGERS = {Kind.CONFIRM, Kind.INVITATION, Kind.WITHDRAWN, Kind.EXPIRED}


@dataclass(frozen=True, slots=True)
class OwedLetters:
    """The outbox as games fill it."""

    unit: Unit
    now: datetime
    limits: WritingLimits
    game: Callable[[int], Game | None]
    """The game of a number, or None if this program cannot read it."""
    watched: Callable[[int, Color], bool]

    def owe(self, kind: Kind, seat: Seat, decision: Decision) -> bool:
        """Owe a seat an email, or leave it to the daily one; False if neither."""
        game, caller = decision.after, decision.caller
        to = game.player(seat).address
        mine = game.color_seat(decision.actor) == seat
        aside = caller.aside if mine and kind is not Kind.REVIEW else {}
        if not aside and self._program_shows(kind, seat, decision):
            keep_notice(self.unit, kind, game, seat, decision.known)
            return False
        wishes = effective_preferences(self.unit, to, game.id)
        about = self._facts_if_wanted(kind, seat, decision, wishes)
        if about is None and not aside:
            return wishes.emails is cmd.EmailLevel.DAILY and kind is not Kind.MOVED
        if kind in _TO_STRANGERS and not self._count_to_stranger(kind, to, caller):
            return False
        if kind is Kind.INVITATION:
            count_invitation(self.unit, to, self.now)
        about = {**(about or {}), **aside, **self._facts(kind, seat, decision)}
        notice = Notice.of(kind, game, seat, _responsible_person(kind, game, caller), about)
        answers = caller.answers if mine else ""
        self.unit.outbox.owe(replace(notice, since=decision.known, answers=answers), self.now)
        return True

    def _facts(self, kind: Kind, seat: Seat, decision: Decision) -> dict[str, object]:
        """Facts for an email of this kind: about the players, and an undo that lapsed."""
        game = decision.after
        found = {**self._introduction(kind, game, seat), **self._ratings(kind, game, seat)}
        if (lapsed := _lapsed_undo(decision, seat)) is not None:
            found["lapsed"] = lapsed
        marks = (one for one in decision.commands if isinstance(one, cmd.Mark))
        if any(one.extent is cmd.Extent.CHAIN for one in marks):
            found["exact"] = True
        if kind is Kind.FINISHED and decision.caller.cause == FORGETTING:
            found["left"] = True
        return found

    def _introduction(self, kind: Kind, game: Game, seat: Seat) -> dict[str, object]:
        """The opponent's line about themselves (only their rank before a yes).

        Also whether the reader of an invitation is new here.
        """
        me, other = game.player(seat), game.player(seat.other)
        if kind not in _INTRODUCING or game.spec.teaching or not other.mailed:
            return {}
        line = ratings.profile_line(self.unit, other.address)
        line = line if kind is Kind.STARTED else line.partition(",")[0]
        new = kind is Kind.INVITATION and is_stranger(self.unit, self.game, me.address)
        return {**({"introduced": line} if line else {}), **({"newcomer": True} if new else {})}

    def _ratings(self, kind: Kind, game: Game, seat: Seat) -> dict[str, object]:
        """The change of the reader's rating; before a game the strength of both players."""
        me, other = game.player(seat), game.player(seat.other)
        if kind is Kind.FINISHED:
            change = ratings.rating_change(self.unit, game, seat)
            stays = change and change[0] and change[0].value == change[1].value
            if change is None or stays:
                return {}
            return {"rated": [*map(ratings.round_rating, change)]}
        if kind not in _COMPARING or game.spec.teaching or not other.mailed:
            return {}
        if kind is Kind.INVITED and not game.spec.named:
            return {}  # a known address must not give away a rating
        found: dict[str, object] = {}
        if rating := ratings.rating_of(self.unit, other.address):
            found["rating"] = ratings.round_rating(rating)
        both = [ratings.strength_of(self.unit, one) for one in (me, other)]
        if None not in both:
            found["strengths"] = [ratings.round_rating(one)[0] for one in both]
        return found

    def quotas(self, to: str, origin: Origin, *, proven: bool = False) -> Quotas | None:
        """The quotas of an email to a stranger; None for anybody else."""
        if not is_stranger(self.unit, self.game, to):
            return None
        return Quotas(self.unit, self.limits, self.now, to, origin, proven)

    def _count_to_stranger(self, kind: Kind, to: str, caller: Caller) -> bool:
        """Count an email to a stranger; False if it is the end of a proposal, and one too many."""
        quotas = self.quotas(to, caller.origin, proven=kind is not Kind.CONFIRM)
        if quotas is not None:
            if kind in (Kind.WITHDRAWN, Kind.EXPIRED) and quotas.reader_had_enough():
                return False
            quotas.count()
        return True

    def _facts_if_wanted(
        self, kind: Kind, seat: Seat, decision: Decision, wishes: Preferences
    ) -> dict[str, object] | None:
        """The facts of this email alone; None if its reader does not want it."""
        game = decision.after
        to, color = game.player(seat).address, game.color_of(seat)
        if kind is Kind.MOVED:
            if wanted_emails.is_receipt_due(wishes) and not decision.caller.told:
                return {"last": self._count_receipt(to)}
            # After a long cycle they need an email of this position to say `void` to.
            silent = decision.caller.told or wishes.emails is cmd.EmailLevel.NONE
            return None if silent or not is_long_cycle(game.position) else {}
        if decision.caller.answers and game.color_seat(decision.actor) == seat:
            asked = (one for one in decision.commands if isinstance(one, cmd.Propose))
            left_out = [sentence_to_json(sentence) for one in asked for sentence in one.left_out]
            return {"left_out": left_out} if left_out else {}
        daily = kind is Kind.REMINDER and wishes.emails is cmd.EmailLevel.DAILY
        if not wanted_emails.is_wanted(wishes.emails, kind, game, seat) or (
            daily and self._digest_suffices(game, to)
        ):
            return None
        late = {cmd.EmailLevel.MY_TURN, cmd.EmailLevel.DAILY}
        if wishes.emails not in late or color is None:
            return {}
        before = self.unit.games.log(game.id)[: decision.known]
        return {"unheard": wanted_emails.unheard_words(before, color)}

    def _digest_suffices(self, game: Game, address: str) -> bool:
        """True if the daily email came just now, or will come before half of the time is gone."""
        due = self.unit.players.profile(address).digest_due
        deadline = game.clock.deadline if game.clock else None
        if due is None or deadline is None:
            return False
        left = deadline - self.now
        return due <= self.now + left / 2 or due - LAST_DAY >= self.now - left / 4

    def wants_review(self, game: Game, seat: Seat) -> bool:
        wishes = effective_preferences(self.unit, game.player(seat).address, game.id)
        return is_reviewable(game) and wishes.reviews is True

    def _program_shows(self, kind: Kind, seat: Seat, decision: Decision) -> bool:
        """True if the program in a seat shows what an email would tell."""
        game, events = decision.after, decision.result.events
        color = game.color_of(seat)
        if decision.caller.seated and game.color_seat(decision.actor) == seat:
            return kind not in {Kind.SCORING_STARTED, Kind.FINISHED, Kind.REVIEW}
        silent = kind is Kind.YOUR_TURN and not any(isinstance(one, ev.Said) for one in events)
        return silent and color is not None and self.watched(game.id, color)

    def _count_receipt(self, address: str) -> bool:
        """Count one more receipt; True if it is the last one sent unasked."""
        wishes, _ = self.unit.players.preferences(address)
        sent = wishes.receipts_sent + 1
        self.unit.players.set_preferences(address, replace(wishes, receipts_sent=sent))
        return wishes.receipts is None and sent == wanted_emails.RECEIPTS


def _responsible_person(kind: Kind, game: Game, caller: Caller) -> str:
    """The person against whose limit an email counts: for an invitation the proposer.

    It is "" for a game to be confirmed: nobody has proven yet that they asked for it.
    """
    if kind is Kind.INVITATION:
        return person(game.spec.proposer.address)
    return "" if kind is Kind.CONFIRM else caller.address


def _lapsed_undo(decision: Decision, seat: Seat) -> str | None:
    """The move that a seat asked to take back before the opponent moved; "" for handicap stones."""
    before, after = decision.result.before, decision.after
    asker = before.undo_asked
    played = decision.result.has(ev.Moved, ev.Passed)
    if asker is None or after.color_of(seat) is not asker or not played:
        return None
    answered = decision.result.has(ev.UndoRefused)
    return None if answered else next(iter(last_moves(before, 1)), "")


def keep_notice(unit: Unit, kind: Kind, game: Game, seat: Seat, since: int) -> None:
    """Keep a notice for a seat if the game awaits its player; a stored note is no news."""
    if awaited_decision(game, seat) and kind is not Kind.NOTE:
        kept = KeptNotice(kind, since, game.length, game.digest)
        unit.seats.keep_notice(game.id, seat.word, kept)


def owe_kept_notice(unit: Unit, game: Game, seat: Seat, now: datetime) -> None:
    """Owe the notice that was kept for a seat, if nothing but talk has happened since."""
    kept = unit.seats.take_notice(game.id, seat.word)
    if kept is None or kept.digest != game.digest or not awaited_decision(game, seat):
        return
    if wants_email(unit, kept.kind, game, seat):
        notice = Notice.of(kept.kind, game, seat, about={SEATED: True})
        unit.outbox.owe(replace(notice, since=kept.since, until=kept.until), now)


def unanswered_passes(unit: Unit, before: datetime) -> Sequence[tuple[int, Color]]:
    """The seats with a kept notice that have not answered a pass since `before`."""
    kept = ((number, Color[color.upper()]) for number, color in unit.seats.seats_with_notice())
    return [seat for seat in kept if _is_unanswered_pass(unit.games.log(seat[0]), before)]


def _is_unanswered_pass(log: Sequence[ev.LogEntry], before: datetime) -> bool:
    last = next(entry for entry in reversed(log) if not isinstance(entry.event, ev.QUIET))
    return isinstance(last.event, ev.Passed) and last.at <= before
