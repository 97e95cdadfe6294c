"""The handler of a letter: carries out all of its commands, or refuses it.

It reads the words, and checks colours, commands and limits. Then it holds the letter, or carries
it out and answers.
"""

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from godaemon.errors import NotAllowed, Refusal, Unknown, Unreadable
from godaemon.games import commands as cmd
from godaemon.games.events import QUIET_EVENTS, Marked, Said
from godaemon.games.forgetting import is_leaving
from godaemon.games.model import Seat
from godaemon.games.notices import Kind, notice_kinds
from godaemon.games.service_calls import Decision
from godaemon.games.wanted_emails import effective_preferences
from godaemon.records.record import Record
from godaemon.records.sgf import format_sgf
from godaemon.rules.points import Color
from godaemon.texts.catalogue import (
    Sentence,
    drop_quotes,
    join_sentences,
    sentence,
    sentence_to_json,
)
from mailgate.address import clean_quote
from mailgate.handling import actions, queries
from mailgate.handling.answer_limits import DAY, MAX_ANSWERS, MINUTE, READ_ONLY_ANSWERS, reason_of
from mailgate.handling.context import Answer, LetterContext, LetterOutcome
from mailgate.handling.decision_table import awaited_lines, moment_of
from mailgate.handling.games_in_words import find_proposal, suggest_game
from mailgate.handling.letters_without_token import answer_without_token
from mailgate.handling.offer_answers import (
    KINDS_WITH_REPORT,
    asked_again,
    held_words_data,
    insert_held_words,
    recent_reports,
    words_held_before,
)
from mailgate.handling.parsed_letter import ParsedLetter
from mailgate.handling.player_games import GameView, open_games
from mailgate.handling.talk_or_commands import HELD, UNSURE, meant_text, refuse_lapsed_answer
from mailgate.handling.trust import Trust
from mailgate.language.closings import is_only_closing
from mailgate.language.command_lines import is_command_line
from mailgate.language.near_misses import NEAR_MISS, SPELT_POINT
from mailgate.language.new_game import SOMEBODY
from mailgate.language.parser import HoldReason, ParsedText, parse_text
from mailgate.letters.board_blocks import is_possible
from mailgate.links import leads_elsewhere
from mailgate.tokens import clean_message

_MANY_WORDS_TODAY, _MANY_WORDS_NOW = "daily chat limit reached", "chat limit per minute reached"
_REPEATED_WORDS, _MANY_QUERIES = "repeated words", "daily limit of answers reached"
_MANY_MARKS = "limit of marks reached"
DMARC_FAILED, ENOUGH_HELD = "DMARC failed", "too many emails wait for a yes"
_ABOUT_WORDS = (HELD, UNSURE, "not-started")
"""The cases of refusals that depend on the words of a letter."""
_REFUSAL_LIMITS = {
    _MANY_WORDS_TODAY: (1, DAY),
    _REPEATED_WORDS: (1, DAY),
    _MANY_QUERIES: (1, DAY),
    DMARC_FAILED: (1, DAY),
    ENOUGH_HELD: (1, DAY),
    _MANY_MARKS: (1, 10 * MINUTE),
    _MANY_WORDS_NOW: (1, 10 * MINUTE),
    **dict.fromkeys(_ABOUT_WORDS, (3, DAY)),
    HELD: (5, DAY),
}
"""The limit on refusals of a case in a period, even with a good token: programs may write."""
_MAX_CHAT_RECEIPTS = 6  # the limit on receipts a day for chat off turn
_LONGEST_RECORD = 20_000  # characters of a record that an offer keeps
_QUOTED = re.compile(r"“(.*(?=”)|.*)”?")
_Hold = Callable[[LetterContext, GameView], LetterOutcome]


