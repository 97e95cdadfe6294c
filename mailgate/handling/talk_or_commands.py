"""The meaning of an email at this moment: commands, talk for the opponent, or a question.

Words that are neither a command nor surely talk are held; we offer the lines that they may mean.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from godaemon.errors import Stale, Unreadable
from godaemon.games import commands as cmd
from godaemon.games import events as ev
from godaemon.games.notices import Kind
from godaemon.games.proposals import repeats_terms
from godaemon.games.state import unseen_events
from godaemon.texts.catalogue import join_sentences, sentence
from mailgate.address import clean_quote
from mailgate.handling.actions import short_line
from mailgate.handling.context import LetterContext
from mailgate.handling.decision_table import AWAITED, GameMoment, agreeing_line, cell, moment_of
from mailgate.handling.parsed_letter import has_command, writer_names
from mailgate.handling.plain_words import (
    KNOWN,
    LIKELY,
    PlainWords,
    counter_lines,
    find_topic,
    has_question_mark,
    lines_to_offer,
    meaning_question,
)
from mailgate.handling.player_games import GameView
from mailgate.handling.sure_lines import COMPATIBLE, SURE_TALK, find_sure_line
from mailgate.language.acting_statements import (
    is_plain_yes,
    is_polite,
    is_reassurance,
    read_consent,
)
from mailgate.language.closings import strip_signature
from mailgate.language.meaning_model import Meaning, meanings
from mailgate.language.new_game import read_terms
from mailgate.language.parser import HoldReason, ParsedText, parse_text
from mailgate.language.statement_splitting import vertices
from mailgate.language.terms import leaves_terms_open, terms_in
from mailgate.language.written_moves import normalize
from mailgate.reading.automatic_mail import promises_answer
from mailgate.reading.reply_trimming import fold_space
from mailgate.tokens import clean_message

HELD = "words held"  # case of a refusal: we ask for the meaning of held words
UNSURE = "neither yes nor no"  # case of a refusal: we ask for a yes or a no again
LIKELY_TALK = 0.5  # minimum probability of talk if nothing else is likely, or the game is over
SURE_FOR_US = 0.05  # a sentence is surely for us if talk is no more probable than this
_CONSENTS = cmd.Yes | cmd.No | cmd.Agree
_WORDS = {cmd.Yes: "yes", cmd.No: "no", cmd.Agree: "agree", cmd.Rematch: "rematch"}
_YES_OR_NO_MOMENTS = (GameMoment.CONFIRM, GameMoment.INVITED, GameMoment.ASKED)
"""The moments in which our email asks for a yes or a no."""


def meant_text(context: LetterContext, text: ParsedText, view: GameView) -> ParsedText:
    """The commands and words that an email means now; raises a `Refusal` to ask back."""
    email = _Email(context, text, view, moment_of(view))
    answers = _CONSENTS | cmd.Rematch if email.moment in AWAITED else _CONSENTS
    if email.moment is GameMoment.CONFIRM:
        answers |= cmd.Counter  # nobody was asked yet: we offer to propose these terms instead
    if email.moment is GameMoment.ASKED:
        answers |= cmd.Resume
        if view.color is not None and view.game.undo_asked is view.color.opponent:
            answers |= cmd.Undo  # `Sure, take it back` is about the opponent's move
    if all(isinstance(one.command, answers) for one in text.commands) or email.mentions_count():
        found = email.read_answer() if context.parsed.lines else text
        has_both = found.commands and found.message
        return _hold_words_beside(found, email.moment, view, email.names) if has_both else found
    return _hold_words_below(text, view, email.names) if text.message else text


@dataclass(frozen=True, slots=True)
class _Email:
    """An email without commands, or with a yes or a no alone, at a moment of its writer's game."""

    context: LetterContext
    text: ParsedText
    view: GameView
    moment: GameMoment

    @property
    def names(self) -> list[str]:
        return writer_names(self.context.letter)

    def mentions_count(self) -> bool:
        """True if sentences mention `done` or marks while nothing is counted: they are talk."""
        counts, commands = cmd.Done | cmd.Resume | cmd.Mark, self.text.commands
        prose = all(isinstance(one.command, counts) and " " in one.line for one in commands)
        marks = any(isinstance(one.command, cmd.Mark) and not one.within for one in commands)
        return prose and not marks and self.moment not in (GameMoment.COUNT, GameMoment.AGREED)

    def read_answer(self) -> ParsedText:
        """The command that its yes or no stands for, or else its words."""
        text, moment, lines = self.text, self.moment, self.context.parsed.lines
        body = [line for line in lines if fold_space(line)]
        plain = body[1:] if len(body) > 1 and is_polite(body[0]) else body  # without a greeting
        read = _read_meanings("\n".join(plain), self.view, self.names)
        message = clean_message("\n".join(lines))
        words = PlainWords(message, read, self.context.games.engines.easiest)
        promises = not text.commands and promises_answer(lines)
        if line := "" if promises else self._consent_line(words):
            beside = "" if all(map(is_polite, body)) else message
            rest = text.message if text.commands else beside
            return replace(_parse_command(lines, line), message=rest)
        if moment is GameMoment.PROPOSED and text.commands:
            return text  # the game refuses it, with the reason
        if moment in _YES_OR_NO_MOMENTS and (text.commands or promises):
            sure = None if promises else self._sure_text(words)
            if sure is None:
                raise self._consent_question(words)
            return replace(sure, message=text.message)
        if text.commands and cell(_consent_word(text) or "no", moment).passes:
            words = replace(words, read=_read_meanings(text.message, self.view, self.names))
        return self._read_words(words)

    def _consent_line(self, words: PlainWords) -> str:
        """The line for its yes or no; "" for neither. A yes that ends the game must be plain."""
        if self.moment not in AWAITED or self._answers_words():
            return ""
        lines, view = self.context.parsed.lines, self.view
        terms = [dict(read_terms(one)) for one in terms_in(" ".join(lines))[:1]]
        repeated = any(repeats_terms(view.game.spec, one, view.seat) for one in terms)
        repeated = repeated and not leaves_terms_open(" ".join(lines))
        without_names = [_strip_names(line, view) for line in lines]
        yes = read_consent(without_names, terms=not repeated)
        goes_on = has_command(self.text.commands, cmd.Resume)  # `Let's play on!`
        if goes_on and agreeing_line(view) == "void":
            yes = None if yes else False
        if yes is None:
            return ""
        if self.moment is GameMoment.AGREED and not is_plain_yes(without_names):
            raise meaning_question(words, self.moment, view, HELD)
        return self._line_to_do((_consent_word(self.text) or "yes") if yes else "no")

    def _answers_words(self) -> bool:
        """True if it answers an email with only the opponent's words."""
        notice = self.context.answered_notice
        return notice is not None and notice.kind is Kind.CHAT

    def _line_to_do(self, intent: str) -> str:
        found, game = cell(intent, self.moment).does, self.view.game
        if found == "done":
            return self._agreement()
        if found != "yes" or self.moment is not GameMoment.ASKED:
            return found
        chat = (one for one in game.chat if one.color is not self.view.color)
        has_chat = any(one.move_number >= game.move_number for one in chat)
        line = agreeing_line(self.view)
        return "" if line == "void" and has_chat else line

    def _agreement(self) -> str:
        """The lines that agree to the count as the answered email showed it; "" in doubt."""
        notice, game = self.context.answered_notice, self.view.game
        if game.voiding or game.public_asked:
            return ""  # a yes may answer that
        shown = notice is not None and notice.game == game.id
        return str(notice.about.get("agreement", "done")) if notice and shown else "done"

    def _consent_question(self, words: PlainWords) -> Unreadable:
        yes, no = AWAITED[self.moment]
        text: str = sentence("unsure-consent", said=words.quotation, yes=yes, no=no)
        lines = lines_to_offer(words, self.moment, self.view)
        text = sentence("terms-meant") if counter_lines(lines) else text
        if self.moment is GameMoment.INVITED:
            text = join_sentences(text, sentence("below-accept"))
        return Unreadable(text, hints=lines, case=UNSURE)

    def _read_words(self, words: PlainWords) -> ParsedText:
        moment = self.moment
        if not words.text or (cell("talk", moment).passes and self._is_talk(words)):
            return ParsedText((), words.text)
        if (sure := self._sure_text(words)) is not None:
            return sure
        topic = find_topic(words)
        meant = {topic.name, cell(topic.name, moment).sure} if topic else {"yes"}
        if moment in _YES_OR_NO_MOMENTS and not meant.isdisjoint(_WORDS.values()):
            raise self._consent_question(words)
        raise meaning_question(words, moment, self.view, HELD)

    def _sure_text(self, words: PlainWords) -> ParsedText | None:
        """The command that the words surely stand for, with the words for the opponent."""
        found = find_sure_line(words.text, _marked_names(self.view), self.moment, self.view)
        if found is None:
            return None
        line, sentence_found, goal = found
        line = self._agreement() if line == "done" else line
        if not line or (self._answers_words() and not goal.harmless):
            return None
        text = _parse_command([sentence_found], line)
        if goal.harmless and not has_command(text.commands, cmd.Undo):
            beside = [one for one, _ in words.read if one != sentence_found and not is_polite(one)]
            kept = HoldReason(clean_quote(sentence_found), sentence("meant-for-me"))
            reason = kept if beside and self.view.opponent.gets_email else None
            return replace(text, held_words=words.text, hold_reason=reason)
        return replace(text, message="" if is_plain_yes([words.text]) else words.text)

    def _is_talk(self, words: PlainWords) -> bool:
        if self.context.unit.players.profile(self.context.sender).sends_words:
            return words.talk > SURE_FOR_US
        says_done = has_command(self.text.commands, cmd.Done)  # by a pass, perhaps
        turn = self.moment is GameMoment.MINE
        if words.private or (turn and (says_done or self.view.named_moves(words.text))):
            return False
        if self._answers_words() and self.moment not in AWAITED:
            return words.talk > SURE_FOR_US
        if AWAITED.get(self.moment) == ("done",) and vertices(words.text):
            return False  # `Wait, F3 is alive`
        may_agree = is_polite if self.moment in _YES_OR_NO_MOMENTS else is_reassurance
        lines = [_strip_names(line, self.view) for line in words.text.splitlines()]
        if self.moment in AWAITED and all(map(may_agree, lines)):
            return False  # `No problem!` may be a yes
        asks_something = has_question_mark(words.text) or vertices(words.text)
        is_awaited = self.moment is GameMoment.MINE or self.moment in AWAITED
        nothing_else = words.likeliest_meaning[1] < LIKELY and not is_awaited
        is_likely = (nothing_else or self.moment is GameMoment.OVER) and not asks_something
        for_them = (self._share_for_them(one) for _, one in words.read)
        return min(for_them, default=1.0) >= (LIKELY_TALK if is_likely else SURE_TALK)

    def _share_for_them(self, meaning: Meaning) -> float:
        """The probability of talk, or of one meaning that is for the opponent at this moment."""
        name, share = meaning.likely[0]
        notice = self.context.answered_notice
        answers_us = notice is not None and notice.kind in (Kind.REFUSED, Kind.HELP)
        passes = cell(name, self.moment).passes and not answers_us
        return max(meaning.talk, share if passes else 0.0)


