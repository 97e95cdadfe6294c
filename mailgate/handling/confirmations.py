"""Confirmations: doubtful letters and seat transfers wait for a yes."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from godaemon.errors import NotAllowed
from godaemon.games import commands as cmd
from godaemon.games.forgetting import begin_forgetting
from godaemon.games.model import Seat
from godaemon.games.notices import Kind
from godaemon.games.stored_values import Transfer
from godaemon.games.transfers import carry_out_transfer
from godaemon.texts.catalogue import Sentence, join_sentences, sentence, sentence_to_json
from mailgate import tokens
from mailgate.address import clean_quote
from mailgate.handling import requests
from mailgate.handling.answer_limits import DAY
from mailgate.handling.context import LetterContext, LetterOutcome
from mailgate.handling.handler import ENOUGH_HELD, act_without_game, refuse, refuse_wrong_token
from mailgate.handling.offer_answers import held_words_data
from mailgate.handling.parsed_letter import ParsedLetter, parse_letter
from mailgate.handling.player_games import GameView
from mailgate.handling.queries import list_games
from mailgate.handling.talk_or_commands import UNSURE
from mailgate.handling.trust import NEWEST_PERIOD, Trust, resigns_off_turn
from mailgate.language.acting_statements import is_plain_yes, read_consent
from mailgate.links import leads_elsewhere
from mailgate.reading.inbound_letter import HeldLetter
from mailgate.reading.reply_trimming import fold_space

OFF_TURN = "off-turn"  # reason to hold a letter: it resigns while the opponent is to move
MAX_HELD = 10  # letters from one address held for one seat; more are dropped
MAX_SENDERS_ASKED_ABOUT = 5  # unknown senders per day that we ask one player about
_MAX_ENDED_GAME_EMAILS = 3  # emails per day that say a game is long over
_ENOUGH_HELD = NotAllowed(sentence("enough-waits"), case=ENOUGH_HELD)
NOT_OURS = NotAllowed(sentence("not-ours"), hints=("games",), detail="bad-token")
NOT_WAITING = NotAllowed(sentence("not-waiting"), hints=("games",), detail="not-waiting")
_NOTHING_MOVES = NotAllowed(sentence("nothing-moves"), hints=("games",))


# -- held letters ------------------------------------------------------------------------------
def must_ask_first(context: LetterContext, commands: Sequence[cmd.Command], view: GameView) -> bool:
    """True if a letter resigns off turn and we have not yet asked at this position."""
    if context.confirmed or not resigns_off_turn(commands, view):
        return False
    notices = context.limits.recent_notices(Kind.CONFIRM, context.sender, DAY, by="")
    key = (OFF_TURN, view.game.id, view.game.revisions.position)
    return all((one.get("why"), one.get("game"), one.get("position")) != key for one in notices)


def hold_letter(context: LetterContext, view: GameView, why: str = "") -> LetterOutcome:
    """Hold a letter until its seat says yes; the seat is asked once a day for each sender."""
    inbox, sender, game = context.unit.inbox, context.letter.written_from, view.game
    side = game.side(view.seat).word
    if context.letter.bulk and not game.knows(view.seat, sender):
        return LetterOutcome("ignored", game.id, view.word, "by a list")
    waiting = inbox.held_letters(game.id, side, sender)
    questions = context.limits.recent_notices(Kind.CONFIRM, view.holder, DAY, by="")
    was_asked = any(about.get("held") in {held.id for held in waiting} for about in questions)
    may_ask = was_asked or context.was_held or _may_ask(context, view.holder, questions)
    if len(waiting) >= MAX_HELD or not may_ask:
        current = replace(view, seen=None)
        answered = context.trust >= Trust.OLD and refuse(context, _ENOUGH_HELD, current)
        detail = "too many to confirm"
        return LetterOutcome("ignored", game.id, view.word, detail, retry=not answered)
    nonce = context.games.randomness.nonce()
    about: dict[str, Any] = {
        "held": inbox.hold_letter(game.id, side, sender, context.parsed.inbound, nonce),
        "nonce": nonce,
        "sender": sender,
        "why": why or context.trust.name.lower(),
        "lines": _shown_lines(context),
        **({"game": game.id, "position": game.revisions.position} if why else {}),
    }
    if why or not was_asked:
        untrusted = context.with_trust(min(context.trust, Trust.UNKNOWN))
        untrusted.queue(Kind.CONFIRM, view, to=view.holder, answers="", **about)
    return LetterOutcome("held", game.id, view.word)


def _may_ask(context: LetterContext, holder: str, questions: Sequence[Mapping[str, Any]]) -> bool:
    """True if a seat's holder may be asked about one more sender today."""
    held_letter, sender = context.unit.inbox.held_letter, context.letter.written_from
    unanswered = {one["sender"] for one in questions if held_letter(one.get("held", 0))}
    is_one_of_few = len(unanswered - {sender}) < MAX_SENDERS_ASKED_ABOUT
    return is_one_of_few and not context.limits.too_many(holder, (Kind.CONFIRM,))