# -- commands ----------------------------------------------------------------------------------
def act_on_game(context: LetterContext, view: GameView, hold: _Hold | None = None) -> LetterOutcome:
    """Check a seat's letter, then carry it out or `hold` it; a refusal shows the current game."""
    number, word = view.game.id, view.word
    try:
        text = _meant_text(context, view)
        actions.check_colors(text.commands, view)
        decision, answers = _decide(context, text, view)
        check_words(context, decision, view.seat)
        if answers and not decision.events and context.is_over_limit(READ_ONLY_ANSWERS):
            raise NotAllowed(sentence("asked-much"), case=_MANY_QUERIES)
    except Refusal as refusal:
        is_settled = refuse(context, refusal, view)
        detail = refusal.detail or type(refusal).__name__
        return LetterOutcome("refused", number, word, detail, retry=not is_settled)
    if hold is not None:
        return hold(context, view)
    context.games.carry_out(decision)
    queries.give_answers(answers)
    after = GameView(decision.after, view.seat)
    if not (decision.caller.extra_facts or answers):
        _tell_held_words(context, text, after)
    _confirm_words(context, text, after)
    return LetterOutcome("accepted", number, word, actions.command_names(text))


def act_without_game(context: LetterContext) -> LetterOutcome:
    """Handle a letter about no game; it acts for its sender only."""
    if context.trust is Trust.FAILED:
        return LetterOutcome("ignored", detail="no token, and DMARC failed")
    if context.letter.bulk or context.is_over_limit():
        retry = not context.letter.bulk
        return LetterOutcome("ignored", detail="bulk or too many", retry=retry)
    context = _read_spelt_point(context)
    try:
        proposal = find_proposal(context)
        text = proposal or _readable_text(context)
        if actions.acts_on_game(text) or not text.commands:
            raise queries.no_game_refusal()
        # A proposal among other words is confirmed even if a server vouches for its sender.
        trust = min(Trust.ALIGNED, context.trust) if proposal else context.trust
        answers = queries.prepare_answers(context.with_trust(trust), text)
    except Refusal as fault:
        suggestion = suggest_game(context) if isinstance(fault, Unreadable) else None
        refusal = suggestion or fault
        return answer_without_token(context, refusal) or _refuse_unproven(context, refusal)
    begun = queries.give_answers(answers)
    return LetterOutcome("accepted", begun, detail=actions.command_names(text))


def _decide(
    context: LetterContext, text: ParsedText, view: GameView
) -> tuple[Decision, list[Answer]]:
    """Decide the commands, and prepare the answers beside them; raises a `Refusal`.

    Held words are reported once: in the news of the commands, or else in the answers, or else
    (`act_on_game`) in a letter of their own.
    """
    acts = actions.game_actions(text, view)
    caller = replace(context.caller, receipt_included=actions.lists_results(text))
    decision = context.games.decide(view.game.id, view.seat, acts, caller, seen=view.seen)
    after, held_words = GameView(decision.after, decision.actor), dict[str, Any]()
    letters = notice_kinds(after.game, decision.events, decision.actor, decision.commands)
    if text.hold_reason is not None:
        kept = _hold_reason_data(text.hold_reason, after)
        held_words = {"aside": kept, **held_words_data(text.held_words, after.game, context.now)}
    elif decision.events:
        held_words = _kept_files_data(context, after)
    says_more = letters.get(after.game.color_seat(decision.actor)) in KINDS_WITH_REPORT
    if says_more and context.trust is not Trust.OLD:
        caller = replace(decision.caller, extra_facts=held_words)
        decision, held_words = replace(decision, caller=caller), {}
    context = replace(context, parsed=replace(context.parsed, text=text), held_words=held_words)
    return decision, queries.prepare_answers_beside(context, text, decision, view.seat)


def _readable_text(context: LetterContext) -> ParsedText:
    parsed = context.parsed
    if parsed.refusal is not None:
        raise parsed.refusal
    if parsed.text is None or not (parsed.commands or parsed.text.message):
        raise Unreadable(sentence("nothing-found"), hints=("help",))
    return parsed.text


def _meant_text(context: LetterContext, view: GameView) -> ParsedText:
    """The commands and words of a letter; if we would ask the same again, it means a yes."""
    refuse_lapsed_answer(context, view)
    try:
        text = _understood_text(context, view)
    except Unreadable as question:
        if not (line := asked_again(context, view, question)):
            raise
        text = parse_text([line])
    return insert_held_words(context, _hold_words_below(context, text), view)


def _hold_words_below(context: LetterContext, text: ParsedText) -> ParsedText:
    """The text with the held words below a heading or a quotation, if they are new."""
    below = context.parsed.text
    if below is None or below.hold_reason is None:
        return text
    if text.held_words == below.held_words:
        text = replace(text, held_words="")
    if text.hold_reason is below.hold_reason:
        text = replace(text, hold_reason=None)
    words = _unreported_words_below(context)
    if below.held_words and not words:
        return text
    words = f"{text.held_words}\n\n{words}".strip()
    return replace(text, held_words=words, hold_reason=text.hold_reason or below.hold_reason)