def _read_meanings(words: str, view: GameView, names: Sequence[str]) -> list[tuple[str, Meaning]]:
    """The meanings of the sentences above a signature; `names` are the writer's."""
    above = strip_signature(words.split("\n"), names)
    return meanings("\n".join(above), _marked_names(view))


def _marked_names(view: GameView) -> tuple[str, ...]:
    return tuple(map(normalize, _player_names(view)))


def _player_names(view: GameView) -> tuple[str, ...]:
    """The names of the players, and their first names."""
    names = [name for seat in view.game.seats if (name := view.game.player(seat).name)]
    return tuple(dict.fromkeys([*names, *(name.split()[0] for name in names)]))


def _strip_names(line: str, view: GameView) -> str:
    """A line without a player's name behind a comma: `Yes, well played, Anna!`."""
    names = "|".join(map(re.escape, _player_names(view)))
    return re.sub(rf",\s*(?:{names})(?!\w)", "", line, flags=re.IGNORECASE) if names else line


def _consent_word(text: ParsedText) -> str:
    return next((_WORDS.get(type(one.command), "") for one in text.commands), "")


def _parse_command(lines: Sequence[str], line: str) -> ParsedText:
    first = clean_quote(next(filter(fold_space, lines), ""), 200)
    found = parse_text(line.splitlines()).commands
    return ParsedText(tuple(replace(one, line=first, within=first) for one in found), "")


