"""The dispatcher: identifies the sender of a letter by a token, and chooses the handler.

The first row that applies decides:

    handled before                  nothing is done again
    a report on an email of ours    a bounce or a complaint: counts against the address
    written by a program            ignored
    only words, to a return path    ignored: no person knows that address
    a token in the address          it alone; a bad one is refused
    a token in the references or    the newest good one, by its kind: a held letter, a transfer, a
    the subject                     list, a seat of a game
    no good token                   ignored if it may be automatic; else handled without a game
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial

from godaemon.errors import QuotaExceeded, Unknown
from godaemon.games import commands as cmd
from godaemon.games.bouncing_addresses import COMPLAINT, record_bounce, record_complaint
from godaemon.games.model import Game, Revisions, Seat, Uncounted
from godaemon.games.notices import Kind, Notice
from godaemon.games.service import GameService
from godaemon.games.state import game_at
from godaemon.games.stored_values import Unit
from godaemon.games.stranger_limits import remember_answer
from godaemon.texts.catalogue import sentence_to_json
from mailgate import tokens
from mailgate.handling import confirmations
from mailgate.handling.answer_limits import DAY, AnswerLimits
from mailgate.handling.confirmations import NOT_OURS, NOT_WAITING, OFF_TURN
from mailgate.handling.context import LetterContext, LetterOutcome
from mailgate.handling.games_in_words import keep_record, take_up_proposal
from mailgate.handling.games_list_answers import (
    LISTS,
    answer_list,
    answer_several,
    counts_as_newest,
)
from mailgate.handling.handler import act_on_game, act_without_game, refuse_wrong_token
from mailgate.handling.offer_answers import strip_game_number, take_up_offer
from mailgate.handling.parsed_letter import ParsedLetter, parse_letter
from mailgate.handling.player_games import GameView
from mailgate.handling.trust import (
    Trust,
    have_tokens_expired,
    is_newest,
    trust_by_token,
    trust_by_verdict,
    wants_no_emails,
)
from mailgate.reading.bounce_reports import is_refusal_of_us
from mailgate.reading.inbound_letter import InboundLetter
from mailgate.reading.message import Letter
from mailgate.sender_checks import Verdict, dmarc_verdict, is_aligned

_LATER = (
    "I have answered many emails from your address today; please try again later, or answer the"
    " newest email of your game"
)
_BOUNCE_WINDOW = timedelta(days=14)
"""Bounces of older letters are ignored: no server retries for longer (RFC 5321, 4.5.4.1)."""


@dataclass(frozen=True, slots=True)
class Dispatcher:
    """Dispatches letters. `games` opens the games for one transaction; `keys` sign our tokens."""

    keys: Callable[[], Sequence[bytes]] = field(repr=False)
    addresses: Callable[[], tuple[str, ...]]  # ours, the main one first
    games: Callable[[Unit], GameService]
    strangers_per_sender: Callable[[], int]
    trusted_authserv_id: str = ""
    """The authserv-id of the mail server whose DMARC verdicts we trust (RFC 8601), or ""."""

    def handle_once(self, unit: Unit, parsed: ParsedLetter, now: datetime) -> LetterOutcome:
        """Handle a letter unless it was handled before; raises `QuotaExceeded` to put it off."""
        if not unit.inbox.note_arrival(parsed.letter.fingerprint, parsed.letter.message_id, now):
            return LetterOutcome("repeated")
        return self.handle(unit, parsed, now)

    def handle(self, unit: Unit, parsed: ParsedLetter, now: datetime) -> LetterOutcome:
        """Handle a letter even if it came before; raises `QuotaExceeded` to put it off."""
        outcome = self._handle(self._build_context(unit, parsed, now))
        if outcome.retry:
            raise QuotaExceeded(_LATER, detail=outcome.detail, guessed=outcome.wrong_token)
        return outcome

    def _handle(self, context: LetterContext) -> LetterOutcome:
        if (reported := self._handle_report(context)) is not None:
            return reported
        if reason := _automatic_reason(context):
            return LetterOutcome("ignored", detail=reason)
        if context.trust >= Trust.ALIGNED:
            context.count_as_reached()
        return replace(self._dispatch(context), forged=context.trust is Trust.FAILED)

    def apologise(self, unit: Unit, letter: Letter, now: datetime, words: str = "") -> None:
        """Tell the sender of a quarantined letter that it is kept and will be looked into."""
        nothing = InboundLetter("", "", b"")
        context = self._build_context(unit, ParsedLetter(nothing, letter, None), now)
        answers_us = tokens.token_of(letter.recipient, *self.addresses()) is not None
        limit = None  # the usual limit
        if not answers_us:
            limit = 0 if context.trust is Trust.FAILED else 1
        enough = context.limits.too_many(context.sender, (Kind.TROUBLE,), limit=limit)
        if letter.sender is not None and not enough:
            with suppress(QuotaExceeded):  # the letter stays in quarantine without an apology
                context.queue(Kind.TROUBLE, why=sentence_to_json(words))

    def _build_context(self, unit: Unit, parsed: ParsedLetter, now: datetime) -> LetterContext:
        letter = parsed.letter
        author = letter.sender.address if letter.sender else ""
        found = self._verdict(parsed, author, now)
        trust = trust_by_verdict(found, aligned=is_aligned(author, letter.envelope_sender))
        games, limit = self.games(unit), self.strangers_per_sender()
        # An unproven sender gets half the limit; the rest is left for the real one.
        limits = AnswerLimits(games, now, limit if trust >= Trust.ALIGNED else (limit + 1) // 2)
        return LetterContext(
            self.addresses(), unit, games, parsed, now, limits, keys=self.keys, trust=trust
        )

    def _verdict(self, parsed: ParsedLetter, author: str, now: datetime) -> Verdict:
        """Our mail server's verdict on the author; a pass counts only in a new letter to us."""
        letter = parsed.letter
        found = dmarc_verdict(
            letter.authentication, self.trusted_authserv_id, author, several=letter.several
        )
        to_us = any(tokens.own_address(one, self.addresses()) for one in letter.addressees)
        # DKIM also passes for replays: a letter that was written to others, or long ago.
        recent = letter.date is not None and -DAY <= now - letter.date <= 7 * DAY
        if found is Verdict.PASS and not (parsed.inbound.trusted and to_us and recent):
            return Verdict.NONE
        return found

    def _handle_report(self, context: LetterContext) -> LetterOutcome | None:
        """The outcome of a bounce or a complaint; None for any other letter."""
        parsed, letter = context.parsed, context.letter
        token = tokens.token_of(letter.recipient, *self.addresses())
        count = _count_complaint if letter.complaint else _count_bounce
        if token and token.use == "posted" and letter.automatic:
            if not context.is_signed(token):
                return LetterOutcome("ignored", detail="bad-token", wrong_token=True)
            return count(context, *token.fields)
        if letter.complaint or (letter.automatic and parsed.returned_id):
            return count(context, context.unit.outbox.find_by_message_id(parsed.returned_id)[0])
        return None

    def _dispatch(self, context: LetterContext) -> LetterOutcome:
        """Handle a letter by the token in the address, else by the newest good one elsewhere."""
        letter = context.letter
        token = tokens.token_of(letter.recipient, *self.addresses())
        if token and token.use != "posted":
            refusal = NOT_OURS if token.use == "seat" else NOT_WAITING
            return self._handle_token(context, token) or refuse_wrong_token(context, refusal)
        if token and not context.parsed.commands:
            return LetterOutcome("ignored", detail="only words, to a return path")
        others = tokens.tokens_of(letter.references, letter.subject)
        for one in others:
            if outcome := self._handle_token(context, one):
                return outcome
        if letter.doubtful:
            return LetterOutcome("ignored", detail=letter.automatic or "")
        return replace(_handle_without_game(context), wrong_token=bool(others))

    def _handle_token(self, context: LetterContext, token: tokens.Token) -> LetterOutcome | None:
        """Handle a letter by one of its tokens; None if the token is not good."""
        if context.letter.doubtful:  # a good token outweighs doubtful signs
            letter = replace(context.letter, automatic=None)
            context = replace(context, parsed=replace(context.parsed, letter=letter))
        if token.use == "held":
            held = context.unit.inbox.held_letter(token.fields[0])
            if held is None or not context.is_signed(token, held.nonce):
                return None
            handle = partial(self._handle_held, context)
            return confirmations.answer_confirmation(context, held, handle)
        if token.use == "moving":
            transfer, new = confirmations.find_transfer(context, token), token.fields[1] == "n"
            return confirmations.answer_transfer(context, transfer, new=new) if transfer else None
        if token.use == "listed":
            notice = context.unit.outbox.sent_notice(*token.fields)
            if notice is None or not context.is_signed(token):
                return None
            answer = answer_list if notice.kind in LISTS else _handle_without_game
            return answer(context, notice)
        return _handle_seat_token(context, token)

    def _handle_held(
        self, context: LetterContext, inbound: InboundLetter, *, confirmed: bool
    ) -> LetterOutcome:
        found = self._build_context(context.unit, parse_letter(inbound), context.now)
        trust = Trust.NEWEST if confirmed else found.trust
        games = context.games  # which knows what this transaction has changed
        return self._handle(
            replace(found, games=games, was_held=True, confirmed=confirmed, trust=trust)
        )


