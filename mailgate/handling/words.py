"""The meaning of an email at this moment: commands, words for the opponent, or a question.

Words that are no command, and not surely talk, are held, and the lines that they may mean offered.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from godaemon.errors import Stale, Unreadable
from godaemon.games import commands as cmd
from godaemon.games import events as ev
from godaemon.games.awaited_decisions import Awaited
from godaemon.games.model import Uncounted
from godaemon.games.notices import Kind
from godaemon.games.proposals import repeats_terms
from godaemon.games.state import unseen_events
from godaemon.texts.catalogue import join_sentences, mentioned_language, own_name, told
from mailgate.address import clean_quote
from mailgate.handling.context import LetterContext
from mailgate.handling.decision_table import AWAITED, GameMoment, agreeing_line, cell, moment_of
from mailgate.handling.parsed_letter import has_command
from mailgate.handling.player_games import GameView
from mailgate.language.acting_statements import (
    has_retraction,
    is_plain_yes,
    is_polite,
    read_consent,
)
from mailgate.language.command_lines import whole_command
from mailgate.language.meaning_model import TALK, Meaning, meanings
from mailgate.language.new_game import read_terms
from mailgate.language.parser import ParsedText, Withheld, parse_text
from mailgate.language.statement_splitting import vertices
from mailgate.language.terms import addresses_in, terms_in
from mailgate.language.verb_table import Topic, topic, word_of_go
from mailgate.language.written_moves import normalize
from mailgate.language.written_times import vacation_in
from mailgate.letters.board_blocks import is_possible
from mailgate.letters.letter_data import MEANT_MOVE, WHICH_COUNT
from mailgate.reading.automatic_mail import promises_answer
from mailgate.reading.reply_trimming import fold_space
from mailgate.tokens import clean_message

MOST = 3  # lines that are offered, `send` apart
PRIVATE = 0.25  # probability of a note or a plan from which words are not passed on
_OWN = ("note", "plan")
KNOWN, LIKELY = 0.4, 0.08  # least probability of a meaning to explain its topic, to offer it


@dataclass(frozen=True, slots=True)
class PlainWords:
    """Words that are no command, by sentence, each with what it may mean."""

    text: str
    read: Sequence[tuple[str, Meaning]]

    @classmethod
    def from_text(cls, text: str) -> PlainWords:
        """Some words, each of their sentences with its meanings."""
        return cls(text, meanings(text))

    @property
    def talk(self) -> float:
        """How likely it is that all of it is for the opponent."""
        return min((one.talk for _, one in self.read), default=1.0)

    @property
    def private(self) -> bool:
        """True if a sentence may well be a plan or a note, which the opponent never reads."""
        shares = (one.likely for _, one in self.read)
        return any(sum(part for name, part in one if name in _OWN) >= PRIVATE for one in shares)

    @property
    def ranked_meanings(self) -> list[tuple[str, float]]:
        """The meanings for us, each with its greatest share in a sentence, the likeliest first."""
        found: dict[str, float] = {}
        for _, one in self.read:
            for name, share in one.for_us:
                found[name] = max(share, found.get(name, 0.0))
        return sorted(found.items(), key=lambda one: -one[1])

    @property
    def likeliest_meaning(self) -> tuple[str, float]:
        """The likeliest meaning for us, and its share; ("", 0.0) for words that only greet."""
        return next(iter(self.ranked_meanings), ("", 0.0))

    def likeliest_sentence(self, name: str) -> str:
        """The sentence that is most likely to have a meaning."""
        found = max(self.read, key=lambda one: dict(one[1].likely).get(name, 0.0), default=("",))
        return found[0]

    @property
    def quotation(self) -> str:
        """The sentence that is most likely meant for us, as we quote it."""
        found = min(self.read, key=lambda one: one[1].talk, default=(self.text,))
        return clean_quote(found[0])


def has_question_mark(said: str) -> bool:
    return not {*"?？"}.isdisjoint(said)


def find_topic(words: PlainWords) -> Topic | None:
    """The topic that the words are about, if the model is fairly sure of one."""
    name, share = words.likeliest_meaning
    if name in ("word", "rules") and (found := word_of_go(words.text)) is not None:
        return found
    return topic(name) if share >= KNOWN else None


def lines_to_offer(words: PlainWords, moment: GameMoment, view: GameView | None) -> tuple[str, ...]:
    """The lines that somebody may have meant, the likeliest first; at most `MOST`."""
    least = max(LIKELY, words.likeliest_meaning[1] / 4)  # what is sure leaves no room for guesses
    likely = [name for name, share in words.ranked_meanings[:MOST] if share >= least]
    if moment in (GameMoment.CONFIRM, GameMoment.INVITED) and terms_in(words.text):
        likely = ["counter", *likely]
    said = f"{words.likeliest_sentence('move')} {words.text}"
    points = view.moves_named(said) if view is not None else ()
    plays = not likely or likely[0] not in ("dead", "alive", "try", "plan", "advice")
    found = [*points[:2]] if points and plays else []
    void = view is not None and moment is GameMoment.ASKED and agreeing_line(view) == "void"
    awaited = ("void",) if void else AWAITED.get(moment, ())
    for name in likely:
        found += _fill_slots(cell(name, moment).lines, words, name, view)
    # If an answer is awaited, a yes or a no is offered only as that answer.
    apart = {*awaited, "yes", "no"} if awaited else set()
    own = [line for line in dict.fromkeys(found) if line not in apart]
    own = [line for line in own if view is None or is_possible(view.game, view.seat, line)]
    return (*own[: max(MOST - len(awaited), 1)], *awaited)


def _fill_slots(
    lines: Iterable[str], words: PlainWords, name: str, view: GameView | None
) -> list[str]:
    said, text = words.likeliest_sentence(name), words.text
    points = view.moves_named(said) if view is not None else vertices(said)
    opponents = [*addresses_in(text), *([view.opponent.address] if view is not None else [])]
    slots = {
        "{point}": next(iter(points), ""),
        "{points}": " ".join(vertices(said)),
        "{terms}": " ".join(terms_in(text)),
        "{opponent}": next(iter(opponents), ""),
        "{language}": own_name(language) if (language := mentioned_language(text)) else "",
        "{words}": clean_quote(said, 200),
    }
    found = list[str]()
    for line in lines:
        needed = [slot for slot in slots if slot in line]
        if all(slots[slot] for slot in needed):
            whole = _SLOT.sub(lambda slot: slots[slot[0]], line)
            found.append(vacation_in(text) if line == "vacation 2 weeks" else whole)
    return [part for line in found for part in _split_line(line)]


_SLOT = re.compile(r"\{\w+\}")


def _split_line(line: str) -> list[str]:
    """A line in its best form: `if A then B` in full, a long list of stones in pieces."""
    words = line.split()
    if words[:1] == ["if"] and len(words) == 3:
        return [f"if {words[1]} then {words[2]}"]
    command = whole_command(line)
    return [str(part) for part in command.parts] if isinstance(command, cmd.Mark) else [line]


def meaning_question(
    words: PlainWords, moment: GameMoment, view: GameView | None, detail: str
) -> Unreadable:
    """The question about held words, with lines that they may mean."""
    found = find_topic(words)
    name = found.name if found else ""
    if name in ("yes", "no", "agree") and AWAITED.get(moment) == ("done",):
        found = topic("done")
    said: str = told("unsure-what", said=words.quotation)
    if view is not None and (move := _meant_move(words, view)):
        return Unreadable(told(MEANT_MOVE, point=move), hints=(move,), detail=detail)
    if name in ("yes", "agree", "done") and view is not None and isinstance(view.seen, Uncounted):
        said = told(WHICH_COUNT)  # they answer the marks that our email proposed
    elif found is not None and found.key:
        said = found.sentence
    elif moment is GameMoment.PROPOSED and words.talk > KNOWN:
        said = told("once-begun")
    if view is not None and name == "who" and moment is GameMoment.INVITED:
        said = join_sentences(told("asked-to-invite", who=view.opponent.name), said)
    return Unreadable(said, hints=lines_to_offer(words, moment, view), detail=detail)


def _meant_move(words: PlainWords, view: GameView) -> str:
    """The move that the words may be: the one free point that they name, or a pass; else ""."""
    meant, named = words.likeliest_meaning[0], vertices(words.text)
    others = {one.first for _, one in words.read} - TALK - {meant}
    if view.awaits is not Awaited.TURN or words.private or others:
        return ""
    if meant == "pass":
        asked = has_question_mark(words.likeliest_sentence("pass"))
        return "" if named or asked else "pass"
    free = [*view.moves_named(words.text)]
    return named[0] if meant == "move" and free == named and len(named) == 1 else ""


# -- what words mean now --------------------------------------------------------------------------
HELD = "words held"  # refusal detail: we ask what words mean, and have not passed them on
UNSURE = "neither yes nor no"  # refusal detail: we ask for a yes or a no again
SURE_TALK = 0.85  # words are passed on if each sentence is talk with this probability
LIKELY_TALK = 0.5  # so are words after the end of a game that ask nothing
SURE_FOR_US = 0.05  # a sentence is surely for us if talk is no more probable than this
SURE_MEANT = 0.8  # a harmless line is carried out if its meaning is this probable
_CONSENTS = cmd.Yes | cmd.No | cmd.Agree
_WORDS = {cmd.Yes: "yes", cmd.No: "no", cmd.Agree: "agree", cmd.Rematch: "rematch"}
_ASKED = (GameMoment.CONFIRM, GameMoment.INVITED, GameMoment.ASKED)
"""The moments in which our email asks for a yes or a no."""


def meant_text(context: LetterContext, text: ParsedText, view: GameView) -> ParsedText:
    """An email's commands and words as they are meant now; raises a question as a `Refusal`."""
    email = _Email(context, text, view, moment_of(view))
    answers = _CONSENTS | cmd.Rematch if email.moment in _ASKED else _CONSENTS
    if all(isinstance(one.command, answers) for one in text.commands) or email.tells_of_count():
        found = email.read_answer() if context.parsed.lines else text
        both = found.commands and found.message
        return _hold_words_beside(found, email.moment, view) if both else found
    return _hold_words_below(text, view) if text.message else text


