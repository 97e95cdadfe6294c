"""The handler of a letter whose writer is known: all that it asks is done, or it is refused.

Its words are read, colours checked, commands decided and limits looked at; only then is it held, or
carried out and answered.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from godaemon.errors import NotAllowed, Refusal, Unreadable
from godaemon.games import commands as cmd
from godaemon.games.events import QUIET, LogEntry, Marked, Said
from godaemon.games.forgetting import is_leaving
from godaemon.games.model import Seat
from godaemon.games.notices import Kind, notice_kinds
from godaemon.games.service_calls import Decision
from godaemon.games.wanted_emails import effective_preferences
from godaemon.rules.points import Color
from godaemon.texts.catalogue import drop_quotes, join_sentences, sentence, sentence_to_json
from mailgate.address import clean_quote
from mailgate.handling import actions
from mailgate.handling.actions import acts_on_game, command_names, game_actions
from mailgate.handling.answer_limits import DAY, LOOKS, LOOP, MINUTE, reason_of
from mailgate.handling.context import Answer, LetterContext, LetterOutcome
from mailgate.handling.decision_table import AWAITED, moment_of
from mailgate.handling.follow_ups import SAYS_MORE, held_words_data, insert_held_words
from mailgate.handling.letters_without_token import (
    answer_without_token,
    find_proposal,
    suggest_game,
)
from mailgate.handling.player_games import GameView
from mailgate.handling.queries import (
    give_answers,
    no_game_refusal,
    prepare_answers,
    prepare_answers_beside,
)
from mailgate.handling.talk_or_commands import HELD, UNSURE, meant_text, refuse_lapsed_answer
from mailgate.handling.trust import Trust
from mailgate.language.closings import is_only_closing
from mailgate.language.command_lines import is_command_line
from mailgate.language.parser import ParsedText, Withheld
from mailgate.letters.board_blocks import is_possible
from mailgate.links import leads_elsewhere
from mailgate.tokens import clean_message

_MANY_WORDS_TODAY, _MANY_WORDS_NOW = "enough words for today", "enough words for a minute"
_REPEATED_WORDS, _MANY_QUERIES = "the same words again", "enough answers for today"
_MANY_MARKS = "enough marks"
FAILED, ENOUGH_HELD = "a failure of DMARC", "enough that waits for a yes"
_REFUSAL_LIMITS = {
    **dict.fromkeys(
        (_MANY_WORDS_TODAY, _REPEATED_WORDS, _MANY_QUERIES, FAILED, ENOUGH_HELD, "not-started"),
        (1, DAY),
    ),
    **dict.fromkeys((_MANY_MARKS, _MANY_WORDS_NOW), (1, 10 * MINUTE)),
    UNSURE: (3, DAY),
    HELD: (6, MINUTE),
}
"""How often we give each refusal per period, even with a good token: a program may be writing."""
_MOST_HELD = 40  # times per day that we ask a player what their words mean
_CHAT_RECEIPTS = 6  # answers per day to chat off turn
_QUICK_RECEIPTS = 3  # replies to our receipts in ten minutes; then words are held
_QUOTED = re.compile(r"“(.*(?=”)|.*)”?")
_Hold = Callable[[LetterContext, GameView], LetterOutcome]


# -- what is asked -----------------------------------------------------------------------------
def act_on_game(context: LetterContext, view: GameView, hold: _Hold | None = None) -> LetterOutcome:
    """Do what a seat asks, or `hold` it once it is checked; a refusal shows the current game."""
    number, word = view.game.id, view.word
    try:
        text = _meant_text(context, view)
        actions.check_colors(text.commands, view)
        decided, answers = _decide(context, text, view)
        check_words(context, decided, view.seat)
        if answers and not decided.result.events and context.has_had_enough(LOOKS):
            raise NotAllowed(sentence("asked-much"), detail=_MANY_QUERIES)
    except Refusal as refusal:
        answered = refuse(context, refusal, view)
        detail = refusal.detail or type(refusal).__name__
        return LetterOutcome("refused", number, word, detail, put_off=not answered)
    if hold is not None:
        return hold(context, view)
    context.games.carry_out(decided)
    give_answers(answers)
    after = GameView(decided.after, view.seat)
    if not (decided.caller.aside or answers):
        _tell_held_words(context, text, after)
    _confirm_words(context, text, after)
    return LetterOutcome("accepted", number, word, command_names(text))


def act_without_game(context: LetterContext) -> LetterOutcome:
    """A letter that answers nothing of ours: it acts for its sender only."""
    if context.trust is Trust.FAILED:
        return LetterOutcome("ignored", detail="no token, and a failure of DMARC")
    if context.letter.bulk or context.has_had_enough():
        put_off = not context.letter.bulk
        return LetterOutcome("ignored", detail="bulk or too many", put_off=put_off)
    try:
        proposal = find_proposal(context)
        text = proposal or _readable_text(context)
        if acts_on_game(text) or not text.commands:
            raise no_game_refusal()
        # What stands below a greeting is confirmed even if somebody vouches for its writer.
        most = Trust.ALIGNED if proposal else context.trust
        answers = prepare_answers(context.with_trust(min(most, context.trust)), text)
    except Refusal as fault:
        wished = suggest_game(context) if isinstance(fault, Unreadable) else None
        refusal = wished or fault
        return answer_without_token(context, refusal) or _refuse_unproven(context, refusal)
    return LetterOutcome("accepted", give_answers(answers), detail=command_names(text))


def _decide(
    context: LetterContext, text: ParsedText, view: GameView
) -> tuple[Decision, list[Answer]]:
    """Decide the commands, and prepare the answers beside them; raises a `Refusal`."""
    asked = game_actions(text, view)
    caller = replace(context.caller, answered=actions.lists_results(text))
    decided = context.games.decide(view.game.id, view.seat, asked, caller, seen=view.seen)
    after, aside = GameView(decided.after, decided.actor), dict[str, Any]()
    letters = notice_kinds(after.game, decided.result.events, decided.actor, decided.commands)
    if text.withheld is not None:
        kept = _withheld_data(text.withheld, after)
        aside = {"aside": kept, **held_words_data(text.held_words, after.game, context.now)}
    says_more = letters.get(after.game.color_seat(decided.actor)) in SAYS_MORE
    if says_more and context.trust is not Trust.OLD:
        decided, aside = replace(decided, caller=replace(decided.caller, aside=aside)), {}
    context = replace(context, parsed=replace(context.parsed, text=text), aside=aside)
    return decided, prepare_answers_beside(context, text, decided, view.seat)


def _readable_text(context: LetterContext) -> ParsedText:
    parsed = context.parsed
    if parsed.refusal is not None:
        raise parsed.refusal
    if parsed.text is None or not (parsed.commands or parsed.text.message):
        raise Unreadable(sentence("nothing-found"), hints=("help",))
    return parsed.text


def _meant_text(context: LetterContext, view: GameView) -> ParsedText:
    refuse_lapsed_answer(context, view)
    text, writer = _readable_text(context), context.letter.sender
    says = any(one.isalnum() or unicodedata.category(one) == "So" for one in text.message)
    closes = not says or is_only_closing(text.message, writer.name if writer else "")
    if closes and not text.commands:  # `...`, or a name
        raise Unreadable(sentence("nothing-found"), hints=("help",))
    return insert_held_words(context, meant_text(context, text, view), view)


def check_words(context: LetterContext, decided: Decision, seat: Seat) -> None:
    """Raise `NotAllowed` for too many letters with nothing but words or marks for the opponent."""
    game, limits = decided.after, context.limits
    events = [one for one in decided.result.events if not isinstance(one, QUIET)]
    mine, other = game.color_of(seat), game.player(seat.other)
    if mine is None or game.spec.teaching or not other.mailed:
        return
    if any(not isinstance(one, Said | Marked) for one in events):
        return
    if is_leaving(context.unit, other.address):
        raise NotAllowed(sentence("nobody-reads"))
    messages = [one for one in events if isinstance(one, Said)]
    if len(messages) < len(events):
        if limits.too_many_marks(context.sender, other.address):
            raise NotAllowed(sentence("marked-enough"), hints=("resume",), detail=_MANY_MARKS)
    elif messages:
        log = context.unit.games.log(game.id)
        _check_chat(context, log, mine, [one.text for one in messages], other.address)


def _check_chat(
    context: LetterContext,
    log: Sequence[LogEntry],
    mine: Color,
    messages: Sequence[str],
    other: str,
) -> None:
    limits = context.limits
    sends = context.parsed.has_command(cmd.Send)
    if all(limits.were_passed_on(log, mine, one, exactly=sends) for one in messages):
        raise NotAllowed(sentence("said-already"), detail=_REPEATED_WORDS)
    enough_for = limits.too_many_words(log, mine, context.sender, other)
    if enough_for == DAY:
        raise NotAllowed(sentence("talked-enough"), detail=_MANY_WORDS_TODAY)
    answered = context.answered_notice
    receipts = limits.count_receipts(context.sender, 10 * MINUTE, context.by)
    loops = answered and "words_only" in answered.about and receipts >= _QUICK_RECEIPTS
    if enough_for or loops:
        raise NotAllowed(sentence("talked-fast"), detail=_MANY_WORDS_NOW)


def _tell_held_words(context: LetterContext, text: ParsedText, view: GameView) -> None:
    """Say what became of words that were held, unless another letter says so."""
    never = view.game.black is None and view.game.phase.over
    if text.withheld and not never and not context.limits.too_many(context.sender, most=LOOP):
        unsent = held_words_data(text.held_words, view.game, context.now)
        context.owe(Kind.REFUSED, view, **_withheld_data(text.withheld, view), **unsent)


def _withheld_data(withheld: Withheld, view: GameView) -> dict[str, Any]:
    """What a notice keeps of words that were held: why, and what may be meant by them."""
    reason = withheld.answer
    if withheld.line:
        quoted = clean_quote(withheld.line)
        held_back = actions.words_result("words-held", "words-held-from-record", view, said=quoted)
        reason = join_sentences(held_back, reason)
    return {"reason": sentence_to_json(reason), "hints": [*withheld.hints]}


def _confirm_words(context: LetterContext, text: ParsedText, view: GameView) -> None:
    """Confirm that words alone were passed on, while the reader wants to know."""
    texts = [one.command.text for one in text.commands if isinstance(one.command, cmd.Say)]
    if len(texts) < len(text.commands) or not (texts or text.message):
        return
    nothing = view.awaits is None
    if nothing and effective_preferences(context.unit, view.holder, view.game.id).receipts is False:
        return
    confirmed = context.limits.count_receipts(context.sender, DAY, context.by)
    most = _CHAT_RECEIPTS if nothing else LOOP
    if confirmed < most:
        more: dict[str, Any] = {"sent": texts} if context.parsed.has_command(cmd.Send) else {}
        more |= {"last": True} if confirmed + 1 == most else {}
        context.owe(Kind.SHOW, view, words_only=True, **more)


# -- what is refused ---------------------------------------------------------------------------
def refuse(context: LetterContext, refusal: Refusal, view: GameView | None = None) -> bool:
    """Say why nothing was done, and what would work; False if an old letter gets no answer."""
    key = refusal.detail if refusal.detail in _REFUSAL_LIMITS else ""
    enough, last = _check_refusal_limit(context, key) if key else (context.has_had_enough(), ())
    if enough:
        return context.trust is not Trust.OLD
    _owe_refusal(context, refusal, view, key, last)
    return True


def _check_refusal_limit(context: LetterContext, key: str) -> tuple[bool, tuple[str, ...]]:
    """Whether a refusal was given often enough; and the sentence to add to the last one."""
    (most, within), limits = _REFUSAL_LIMITS[key], context.limits
    times = limits.count_refusals(context.sender, key, by=context.by, within=within)
    last = (sentence("no-more-for-now"),) if times + 1 == most else ()
    enough = times >= most
    if key == HELD:
        words = clean_message("\n".join(context.parsed.lines))
        enough = enough or limits.were_held(context.sender, words, context.by)
        enough = enough or limits.count_refusals(context.sender, HELD, by=context.by) >= _MOST_HELD
    return enough and not context.was_held, last


def refuse_wrong_token(context: LetterContext, refusal: Refusal) -> LetterOutcome:
    """Answer a token that we did not sign, without mentioning any game."""
    let_go = context.trust is Trust.FAILED or context.letter.bulk
    if let_go or context.has_had_enough():
        return LetterOutcome("ignored", detail="bad-token", wrong_token=True, put_off=not let_go)
    outcome = _refuse_unproven(context, refusal)
    if outcome.event == "refused":
        outcome = LetterOutcome("bad-token")
    return replace(outcome, wrong_token=True)


def _refuse_unproven(context: LetterContext, refusal: Refusal) -> LetterOutcome:
    """Refuse a letter without a good token, unless a refusal could reach somebody else."""
    detail, why = refusal.detail or type(refusal).__name__, reason_of(refusal)
    limits, sender = context.limits, context.sender
    once = context.trust < Trust.OLD and limits.is_stranger(sender)
    if once and limits.count_refusals(sender, why, by=context.by):
        return LetterOutcome("ignored", detail=f"said today already: {detail}")
    if found := limits.backscatter_reason(context.letter, context.parsed.lines, context.trust):
        return LetterOutcome("ignored", detail=found)
    _owe_refusal(context, refusal, None, why)
    return LetterOutcome("refused", detail=detail)


def _owe_refusal(
    context: LetterContext,
    refusal: Refusal,
    view: GameView | None,
    why: str,
    last: tuple[str, ...] = (),
) -> None:
    """Owe the letter that says why nothing was done, and what became of each line."""
    parsed, sure, reason = context.parsed, context.trust >= Trust.OLD, refusal.public
    lines = actions.unread_results(parsed.lines, reason) if sure else []
    if parsed.commands and sure:
        lines = _refused_results(context, view)
    unsent = _unsent_words(context, refusal)
    context.owe(
        Kind.REFUSED,
        view,
        reason=sentence_to_json(join_sentences(_unquoted_reason(context, reason), *last)),
        code=refusal.code,
        hints=_possible_hints(context, refusal, view),
        **actions.results_data(lines),
        **({"why": why} if why else {}),
        **(held_words_data(unsent, view.game, context.now) if view is not None else {}),
    )


def _unquoted_reason(context: LetterContext, reason: str) -> str:
    """A reason without quotations if the author in From may be forged: they may be a spammer's."""
    if context.trust >= Trust.OLD:
        return reason
    if leads_elsewhere(" ".join(_QUOTED.findall(reason))):
        reason = sentence("not-repeated")
    return drop_quotes(reason) if context.limits.is_stranger(context.sender) else reason


