"""Letters without a good token: they change no game, but are answered with the game's letter."""

import re
from collections.abc import Sequence
from typing import Any, get_args

from godaemon.errors import Refusal, Unreadable
from godaemon.games import commands as cmd
from godaemon.games.model import Phase
from godaemon.games.notices import Kind
from godaemon.texts.catalogue import sentence, sentence_pattern, sentence_to_json
from mailgate.handling import actions, queries
from mailgate.handling.answer_limits import asks_to_begin
from mailgate.handling.context import LetterContext, LetterOutcome
from mailgate.handling.games_in_words import read_command
from mailgate.handling.plain_words import DRASTIC, PlainWords, find_topic
from mailgate.handling.player_games import (
    GameView,
    games_by_name,
    last_ended_game,
    likely_games,
    open_games,
)
from mailgate.handling.talk_or_commands import meant_text
from mailgate.handling.trust import UNPROVEN
from mailgate.language.game_lines import game_lines
from mailgate.language.parser import ParsedCommand, ParsedText
from mailgate.links import leads_elsewhere

_TITLE = re.compile(rf"(?i)\b(?:{sentence_pattern('subject-game')}) ?(\d{{1,9}})(?!\d)")
"""The game's number in the subject of our emails, in each language."""
_QUERIES = (cmd.Show, cmd.Describe, cmd.Sgf, cmd.Kifu, cmd.Gif, cmd.Help, cmd.History, cmd.Learn)
_Command = tuple[int | None, ParsedCommand]
_FREE_TEXT_COMMANDS = (cmd.Say, cmd.Note, cmd.Relocate, cmd.Propose)
"""Commands with free text or addresses, which a stranger may have written."""


def answer_without_token(context: LetterContext, refusal: Refusal) -> LetterOutcome | None:
    """Answer a refused letter that is about a game; None if the refusal is the answer."""
    parsed = context.parsed
    if not isinstance(refusal, Unreadable) or asks_to_begin(parsed.lines, parsed.letter.subject):
        return None
    stranger = context.limits.is_stranger(context.sender)
    games = open_games(context.games, context.sender)
    words = parsed.text and not parsed.commands
    if refusal.case == UNPROVEN or (stranger and not (games or words)):
        return None
    if found := context.limits.backscatter_reason(parsed.letter, parsed.lines, context.trust):
        return LetterOutcome("ignored", detail=found)
    if games or not stranger:
        return _answer_about_games(context, refusal, games)
    return _answer_newcomer(context)


def _answer_newcomer(context: LetterContext) -> LetterOutcome:
    program = context.games.engines.easiest
    found = find_topic(PlainWords.from_text("\n".join(context.parsed.lines), program))
    if found is not None and found.name == "learn":
        queries.send_lesson(context, cmd.Learn())
        return LetterOutcome("accepted", detail="a lesson for a newcomer")
    if _are_all(commands := read_commands(context), cmd.Help):
        return _give_help(context, commands)
    leaves = found is not None and found.name in DRASTIC
    if not (leaves and queries.send_topic(context, context.parsed.lines)):
        topics: dict[str, Any] = {"more": [found.name]} if found and found.text else {}
        context.queue(Kind.HELP, engines=context.games.engines.help_rows, **topics)
    return LetterOutcome("accepted", detail="help for a newcomer")


def _answer_about_games(
    context: LetterContext, refusal: Refusal, games: Sequence[GameView]
) -> LetterOutcome:
    commands, parser_refusal = read_commands(context), context.parsed.refusal
    only_looks = _are_all(commands, *_QUERIES)
    if only_looks and not games:
        games = last_ended_game(context.games, context.sender)
    found = _find_games(games, commands, context.letter.subject)
    if len(found) == 1:
        return _answer_about_game(context, refusal, found[0], [read for _, read in commands])
    if _are_all(commands, cmd.Help, cmd.Learn):
        return _give_help(context, commands)
    if not commands and not parser_refusal and queries.send_topic(context, context.parsed.lines):
        return LetterOutcome("accepted", detail="help")
    acts = [read for _, read in commands]
    if parser_refusal:
        acts = [*filter(None, map(read_command, refusal.hints))]
    lines = {one.game.id: _short_lines(_possible_commands(context, one, acts)[0]) for one in found}
    question = sentence("which-of-yours") if commands and len(found) > 1 else ""
    news = sentence_to_json(_safe_reason(refusal) if parser_refusal else question)
    context = context.without_commands()
    queries.list_games(context, lines_by_game=lines, news=news, fresh=not only_looks)
    return LetterOutcome("refused", detail="no token, and several games")


