"""The handler of a letter whose writer is known: all that it asks is done and answered, or refused.

Runs inside the transaction. It translates only: what a command may do is decided by
`godaemon.games`. Everything a letter asks is looked at before anything is written, so that its
commands all take effect or none does; a `Refusal` becomes a letter.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import replace

from godaemon.errors import NotAllowed, Refusal, Unreadable
from godaemon.games import commands as cmd
from godaemon.games.calls import Decision
from godaemon.games.email_settings import in_force
from godaemon.games.event_notices import kinds
from godaemon.games.events import QUIET, Marked, Said
from godaemon.games.forgetting import is_leaving
from godaemon.games.model import Game, Revisions, Seat
from godaemon.games.notices import Kind
from godaemon.rules.points import parse_point
from mailgate.address import clean_quote
from mailgate.handling import line_results
from mailgate.handling.actions import acts_on_game, command_names, game_actions
from mailgate.handling.answer_limits import DAY, LOOKS, LOOP, MINUTE, reason_of
from mailgate.handling.context import Answer, LetterContext, LetterOutcome
from mailgate.handling.decision_table import AWAITED, moment_of
from mailgate.handling.fresh_letters import NOT_REPEATED, answer_fresh, find_proposal, wish_for_game
from mailgate.handling.held_words import SAYS_MORE, held, with_held_words
from mailgate.handling.line_results import opponent_name
from mailgate.handling.queries import answers_beside, no_game, prepare_answers
from mailgate.handling.seated import Seated
from mailgate.handling.sureness import Sure
from mailgate.handling.words import HELD, UNSURE, meant_now, refuse_lapsed
from mailgate.language.closings import only_closes
from mailgate.language.opponent_words import clean_message
from mailgate.language.parser import (
    ParsedCommand,
    ParsedText,
    Withheld,
    is_command_line,
    parse_text,
)
from mailgate.links import leads_elsewhere
from mailgate.tokens import without_tags

_TALKATIVE, _FAST = "enough words for today", "enough words for a minute"
_AGAIN, _CURIOUS = "the same words again", "enough answers for today"
_MARKED = "enough marks"
FAILED, ENOUGH_HELD = "a failure of DMARC", "enough that waits for a yes"
_ONCE = {
    _TALKATIVE: DAY,
    _AGAIN: DAY,
    _CURIOUS: DAY,
    FAILED: DAY,
    ENOUGH_HELD: DAY,
    _MARKED: 10 * MINUTE,
    "not-started": DAY,
    UNSURE: DAY,
    _FAST: 10 * MINUTE,
    HELD: MINUTE,
}
"""What is said once in a time, though the token is good: who does not heed it may be a program."""
_MOST = {UNSURE: 3, HELD: 6}
"""So often what was meant is asked for once more, in that time."""
_MOST_HELD = 40
"""So often a day it is asked what words mean."""
_CHATTY = 6
"""So many answers a day to words alone of whom nothing is awaited: then they know their way."""
_EXCHANGES = 3
"""After so many answers to our receipts within ten minutes words are held: so answer programs."""
_QUOTED = re.compile(r"“(.*(?=”)|.*)”?")


# -- what is asked -----------------------------------------------------------------------------
def act_on_game(
    context: LetterContext,
    at: Seated,
    seen: Revisions,
    hold: Callable[[LetterContext, Seated], LetterOutcome] | None = None,
) -> LetterOutcome:
    """Do what a seat asks, or `hold` what could be done; a refusal shows the game as it is."""
    number, word = at.game.id, at.word
    try:
        text = _text_now(context, at, seen)
        line_results.check_colors(text.commands, at)
        decided, answers = _decide(context, text, at, seen)
        check_words(context, decided, at.seat)
        if answers and not decided.result.events:
            _check_looks(context)
    except Refusal as refusal:
        told = refuse(context, refusal, at, seen)
        detail = refusal.detail or type(refusal).__name__
        return LetterOutcome("refused", number, word, detail, put_off=not told)
    if hold is not None:
        return hold(context, at)
    context.games.carry_out(decided)
    for answer in answers:
        answer()
    after = Seated(decided.after, at.seat)
    _note_kept(context, text, after, aside=bool(decided.caller.aside))
    _note_words_only(context, text, after)
    return LetterOutcome("accepted", number, word, command_names(text))


def act_without_game(context: LetterContext) -> LetterOutcome:
    """A letter that answers nothing of ours: it acts for its sender only."""
    if context.sure is Sure.FAILED:
        return LetterOutcome("ignored", detail="no token, and a failure of DMARC")
    if context.letter.bulk or context.enough():
        again = not context.letter.bulk
        return LetterOutcome("ignored", detail="bulk or too many", put_off=again)
    try:
        proposal = find_proposal(context)
        text = proposal or _text(context)
        if acts_on_game(text) or not text.commands:
            raise no_game()
        # What stands below a greeting is confirmed even where somebody vouches for its writer.
        most = Sure.ALIGNED if proposal else context.sure
        answers = prepare_answers(context.proven(min(most, context.sure)), text)
    except Refusal as fault:
        wished = wish_for_game(context) if isinstance(fault, Unreadable) else None
        refusal = wished or fault
        return answer_fresh(context, refusal) or _refuse_unproven(context, refusal)
    for answer in answers:
        answer()
    return LetterOutcome("accepted", detail=command_names(text))


def _decide(
    context: LetterContext, text: ParsedText, at: Seated, seen: Revisions
) -> tuple[Decision, list[Answer]]:
    actions = game_actions(text, at)
    decided = context.games.decide(at.game.id, at.seat, actions, context.caller, seen=seen)
    if aside := _aside(context, text, decided):
        decided = replace(decided, caller=replace(decided.caller, aside=aside))
    return decided, answers_beside(context, text, decided, at.seat)


def _aside(context: LetterContext, text: ParsedText, decided: Decision) -> dict[str, object]:
    """What the letter that tells what was done says of the rest; nothing where none goes out."""
    after = decided.after
    told = kinds(after, decided.result.events, decided.actor, decided.commands)
    says_more = told.get(after.seat(decided.actor)) in SAYS_MORE
    if not says_more or context.sure is Sure.OLD or text.kept is None:
        return {}
    said = _why_kept(text.kept, Seated(after, decided.actor))
    return {"aside": said, **held(text.held, after, context.now)}


def _text(context: LetterContext, game: Game | None = None) -> ParsedText:
    """The letter's commands and words; raises why it could not be read, in points of that board."""
    parsed = context.parsed
    if parsed.refusal is not None:
        if game is not None and parsed.lines:
            parse_text(parsed.lines, without_tags(parsed.letter.subject), size=game.spec.size)
        raise parsed.refusal
    text = parsed.text
    if text is None or not (text.commands or text.message):
        raise _nothing_to_do()
    return text


