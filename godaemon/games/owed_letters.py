"""The emails that a change of a game makes us owe. Within one transaction; raises nothing.

A player whose Go program sits in the seat is spared the email about what the program did, and about
the move that it waits for. The notice is kept in the same transaction instead, and owed once the
program has gone if the game still awaits that player; a pass without an answer is told after a
while even so, because a program that counts by itself, such as Sabaki, sends its second pass to
nobody. Words, the start of a count and the end of a game are never spared.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from godaemon.games import commands as cmd
from godaemon.games import email_settings, ratings
from godaemon.games import events as ev
from godaemon.games.awaited import awaited
from godaemon.games.calls import Caller, Decision
from godaemon.games.email_settings import in_force, wanted
from godaemon.games.game_clock import LAST_DAY
from godaemon.games.model import Game, Seat
from godaemon.games.notices import Kind, Notice, reviewable
from godaemon.games.people import person
from godaemon.games.quotas import Origin, Quotas, WritingLimits, count_invitation, is_stranger
from godaemon.games.special_moves import taken_back
from godaemon.games.store_protocols import KeptNotice, Unit
from godaemon.rules.points import Color
from godaemon.rules.turn_order import long_cycle
from godaemon.texts.catalogue import stored

FORGETTING = "forget"
"""By what the games of somebody end who is to be forgotten."""
_INTRODUCING = (Kind.STARTED, Kind.INVITATION, Kind.COUNTERED)
_COMPARING = (*_INTRODUCING, Kind.INVITED)
_TO_STRANGERS = {Kind.CONFIRM, Kind.INVITATION, Kind.WITHDRAWN, Kind.EXPIRED}


@dataclass(frozen=True, slots=True)
class OwedLetters:
    """The outbox as games fill it, within one transaction at one moment."""

    unit: Unit
    now: datetime
    limits: WritingLimits
    game: Callable[[int], Game | None]
    """A game by its number; None for one that this program cannot read."""
    watched: Callable[[int, Color], bool]

    def owe(self, kind: Kind, game: Game, seat: Seat, decision: Decision) -> bool:
        """Owe a seat a letter; False where none need be written."""
        caller, to = decision.caller, game.player(seat).address
        mine = game.seat(decision.actor) == seat and kind is not Kind.REVIEW
        aside = caller.aside if mine else {}
        if not aside and self._spared(kind, game, seat, decision):
            keep(self.unit, kind, game, seat, decision.known)
            return False
        about = self._about(kind, game, seat, decision)
        if about is None and not aside:
            daily = email_settings.in_force(self.unit, to, game.id).emails is cmd.EmailLevel.DAILY
            return daily and kind is not Kind.MOVED  # the email of the day will tell
        if kind in _TO_STRANGERS and not self._counted(kind, to, caller):
            return False
        if kind is Kind.INVITATION:
            count_invitation(self.unit, to, self.now)
        notice = Notice(
            kind=kind,
            to=to,
            by=_behalf(kind, game, caller),
            game=game.id,
            seat=seat,
            since=decision.known,
            until=game.length,
            answers=caller.answers if game.seat(decision.actor) == seat else "",
            about={**(about or {}), **aside, **self._besides(kind, game, seat, decision)},
        )
        self.unit.outbox.owe(notice, self.now)
        return True

    def _besides(self, kind: Kind, game: Game, seat: Seat, decision: Decision) -> dict[str, object]:
        """What a letter of its kind tells besides, of the players and of what has lapsed."""
        found = {**self._introduced(kind, game, seat), **self._rated(kind, game, seat)}
        if (lapsed := _lapsed(decision, seat)) is not None:
            found["lapsed"] = lapsed
        if kind is Kind.FINISHED and decision.caller.cause == FORGETTING:
            found["left"] = True
        return found

    def _introduced(self, kind: Kind, game: Game, seat: Seat) -> dict[str, object]:
        """What the other player says of themselves; before a yes their rank alone.

        And whether the reader of an invitation has never played here.
        """
        me, other = game.player(seat), game.player(seat.other)
        if kind not in _INTRODUCING or game.spec.teaching or not other.mailed:
            return {}
        line = line_of(self.unit, other.address)
        said = line if kind is Kind.STARTED else line.partition(",")[0]
        new = kind is Kind.INVITATION and is_stranger(self.unit, self.game, me.address)
        return {**({"introduced": said} if said else {}), **({"newcomer": True} if new else {})}

    def _rated(self, kind: Kind, game: Game, seat: Seat) -> dict[str, object]:
        """What a game made of the reader's rating; or, before it, how strong both are."""
        me, other = game.player(seat), game.player(seat.other)
        if kind is Kind.FINISHED:
            change = ratings.change(self.unit, game, seat)
            stays = change and change[0] and change[0].value == change[1].value
            return {} if change is None or stays else {"rated": list(map(ratings.rounded, change))}
        if kind not in _COMPARING or game.spec.teaching or not other.mailed:
            return {}
        if kind is Kind.INVITED and not game.spec.named:
            return {}  # whoever it is, nobody is told of them for knowing an address
        found: dict[str, object] = {}
        if rating := ratings.rating_of(self.unit, other.address):
            found["rating"] = ratings.rounded(rating)
        both = [ratings.strength_of(self.unit, one) for one in (me, other)]
        if None not in both:
            found["strengths"] = [ratings.rounded(one)[0] for one in both]
        return found

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
            left_out = [stored(sentence) for one in asked for sentence in one.left_out]
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

    def wants_review(self, game: Game, seat: Seat) -> bool:
        """True where a player wants a look back on the game that has ended."""
        wishes = email_settings.in_force(self.unit, game.player(seat).address, game.id)
        return reviewable(game) and wishes.reviews is True

    def _spared(self, kind: Kind, game: Game, seat: Seat, decision: Decision) -> bool:
        color = game.color_of(seat)
        watches = color is not None and self.watched(game.id, color)
        did = decision.caller.seated and game.seat(decision.actor) == seat
        return spared(kind, decision.result.events, did=did, watches=watches)

    def _count_receipt(self, address: str) -> bool:
        """Count one more receipt; True where it is the last that comes unasked."""
        said, _ = self.unit.players.preferences(address)
        sent = said.receipts_sent + 1
        self.unit.players.set_preferences(address, replace(said, receipts_sent=sent))
        return said.receipts is None and sent == email_settings.RECEIPTS


