"""Offers taken up: `yes please` or `the second one`, in answer to an email that asks back.

Who is asked what they mean says yes to it, as to anybody: such a letter is read as the one line
that it takes up of those that were offered. Reads the outbox; raises nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from godaemon.errors import Refusal, Unreadable
from godaemon.games import commands as cmd
from godaemon.games.model import Phase
from godaemon.games.notices import Kind, Notice
from mailgate.address import clean_quote
from mailgate.handling.consent_answers import consent_choices
from mailgate.handling.context import LetterContext
from mailgate.handling.moment import asked_of
from mailgate.handling.seated import Seated
from mailgate.handling.void_answers import void_asked
from mailgate.language.consent import (
    begins_with_yes,
    chosen,
    grants,
    read_consent,
    sends_words,
    takes_up,
)
from mailgate.language.parser import parse_text
from mailgate.language.questions import topic_named
from mailgate.language.talk import statements, vertices
from mailgate.reading.reply_trimming import fold_space
from mailgate.word_sets import words_of

_LONGEST = 120
"""So many characters of words are a yes, or a choice, and nothing else."""


def with_offer(context: LetterContext, at: Seated | None = None) -> LetterContext:
    """The same letter as the line that it takes up; itself, where it takes up none.

    A yes that may be to one of several lines asks which; a no leaves all as it is, and is shown it.
    """
    lines = [line for line in context.parsed.lines if fold_space(line)]
    long = len(" ".join(lines)) > _LONGEST
    if not lines or long or _is_asked(at) or not _may_take(lines):
        return context
    notice = _answered(context, at)
    return context if notice is None else _read(context, lines, notice, at)


def _may_take(lines: Sequence[str]) -> bool:
    """True for what may take something up, or turn it down; few letters are looked up for it."""
    declines = read_consent(lines) is False
    return declines or chosen(lines) is not None or begins_with_yes(lines) or grants(lines)


def _read(
    context: LetterContext, lines: Sequence[str], notice: Notice, at: Seated | None
) -> LetterContext:
    if read_consent(lines) is False:
        return _instead(context, "show") if at is not None else context
    if notice.kind is Kind.HELP:
        return _heard(context, lines, notice, at)
    hints = [hint for hint in notice.about.get("hints", ()) if isinstance(hint, str)]
    place = chosen(lines)
    if place is not None:
        return _chosen(context, lines, hints, place, at)
    return _taken(context, lines, _offered(hints, notice), notice, at)


def _is_asked(at: Seated | None) -> bool:
    """True where a yes or a no is awaited already, by us or by the other player."""
    return at is not None and bool(consent_choices(at) or asked_of(at) or void_asked(at))


def _answered(context: LetterContext, at: Seated | None) -> Notice | None:
    """The email of ours in which we asked back what its reader, who wrote this letter, meant."""
    notice = context.sent(next(iter(context.letter.references), ""))
    if notice is None or notice.kind not in (Kind.REFUSED, Kind.HELP):
        return None
    mine = notice.to.casefold() in {context.sender.casefold(), context.whose(at).casefold()}
    return notice if mine and notice.game == (at.game.id if at else None) else None


def _taken(
    context: LetterContext,
    lines: Sequence[str],
    offers: Sequence[str],
    notice: Notice,
    at: Seated | None,
) -> LetterContext:
    # Who only says `ok` has read it; that ends no game, and sends no words that were held back.
    said = statements(lines[0])
    noted = not said or said[0].words[0] in _NOTES
    sends = ("send",) if sends_words(lines) and notice.about.get("unsent") else ()
    if not takes_up(lines, offers[0] if len(offers) == 1 else ""):
        return context
    if len(offers) == 1:
        line = "show" if noted and offers[0] in _FOR_GOOD else offers[0]
        return _instead(context, line, *sends)
    if not offers and notice.about.get("unsent"):
        return _instead(context, "show" if noted else "send")
    if not offers or (at is not None and at.game.phase is not Phase.PLAYING):
        return context
    return _asking_which(context, lines, offers)


def _chosen(
    context: LetterContext,
    lines: Sequence[str],
    hints: Sequence[str],
    place: int,
    at: Seated | None,
) -> LetterContext:
    """The line in that place; which one, where there is no such place among several."""
    if -1 <= place < len(hints) and hints:
        return _instead(context, hints[place])
    if len(hints) > 1:
        return _asking_which(context, lines, hints)
    return _instead(context, "show") if hints and at is not None else context


def _asking_which(
    context: LetterContext, lines: Sequence[str], offers: Sequence[str]
) -> LetterContext:
    which = Unreadable(
        f"I am not sure which of these “{clean_quote(lines[0])}” means, so I have done nothing"
        " and told nobody.",
        hints=tuple(offers),
    )
    return replace(context, parsed=replace(context.parsed, text=None, refusal=which, lines=()))


_NOTES = words_of("ok okay fine thanks thx alright right good great noted")
"""With these words a letter is answered that nothing is done about."""
_FOR_GOOD = ("resign", "void")


def _heard(
    context: LetterContext, lines: Sequence[str], notice: Notice, at: Seated | None
) -> LetterContext:
    """A yes to what we have explained: to the one thing that is offered beside it, if any."""
    if not takes_up(lines):
        return context
    topic = topic_named(str(notice.about.get("topic", "")))
    shows = [hint for hint in topic.hints if isinstance(_command(hint), _SHOWS)] if topic else []
    if len(shows) == 1 and statements(lines[0])[0].words[0] not in _NOTES:
        return _instead(context, shows[0])
    return _instead(context, "show") if at is not None else context


def _instead(context: LetterContext, *lines: str) -> LetterContext:
    """The same letter with those lines as all that it says."""
    try:
        text = parse_text(lines)
    except Refusal:
        return context
    return replace(context, parsed=replace(context.parsed, text=text, refusal=None, lines=lines))


def _offered(hints: Sequence[str], notice: Notice) -> list[str]:
    """What a yes may be to: what does something, and is made from the words that we asked about.

    Where nothing does anything, the one line that would show something is.
    """
    words = str(notice.about.get("unsent", ""))
    read = {hint: command for hint in hints if (command := _command(hint)) is not None}
    acts = [hint for hint, one in read.items() if not isinstance(one, _SHOWS)]
    shows = [hint for hint, one in read.items() if isinstance(one, _SHOWS)]
    if not acts and len(shows) == 1:
        return shows
    return [hint for hint in acts if _is_meant(hint, read[hint], words)]


def _command(hint: str) -> cmd.Command | None:
    with suppress(Refusal):
        commands = parse_text((hint,)).commands
        return commands[0].command if len(commands) == 1 else None
    return None


def _is_meant(hint: str, command: cmd.Command, words: str) -> bool:
    """True for a line that holds what some words do, and not an example's own."""
    if "example.org" in hint:
        return False
    if isinstance(command, cmd.If):
        return {*vertices(hint)} <= {*vertices(words)}
    if not isinstance(command, _WORDED):
        return True
    said = fold_space(hint.partition(" ")[2]).casefold()
    return said in fold_space(words).casefold()


_SHOWS = (
    *(cmd.Show, cmd.Describe, cmd.Sgf, cmd.Kifu, cmd.Games, cmd.Help, cmd.Learn, cmd.History),
    *(cmd.Challenges, cmd.Players, cmd.Watch, cmd.ShowSettings, cmd.Estimate, cmd.Review),
)
"""What only shows something."""
_WORDED = cmd.Say | cmd.Note | cmd.Name | cmd.IAm
"""What holds words of its writer's own."""