def _unreported_words_below(context: LetterContext) -> str:
    """The held words below a heading or a quotation; "" for a footer, which we report once."""
    words = context.parsed.words_below
    reports = recent_reports(context, context.by) if words else ()
    told = (about.get("unsent", "") for about in reports)
    return "" if any(f"\n{one}".endswith(f"\n{words}") for one in told) else words


def _understood_text(context: LetterContext, view: GameView) -> ParsedText:
    context = _read_spelt_point(context, view)
    text, writer = _readable_text(context), context.letter.sender
    has_words = any(one.isalnum() or unicodedata.category(one) == "So" for one in text.message)
    has_only_closing = not has_words or is_only_closing(text.message, writer.name if writer else "")
    if has_only_closing and not text.commands:  # `...`, or a name
        raise Unreadable(sentence("nothing-found"), hints=("help",))
    return meant_text(context, text, view)


def _read_spelt_point(context: LetterContext, view: GameView | None = None) -> LetterContext:
    """The context with plain words for a spelt point that no game awaits: `level 4`."""
    parsed, refusal = context.parsed, context.parsed.refusal
    if refusal is None or refusal.case != SPELT_POINT:
        return context
    games = [view] if view else open_games(context.games, context.sender)
    if any(one.is_on_board(refusal.hints[0]) for one in games):
        return context
    words = ParsedText((), clean_message("\n".join(parsed.lines)))
    return replace(context, parsed=replace(parsed, text=words, refusal=None))


def check_words(context: LetterContext, decision: Decision, seat: Seat) -> None:
    """Raise `NotAllowed` for too many letters with only words or marks for the opponent."""
    game, limits = decision.after, context.limits
    events = [one for one in decision.events if not isinstance(one, QUIET_EVENTS)]
    color, opponent = game.color_of(seat), game.player(seat.other)
    if color is None or game.spec.teaching or not opponent.gets_email:
        return
    if any(not isinstance(one, Said | Marked) for one in events):
        return
    if is_leaving(context.unit, opponent.address):
        raise NotAllowed(sentence("nobody-reads"))
    messages = [one for one in events if isinstance(one, Said)]
    if len(messages) < len(events):
        if limits.too_many_marks(context.sender, opponent.address):
            raise NotAllowed(sentence("marked-enough"), hints=("resume",), case=_MANY_MARKS)
    elif messages:
        _check_chat(context, GameView(game, seat), color, [one.text for one in messages])


def _check_chat(context: LetterContext, view: GameView, color: Color, words: Sequence[str]) -> None:
    limits, log = context.limits, context.unit.games.log(view.game.id)
    is_send = context.parsed.has_command(cmd.Send)
    if all(limits.were_passed_on(log, color, one, exactly=is_send) for one in words):
        raise NotAllowed(sentence("said-already"), case=_REPEATED_WORDS)
    period = limits.used_up_period(log, color, context.sender, view.opponent.address)
    if period == DAY:
        raise NotAllowed(sentence("talked-enough"), case=_MANY_WORDS_TODAY)
    if period:
        raise NotAllowed(sentence("talked-fast"), case=_MANY_WORDS_NOW)


def _tell_held_words(context: LetterContext, text: ParsedText, view: GameView) -> None:
    """Tell the sender which words were held, and what to reply."""
    never_began = view.game.black is None and view.game.phase.over
    if text.hold_reason is None or never_began:
        return
    if not context.limits.too_many(context.sender, limit=MAX_ANSWERS):
        unsent = held_words_data(text.held_words, view.game, context.now)
        context.queue(Kind.REFUSED, view, **_hold_reason_data(text.hold_reason, view), **unsent)


def _hold_reason_data(hold_reason: HoldReason, view: GameView) -> dict[str, Any]:
    """The data of a notice about held words: the reason, and lines that they may mean."""
    reason = hold_reason.answer
    if hold_reason.line:
        quoted = clean_quote(hold_reason.line)
        result = actions.words_result("words-held", "words-held-from-record", view, said=quoted)
        reason = join_sentences(result, reason)
    return {"reason": sentence_to_json(reason), "hints": [*hold_reason.hints]}