@dataclass(frozen=True, slots=True)
class _Email:
    """An email that has no command but a yes or a no, if any, at a moment of its writer's game."""

    context: LetterContext
    text: ParsedText
    view: GameView
    moment: GameMoment

    def tells_of_count(self) -> bool:
        """True if sentences mention `done` or marks while nothing is counted: that is talk."""
        counts, commands = cmd.Done | cmd.Resume | cmd.Mark, self.text.commands
        said = all(isinstance(one.command, counts) and " " in one.line for one in commands)
        named = any(isinstance(one.command, cmd.Mark) and not one.within for one in commands)
        return said and not named and self.moment not in (GameMoment.COUNT, GameMoment.AGREED)

    def read_answer(self) -> ParsedText:
        """The command that its yes or no stands for; else its words."""
        text, moment, view = self.text, self.moment, self.view
        lines = self.context.parsed.lines
        promises = not text.commands and promises_answer(lines)
        said = [line for line in lines if fold_space(line)]
        plain = said[1:] if len(said) > 1 and is_polite(said[0]) else said  # without a greeting
        words = PlainWords(clean_message("\n".join(lines)), _read_meanings("\n".join(plain), view))
        terms = [dict(read_terms(one)) for one in terms_in(" ".join(lines))[:1]]
        repeated = any(repeats_terms(view.game.spec, one, view.seat) for one in terms)
        unaddressed = [_strip_names(line, view) for line in lines]
        yes = read_consent(unaddressed, terms=not repeated)
        if moment in AWAITED and not (self._answers_words() or promises) and yes is not None:
            if moment is GameMoment.AGREED and not is_plain_yes(unaddressed):
                raise meaning_question(words, moment, view, HELD)  # this yes would end the game
            if does := self._line_to_do("no" if not yes else _consent_word(text) or "yes"):
                polite = all(map(is_polite, said))
                beside = text.message if text.commands else "" if polite else words.text
                return replace(_parse_command(lines, does), message=beside)
        if moment is GameMoment.PROPOSED and text.commands:
            return text  # the game says what it waits for
        if moment in _ASKED and (text.commands or promises):
            raise self._consent_question(words)
        if text.commands and cell(_consent_word(text) or "no", moment).passes:
            words = replace(words, read=_read_meanings(text.message, view) if text.message else [])
        return self._read_words(words)

    def _answers_words(self) -> bool:
        """True if it answers an email with the opponent's words, and may be meant for them."""
        notice = self.context.answered_notice
        return notice is not None and notice.kind is Kind.CHAT

    def _line_to_do(self, intent: str) -> str:
        found, game = cell(intent, self.moment).does, self.view.game
        if found != "yes" or self.moment is not GameMoment.ASKED:
            return found
        said = (one for one in game.chat if one.color is not self.view.color)
        talked = any(one.move_number >= game.move_number for one in said)
        asked = agreeing_line(self.view)
        return "" if asked == "void" and talked else asked

    def _consent_question(self, words: PlainWords) -> Unreadable:
        yes, no = AWAITED[self.moment]
        said: str = told("unsure-consent", said=words.quotation, yes=yes, no=no)
        if self.moment is GameMoment.INVITED:
            said = join_sentences(said, told("below-accept"))
        return Unreadable(said, hints=lines_to_offer(words, self.moment, self.view), detail=UNSURE)

    def _read_words(self, words: PlainWords) -> ParsedText:
        moment = self.moment
        if not words.text or (cell("talk", moment).passes and self._is_talk(words)):
            return ParsedText((), words.text)
        if line := self._sure_line(words):
            return replace(_parse_command(words.text.split("\n"), line), held_words=words.text)
        topic = find_topic(words)
        if moment in _ASKED and (topic is None or topic.name in _WORDS.values()):
            raise self._consent_question(words)
        raise meaning_question(words, moment, self.view, HELD)

    def _is_talk(self, words: PlainWords) -> bool:
        if self.context.unit.players.profile(self.context.sender).sends_words:
            return words.talk > SURE_FOR_US
        moves = dict(words.ranked_meanings).get("move", 0.0) > SURE_FOR_US
        if words.private or (moves and self.view.moves_named(words.text)):
            return False
        if self._answers_words() and self.moment not in AWAITED:
            return words.talk > SURE_FOR_US
        asks = has_question_mark(words.text) or vertices(words.text)
        after = self.moment is GameMoment.OVER and not asks
        return words.talk >= (LIKELY_TALK if after else SURE_TALK)

    def _sure_line(self, words: PlainWords) -> str:
        """The harmless line that the model is sure of; "" for none."""
        meant, share = words.likeliest_meaning
        others = any(one.first != meant and one.talk < SURE_TALK for _, one in words.read)
        doubted = others or share < SURE_MEANT or has_retraction(words.text.split("\n"))
        line = "" if doubted else cell(meant, self.moment).sure
        return line if line and is_possible(self.view.game, self.view.seat, line) else ""


