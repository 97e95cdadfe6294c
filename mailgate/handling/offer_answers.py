"""Answers to a question or an offer of ours, such as `send`, `yes please` or `the second one`."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from godaemon.errors import Refusal, Unreadable
from godaemon.games import commands as cmd
from godaemon.games.model import Game
from godaemon.games.notices import Kind, Notice
from godaemon.texts.catalogue import sentence
from mailgate.address import clean_quote
from mailgate.handling.actions import short_line
from mailgate.handling.context import LetterContext, old_letter_key
from mailgate.handling.decision_table import AWAITED, moment_of
from mailgate.handling.parsed_letter import has_command
from mailgate.handling.plain_words import PlainWords, counter_lines
from mailgate.handling.player_games import GameView
from mailgate.language.acting_statements import (
    has_retraction,
    has_vote,
    read_consent,
    read_statement,
    words_beside_yes,
)
from mailgate.language.command_lines import is_command_line
from mailgate.language.game_lines import game_lines
from mailgate.language.lexicon import IRREVERSIBLE, lexicon
from mailgate.language.meaning_model import meaning
from mailgate.language.parser import ParsedText, parse_text
from mailgate.language.statement_splitting import statements, vertices
from mailgate.language.terms import terms_in
from mailgate.letters.letter_data import asks_about_move
from mailgate.reading.reply_trimming import fold_space

NEWEST_ONLY = "held words are sent in answer to the newest email alone"  # case of a refusal
_HOLD_PERIOD = timedelta(days=30)  # how long held words can still be sent
_FRESHNESS = timedelta(hours=12)
KINDS_WITH_REPORT = (
    *(Kind.MOVED, Kind.SCORING_STARTED, Kind.RESUMED, Kind.UNDO, Kind.DONE, Kind.MARKS_CHANGED),
    *(Kind.IFS, Kind.NOTE),
)
"""Letters about a move or a mark that also report on the sender's words."""
_KINDS_WITH_HELD_WORDS = (Kind.REFUSED, Kind.HELP, Kind.SHOW, *KINDS_WITH_REPORT)
"""Kinds of letters that can have held words or kept files in their data."""
_MAX_CHARACTERS = 120  # characters; a longer letter is more than a yes or a choice


# -- held words --------------------------------------------------------------------------------
def held_words_data(
    words: str, game: Game, now: datetime, hints: Sequence[str] = ()
) -> dict[str, Any]:
    """Held words as data for a notice, with the first of its `hints` if they go along with it.

    {} if nobody could receive them.
    """
    line = next(filter(_CARRIERS.match, hints[:1]), "")
    found = PlainWords.from_text(words)
    asks_us = found.asks_us and not line.startswith("rematch")
    line = "" if line and (found.confidential or asks_us) else line
    unread = game.black is None and not line.startswith("accept")
    if not words or unread or any(game.player(seat).former for seat in game.seats):
        return {}
    data = {"unsent": words, "of": game.id, "at": now.isoformat(), "move": game.move_number}
    return data | ({"along": line} if line else {})


_CARRIERS = re.compile(r"(?:resign|undo|yes|no|accept|decline|rematch)\b")
"""Offered lines that held words go along with, besides a move."""
_ANSWERS = {cmd.Yes: ("yes", "accept"), cmd.No: ("no", "decline")}


def insert_held_words(context: LetterContext, text: ParsedText, view: GameView) -> ParsedText:
    """The text with held words in place of `send`, or beside the move that they were about."""
    game, by = view.game, (context.by, old_letter_key(context.sender))
    if not has_command(text.commands, cmd.Send):
        words = _held_words_of_line(context, text, game, by)
        return replace(text, message=f"{words}\n{text.message}".strip()) if words else text
    words = _last_held_words(context, game, by)
    if not words and _last_held_words(context, game, (context.sender,)):
        raise Unreadable(sentence("held-for-newest"), hints=("send",), case=NEWEST_ONLY)
    log, color = context.unit.games.log(game.id), view.color
    passed_on = color and words and context.limits.were_passed_on(log, color, words, exactly=True)
    if not words or passed_on:
        raise Unreadable(sentence("none-held"), hints=("say good luck!",))
    commands = tuple(
        replace(one, command=cmd.Say(words)) if isinstance(one.command, cmd.Send) else one
        for one in text.commands
    )
    return replace(text, commands=commands)