def _automatic_reason(context: LetterContext) -> str:
    """Why a letter is not from a person; "" if it may be, or if it has a command."""
    letter = context.letter
    if letter.sender is None:
        return letter.automatic or "no sender"
    if any(map(context.is_ours, (letter.sender.address, letter.envelope_sender))):
        return "our own address"
    return "" if context.parsed.commands else letter.automatic or ""


def _handle_without_game(context: LetterContext, answered: Notice | None = None) -> LetterOutcome:
    """Handle a letter about no game; `answered` is the notice whose token it has."""
    if answered is not None and answered.to.casefold() != context.sender.casefold():
        answered = None
    if answered is not None and Trust.FAILED < context.trust < Trust.OLD:
        context = context.with_trust(Trust.OLD)
    if context.trust >= Trust.OLD:
        context = take_up_offer(take_up_proposal(context, answered))
        context = keep_record(context, answered)
        context.remember()
    elif context.trust is not Trust.FAILED:
        context.remember_stranger()
    if answered is not None and context.parsed.commands:  # words alone may be a program's
        newest = counts_as_newest(answered, context.now)
        context = context.with_trust(trust_by_token(context.trust, known=True, newest=newest))
    return act_without_game(context)


def _handle_seat_token(context: LetterContext, token: tokens.Token) -> LetterOutcome | None:
    """Handle a letter that speaks for a seat; None if the token is not good.

    the game ended long ago             answered, nothing else
    less trust than OLD                 held until the seat's yes
    lines for several games             each is carried out in its game
    resigns and the like, off turn      held, and asked about first
    OLD trust, reaches beyond the game  held until the seat's yes
    anything else                       carried out
    """
    view = _find_seat(context, token)
    if view is None:
        return None
    game = view.game
    changed = game.phase.over or view.seen != game.revisions
    log = context.unit.games.log(game.id) if changed else ()
    newest = is_newest(view, log, context.now)
    known = all(game.knows(view.seat, one) for one in (context.sender, context.letter.written_from))
    trust = trust_by_token(context.trust, known=known, newest=newest)
    context = strip_game_number(take_up_offer(context.with_trust(trust), view), view)
    if context.trust is Trust.NEWEST:
        network = context.parsed.inbound.network
        remember_answer(context.unit, context.sender, network, context.now)
    commands = [one.command for one in context.parsed.commands]
    if have_tokens_expired(log, context.now) and not wants_no_emails(commands, view):
        return confirmations.answer_ended_game(context, view)
    if context.trust < Trust.OLD:
        return confirmations.hold_letter(context, view)
    context.count_as_reached()
    context.remember(view)
    if several := answer_several(context, view):
        return several
    if confirmations.must_ask_first(context, commands, view):
        hold = partial(confirmations.hold_letter, why=OFF_TURN)
        return act_on_game(context, view, hold)
    is_old = context.trust is Trust.OLD and not wants_no_emails(commands, view)
    needs_yes = is_old and context.parsed.has_command(cmd.OutsideEffect)
    return act_on_game(context, view, confirmations.hold_letter if needs_yes else None)