def _read_meanings(words: str, view: GameView) -> list[tuple[str, Meaning]]:
    return meanings(words, tuple(map(normalize, _player_names(view))))


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
    found = parse_text((line,)).commands
    return ParsedText(tuple(replace(one, line=first) for one in found), "")


# -- words beside commands ---------------------------------------------------------------------
def _hold_words_below(text: ParsedText, view: GameView) -> ParsedText:
    """Hold the words below the commands back if they are surely for us."""
    if view.game.black is None or has_command(text.commands, cmd.NewGame):
        return text
    done = [one.line.casefold() for one in text.commands if one.within]
    # Leave out the sentences that were read as commands, unless they name another point.
    left = [
        one
        for one in _read_meanings(text.message, view)
        if len(vertices(one[0])) > 1 or not any(line in one[0].casefold() for line in done)
    ]
    words = PlainWords(text.message, left)
    least = SURE_FOR_US if view.opponent.mailed else SURE_TALK  # a program reads no words
    return text if words.talk > least and not words.private else _hold_words(text, view)


def _hold_words_beside(text: ParsedText, moment: GameMoment, view: GameView) -> ParsedText:
    """A yes or a no without private words, and without words that have no reader yet."""
    words = PlainWords(text.message, _read_meanings(text.message, view))
    if moment is GameMoment.CONFIRM and has_command(text.commands, cmd.Yes):
        if all(one.first in _WORDS.values() for _, one in words.read):
            return replace(text, message="")  # `Yes, that was me!`
        kept = Withheld("", told("once-begun"))
        return replace(text, message="", held_words=text.message, withheld=kept)
    return _hold_words(text, view) if words.private else text


def _hold_words(text: ParsedText, view: GameView) -> ParsedText:
    """Hold the words back, and offer the lines that they may mean."""
    words = PlainWords(text.message, _read_meanings(text.message, view))
    found = find_topic(words)
    answer = join_sentences(
        told("meant-for-me"), *([found.sentence] if found and found.key else [])
    )
    kept = Withheld(words.quotation, answer, lines_to_offer(words, moment_of(view), view))
    return replace(text, message="", held_words=text.message, withheld=kept)


# -- answers that came too late ----------------------------------------------------------------
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
        raise Stale(told("nothing-asked"))
    first = since[0] if since else None
    if not isinstance(first, ev.Moved | ev.Passed) or first.color != color.word:
        return
    before = events[: next(at for at, one in enumerate(events) if one is first)]
    settles = ev.Moved | ev.Passed | ev.Undone | ev.UndoRefused | ev.Placed
    asked = ev.UndoAsked(color.opponent.word)
    last = next((one for one in reversed(before) if isinstance(one, settles) or one == asked), None)
    if last == asked:
        raise Stale(told("undo-too-late", who=view.opponent.name))