def _shown_lines(context: LetterContext) -> list[Any]:
    """The lines of a letter that a stranger may have written; only its commands if it has links."""
    if not leads_elsewhere("\n".join(context.parsed.lines)):
        return [*context.parsed.lines]
    return [
        sentence_to_json(sentence("say-with-link"))
        if isinstance(one.command, cmd.Say) and leads_elsewhere(one.line)
        else one.line
        for one in context.parsed.commands
    ]


def answer_confirmation(
    context: LetterContext, held_letter: HeldLetter, handle: Callable[..., LetterOutcome]
) -> LetterOutcome:
    """Handle the answer to our question about held letters; `handle` handles each of these."""
    game, seat = context.games.game(held_letter.game), Seat.named(held_letter.side)
    if not game.knows(seat, context.sender):
        return refuse_wrong_token(context, NOT_OURS)
    word = game.color_seat(seat).word
    resigns = parse_letter(held_letter.letter).has_command(cmd.Resign)
    yes = _read_vote(context.parsed, resigns=resigns)
    if yes is None:
        _ask_again(context, held=held_letter.id, nonce=held_letter.nonce)
        return LetterOutcome("refused", game.id, word, UNSURE)
    inbox, sender = context.unit.inbox, held_letter.sender
    waiting = inbox.held_letters(game.id, held_letter.side, sender)
    for one in waiting:
        inbox.forget_held_letter(one.id)
    stops = [one.command for one in context.parsed.commands if isinstance(one.command, cmd.Stop)]
    for stop in stops:
        requests.prepare_setting(context.with_trust(), stop, GameView(game, seat))()
    known, outcome = game.knows(seat, sender), LetterOutcome("let-go", game.id, word)
    if not yes and not stops:
        _tell(context, sentence("not-resigned" if resigns and known else "thrown-away"))
    if not known:
        if not yes:
            return outcome
        context.games.recognise(game.id, seat, sender, context.caller)
    if yes:
        outcome = handle(held_letter.letter, confirmed=True)
        _tell_held_words(context, GameView(context.games.game(game.id), seat))
    for one in (one for one in waiting if one.id != held_letter.id):
        handle(one.letter, confirmed=False)
    return outcome


def _tell_held_words(context: LetterContext, view: GameView) -> None:
    parsed = context.parsed
    plain = not parsed.commands and is_plain_yes(parsed.lines, "resign")
    words = parsed.text.message if parsed.text and not plain else ""
    kept = held_words_data(words, view.game, context.now)
    if kept and view.opponent.gets_email:
        reason = sentence("words-beside-answer", who=view.opponent.name, said=clean_quote(words))
        context.with_trust().queue(Kind.REFUSED, view, reason=sentence_to_json(reason), **kept)


def _read_vote(parsed: ParsedLetter, *, resigns: bool) -> bool | None:
    """True for a yes, False for a no; resigning off turn needs a plain yes, or `resign` again."""
    yes = read_yes_or_no(parsed)
    if not resigns:
        return yes
    if yes is None:
        return True if parsed.has_command(cmd.Resign) else None
    return yes and (is_plain_yes(parsed.lines, "resign") or None)


def read_yes_or_no(parsed: ParsedLetter) -> bool | None:
    """True for a yes, False for a no or a `stop`, None for neither."""
    return False if parsed.has_command(cmd.Stop) else read_consent(parsed.lines)


def _ask_again(context: LetterContext, **token: Any) -> None:  # noqa: ANN401 - JSON
    line = next(filter(fold_space, context.parsed.lines), context.letter.subject)
    unsure = sentence("unsure-consent", said=clean_quote(line))
    _tell(context, unsure, hints=["yes", "no"], **token)