def _nothing_to_do() -> Unreadable:
    return Unreadable(
        "I found nothing to do in your email. What you want goes on its first line, above anything"
        " quoted.",
        hints=("help",),
    )


def _text_now(context: LetterContext, at: Seated, seen: Revisions) -> ParsedText:
    """The letter as it is meant at this moment of the game, held-back words in place of `send`."""
    game, parsed = at.game, context.parsed
    if seen != game.revisions:
        log = context.unit.games.log(game.id)
        refuse_lapsed(parsed.commands, parsed.lines, log, at, seen)
    text = _text(context, game)
    writer = context.letter.sender
    if not text.commands and not any(map(_says, text.message)):
        raise _nothing_to_do()
    if not text.commands and only_closes(text.message, writer.name if writer else ""):
        raise _nothing_to_do()
    return with_held_words(context, meant_now(context, text, at), at)


def _says(mark: str) -> bool:
    """True for a letter, a digit or a picture: `...` says nothing."""
    return mark.isalnum() or unicodedata.category(mark) == "So"


def check_words(context: LetterContext, decided: Decision, seat: Seat) -> None:
    """Raise `NotAllowed` where words, or marks, would come to the opponent alone, and too often.

    So speaks a program that answers each of our letters, whatever its headers say. Words with a
    move come with its letter, however many there are.
    """
    game = decided.after
    events = [one for one in decided.result.events if not isinstance(one, QUIET)]
    mine, opponent = game.color_of(seat), _opponent(game, seat)
    if (
        mine is None
        or opponent is None
        or any(not isinstance(one, Said | Marked) for one in events)
    ):
        return
    if is_leaving(context.unit, opponent):
        raise NotAllowed("The other player has left, and reads no words any more.")
    said = [one for one in events if isinstance(one, Said)]
    if len(said) < len(events) and context.limits.too_many_marks(context.sender, opponent):
        raise NotAllowed(
            "The marks have been changed so often by now that I have not changed them once more."
            " Please wait a while, then send all of them in one email; or play on, with: resume",
            hints=("resume",),
            detail=_MARKED,
        )
    if not said or len(said) < len(events):
        return
    log = context.unit.games.log(game.id)
    sends = any(isinstance(one.command, cmd.Send) for one in context.parsed.commands)
    if all(context.limits.said_before(log, mine, one.text, exactly=sends) for one in said):
        raise NotAllowed(
            "I have passed on these words of yours today already, so this time I have not.",
            detail=_AGAIN,
        )
    enough_for = context.limits.too_many_words(log, mine, context.sender, opponent)
    if enough_for == DAY:
        raise NotAllowed(
            "I have brought your opponent many emails of yours without a move today; this one I"
            " have not passed on. Please try again tomorrow.",
            detail=_TALKATIVE,
        )
    if enough_for or _answers_receipts(context):
        raise NotAllowed(
            "That was one email after the other, so I have not passed this one on. Please send it"
            " again in a while, best all in one.",
            detail=_FAST,
        )


