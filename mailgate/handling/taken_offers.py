"""Offers taken up: `yes please` or `the second one`, in answer to an email that asks back.

Such a letter is read as the line that it takes up. Reads the outbox; raises nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from godaemon.errors import Refusal, Unreadable
from godaemon.games import commands as cmd
from godaemon.games.notices import Kind, Notice
from mailgate.address import clean_quote
from mailgate.handling.context import LetterContext
from mailgate.handling.decision_table import AWAITED, moment_of
from mailgate.handling.seated import Seated
from mailgate.language.consent import read_consent
from mailgate.language.lexicon import FOR_GOOD, lexicon
from mailgate.language.parser import parse_text
from mailgate.language.statements import statements
from mailgate.reading.reply_trimming import fold_space

_LONGEST = 120
"""Characters of words that are a yes, or a choice, and nothing else."""


def with_offer(context: LetterContext, at: Seated | None = None) -> LetterContext:
    """The same letter as the line that it takes up; itself, where it takes up none.

    A yes that may be to one of several lines asks which; a no leaves all as it is, and is shown it.
    """
    lines = [line for line in context.parsed.lines if fold_space(line)]
    if not lines or len(" ".join(lines)) > _LONGEST or (at and moment_of(at) in AWAITED):
        return context
    place, yes = _chosen(lines), read_consent(lines)
    if place is None and yes is None:
        return context
    notice = _answered(context, at)
    if notice is None:
        return context
    hints = [hint for hint in notice.about.get("hints", ()) if isinstance(hint, str)]
    if place is not None:
        return _place(context, lines, hints, place)
    if not yes:
        return _instead(context, "show") if at is not None else context
    return _taken(context, lines, [hint for hint in hints if "example.org" not in hint], notice)


def _chosen(lines: Sequence[str]) -> int | None:
    """The place of the offer that some words choose, from 0, or -1 for the last; None for none."""
    said = [one.text for line in lines for one in statements(line)]
    places = [at for at, words in enumerate(lexicon().choices) if {*said} & words]
    return None if len(places) != 1 else (-1 if places[0] == _LAST else places[0])


_LAST = 3


def _answered(context: LetterContext, at: Seated | None) -> Notice | None:
    """The email of ours in which we asked back what its reader, who wrote this letter, meant."""
    notice = context.sent(next(iter(context.letter.references), ""))
    if notice is None or notice.kind not in (Kind.REFUSED, Kind.HELP):
        return None
    mine = notice.to.casefold() in {context.sender.casefold(), context.whose(at).casefold()}
    return notice if mine and notice.game == (at.game.id if at else None) else None


def _place(
    context: LetterContext, lines: Sequence[str], hints: Sequence[str], place: int
) -> LetterContext:
    """The line in that place; which one, where there is no such place among several."""
    if hints and place < len(hints):
        return _instead(context, hints[place])
    return _asking_which(context, lines, hints) if hints else context


def _taken(
    context: LetterContext, lines: Sequence[str], offers: Sequence[str], notice: Notice
) -> LetterContext:
    """The one line that was offered; a mere yes ends no game."""
    if len(offers) == 1:
        return context if offers[0] in FOR_GOOD else _instead(context, offers[0])
    if offers:
        return _asking_which(context, lines, offers)
    return _instead(context, "send") if notice.about.get("unsent") else context


def _asking_which(
    context: LetterContext, lines: Sequence[str], offers: Sequence[str]
) -> LetterContext:
    which = Unreadable(
        f"Which of these do you mean by “{clean_quote(lines[0])}”? Nothing has changed.",
        hints=tuple(offers),
    )
    return replace(context, parsed=replace(context.parsed, text=None, refusal=which, lines=()))


def _instead(context: LetterContext, line: str) -> LetterContext:
    """The same letter with that line as all that it says."""
    try:
        text = parse_text((line,))
    except Refusal:
        return context
    if any(isinstance(one.command, cmd.Say) for one in text.commands):
        return context
    return replace(context, parsed=replace(context.parsed, text=text, refusal=None, lines=(line,)))
