"""The meaning of an email at this moment: commands, words for the opponent, or a question back.

The same words mean one thing at each moment of a game: `yes` accepts an invitation, agrees to a
score that the opponent has agreed to, and is talk in the middle of a game. The decision table says
so. Raises `Unreadable` alone, with one-click replies.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from godaemon.errors import Stale, Unreadable
from godaemon.games import commands as cmd
from godaemon.games import events as ev
from godaemon.games.events import LogEntry
from godaemon.games.model import Revisions
from godaemon.games.notices import Kind
from godaemon.games.proposals import repeats
from godaemon.games.state import unseen
from mailgate.address import clean_quote
from mailgate.handling.context import LetterContext
from mailgate.handling.decision_table import AWAITED, Cell, GameMoment, asked_of, cell, moment_of
from mailgate.handling.offers import PlainWords, asked_back, known_topic, offers
from mailgate.handling.seated import Seated
from mailgate.language.consent import is_plain_yes, read_consent
from mailgate.language.grammar import is_polite, takes_back_all
from mailgate.language.meanings import Meaning, meanings
from mailgate.language.new_game import read_terms
from mailgate.language.opponent_words import clean_message
from mailgate.language.parser import ParsedCommand, ParsedText, Withheld, parse_text
from mailgate.language.statements import vertices
from mailgate.language.terms import terms_in
from mailgate.language.written_moves import normalize
from mailgate.letters.possible_lines import is_possible
from mailgate.reading.automatic_mail import promises_answer
from mailgate.reading.reply_trimming import fold_space

HELD = "words held"
"""The detail of a refusal that asks what words mean that were not passed on."""
UNSURE = "neither yes nor no"
"""The detail of a refusal that asks for a yes or a no once more."""
SURE_TALK = 0.85
"""Words are passed on where each sentence is talk with this share, at least."""
SURE_FOR_US = 0.05
"""Words that are talk by default are held where a sentence is talk with this share, at most."""
SURE_MEANT = 0.8
"""A line that only answers, or asks the opponent, is done from this share on."""
_CONSENTS = cmd.Yes | cmd.No | cmd.Agree
_SAID = {cmd.Yes: "yes", cmd.No: "no", cmd.Agree: "agree", cmd.Rematch: "rematch"}
_ASKED = (GameMoment.CONFIRM, GameMoment.INVITED, GameMoment.ASKED)
"""The moments in which our email asks for a yes or a no."""
_ONLY_WORDS = (Kind.CHAT,)
"""Letters that bring the opponent's words and nothing else."""


def meant_now(context: LetterContext, text: ParsedText, at: Seated) -> ParsedText:
    """An email's commands and words as they are meant now; raises what is asked back."""
    lines = context.parsed.lines
    moment = moment_of(at)
    commands = [one.command for one in text.commands]
    answers = _CONSENTS | cmd.Rematch if moment in _ASKED else _CONSENTS
    if all(isinstance(one, answers) for one in commands) or _of_a_count(text, moment):
        found = _answer(context, text, lines, moment, at) if lines else text
        return _beside_answer(found, moment, at) if found.commands and found.message else found
    return _held_below(text, at) if text.message else text


def _of_a_count(text: ParsedText, moment: GameMoment) -> bool:
    """True for what a sentence says of a count while nothing is counted: it is talk, then."""
    counts = cmd.Done | cmd.Resume | cmd.Mark
    said = all(isinstance(one.command, counts) and " " in one.line for one in text.commands)
    named = any(isinstance(one.command, cmd.Mark) and not one.within for one in text.commands)
    return said and not named and moment not in (GameMoment.COUNT, GameMoment.AGREED)


def _answer(
    context: LetterContext, text: ParsedText, lines: Sequence[str], moment: GameMoment, at: Seated
) -> ParsedText:
    """A letter that has no command but a yes or a no, if any: what that is, or what words are."""
    awaited, yes = AWAITED.get(moment), read_consent(lines, terms=not _repeats_terms(lines, at))
    answers = not _answers_words(context)  # else it may be the opponent who is answered
    if awaited and answers and yes is not None and (text.commands or not promises_answer(lines)):
        intent = "no" if not yes else _said(text) or "yes"
        if moment is GameMoment.AGREED and not is_plain_yes(lines):
            raise asked_back(_words(lines, at), moment, at, HELD)  # the game would be over
        if does := _does(cell(intent, moment), moment, at):
            return replace(_command(lines, does), message=_beside(text, lines))
    words = _words(lines, at)
    if moment is GameMoment.PROPOSED and text.commands:
        return text  # the game says what it waits for
    if moment in _ASKED and (text.commands or promises_answer(lines)):
        raise _asked_consent(words, moment, at)
    if text.commands and cell(_said(text) or "no", moment).passes:
        words = replace(words, read=_read(text.message, at) if text.message else [])
    return _of_words(context, words, moment, at)