def _kept_files_data(context: LetterContext, view: GameView) -> dict[str, Any]:
    """The data of a notice that enclosed files are not passed on; {} if a recent one said so."""
    if not (context.letter.has_files and view.opponent.gets_email) or view.game.spec.teaching:
        return {}
    if any("files" in about for about in recent_reports(context, context.by)):
        return {}
    reason = sentence("files-kept", who=view.opponent.name)
    return {"files": True, "aside": {"reason": sentence_to_json(reason), "hints": []}}


def _confirm_words(context: LetterContext, text: ParsedText, view: GameView) -> None:
    """Confirm words that were passed on without a command, if the sender wants receipts."""
    texts = [one.command.text for one in text.commands if isinstance(one.command, cmd.Say)]
    if len(texts) < len(text.commands) or not (texts or text.message):
        return
    idle = view.awaits is None
    if idle and effective_preferences(context.unit, view.holder, view.game.id).receipts is False:
        return
    confirmed = context.limits.count_receipts(context.sender, context.by)
    limit = _MAX_CHAT_RECEIPTS if idle else MAX_ANSWERS
    if confirmed < limit:
        more: dict[str, Any] = {"sent": texts} if context.parsed.has_command(cmd.Send) else {}
        more |= {"last": True} if confirmed + 1 == limit else {}
        more |= _kept_files_data(context, view)
        context.queue(Kind.SHOW, view, words_only=True, **more)


# -- refusals ----------------------------------------------------------------------------------
def refuse(context: LetterContext, refusal: Refusal, view: GameView | None = None) -> bool:
    """Queue a refusal within its limit; returns False if the letter must be put off instead."""
    key, last = _refusal_key(context, refusal, view), list[str]()
    enough = (not key or refusal.case in _ABOUT_WORDS) and context.is_over_limit()
    if key:
        limit, within = _REFUSAL_LIMITS[refusal.case]
        times = context.limits.count_refusals(context.sender, key, by=context.by, within=within)
        enough = enough or (times >= limit and not context.was_held)
        last = [sentence("no-more-for-now")] if times + 1 == limit else []
    if enough:
        return context.trust is not Trust.OLD
    _queue_refusal(context, refusal, view, key, last)
    return True


def _refusal_key(context: LetterContext, refusal: Refusal, view: GameView | None) -> str:
    """The key under which a limited refusal counts; "" for any other."""
    case = refusal.case if refusal.case in _REFUSAL_LIMITS else ""
    if view is None or case not in _ABOUT_WORDS:
        return case
    return context.limits.key_of_words(case, context.sender, view.game, _words_of(context))


def refuse_wrong_token(context: LetterContext, refusal: Refusal) -> LetterOutcome:
    """Answer a token that we did not sign, without mentioning any game."""
    drop = context.trust is Trust.FAILED or context.letter.bulk
    if drop or context.is_over_limit():
        return LetterOutcome("ignored", detail="bad-token", wrong_token=True, retry=not drop)
    outcome = _refuse_unproven(context, refusal)
    if outcome.event == "refused":
        outcome = LetterOutcome("bad-token")
    return replace(outcome, wrong_token=True)


def _refuse_unproven(context: LetterContext, refusal: Refusal) -> LetterOutcome:
    """Refuse a letter without a good token, unless a refusal could reach somebody else."""
    detail, key = refusal.detail or type(refusal).__name__, reason_of(refusal)
    limits, sender = context.limits, context.sender
    is_limited = context.trust < Trust.OLD and limits.is_stranger(sender)
    if is_limited and limits.count_refusals(sender, key, by=context.by):
        return LetterOutcome("ignored", detail=f"said today already: {detail}")
    if found := limits.backscatter_reason(context.letter, context.parsed.lines, context.trust):
        return LetterOutcome("ignored", detail=found)
    _queue_refusal(context, refusal, None, key)
    return LetterOutcome("refused", detail=detail)