# -- words beside commands ---------------------------------------------------------------------
def _hold_words_below(text: ParsedText, view: GameView, names: Sequence[str]) -> ParsedText:
    """Hold the words below the commands back if they are surely for us."""
    if has_command(text.commands, cmd.NewGame | cmd.No):
        return text
    done = [one for one in text.commands if one.within]
    lines = [one.line.casefold() for one in done]
    own = {*map(short_line, done)}
    own_names = own.union(*(COMPATIBLE.get(line, ()) for line in own))
    # Leave out the sentences that were read as commands, unless they name another point.
    parts = [
        (part, meaning)
        for part, meaning in _read_meanings(text.message, view, names)
        if len(vertices(part)) > 1
        or not (meaning.first in own_names or any(line in part.casefold() for line in lines))
    ]
    if not parts and not has_command(text.commands, cmd.Action):
        return replace(text, message="")  # `I need help. How does this work?`
    words = PlainWords(text.message, parts)
    reads = view.opponent.gets_email  # a program reads no words
    least, moment = SURE_FOR_US if reads else SURE_TALK, moment_of(view)
    others = [one for _, one in parts if not (reads and _may_be_talk(one, moment))]
    passes = all(one.talk > least for one in others) and not words.private
    if passes:
        return text
    moves = has_command(text.commands, cmd.Play | cmd.Pass)
    return _hold_words(text, words, view, passes=reads and moves and not words.confidential)