def _repeats_terms(lines: Sequence[str], at: Seated) -> bool:
    """True where the terms that words name are those of the game, for the seat of their writer."""
    found = terms_in(" ".join(lines))
    return bool(found) and repeats(at.game.spec, dict(read_terms(found[0])), at.seat)


def _words(lines: Sequence[str], at: Seated) -> PlainWords:
    """A letter without a command, as words, of which a greeting means nothing."""
    return PlainWords(clean_message("\n".join(lines)), _read("\n".join(_plain(lines)), at))


def _read(words: str, at: Seated) -> list[tuple[str, Meaning]]:
    """The sentences of some words, and what each may mean; the names of the players are known."""
    players = (player.name for player in (at.game.player(seat) for seat in at.game.seats))
    names = [normalize(name) for name in players if name]
    return meanings(words, tuple(dict.fromkeys([*names, *(name.split()[0] for name in names)])))


def _said(text: ParsedText) -> str:
    """How a yes was said: `agree` says more than a yes in a count."""
    return next((_SAID.get(type(one.command), "") for one in text.commands), "")


def _does(found: Cell, moment: GameMoment, at: Seated) -> str:
    """The line that an answer comes to; "" where it is only offered."""
    if found.does != "yes" or moment is not GameMoment.ASKED:
        return found.does
    asked, game = asked_of(at), at.game
    said = (one for one in game.chat if one.color is not at.color)
    talked = any(one.move_number >= game.move_number for one in said)
    return "" if asked == "void" and talked else asked


def _command(lines: Sequence[str], line: str) -> ParsedText:
    """A letter as that line, of which its own first line stands for it."""
    first = clean_quote(next(filter(fold_space, lines), ""), 200)
    found = parse_text((line,)).commands
    return ParsedText(tuple(replace(one, line=first) for one in found), "")


def _beside(text: ParsedText, lines: Sequence[str]) -> str:
    """The words beside a yes or a no that are worth telling the opponent."""
    if text.commands:
        return text.message
    said = [line for line in lines if fold_space(line)]
    return "" if all(map(is_polite, said)) else clean_message("\n".join(lines))


def _plain(lines: Sequence[str]) -> list[str]:
    """The lines without a greeting on the first of several."""
    said = [line for line in lines if fold_space(line)]
    return said[1:] if len(said) > 1 and is_polite(said[0]) else said


def _asked_consent(words: PlainWords, moment: GameMoment, at: Seated) -> Unreadable:
    """For words in which no clear yes or no is found, where one was asked for."""
    back = asked_back(words, moment, at, UNSURE)
    first, second = [*AWAITED[moment], ""][:2]
    either = f"{first} or {second}" if second else first
    beside = " What you write below accept is passed on." if moment is GameMoment.INVITED else ""
    return Unreadable(
        f"I'm not sure whether “{words.quoted}” is a yes or a no, so nothing has changed. Please"
        f" reply {either}.{beside}",
        hints=back.hints,
        detail=UNSURE,
    )


# -- words alone -------------------------------------------------------------------------------
def _of_words(
    context: LetterContext, words: PlainWords, moment: GameMoment, at: Seated
) -> ParsedText:
    """Words without a command: passed on, done where that is beyond doubt, or asked back."""
    if not words.text:
        return ParsedText((), "")
    talks = cell("talk", moment).passes and _is_talk(context, words, moment)
    if talks:
        return ParsedText((), words.text)
    if line := _sure_line(words, moment, at):
        return replace(_command(words.text.split("\n"), line), held=words.text)
    topic = known_topic(words)
    if moment in _ASKED and (topic is None or topic.name in _SAID.values()):
        raise _asked_consent(words, moment, at)
    raise asked_back(words, moment, at, HELD)