def _find_seat(context: LetterContext, token: tokens.Token) -> GameView | None:
    """The seat that a token speaks for, with the revisions that its email showed, or None."""
    number, side, *revs = token.fields
    try:
        game = context.games.game(number)
    except Unknown:
        return None
    revisions, seat = Revisions(*revs), Seat(side)
    shown: Game | None = game
    if revisions != game.revisions:
        log = [entry.event for entry in context.unit.games.log(game.id)]
        shown = game_at(game.id, log, revisions)
    if shown is None or game.player(game.color_seat(seat)).former:
        return None
    if context.is_signed(token, game.spec.nonce, shown.digest):
        return GameView(game, seat, revisions)
    # A letter that shows a count other than the game's has a digest of its own.
    uncounted = tokens.uncounted_digest(shown.digest)
    is_uncounted = context.is_signed(token, game.spec.nonce, uncounted)
    return GameView(game, seat, Uncounted(*revisions)) if is_uncounted else None


def _count_bounce(context: LetterContext, uid: str) -> LetterOutcome:
    """Count a bounce, unless its letter is old: whoever has read the letter can forge a bounce."""
    outbox, now, failure = context.unit.outbox, context.now, context.parsed.failure
    notice = outbox.sent_notice(uid)
    if notice is None or failure is None:
        return LetterOutcome("ignored", detail="no report of a failure")
    seat, reason = notice.seat.word if notice.seat else None, failure.words
    if not outbox.record_bounce(uid, reason, now, since=now - _BOUNCE_WINDOW):
        return LetterOutcome("repeated", notice.game, seat)
    about = {"hard": failure.hard, "counts": not outbox.was_answered(uid), "reported": True}
    suspended = record_bounce(context.games, notice, reason, is_refusal_of_us, **about)
    event = "suspended" if suspended else "bounced"
    return LetterOutcome(event, notice.game, seat, f"{notice.to}: {reason}")


def _count_complaint(context: LetterContext, uid: str) -> LetterOutcome:
    """Suspend the address that complains. Each letter counts once."""
    notice = context.unit.outbox.sent_notice(uid) if uid else None
    if notice is None:
        return LetterOutcome("complaint", detail="it names no email of ours")
    outcome = LetterOutcome("complaint", notice.game, notice.seat and notice.seat.word, notice.to)
    if context.trust is Trust.FAILED:
        return replace(outcome, detail="DMARC failed", forged=True)
    outbox = context.unit.outbox
    if outbox.was_answered(uid) or not outbox.record_bounce(uid, COMPLAINT, context.now):
        return replace(outcome, detail="counted before, or its reader has written since")
    record_complaint(context.games, notice.to)
    return outcome