def _tell(context: LetterContext, sentence: Sentence, **about: Any) -> None:  # noqa: ANN401 - JSON
    context = context.with_trust()
    if not context.is_over_limit():
        context.queue(Kind.REFUSED, reason=sentence_to_json(sentence), **{"hints": [], **about})


def answer_ended_game(context: LetterContext, view: GameView) -> LetterOutcome:
    """Send the list of games to the seat of a game that ended long ago."""
    game, holder, word = view.game, view.holder, view.word
    lists = context.limits.recent_notices(Kind.GAMES, holder, DAY, by="")
    enough = sum("ended" in about for about in lists) >= _MAX_ENDED_GAME_EMAILS
    by_list = context.letter.bulk and not game.knows(view.seat, context.sender)
    if enough or context.trust is Trust.FAILED or context.letter.automatic or by_list:
        return LetterOutcome("ignored", game.id, word, "of a game that is long over")
    keys = ("long-over", "long-over-record") if game.black is not None else ("long-over",)
    news = join_sentences(*(sentence(key, game=game.id) for key in keys))
    fresh = context.without_commands().with_trust(Trust.UNKNOWN)
    list_games(fresh, to=holder, news=sentence_to_json(news), ended=game.id)
    return LetterOutcome("refused", game.id, word, "of a game that is long over")


# -- transfers ---------------------------------------------------------------------------------
def find_transfer(context: LetterContext, token: tokens.Token) -> Transfer | None:
    """The transfer that a token confirms; None if it is out of date, or the token is not good."""
    found = context.unit.players.transfer(token.fields[0])
    if found is None or context.now - (found.begun_at or context.now) > NEWEST_PERIOD:
        return None
    return found if context.is_signed(token, found.nonce) else None


def answer_transfer(context: LetterContext, transfer: Transfer, *, new: bool) -> LetterOutcome:
    """Handle the answer of the old or the `new` address to a transfer."""
    if context.sender.casefold() != (transfer.new if new else transfer.old).casefold():
        return refuse_wrong_token(context, NOT_OURS)
    yes = read_yes_or_no(context.parsed)
    if yes is False:
        context.unit.players.end_transfer(transfer.id)
        kind, end = Kind.MOVING if transfer.new else Kind.FORGET, "n" if new else "o"
        context.queue(kind, kept=True, address=transfer.old, end=end, **_transfer_data(transfer))
        return LetterOutcome("let-go", transfer.game)
    if not transfer.new:
        return _answer_leaving(context, transfer, yes=is_plain_yes(context.parsed.lines))
    if yes is None:
        _ask_again(context, moving=transfer.id, end="n" if new else "o", nonce=transfer.nonce)
        return LetterOutcome("refused", transfer.game, detail=UNSURE)
    context.unit.players.agree_transfer(transfer.id, new=new)
    if not (transfer.old_agreed if new else transfer.new_agreed):
        about, end = {"new": transfer.new, **_transfer_data(transfer)}, "n" if new else "o"
        context.queue(Kind.MOVING, waits=True, address=transfer.old, end=end, **about)
        return LetterOutcome("agreed", transfer.game)
    return _move_seats(context, transfer)


def _transfer_data(transfer: Transfer) -> dict[str, Any]:
    return {"old": transfer.old, "all": transfer.game is None, "number": transfer.game}


def _answer_leaving(context: LetterContext, transfer: Transfer, *, yes: bool) -> LetterOutcome:
    if yes:
        agreed = transfer.old_agreed
        ended = 0 if agreed else begin_forgetting(context.games, transfer, context.caller)
        return LetterOutcome("leaving", detail=f"{ended} games")
    if context.parsed.has_command(cmd.Export):
        return act_without_game(context.with_trust())
    _ask_again(context, moving=transfer.id, end="o", nonce=transfer.nonce)
    return LetterOutcome("refused", detail=UNSURE)


def _move_seats(context: LetterContext, transfer: Transfer) -> LetterOutcome:
    context.unit.players.end_transfer(transfer.id)
    games = carry_out_transfer(context.games, transfer, context.caller)
    if not games:
        refuse(context.with_trust(), _NOTHING_MOVES)
        return LetterOutcome("refused", transfer.game, detail="0 games")
    about = {"done": True, "new": transfer.new, **_transfer_data(transfer)}
    context.queue(Kind.MOVING, to=transfer.old, answers="", **about)
    return LetterOutcome("moved", transfer.game, detail=f"{len(games)} games")