def _is_talk(context: LetterContext, words: PlainWords, moment: GameMoment) -> bool:
    """True where words are surely for the opponent, or nothing says that they are not."""
    if words.private and not context.sends_words:
        return False
    if context.sends_words or (_answers_words(context) and moment not in AWAITED):
        return words.talk > SURE_FOR_US
    return words.talk >= SURE_TALK


def _answers_words(context: LetterContext) -> bool:
    """True for an answer to a letter that brought the opponent's words and nothing else."""
    notice = context.sent(next(iter(context.letter.references), ""))
    return notice is not None and notice.kind in _ONLY_WORDS


def _sure_line(words: PlainWords, moment: GameMoment, at: Seated) -> str:
    """The line that is done because the model is sure, and it harms nobody; "" for none."""
    meant, share = words.likeliest
    others = [one for _, one in words.read if one.first != meant and one.talk < SURE_TALK]
    doubted = bool(others) or takes_back_all(words.text.split("\n"))
    line = cell(meant, moment).sure if share >= SURE_MEANT and not doubted else ""
    return line if line and is_possible(at.game, at.seat, line) else ""


def _held_below(text: ParsedText, at: Seated) -> ParsedText:
    """The same with the words below its commands held back, where they are surely for us."""
    if at.game.black is None or any(isinstance(one.command, cmd.NewGame) for one in text.commands):
        return text
    read = _read(text.message, at)
    done = [one.line.casefold() for one in text.commands if one.within]
    left = [one for one in read if not _does_all(one[0].casefold(), done)]
    words = PlainWords(text.message, left)
    least = SURE_FOR_US if at.opponent.mailed else SURE_TALK  # a program reads no words
    return text if words.talk > least and not words.private else _held(text, at)


def _does_all(sentence: str, done: Sequence[str]) -> bool:
    """True for the sentence in which something was said that is done, and no other point."""
    return len(vertices(sentence)) <= 1 and any(line in sentence for line in done)


def _beside_answer(text: ParsedText, moment: GameMoment, at: Seated) -> ParsedText:
    """A yes or a no whose other words are private, or which nobody is there to read."""
    words = PlainWords(text.message, _read(text.message, at))
    agreed = any(isinstance(one.command, cmd.Yes) for one in text.commands)
    if moment is GameMoment.CONFIRM and agreed:
        if all(one.first in _SAID.values() for _, one in words.read):
            return replace(text, message="")  # `Yes, that was me!`
        answer = "words can be passed on once the game has begun."
        return replace(text, message="", held=text.message, kept=Withheld(words.quoted, answer))
    return _held(text, at) if words.private else text


def _held(text: ParsedText, at: Seated) -> ParsedText:
    """The same with its words held back, and what is offered for them."""
    words = PlainWords(text.message, _read(text.message, at))
    found = known_topic(words)
    answer = f"it seems to be meant for me. {found.text if found else ''}".strip()
    kept = Withheld(words.quoted, answer, offers(words, moment_of(at), at))
    return replace(text, message="", held=text.message, kept=kept)


# -- what came too late ------------------------------------------------------------------------
def refuse_lapsed(
    parsed_commands: Sequence[ParsedCommand],
    lines: Sequence[str],
    log: Sequence[LogEntry],
    at: Seated,
    seen: Revisions,
) -> None:
    """Raise `Stale` for a yes or a no to what is settled: a wish for a move back, an invitation."""
    answers = all(isinstance(one.command, _CONSENTS) for one in parsed_commands)
    game, color = at.game, at.color
    if not answers or (not parsed_commands and read_consent(lines) is None):
        return
    if color is None or game.spec.teaching or game.undo_asked is color.opponent:
        return
    events = [entry.event for entry in log]
    since = unseen(events, seen)
    if parsed_commands and any(isinstance(event, ev.Started) for event in since):
        raise Stale(
            "The game has begun already, so there is nothing to accept or decline any more. I have"
            " done nothing, and told nobody."
        )
    first = since[0] if since else None
    if not isinstance(first, ev.Moved | ev.Passed) or first.color != color.word:
        return
    before = events[: next(at for at, one in enumerate(events) if one is first)]
    for event in reversed(before):
        if isinstance(event, ev.Moved | ev.Passed | ev.Undone | ev.UndoRefused | ev.Placed):
            return
        if event == ev.UndoAsked(color.opponent.word):
            raise Stale(
                f"You have moved since {at.opponent.name} asked for a move back, so it"
                " stands: your answer comes too late. I have done nothing, and told nobody."
            )