def _possible_hints(context: LetterContext, refusal: Refusal, view: GameView | None) -> list[str]:
    """The lines that would work now, and those that are awaited; a stranger gets no links."""
    sure, hints = context.trust >= Trust.OLD, refusal.hints
    unread = isinstance(refusal, Unreadable) and not context.parsed.commands
    if sure and view is not None and unread:
        hints = tuple(dict.fromkeys((*hints, *AWAITED.get(moment_of(view), ()))))
    if not sure and context.limits.is_stranger(context.sender):
        hints = tuple(hint for hint in hints if not leads_elsewhere(hint) or "@" in hint)
    if view is not None:
        hints = tuple(hint for hint in hints if is_possible(view.game, view.seat, hint))
    return [_name_opponent(hint, view) for hint in hints]


def _unsent_words(context: LetterContext, refusal: Refusal) -> str:
    """The words of a refused letter, which `send` can still pass on."""
    parsed = context.parsed
    whole = isinstance(refusal, Unreadable) and refusal.detail not in {*_REFUSAL_LIMITS} - {HELD}
    if parsed.text is None or (whole and not parsed.has_command(cmd.Send)):
        return clean_message("\n".join(parsed.lines))
    says = (one.command.text for one in parsed.commands if isinstance(one.command, cmd.Say))
    return clean_message("\n".join([*says, parsed.text.message]).strip())


def _refused_results(context: LetterContext, view: GameView | None) -> list[actions.Line]:
    """The lines of a refused letter; the first that cannot be done is marked as the reason."""
    commands = context.parsed.commands
    if view is None or view.seen is None:
        return actions.refused_results(commands, None)
    for count, last in enumerate(commands, start=1):
        try:
            actions.check_colors(commands[:count], view)
            _decide(context, ParsedText(commands[:count], ""), view)
        except Refusal:
            return actions.refused_results(commands, last)
    return actions.refused_results(commands, None)


def _name_opponent(hint: str, view: GameView | None) -> str:
    if view is None or view.game.black is None or view.game.spec.teaching:
        return hint
    named = hint.replace("bob@example.org", view.opponent.name)
    return named if view.opponent.mailed and is_command_line(named) else hint