def _answers_receipts(context: LetterContext) -> bool:
    """True for one more answer to an email that only said where words went, within minutes."""
    answered = context.sent(next(iter(context.letter.references), ""))
    if answered is None or "words_only" not in answered.about:
        return False
    return context.limits.receipts(context.sender, 10 * MINUTE, context.by) >= _EXCHANGES


def _check_looks(context: LetterContext) -> None:
    """Raise `NotAllowed` for one more question to us than anybody has in a day."""
    if context.enough(LOOKS):
        raise NotAllowed(
            "You have asked me a great deal today, so I have done nothing with this email. Please"
            " try again tomorrow; a move in answer to the newest email of a game is always taken.",
            detail=_CURIOUS,
        )


def _opponent(game: Game, seat: Seat) -> str | None:
    """The address of the other player, where that is another person."""
    color = game.color_of(seat)
    if color is None or game.spec.teaching:
        return None
    other = game.player(Seat.of(color.opponent))
    return other.address if other.mailed else None


def _note_kept(context: LetterContext, text: ParsedText, at: Seated, *, aside: bool) -> None:
    """Who wrote more than was passed on learns which words were not, and why."""
    if text.kept is None or aside or (at.game.black is None and at.game.phase.over):
        return
    if context.limits.too_many(context.sender, most=LOOP):
        return
    about = _why_kept(text.kept, at) | held(text.held, at.game, context.now)
    context.owe(Kind.REFUSED, at, about=about)


def _why_kept(kept: Withheld, at: Seated) -> dict[str, object]:
    quoted, other = clean_quote(kept.line), opponent_name(at)
    reason = f"I have not passed your words on to {other}, for “{quoted}”: {kept.answer}"
    return {"reason": reason, "hints": [*kept.hints]}


def _note_words_only(context: LetterContext, text: ParsedText, at: Seated) -> None:
    """Who writes only words learns that they were passed on, and what is still awaited."""
    said = all(isinstance(one.command, cmd.Say) for one in text.commands)
    if not said or not (text.commands or text.message):
        return
    game, nothing = at.game, at.awaits is None
    if nothing and in_force(context.unit, at.holder, game.id).receipts is False:
        return
    told = context.limits.receipts(context.sender, DAY, context.by)
    most = _CHATTY if nothing else LOOP
    if told < most:
        about: dict[str, object] = {"words_only": True}
        about |= {"last": True} if told + 1 == most else {}
        if any(isinstance(one.command, cmd.Send) for one in context.parsed.commands):
            sent = [one.command.text for one in text.commands if isinstance(one.command, cmd.Say)]
            about["sent"] = sent
        context.owe(Kind.SHOW, at, about=about)


# -- what is refused ---------------------------------------------------------------------------
def refuse(
    context: LetterContext,
    refusal: Refusal,
    at: Seated | None = None,
    seen: Revisions | None = None,
) -> bool:
    """Say why nothing was done, what would work, and of each line what became of it.

    False where that was not said, and who wrote may not know: of old letters, which others have.
    """
    once, last = refusal.detail if refusal.detail in _ONCE else "", ""
    if once:
        within, most = _ONCE[once], _MOST.get(once, 1)
        told = context.limits.refused_today(context.sender, once, by=context.by, within=within)
        words = clean_message("\n".join(context.parsed.lines))
        again = once == HELD and context.limits.held_before(context.sender, words, context.by)
        held = context.limits.refused_today(context.sender, HELD, by=context.by)
        again = again or (once == HELD and held >= _MOST_HELD)
        enough = (told >= most or again) and not context.waited
        if told + 1 == most:
            until = "today" if within == DAY else "for a while"
            last = f" Another email like it gets no answer {until}."
    else:
        enough = context.enough()
    if enough:
        return context.sure is not Sure.OLD
    _owe_refusal(context, refusal, at, seen, once, last)
    return True