def _held_words_of_line(
    context: LetterContext, text: ParsedText, game: Game, by: Collection[str]
) -> str:
    """The held words that go along with a line, as the answered email said; else ""."""
    about = _answered_data(context, by)
    answers = cmd.Yes | cmd.No | cmd.Counter
    carriers = cmd.Play | cmd.Pass | cmd.Resign | cmd.Undo | cmd.Rematch | answers
    acts = [one for one in text.commands if isinstance(one.command, carriers)]
    lines = {line for one in acts for line in _ANSWERS.get(type(one.command), (short_line(one),))}
    offered = about["hints"] if asks_about_move(about) else [about.get("along", "")]
    # `accept` may follow an offer of `accept but komi 5.5`, and the other way round.
    verbs, own = {_first_verb([line]) for line in lines}, {_first_verb([one]) for one in offered}
    takes_along = not verbs.isdisjoint(own)
    return _unsent_words(about, game) if takes_along and text.hold_reason is None else ""


def words_held_before(context: LetterContext, game: Game, hints: Sequence[str]) -> str:
    """The words that go along with the line that the answered email offers, and `hints` again."""
    about = _answered_data(context, (context.by,))
    goes_along = "along" in about or asks_about_move(about)
    is_same = goes_along and _first_verb(about["hints"]) == _first_verb(hints)
    takes_back = has_retraction(context.parsed.lines)
    return _unsent_words(about, game) if is_same and not takes_back else ""


def _first_verb(lines: Sequence[str]) -> str:
    """The first word of the first line: a point for a move."""
    return lines[0].partition(" ")[0] if lines else ""


def _answered_data(context: LetterContext, by: Collection[str]) -> Mapping[str, Any]:
    """The data of the answered email, if it went to this sender; else {}."""
    answered = context.answered_notice
    own = answered is not None and answered.by in by and answered.to == context.sender
    return answered.about if answered and own else {}


def _last_held_words(context: LetterContext, game: Game, by: Collection[str]) -> str:
    if words := _unsent_words(_answered_data(context, by), game):
        return words
    reports = [about for address in by for about in recent_reports(context, address)]
    found = [about for about in reversed(reports) if _unsent_words(about, game)]
    if not found:
        return ""
    last = max(found, key=lambda about: str(about.get("at", "")))
    # Words held before the last moves are out of date, unless they were held `_FRESHNESS`.
    recent = str(last.get("at", "")) > (context.now - _FRESHNESS).isoformat()
    near = game.move_number <= int(last.get("move", 0)) + 1
    return _unsent_words(last, game) if near or recent else ""


def recent_reports(context: LetterContext, by: str) -> list[Mapping[str, Any]]:
    """The data of recent emails that may have told the sender of words or files we have kept."""
    kinds, recent = _KINDS_WITH_HELD_WORDS, context.limits.recent_notices
    return [one for kind in kinds for one in recent(kind, context.sender, _HOLD_PERIOD, by)]


def _unsent_words(about: Mapping[str, Any], game: Game) -> str:
    return str(about.get("unsent") or "") if about.get("of") == game.id else ""


# -- offers ------------------------------------------------------------------------------------
def take_up_offer(context: LetterContext, view: GameView | None = None) -> LetterContext:
    """The letter, with the line that it chooses from our offers in place of its own.

    An unclear choice becomes a question; without a choice the letter is unchanged.
    """
    lines = [line for line in context.parsed.lines if fold_space(line)]
    awaited = view is not None and moment_of(view) in AWAITED
    if awaited or not lines or len(" ".join(lines)) > _MAX_CHARACTERS:
        return _take_up_counter(context, view, lines) if view and awaited else context
    place, yes = _chosen_index(lines), _consent(lines)
    notice = None if place is None and yes is None else _answered_offer(context, view)
    if notice is None:
        return context
    hints = [hint for hint in notice.about.get("hints", ()) if not hint.startswith("say ")]
    if place is None:
        if not yes:
            return _replace_lines(context, "show") if view is not None else context
        hints = [hint for hint in hints if "example.org" not in hint]
        hints = hints or ["send"] * bool(notice.about.get("unsent"))
        if len(hints) == 1 and hints[0] in IRREVERSIBLE:
            return _ask_which(context, lines, hints)  # a yes is not enough to end a game
        place = 0 if len(hints) == 1 else len(hints)
    if not hints:
        return context
    chosen = place < len(hints)
    return _replace_lines(context, hints[place]) if chosen else _ask_which(context, lines, hints)