def _queue_refusal(
    context: LetterContext,
    refusal: Refusal,
    view: GameView | None,
    key: str,
    last: Sequence[str] = (),
) -> None:
    """Queue the letter with the reason of a refusal and the result of each line."""
    parsed, proven, reason = context.parsed, context.trust >= Trust.OLD, refusal.public
    hints = _possible_hints(context, refusal, view)
    is_near_miss = isinstance(reason, Sentence) and reason.key == NEAR_MISS
    if view is not None and is_near_miss and not hints:
        reason = _refusal_of_line(context, refusal.hints[0], view) or reason
    lines = actions.unread_results(parsed.lines, reason) if proven else []
    if parsed.commands and proven:
        lines = _refused_results(context, view)
    unsent = _unsent_words(context, refusal)
    if view is not None and isinstance(refusal, Unreadable):
        before = words_held_before(context, view.game, hints)
        unsent = before if unsent in before else f"{before}\n\n{unsent}".strip()
    if view is not None and view.color and unsent:
        log = context.unit.games.log(view.game.id)
        were_sent = context.limits.were_passed_on(log, view.color, unsent, exactly=True)
        unsent = "" if were_sent else unsent
    context.queue(
        Kind.REFUSED,
        view,
        reason=sentence_to_json(join_sentences(_unquoted_reason(context, reason), *last)),
        code=refusal.code,
        hints=hints,
        **actions.results_data(lines),
        **({"why": key} if key else {}),
        **(_offered_record(parsed) if view is None else {}),
        **(held_words_data(unsent, view.game, context.now, hints) if view is not None else {}),
    )


def _offered_record(parsed: ParsedLetter) -> dict[str, str]:
    """The record of a letter that asks for a game, kept for the answer to our offer."""
    written = format_sgf(parsed.record) if isinstance(parsed.record, Record) else ""
    return {"record": written} if 0 < len(written) <= _LONGEST_RECORD else {}


def _refusal_of_line(context: LetterContext, line: str, view: GameView) -> str:
    """Why the game would refuse a line now; "" if it would not."""
    try:
        _decide(context, parse_text([line]), view)
    except Refusal as refusal:
        return refusal.public
    return ""


def _unquoted_reason(context: LetterContext, reason: str) -> str:
    """The reason, without quotations if From may be forged: they may be a spammer's words."""
    if context.trust >= Trust.OLD:
        return reason
    if leads_elsewhere(" ".join(_QUOTED.findall(reason))):
        reason = sentence("not-repeated")
    return drop_quotes(reason) if context.limits.is_stranger(context.sender) else reason


def _possible_hints(context: LetterContext, refusal: Refusal, view: GameView | None) -> list[str]:
    """The hints that would work now, and the awaited answers; a stranger gets no links."""
    proven, hints = context.trust >= Trust.OLD, refusal.hints
    unread = isinstance(refusal, Unreadable) and not context.parsed.commands
    if proven and view is not None and unread:
        hints = tuple(dict.fromkeys((*hints, *awaited_lines(moment_of(view), view))))
    if isinstance(refusal, Unknown) and view is not None:
        # `invite Dave` is not about the opponent of this game.
        hints = tuple(hint for hint in hints if SOMEBODY not in hint)
    if not proven and context.limits.is_stranger(context.sender):
        hints = tuple(hint for hint in hints if not leads_elsewhere(hint) or "@" in hint)
    if view is not None:
        hints = tuple(hint for hint in hints if is_possible(view.game, view.seat, hint))
    return [_name_opponent(hint, view) for hint in hints]


def _unsent_words(context: LetterContext, refusal: Refusal) -> str:
    """The words of a refused letter, which `send` can still pass on."""
    parsed = context.parsed
    whole = isinstance(refusal, Unreadable) and refusal.case not in {*_REFUSAL_LIMITS} - {HELD}
    if parsed.text is None or (whole and not parsed.has_command(cmd.Send)):
        return _words_of(context)
    messages = (one.command.text for one in parsed.commands if isinstance(one.command, cmd.Say))
    below = _unreported_words_below(context)
    return clean_message("\n".join([*messages, parsed.text.message, below]).strip())


def _words_of(context: LetterContext) -> str:
    """All words of a letter, with those below a heading or a quotation."""
    return clean_message("\n".join([*context.parsed.lines, "", _unreported_words_below(context)]))


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
    line = hint.replace(SOMEBODY, view.opponent.name)
    return line if view.opponent.gets_email and is_command_line(line) else hint
