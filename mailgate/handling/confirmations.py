"""Confirmations: a letter that may not be its seat's, and a seat that is to move, wait for a yes.

What is asked was written down with a nonce, and the token that answers it is good for that alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from godaemon.errors import NotAllowed, Refusal, Unreadable
from godaemon.games import commands as cmd
from godaemon.games.forgetting import begin
from godaemon.games.model import Seat
from godaemon.games.notices import Kind
from godaemon.games.store_protocols import Transfer
from godaemon.games.transfers import carry_over
from mailgate import tokens
from mailgate.address import clean_quote
from mailgate.handling import setting_requests
from mailgate.handling.answer_limits import DAY
from mailgate.handling.context import LetterContext, LetterOutcome
from mailgate.handling.handler import ENOUGH_HELD, act_without_game, refuse, refuse_wrong_token
from mailgate.handling.held_words import held as held_back
from mailgate.handling.inbox_protocol import HeldLetter
from mailgate.handling.parsed_letter import ParsedLetter, parse_letter
from mailgate.handling.queries import list_games
from mailgate.handling.seated import Seated
from mailgate.handling.sureness import FRESH, Sure, resigns_off_turn
from mailgate.handling.words import UNSURE
from mailgate.language.consent import is_plain_yes, read_consent
from mailgate.language.parser import ParsedCommand
from mailgate.links import leads_elsewhere
from mailgate.reading.inbound_letter import InboundLetter

OFF_TURN = "off-turn"
"""Why a letter waits that gives a game up while the other player is to move."""
MOST_HELD = 10
"""How many letters from one address wait for one seat; more are let go."""
MOST_ASKED = 5
"""So many others may write in one player's name, of a day, before the next is not asked about.

