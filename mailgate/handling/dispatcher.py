"""The dispatcher of letters: it finds out who speaks, by token or references, and what handles it.

`Dispatcher.handle` runs on the writer's thread in one transaction with the inbox row, the events
and the notices owed. A `Refusal` becomes a letter; anything else is our fault, and `Intake`
puts the letter into quarantine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial

from godaemon.errors import Enough, Unknown
from godaemon.games.address_suspension import COMPLAINT, bounced, complained
from godaemon.games.model import Revisions, Seat, Uncounted
from godaemon.games.notices import Kind
from godaemon.games.service import GameService
from godaemon.games.state import digest_at
from godaemon.games.stranger_quotas import remember_answer
from mailgate import tokens
from mailgate.handling.answer_limits import DAY
from mailgate.handling.confirmations import (
    NOT_OURS,
    NOT_WAITING,
    OFF_TURN,
    answer_ended,
    answer_held,
    answer_transfer,
    held_letter,
    hold,
    must_ask_first,
    waiting_transfer,
)
from mailgate.handling.context import LetterContext, LetterOutcome
from mailgate.handling.handler import act_on_game, act_without_game, refuse_wrong_token
from mailgate.handling.inbox_protocol import MailUnit
from mailgate.handling.list_answers import answer_list, answer_several, list_notice
from mailgate.handling.parsed_letter import ParsedLetter, parse_letter
from mailgate.handling.seated import Seated
from mailgate.handling.sureness import (
    Sure,
    is_newest,
    leaves_alone,
    needs_newest,
    tokens_ended,
    with_token,
    without_token,
)
from mailgate.handling.taken_offers import with_offer
from mailgate.reading.bounce import refuses_us
from mailgate.reading.inbound_letter import InboundLetter
from mailgate.reading.message import Letter
from mailgate.sender_checks import Verdict, aligned, dmarc_verdict

_LATER = (
    "I have answered many letters in your name today; please bring this one again later, or answer"
    " the newest email of your game"
)
_NO_LETTER = InboundLetter("", "", b"")
_GIVEN_UP = timedelta(days=14)
"""So long after a letter nobody tries to deliver it any more (RFC 5321, 4.5.4.1: five days)."""


@dataclass(frozen=True, slots=True)
class Dispatcher:
    """Dispatches letters. `games` opens the games for one transaction; `keys` signed our tokens."""

    keys: Callable[[], Sequence[bytes]] = field(repr=False)
    address: str
    games: Callable[[MailUnit], GameService]
    strangers_per_sender: Callable[[], int]
    trusted_authserv_id: str = ""
    """The mail server whose word we take on who wrote a letter (RFC 8601); "" for none."""
    others: Callable[[], tuple[str, ...]] = tuple
    """Addresses of ours beside the main one, at present."""

    @property
    def addresses(self) -> tuple[str, ...]:
        """All addresses of ours, the main one first."""
        return (self.address, *self.others())

    def handle(self, unit: MailUnit, parsed: ParsedLetter, now: datetime) -> LetterOutcome:
        """Do what a letter asks, once, and owe its answers; raises `Enough` where it is put off."""
        if not unit.inbox.first_time(parsed.letter.fingerprint, parsed.letter.message_id, now):
            return LetterOutcome("repeated")
        return self.handle_again(unit, parsed, now)

    def handle_again(self, unit: MailUnit, parsed: ParsedLetter, now: datetime) -> LetterOutcome:
        """Handle a letter that was here before and could not be handled then; raises `Enough`."""
        outcome = self._handle(self._context(unit, parsed, now))
        if outcome.put_off:
            raise Enough(_LATER, detail=outcome.detail, guessed=outcome.wrong_token)
        return outcome

    def _handle(self, context: LetterContext) -> LetterOutcome:
        """Do what a letter asks, but for those that it is not the time for (`put_off`)."""
        unit, parsed, letter = context.unit, context.parsed, context.letter
        posted = tokens.posted_of(letter.recipient, *self.addresses)
        if posted is not None and letter.automatic:
            if not context.signed(posted.valid):
                return LetterOutcome("ignored", detail="bad-token", wrong_token=True)
            told = _complained if letter.complaint else _came_back
            return told(context, posted.uid)
        if letter.complaint:
            return _complained(context, unit.outbox.with_message_id(parsed.returned))
        if letter.automatic and parsed.returned:
            return _came_back(context, unit.outbox.with_message_id(parsed.returned))
        if why := _by_nobody(context):
            return LetterOutcome("ignored", detail=why)
        if context.sure >= Sure.ALIGNED:
            context.count_as_reached()
        return replace(self._dispatch(context), forged=context.sure is Sure.FAILED)

    def apologise(self, unit: MailUnit, letter: Letter, now: datetime, words: str = "") -> None:
        """Tell the sender of a quarantined letter that it is kept and will be looked into."""
        if letter.automatic or letter.sender is None:
            return
        context = self._context(unit, ParsedLetter(_NO_LETTER, letter, None), now)
        answers_us = tokens.token_of(letter.recipient, *self.addresses) is not None
        if context.sure is Sure.FAILED and not answers_us:
            return
        most = None if answers_us else 1
        if context.limits.too_many(context.sender, (Kind.TROUBLE,), most=most):
            return
        with suppress(Enough):  # the letter is kept all the same
            context.owe(Kind.TROUBLE, about={"why": words} if words else None)

    def _context(self, unit: MailUnit, parsed: ParsedLetter, now: datetime) -> LetterContext:
        letter = parsed.letter
        author = letter.sender.address if letter.sender else ""
        found = dmarc_verdict(
            letter.authentication, self.trusted_authserv_id, author, several=letter.several
        )
        if found is Verdict.PASS and not (parsed.inbound.trusted and self._is_meant(letter, now)):
            found = Verdict.NONE
        sure = without_token(found, aligned=aligned(author, letter.envelope_sender))
        most = self.strangers_per_sender()
        return LetterContext(
            addresses=self.addresses,
            unit=unit,
            games=self.games(unit),
            parsed=parsed,
            now=now,
            # What comes from elsewhere in somebody's name leaves half to their own mail server.
            limit=most if sure >= Sure.ALIGNED else (most + 1) // 2,
            keys=self.keys,
            sure=sure,
        )

    def _is_meant(self, letter: Letter, now: datetime) -> bool:
        """True for a letter that its author wrote to us, this week: anybody may bring a copy."""
        ours = any(tokens.own_address(one, self.addresses) for one in letter.addressees)
        return ours and letter.date is not None and -DAY <= now - letter.date <= 7 * DAY

    def _dispatch(self, context: LetterContext) -> LetterOutcome:
        """By the token in the address; else by the newest good one that the letter refers to.

        References and the subject serve where the address carries none: with providers that know
        no plus-addressing, and with programs that answer to some other address.
        """
        letter = context.letter
        if tokens.posted_of(letter.recipient, *self.addresses) is not None:
            if not context.parsed.commands:
                detail = "only words, and to the address of an envelope"
                return LetterOutcome("ignored", detail=detail)
        elif tag := tokens.token_of(letter.recipient, *self.addresses):
            refusal = NOT_OURS if tokens.parse_token(tag) is not None else NOT_WAITING
            return self._by_token(context, tag) or refuse_wrong_token(context, refusal)
        tags = tokens.tags_of(letter.references, letter.subject)
        for one in tags:
            if outcome := self._by_token(context, one):
                return outcome
        if context.letter.doubtful:
            return LetterOutcome("ignored", detail=context.letter.automatic or "")
        context = _answering(context)
        if context.sure >= Sure.OLD:
            context = with_offer(context)
            context.remember()
        return replace(act_without_game(context), wrong_token=bool(tags))

    def _by_token(self, context: LetterContext, tag: str) -> LetterOutcome | None:
        """What a letter with this token comes to; None where we did not sign it."""
        context = context.by_token()
        if held := tokens.parse_held(tag):
            letter = held_letter(context, held)
            return answer_held(context, letter, self._handle_held(context)) if letter else None
        if moving := tokens.parse_moving(tag):
            transfer = waiting_transfer(context, moving)
            return answer_transfer(context, transfer, new=moving.end == "n") if transfer else None
        if listed := tokens.parse_list(tag):
            notice = list_notice(context, listed)
            return answer_list(context, notice) if notice else None
        token = tokens.parse_token(tag)
        return _by_seat_token(context, token) if token else None

    def _handle_held(
        self, context: LetterContext
    ) -> Callable[[InboundLetter, bool], LetterOutcome]:
        """Handles a letter that has waited for the one in hand, which confirms it or not."""

        def _again(held: InboundLetter, confirmed: bool) -> LetterOutcome:  # noqa: FBT001 - by place
            found = self._context(context.unit, parse_letter(held), context.now)
            waited = replace(found, waited=True)
            # Where its seat's own address has confirmed it, nobody is surer.
            sure = replace(waited.proven(), confirmed=True)
            return self._handle(sure if confirmed else waited)

        return _again


def _by_nobody(context: LetterContext) -> str:
    """Why no person wrote a letter; "" where one may have, or a button asks for them."""
    letter = context.letter
    if letter.sender is None:
        return letter.automatic or "no sender"
    if any(map(context.is_ours, (letter.sender.address, letter.envelope_sender))):
        return "our own address"
    return "" if context.parsed.commands else letter.automatic or ""


def _answering(context: LetterContext) -> LetterContext:
    """The same, surer where it answers an email that we sent to its author, and to nobody else."""
    author = context.sender.casefold()
    if Sure.UNKNOWN < context.sure < Sure.OLD:
        for notice in map(context.sent, context.letter.references):
            if notice is not None and notice.to.casefold() == author:
                return context.proven(Sure.OLD)
    return context


def _by_seat_token(context: LetterContext, token: tokens.Token) -> LetterOutcome | None:
    """What a letter comes to by the token of a seat; None where we did not sign it."""
    found = _seat_of(context, token)
    if found is None:
        return None
    at, seen = found
    game = at.game
    changed = game.phase.over or seen != game.revisions
    log = context.unit.games.log(game.id) if changed else ()
    newest = is_newest(at, log, seen, context.now)
    writers = (context.sender, context.letter.written_from)
    known = all(game.knows(at.seat, one) for one in writers)
    context = with_offer(context.proven(with_token(context.sure, known=known, newest=newest)), at)
    if context.sure is Sure.NEWEST:
        network = context.parsed.inbound.network
        remember_answer(context.unit, context.sender, network, context.now)
    asked = [one.command for one in context.parsed.commands]
    if tokens_ended(log, context.now) and not leaves_alone(asked, at):
        return answer_ended(context, at)
    if context.sure < Sure.OLD:
        return hold(context, at)
    context.count_as_reached()
    context.remember(at)
    if several := answer_several(context, at, seen):
        return several
    if must_ask_first(context, asked, at):
        return act_on_game(context, at, seen, partial(hold, why=OFF_TURN))
    asks_more = context.sure is Sure.OLD and needs_newest(asked, at)
    return act_on_game(context, at, seen, hold if asks_more else None)


def _seat_of(context: LetterContext, token: tokens.Token) -> tuple[Seated, Revisions] | None:
    """The game and seat that a token truly speaks for, and what its letter showed of the game.

    None for a token that we did not sign, or whose player was forgotten since.
    """
    try:
        game = context.games.game(token.game)
    except Unknown:
        return None
    revisions = Revisions(token.position_rev, token.marks_rev)
    digest: str | None = game.digest
    if revisions != game.revisions:
        log = [entry.event for entry in context.unit.games.log(game.id)]
        digest = digest_at(game.id, log, revisions)
    if digest is None:
        return None
    shown = ((revisions, digest), (Uncounted(*revisions), tokens.uncounted(digest)))
    for seen, written in shown:
        if context.signed(partial(token.valid, nonce=game.spec.nonce, digest=written)):
            gone = game.player(game.seat(Seat(token.seat))).former
            return None if gone else (Seated(game, Seat(token.seat)), seen)
    return None


def _came_back(context: LetterContext, uid: str) -> LetterOutcome:
    """A letter that names one of ours, by its envelope or inside: it may say it was refused.

    Who has seen that letter can forge it: it counts for one of late, after which its reader has
    been silent, and what it says of a player is told when the next has come back too; of somebody
    who was invited, at once.
    """
    notice, failure = context.unit.outbox.sent_notice(uid), context.parsed.failure
    if notice is None or failure is None:
        return LetterOutcome("ignored", detail="no report of a failure")
    seat = notice.seat.word if notice.seat else None
    outbox, now = context.unit.outbox, context.now
    if not outbox.bounced(uid, failure.said, now, since=now - _GIVEN_UP):
        return LetterOutcome("repeated", notice.game, seat)
    suspended = bounced(
        context.games,
        notice,
        failure.said,
        refuses_us,
        hard=failure.hard,
        counts=not outbox.answered(uid),
        reported=True,
    )
    event = "suspended" if suspended else "bounced"
    return LetterOutcome(event, notice.game, seat, f"{notice.to}: {failure.said}")


def _complained(context: LetterContext, uid: str) -> LetterOutcome:
    """Somebody called a letter of ours unwanted: no more go there, if it names it truly.

    Who has an old letter can forge that: each counts once, and none to which others followed by
    its reader's will.
    """
    notice = context.unit.outbox.sent_notice(uid) if uid else None
    if notice is None:
        return LetterOutcome("complaint", detail="of no email of ours that it names")
    said = LetterOutcome("complaint", notice.game, notice.seat and notice.seat.word, notice.to)
    if context.sure is Sure.FAILED:
        return replace(said, detail="a failure of DMARC", forged=True)
    outbox = context.unit.outbox
    if outbox.answered(uid) or not outbox.bounced(uid, COMPLAINT, context.now):
        return replace(said, detail="counted before, or its reader has written since")
    complained(context.games, notice.to)
    return said