def refuse_wrong_token(context: LetterContext, refusal: Refusal) -> LetterOutcome:
    """A token that is not ours gets an answer without a word about any game."""
    let_go = context.sure is Sure.FAILED or context.letter.bulk
    if let_go or context.enough():
        return LetterOutcome("ignored", detail="bad-token", wrong_token=True, put_off=not let_go)
    outcome = _refuse_unproven(context, refusal, "bad-token", reason=refusal.detail)
    return replace(outcome, wrong_token=True)


def _refuse_unproven(
    context: LetterContext, refusal: Refusal, event: str = "refused", reason: str = ""
) -> LetterOutcome:
    """Refuse a letter without a good token; a stranger's once a day for one reason, if at all."""
    detail = refusal.detail or type(refusal).__name__
    why = reason or reason_of(refusal)
    limits, sender = context.limits, context.sender
    once = context.sure < Sure.OLD and limits.is_stranger(sender)
    if once and limits.refused_today(sender, why, by=context.by):
        return LetterOutcome("ignored", detail=f"said today already: {detail}")
    lines = context.parsed.lines
    if found := limits.backscatter(context.letter, lines, context.sure):
        return LetterOutcome("ignored", detail=found)
    _owe_refusal(context, refusal, None, None, why)
    return LetterOutcome(event, detail="" if event != "refused" else detail)


def _owe_refusal(
    context: LetterContext,
    refusal: Refusal,
    at: Seated | None,
    seen: Revisions | None,
    why: str,
    last: str = "",
) -> None:
    parsed = context.parsed
    says = (one.command.text for one in parsed.commands if isinstance(one.command, cmd.Say))
    said = "\n".join([*says, parsed.text.message] if parsed.text else parsed.lines).strip()
    sends = any(isinstance(one.command, cmd.Send) for one in parsed.commands)  # the words held
    if isinstance(refusal, Unreadable) and refusal.detail not in {*_ONCE} - {HELD} and not sends:
        said = "\n".join(parsed.lines)
    # What may be somebody else's letter is not repeated to whom it names as its author.
    sure, hints = context.sure >= Sure.OLD, refusal.hints
    lines = line_results.unread(parsed.lines, refusal.public) if sure else ()
    if parsed.commands and sure:
        lines = line_results.not_done(parsed.commands, _reason(context, at, seen))
    elif sure and at is not None and isinstance(refusal, Unreadable):
        hints = tuple(dict.fromkeys((*hints, *AWAITED.get(moment_of(at), ()))))
    plain = sure or not leads_elsewhere(" ".join(_QUOTED.findall(refusal.public)))
    said_why = (refusal.public if plain else NOT_REPEATED) + last
    if not sure and context.limits.is_stranger(context.sender):
        said_why = _unquoted(said_why)
        hints = tuple(hint for hint in hints if not leads_elsewhere(hint) or "@" in hint)
    about: dict[str, object] = {
        "reason": said_why,
        "code": refusal.code,
        "hints": [_own(hint, at) for hint in hints if _possible(hint, at)],
        **line_results.told(lines),
        **({"why": why} if why else {}),
        **(held(clean_message(said), at.game, context.now) if at is not None else {}),
    }
    context.owe(Kind.REFUSED, at, about=about)


def _unquoted(said: str) -> str:
    """A sentence without the words that it quotes, which may be anybody's."""
    plain = re.sub(r" called “.*?”", " of that name", re.sub(r"^You wrote “.*?”\. ", "", said))
    return re.sub("^what", "What", _QUOTED.sub("what you wrote", plain))


def _reason(
    context: LetterContext, at: Seated | None, seen: Revisions | None
) -> ParsedCommand | None:
    """The command for which a letter was refused: the first without which it would not be."""
    if at is None or seen is None:
        return None
    commands = context.parsed.commands
    for count, last in enumerate(commands, start=1):
        part = ParsedText(commands[:count], "")
        try:
            line_results.check_colors(part.commands, at)
            _decide(context, part, at, seen)
        except Refusal:
            return last
    return None


def _own(hint: str, at: Seated | None) -> str:
    """A proposal that is offered as an example, to the other player of the game."""
    if at is None or at.game.black is None or at.game.spec.teaching:
        return hint
    named = hint.replace("bob@example.org", at.opponent.name)
    return named if at.opponent.mailed and is_command_line(named) else hint


def _possible(hint: str, at: Seated | None) -> bool:
    """True where a hint could work: it names no point that this game's board does not have."""
    return at is None or all(_on_board(word, at.game) for word in hint.split())


def _on_board(word: str, game: Game) -> bool:
    try:
        return game.spec.size.has(parse_point(word))
    except Unreadable:
        return True