Their own other address may be in as many games as they play.
"""
_MOST_ENDED = 3
"""So often a day somebody is told that a game has been over for long."""
_ENOUGH_HELD = NotAllowed(
    "Some of your emails wait for your yes already, so I have done nothing with this one. Please"
    " answer my question first; what answers the newest email of a game needs no yes.",
    detail=ENOUGH_HELD,
)

NOT_OURS = NotAllowed(
    "The reply address of your email is not one that I gave out, so I have done nothing."
    " Please answer the newest email of the game with your mail program's reply button;"
    " if you have lost it, the list of your games says how to get a fresh one.",
    hints=("games",),
    detail="bad-token",
)
NOT_WAITING = NotAllowed(
    "Nothing waits for that answer any more, so I have done nothing: what I asked about has been"
    " dealt with, or I asked too long ago.",
    hints=("games",),
    detail="not-waiting",
)


def _either(yes: str, no: str) -> Unreadable:
    """For an answer that is neither a yes nor a no: what either does."""
    return Unreadable(f"To {yes}, answer yes; to {no}, answer no.", hints=("yes", "no"))


_MOVE_OR_NOT = _either("let the games move", "leave everything as it is")
_FORGET_OR_NOT = _either("be forgotten", "leave everything as it is")
_RESIGN_OR_NOT = _either("resign", "play on")
_YES_OR_NO = _either("accept that email as yours", "throw it away")
_NOTHING_MOVES = NotAllowed(
    "No open game is left that could move, so everything is as it was.", hints=("games",)
)
_LET_GO = NotAllowed("That email is thrown away, as you say, and nothing of it was done.")
_PLAYS_ON = NotAllowed("You have not resigned: the game goes on, and nothing was done.")


# -- letters that may not be their seat's ------------------------------------------------------
def must_ask_first(context: LetterContext, commands: Sequence[cmd.Command], at: Seated) -> bool:
    """True where a game would be given up off turn, and its player has not been asked about that.

    Who says it twice on one board has meant it.
    """
    if context.confirmed or not resigns_off_turn(commands, at):
        return False
    since = context.now - DAY
    asked = context.unit.outbox.owed_about(Kind.CONFIRM, since, to=context.sender, by="")
    here = (OFF_TURN, at.game.id, at.game.revisions.position)
    return all((one.get("why"), one.get("game"), one.get("position")) != here for one in asked)


def hold(context: LetterContext, at: Seated, why: str = "") -> LetterOutcome:
    """A good token waits for a yes from the seat's own address where that alone is not enough.

    It came from an address that the seat does not know, or may not have come from where it says,
    or is old and asks for much, or would give a game up off turn. The seat is asked once a day for
    each address; what comes from there meanwhile waits along.
    """
    unit, sender, game = context.unit, context.letter.written_from, at.game
    word, side, holder = at.word, game.side(at.seat).word, at.holder
    if context.letter.bulk and not game.knows(at.seat, sender):
        return LetterOutcome("ignored", game.id, word, "by a list")
    waiting = unit.inbox.held_from(game.id, side, sender)
    asked = unit.outbox.owed_about(Kind.CONFIRM, context.now - DAY, to=holder, by="")
    asked_already = {about.get("held") for about in asked} & {held.id for held in waiting}
    unanswered = {about["sender"] for about in asked if unit.inbox.held(about.get("held", 0))}
    many = len(unanswered - {sender}) >= MOST_ASKED
    many = many or context.limits.too_many(holder, (Kind.CONFIRM,))
    enough = many and not (asked_already or context.waited)
    if enough or len(waiting) >= MOST_HELD:
        told = context.sure >= Sure.OLD and refuse(context, _ENOUGH_HELD, at)
        return LetterOutcome("ignored", game.id, word, "too many to confirm", put_off=not told)
    nonce = context.games.chance.nonce()
    about = {
        "held": unit.inbox.hold(game.id, side, sender, context.parsed.inbound, nonce),
        "nonce": nonce,
        "sender": sender,
        "why": why or context.sure.name.lower(),
        "lines": [_shown(one) for one in context.parsed.commands],
        **({"game": game.id, "position": game.revisions.position} if why else {}),
    }
    if why or not asked_already:
        unproven = context.proven(min(context.sure, Sure.UNKNOWN))
        unproven.owe(Kind.CONFIRM, at, to=holder, about=about, answers="")
    return LetterOutcome("held", game.id, word)


def _resigns(parsed: ParsedLetter) -> bool:
    return any(isinstance(one.command, cmd.Resign) for one in parsed.commands)


def _shown(one: ParsedCommand) -> str:
    """A line of a letter, for whom it may be in the name of: words of a stranger lead nowhere."""
    linked = isinstance(one.command, cmd.Say) and leads_elsewhere(one.line)
    return "say ... (words with a link)" if linked else one.line


def held_letter(context: LetterContext, token: tokens.HeldToken) -> HeldLetter | None:
    """The letter that waits for an answer to this token; None for one we did not sign."""
    held = context.unit.inbox.held(token.held)
    if held is None or not context.signed(lambda key: token.valid(key, held.nonce)):
        return None
    return held


def answer_held(
    context: LetterContext, held: HeldLetter, handle: Callable[[InboundLetter, bool], LetterOutcome]
) -> LetterOutcome:
    """The answer to our question whether a letter shall count, and from then on its address.

    `handle` handles a letter that has waited, whether that was the one asked about or not: a yes is
    for what was shown with the question. The others are held again where they still need their own.
    """
    game, seat = context.games.game(held.game), Seat[held.side.upper()]
    if not game.knows(seat, context.sender):
        return refuse_wrong_token(context, NOT_OURS)
    word = game.seat(seat).word
    resigns = _resigns(parse_letter(held.letter))
    yes = _vote(context.parsed, resigns=resigns)
    waiting = context.unit.inbox.held_from(held.game, held.side, held.sender)
    stops = [one.command for one in context.parsed.commands if isinstance(one.command, cmd.Stop)]
    if yes is None:
        asked = _RESIGN_OR_NOT if resigns else _YES_OR_NO
        _tell(context, asked, {"held": held.id, "nonce": held.nonce})
        return LetterOutcome("refused", game.id, word, UNSURE)
    for one in waiting:
        context.unit.inbox.forget_held(one.id)
    for stop in stops:
        setting_requests.prepare(context.proven(), stop, Seated(game, seat))()
    known, outcome = game.knows(seat, held.sender), LetterOutcome("let-go", game.id, word)
    if not yes and not stops:
        _tell(context, _PLAYS_ON if resigns and known else _LET_GO)
    if not known:
        if not yes:
            return outcome
        context.games.recognise(game.id, seat, held.sender, context.caller)
    if yes:
        outcome = handle(held.letter, True)  # noqa: FBT003 - confirmed
        _note_words(context, Seated(context.games.game(game.id), seat))
    for one in (one for one in waiting if one.id != held.id):
        handle(one.letter, False)  # noqa: FBT003 - not confirmed
    return outcome


def _note_words(context: LetterContext, at: Seated) -> None:
    """Tell who wrote words beside their yes that nobody has got them, and how they would."""
    parsed = context.parsed
    plain = not parsed.commands and is_plain_yes(parsed.lines, "resign")
    words = parsed.text.message if parsed.text and not plain else ""
    kept = held_back(words, at.game, context.now)
    if kept and at.opponent.mailed:
        reason = (
            f"I have not passed your words on to {at.opponent.name}, as they stand beside your"
            f" answer to me: “{clean_quote(words)}”"
        )
        context.proven().owe(Kind.REFUSED, at, about={"reason": reason, **kept})


def _vote(parsed: ParsedLetter, *, resigns: bool) -> bool | None:
    """The answer; to give a game up off turn only a yes alone, or `resign` once more, is one."""
    yes = consent_asked(parsed)
    if not yes or not resigns:
        return True if yes is None and resigns and _resigns(parsed) else yes
    return True if is_plain_yes(parsed.lines, "resign") else None


def consent_asked(parsed: ParsedLetter) -> bool | None:
    """True for a yes and False for a no where we asked for one, in people's words."""
    if any(isinstance(one.command, cmd.Stop) for one in parsed.commands):
        return False
    return read_consent(parsed.lines)