def _behalf(kind: Kind, game: Game, caller: Caller) -> str:
    """For whom a letter counts.

    Invitations count against the proposer, whichever address the yes came from; and nobody has
    shown yet to have asked for a game that is to be confirmed.
    """
    if kind is Kind.INVITATION:
        return person(game.spec.proposer.address)
    return "" if kind is Kind.CONFIRM else caller.address


def _lapsed(decision: Decision, seat: Seat) -> str | None:
    """The move that a seat had asked back, "" for handicap stones, where the other has moved."""
    before, after = decision.result.before, decision.after
    asker = before.undo_asked
    played = decision.result.has(ev.Moved, ev.Passed)
    if asker is None or after.color_of(seat) is not asker or not played:
        return None
    answered = decision.result.has(ev.UndoRefused)
    return None if answered else next(iter(taken_back(before, 1)), "")


def line_of(unit: Unit, address: str) -> str:
    """What a player says of themselves."""
    return unit.players.profile(address).line or ""


SEATED = "seated"
"""What a notice is about that was kept: its reader's program has sat in the seat."""


def spared(kind: Kind, events: Sequence[ev.Event], *, did: bool, watches: bool) -> bool:
    """True where a seat's program shows what a letter would tell.

    `did` says that the program did it, `watches` that it waits for the opponent's move.
    """
    if did:
        return kind not in {Kind.SCORING_STARTED, Kind.FINISHED, Kind.REVIEW}
    silent = not any(isinstance(event, ev.Said) for event in events)
    return watches and silent and kind is Kind.YOUR_TURN


def keep(unit: Unit, kind: Kind, game: Game, seat: Seat, since: int) -> None:
    """Keep a notice for when the program has gone, where something awaits its player now.

    That a note was kept is no news, and takes the place of none.
    """
    if awaited(game, seat) and kind is not Kind.NOTE:
        kept = KeptNotice(kind, since, game.length, game.digest)
        unit.seats.keep_notice(game.id, seat.word, kept)


def owe_kept(unit: Unit, game: Game, seat: Seat, now: datetime) -> None:
    """Owe the notice that was kept for a seat, if nothing but talk has happened since."""
    kept = unit.seats.take_kept(game.id, seat.word)
    if kept is None or kept.digest != game.digest or not awaited(game, seat):
        return
    to = game.player(seat).address
    if wanted(in_force(unit, to, game.id).emails, kept.kind, game, seat):
        what, since, until = kept.kind, kept.since, kept.until
        unit.outbox.owe(Notice(what, to, "", game.id, seat, since, until, "", {SEATED: True}), now)


def silent_passes(unit: Unit, before: datetime) -> Sequence[tuple[int, Color]]:
    """The seats that have not answered a pass since `before`, and for which a notice is kept."""
    kept = ((number, Color[color.upper()]) for number, color in unit.seats.kept_seats())
    return [seat for seat in kept if _passed(unit.games.log(seat[0]), before)]


def _passed(log: Sequence[ev.LogEntry], before: datetime) -> bool:
    last = next(entry for entry in reversed(log) if not isinstance(entry.event, ev.QUIET))
    return isinstance(last.event, ev.Passed) and last.at <= before