def _take_up_counter(context: LetterContext, view: GameView, lines: Sequence[str]) -> LetterContext:
    """The letter, with the other terms that the answered email offers if it is a yes to them.

    Any other yes to such an email becomes a question, because it may mean either terms.
    """
    notice, text = _answered_offer(context, view), " ".join(lines)
    hints: Sequence[str] = notice.about.get("hints", ()) if notice else ()
    counters = counter_lines(hints)
    yes = read_consent(lines, terms=False)
    if not counters or yes is False or any(map(_is_accept, lines)):
        return context
    if yes and len(counters) == 1 and {f"accept but {one}" for one in terms_in(text)} <= {*hints}:
        return _replace_lines(context, *counters)
    may_accept = any(map(has_vote, lines)) or meaning(text).first in ("yes", "agree")
    is_question = may_accept and not has_command(context.parsed.commands, cmd.Counter)
    return _ask_which(context, lines, hints) if is_question else context


def _is_accept(line: str) -> bool:
    return any(one.text == "accept" for one in statements(line))


def _consent(lines: Sequence[str]) -> bool | None:
    """True for a yes, False for a no, else None; the model may recognise a short yes."""
    found, words = read_consent(lines), " ".join(lines)
    names_more = vertices(words) or terms_in(words)
    if found is not None or len(words.split()) > _MAX_CONSENT_WORDS or names_more:
        return found
    return dict(meaning(words).likely).get("yes", 0.0) >= _SURE_YES or None


_MAX_CONSENT_WORDS, _SURE_YES = 5, 0.75


def asked_again(context: LetterContext, view: GameView, question: Unreadable) -> str:
    """The move or pass that the answered email asks about, if the question is the same; else "".

    `D4 is my seat` plays nothing: it may say why the point is no move.
    """
    notice = None if moment_of(view) in AWAITED else _answered_offer(context, view)
    hints = tuple(notice.about["hints"]) if notice and asks_about_move(notice.about) else ()
    parts = [one for line in context.parsed.lines for one in statements(line)]
    doubts = any(one.asks or lexicon().doubts_in(one.words) for one in parts)
    doubts = doubts or any(vertices(one.text) and not read_statement(one.text) for one in parts)
    return hints[0] if hints and hints == question.hints and not doubts else ""


def strip_game_number(context: LetterContext, view: GameView) -> LetterContext:
    """The letter without the number of its own game before a command: `1: show`."""
    lines = tuple(_strip_number(line, view.game.id) for line in context.parsed.lines)
    return context if lines == context.parsed.lines else _replace_lines(context, *lines)


def _strip_number(line: str, number: int) -> str:
    requests = game_lines([line])
    own = len(requests) == 1 and requests[0].game == number and requests[0].request in line
    return requests[0].request if own and is_command_line(requests[0].request) else line


def _chosen_index(lines: Sequence[str]) -> int | None:
    """The index of the offer that the words choose, -1 for the last; None for no choice."""
    texts = [one.text for line in lines for one in statements(line)]
    places = [at for at, words in enumerate(lexicon().choices) if {*texts} & words]
    return None if len(places) != 1 else (-1 if places[0] == 3 else places[0])


def _answered_offer(context: LetterContext, view: GameView | None) -> Notice | None:
    notice = context.answered_notice
    if notice is None or notice.kind not in (Kind.REFUSED, Kind.HELP):
        return None
    own = notice.to.casefold() in {context.sender.casefold(), context.address_of(view).casefold()}
    return notice if own and notice.game == (view.game.id if view else None) else None


def _ask_which(
    context: LetterContext, lines: Sequence[str], offers: Sequence[str]
) -> LetterContext:
    key = "send-the-line" if len(offers) == 1 else "which-of-these"
    reason = sentence(key, said=clean_quote(lines[0]))
    question = Unreadable(reason, hints=tuple(offers))
    return replace(context, parsed=replace(context.parsed, text=None, refusal=question, lines=()))


def _replace_lines(context: LetterContext, *lines: str) -> LetterContext:
    try:
        text = parse_text(lines)
    except Refusal:
        return context
    if has_command(text.commands, cmd.NewGame | cmd.Counter):
        text = replace(text, message=text.message or words_beside_yes(context.parsed.lines))
    return replace(context, parsed=replace(context.parsed, text=text, refusal=None, lines=lines))