def _may_be_talk(meaning: Meaning, moment: GameMoment) -> bool:
    """True for words beside a command that the model cannot tell, or that answer the opponent."""
    name, share = meaning.likely[0]
    return share < KNOWN or cell(name, moment).passes


def _hold_words_beside(
    text: ParsedText, moment: GameMoment, view: GameView, names: Sequence[str]
) -> ParsedText:
    """Hold the words beside a yes or a no if they are private or have no reader yet."""
    words = PlainWords(text.message, _read_meanings(text.message, view, names))
    if moment is GameMoment.CONFIRM and has_command(text.commands, cmd.Yes):
        if all(one.first in _WORDS.values() for _, one in words.read):
            return replace(text, message="")  # `Yes, that was me!`
        hold_reason = HoldReason("", sentence("once-begun"))
        return replace(text, message="", held_words=text.message, hold_reason=hold_reason)
    return _hold_words(text, words, view) if words.private else _hold_words_below(text, view, names)


def _hold_words(
    text: ParsedText, words: PlainWords, view: GameView, *, passes: bool = False
) -> ParsedText:
    """Hold the words back, unless they pass beside a move; offer the lines that they may mean."""
    found, said = find_topic(words), words.quotation
    answers = [found.sentence] if found and found.key else []
    lines = lines_to_offer(words, moment_of(view), view)
    if passes:
        reason = sentence("meant-for-me-too", who=view.opponent.name, said=said)
        return replace(text, hold_reason=HoldReason("", join_sentences(reason, *answers), lines))
    hold_reason = HoldReason(said, join_sentences(sentence("meant-for-me"), *answers), lines)
    return replace(text, message="", held_words=text.message, hold_reason=hold_reason)


# -- late answers ------------------------------------------------------------------------------
def refuse_lapsed_answer(context: LetterContext, view: GameView) -> None:
    """Raise `Stale` for a yes or no to a question that is settled: an undo or an invitation."""
    game, color, commands = view.game, view.color, context.parsed.commands
    if view.seen is None or view.seen == game.revisions or color is None or game.spec.teaching:
        return
    if game.undo_asked is color.opponent:
        return
    if not all(isinstance(one.command, _CONSENTS) for one in commands):
        return
    if not commands and read_consent(context.parsed.lines) is None:
        return
    events = [entry.event for entry in context.unit.games.log(game.id)]
    since = unseen_events(events, view.seen)
    if commands and any(isinstance(event, ev.Started) for event in since):
        raise Stale(sentence("nothing-asked"))
    first = since[0] if since else None
    if not isinstance(first, ev.Moved | ev.Passed) or first.color != color.word:
        return
    before = events[: next(at for at, one in enumerate(events) if one is first)]
    settles = ev.Moved | ev.Passed | ev.Undone | ev.UndoRefused | ev.Placed
    undo = ev.UndoAsked(color.opponent.word)
    last = next((one for one in reversed(before) if isinstance(one, settles) or one == undo), None)
    if last == undo:
        raise Stale(sentence("undo-too-late", who=view.opponent.name))