def _tell(
    context: LetterContext, refusal: Refusal, question: dict[str, object] | None = None
) -> None:
    """Answer who was asked; by an email a reply to which answers that `question`, if any."""
    context = context.proven()
    if not context.enough():
        about = {"reason": refusal.public, "hints": [*refusal.hints], **(question or {})}
        context.owe(Kind.REFUSED, about=about)


def answer_ended(context: LetterContext, at: Seated) -> LetterOutcome:
    """A letter of a game that has been over for long: its seat is told what works instead."""
    game, holder, word = at.game, at.holder, at.word
    since = context.now - DAY
    told = context.unit.outbox.owed_about(Kind.GAMES, since, to=holder, by="")
    enough = sum("ended" in about for about in told) >= _MOST_ENDED
    by_list = context.letter.bulk and not game.knows(at.seat, context.sender)
    if enough or context.sure is Sure.FAILED or context.letter.automatic or by_list:
        return LetterOutcome("ignored", game.id, word, "of a game that is long over")
    news = (
        f"Your email is about game {game.id}, which was over long ago; its emails cannot be"
        " answered any more, so I have done nothing."
    )
    if game.black is not None:
        news += f" To see the game again, reply here with: `sgf {game.id}`."
    fresh = context.unread().proven(Sure.UNKNOWN)
    list_games(fresh, to=holder, news=news, ended=game.id)
    return LetterOutcome("refused", game.id, word, "of a game that is long over")


# -- seats that move ---------------------------------------------------------------------------
def waiting_transfer(context: LetterContext, token: tokens.TransferToken) -> Transfer | None:
    """The seat that waits for an answer to this token; None for one we did not sign.

    And for one of long ago: who has a mailbox then may not be who was asked.
    """
    found = context.unit.players.transfer(token.number)
    if found is None or not context.signed(lambda key: token.valid(key, found.nonce)):
        return None
    asked = found.begun_at or context.now
    return None if context.now - asked > FRESH else found


def answer_transfer(context: LetterContext, found: Transfer, *, new: bool) -> LetterOutcome:
    """The answer of one of the two addresses between which a seat is to move."""
    if context.sender.casefold() != (found.new if new else found.old).casefold():
        return refuse_wrong_token(context, NOT_OURS)
    yes = consent_asked(context.parsed)
    if yes is False:
        context.unit.players.end_transfer(found.id)
        _tell_kept(context, found, new=new)
        return LetterOutcome("let-go", found.game)
    if not found.new:
        return _leave(context, found, yes=is_plain_yes(context.parsed.lines))
    if yes is None:
        end = "n" if new else "o"
        question = {"moving": found.id, "end": end, "nonce": found.nonce}
        _tell(context, _MOVE_OR_NOT, question)
        return LetterOutcome("refused", found.game, detail=UNSURE)
    context.unit.players.agree_transfer(found.id, new=new)
    if not (found.old_agreed if new else found.new_agreed):
        return LetterOutcome("agreed", found.game)
    return _move(context, found)


def _tell_kept(context: LetterContext, found: Transfer, *, new: bool) -> None:
    """Tell who has said no that all is as it was."""
    about: dict[str, object] = {"kept": True, "address": found.old, "all": found.game is None}
    about |= {"old": found.old, "number": found.game, "end": "n" if new else "o"}
    context.owe(Kind.MOVING if found.new else Kind.FORGET, about=about)


def _leave(context: LetterContext, found: Transfer, *, yes: bool) -> LetterOutcome:
    """The answer of who asked to be forgotten, who may have their games sent first."""
    if yes:
        ended = 0 if found.old_agreed else begin(context.games, found, context.caller)
        return LetterOutcome("leaving", detail=f"{ended} games")
    if any(isinstance(one.command, cmd.Export) for one in context.parsed.commands):
        return act_without_game(context.proven())
    _tell(context, _FORGET_OR_NOT, {"moving": found.id, "end": "o", "nonce": found.nonce})
    return LetterOutcome("refused", detail=UNSURE)


def _move(context: LetterContext, found: Transfer) -> LetterOutcome:
    context.unit.players.end_transfer(found.id)
    games = carry_over(context.games, found, context.caller)
    if not games:
        refuse(context.proven(), _NOTHING_MOVES)
        return LetterOutcome("refused", found.game, detail="0 games")
    about: dict[str, object] = {
        "done": True,
        "old": found.old,
        "new": found.new,
        "all": found.game is None,
        "number": found.game,
    }
    context.owe(Kind.MOVING, to=found.old, about=about, answers="")
    return LetterOutcome("moved", found.game, detail=f"{len(games)} games")