def _give_help(context: LetterContext, commands: Sequence[_Command]) -> LetterOutcome:
    text = ParsedText(tuple(read for _, read in commands), "")
    queries.give_answers(queries.prepare_answers(context, text))
    return LetterOutcome("accepted", detail="help")


def read_commands(context: LetterContext) -> list[_Command]:
    lines, names = context.parsed.lines, games_by_name(context.games, context.sender)
    if not lines:
        return [(None, one) for one in context.parsed.commands]
    parsed = ((line.game, read_command(line.request)) for line in game_lines(lines, names))
    return [(game, one) for game, one in parsed if one is not None]


def _are_all(commands: Sequence[_Command], *kinds: type) -> bool:
    return bool(commands) and all(isinstance(read.command, kinds) for _, read in commands)


def _short_lines(commands: Sequence[ParsedCommand]) -> list[str]:
    return [*map(actions.short_line, commands)]


def _find_games(
    games: Sequence[GameView], commands: Sequence[_Command], subject: str
) -> list[GameView]:
    known = {one.game.id: one for one in games}
    titled = {int(number) for number in _TITLE.findall(subject[:300])}
    numbers = ({game for game, _ in commands} & set(known)) or (titled & set(known))
    waits = {number: one.awaits for number, one in known.items()}
    first = commands[0][1].command if commands else None
    return [known[number] for number in numbers or likely_games(waits, first) if number in known]


def _answer_about_game(
    context: LetterContext, refusal: Refusal, view: GameView, commands: Sequence[ParsedCommand]
) -> LetterOutcome:
    game, word, to, text = view.game, view.word, view.holder, context.parsed.text
    if context.is_over_limit(to=to):
        return LetterOutcome("ignored", game.id, word, "too many", retry=True)
    try:
        if text is not None and context.parsed.lines and len(commands) == len(text.commands):
            current = meant_text(context, text, view).commands
            if current != text.commands:
                commands = [*filter(None, map(read_command, _short_lines(current)))]
    except Refusal as question:
        if game.phase is not Phase.PROPOSED:  # there the letter itself asks for a yes or a no
            _queue_refusal(context, view, question)
            return LetterOutcome("refused", game.id, word, "asked back")
    possible, first_refusal = _possible_commands(context, view, commands)
    if possible and possible == commands and all(isinstance(x.command, _QUERIES) for x in possible):
        shown = ParsedText(tuple(possible), "")
        queries.give_answers(queries.prepare_answers(context, shown, view))
        return LetterOutcome("accepted", game.id, word, "shown")
    if not possible and (first_refusal or context.parsed.refusal):
        _queue_refusal(context, view, first_refusal or refusal)
    else:
        context.without_commands().queue(Kind.SHOW, view, to=to, meant=_short_lines(possible))
    return LetterOutcome("refused", game.id, word, "no token")


def _possible_commands(
    context: LetterContext, view: GameView, commands: Sequence[ParsedCommand]
) -> tuple[list[ParsedCommand], Refusal | None]:
    """The commands that are possible now, and the refusal of the first one that is not."""
    found, first_refusal = list[ParsedCommand](), None
    for read in commands:
        if isinstance(read.command, _FREE_TEXT_COMMANDS) or leads_elsewhere(read.line):
            continue
        try:
            actions.check_colors([read], view)
            if isinstance(read.command, get_args(cmd.Action)):
                context.games.decide(view.game.id, view.seat, [read.command], context.caller)
            else:
                queries.prepare_answers(context, ParsedText((read,), ""), view)
            found.append(read)
        except Refusal as refusal:
            first_refusal = first_refusal or refusal
    return found, first_refusal


def _queue_refusal(context: LetterContext, view: GameView, refusal: Refusal) -> None:
    reason, hints = sentence_to_json(_safe_reason(refusal)), [*refusal.hints]
    context.queue(Kind.REFUSED, view, to=view.holder, reason=reason, code=refusal.code, hints=hints)


def _safe_reason(refusal: Refusal) -> str:
    """The reason, unless it quotes a link."""
    return sentence("not-repeated") if leads_elsewhere(refusal.public) else refusal.public
