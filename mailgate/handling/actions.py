"""The commands of a letter that act on its game, and the result of each line."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from godaemon.errors import Unreadable
from godaemon.games import commands as cmd
from godaemon.games.model import Phase
from godaemon.games.people import find_by_name, person
from godaemon.texts.catalogue import Sentence, sentence, sentence_to_json
from mailgate.address import clean_quote
from mailgate.handling.parsed_letter import has_command
from mailgate.handling.player_games import GameView
from mailgate.language.acting_statements import is_greeting
from mailgate.language.command_lines import is_command_line
from mailgate.language.parser import MAX_COMMANDS, ParsedCommand, ParsedText
from mailgate.reading.reply_trimming import fold_space

Line = tuple[str, Sentence]  # a line as written, and its result
_IN_A_WORD = {"pass", "undo", "resign", "done", "resume", "yes", "no", "void", "withdraw"}


def acts_on_game(text: ParsedText) -> bool:
    return has_command(text.commands, cmd.Action, cmd.Send, cmd.Agree)


def lists_results(text: ParsedText) -> bool:
    """True if a query's answer also lists the result of each command."""
    unlisted = cmd.Branch | cmd.Relocate | cmd.Forget
    queries = [one.command for one in text.commands if isinstance(one.command, cmd.Query)]
    return any(not isinstance(one, unlisted) for one in queries)


def game_actions(text: ParsedText, view: GameView) -> tuple[cmd.Action, ...]:
    """The commands that act on the game; the words for the opponent come last."""
    game = view.game
    acts = tuple(one.command for one in text.commands if isinstance(one.command, cmd.Action))
    if has_command(text.commands, cmd.Counter):  # the words go with the terms
        words = text.message
        return tuple(replace(x, words=words) if isinstance(x, cmd.Counter) else x for x in acts)
    proposed = game.phase is Phase.PROPOSED
    if proposed and cmd.No() in acts:
        return (cmd.No(text.message),)
    if proposed and any(_declines_proposal(one.command, view) for one in text.commands):
        return (*acts, cmd.No(blocking=True))
    if not text.message or has_command(text.commands, cmd.NewGame):
        return acts  # the words go with the proposal
    passes = (not proposed or cmd.Yes() in acts) and (game.confirmed or not proposed or not acts)
    return (*acts, cmd.Say(text.message)) if passes or not text.commands else acts


def _declines_proposal(command: cmd.Command, view: GameView) -> bool:
    """True if the command also declines a proposal: `block` of its proposer, or `stop`."""
    if not isinstance(command, cmd.Block):
        return isinstance(command, cmd.Stop) and view.awaits is not None
    target, spec, other = command.whom, view.game.spec, view.opponent
    if "@" in target:  # must not confirm an address that the player does not know
        return not (spec.named or spec.open) and person(target) == person(other.address)
    return not target or bool(find_by_name(target, (), [other]))


def command_names(text: ParsedText) -> str:
    return ", ".join(cmd.log_text(one.command) for one in text.commands) or "say"


# -- results -----------------------------------------------------------------------------------
def results_data(lines: Sequence[Line]) -> dict[str, Any]:
    """Lines and results as JSON values of a notice."""
    return {
        "lines": [line for line, _ in lines],
        "results": [sentence_to_json(result) for _, result in lines],
    }


def check_colors(commands: Sequence[ParsedCommand], view: GameView) -> None:
    """Raise `Unreadable` for a line that names a colour other than the sender's."""
    game = view.game
    own_color = game.to_move if game.spec.teaching else view.color
    for one in commands:
        if own_color is not None and one.color not in (None, own_color):
            colors = {"said": sentence(own_color.opponent.word), "color": sentence(own_color.word)}
            key = "about-other-turn" if game.spec.teaching else "about-other-color"
            raise Unreadable(sentence(key, line=one.line, **colors), hints=(short_line(one),))


def short_line(one: ParsedCommand) -> str:
    """A command in one word, if possible."""
    if isinstance(one.command, cmd.Play):
        return str(one.command.point)
    if isinstance(one.command, cmd.Stop):
        return "stop all" if one.command.everywhere else "stop"
    if isinstance(one.command, cmd.CancelIfs):
        return "cancel ifs"
    name = cmd.log_text(one.command)
    return name if name in _IN_A_WORD else one.line


def unread_results(lines: Sequence[str], reason: str) -> list[Line]:
    """Lines and results of an unreadable letter, down to the first line of talk."""
    results: list[Line] = []
    written = [line for line in lines if fold_space(line)]
    if written[1:] and is_greeting(written[0]):
        written = written[1:]
    for line in written[:MAX_COMMANDS]:
        quoted = clean_quote(line, 200)
        if not is_command_line(line):
            below = any(f"“{command}”" in reason for command, _ in results)
            return [*results, (quoted, sentence("result-words" if below else "result-unread"))]
        results.append((quoted, sentence("result-not-done")))
    return results


def refused_results(commands: Sequence[ParsedCommand], reason: ParsedCommand | None) -> list[Line]:
    key = {id(reason): "result-refused"}
    return [
        (one.within or one.line, sentence(key.get(id(one), "result-not-done"))) for one in commands
    ]


def accepted_results(text: ParsedText, view: GameView | None) -> list[Line]:
    """Lines and results of an accepted letter: its commands, then its words for the opponent."""
    # A line with two commands is listed once if both have the same result.
    results = ((one.line, _command_result(one.command, view)) for one in text.commands)
    lines = [*dict.fromkeys(results)]
    if text.message:
        first, *more = text.message.split("\n")
        words = f"{clean_quote(first)} …" if more else clean_quote(first)
        lines.append((words, words_result("result-passed-on", "result-in-record", view)))
    return lines


def words_result(key: str, record_key: str, view: GameView | None, **values: object) -> Sentence:
    """The result of words: `key`, or `record_key` in a teaching game, whose record keeps them."""
    if view is not None and view.game.spec.teaching:
        return sentence(record_key, **values)
    name = view.opponent.name if view is not None and view.color is not None else ""
    return sentence(key, who=name or sentence("your-opponent"), **values)


def _command_result(command: cmd.Command, view: GameView | None) -> Sentence:
    if isinstance(command, cmd.Say):
        return words_result("result-passed-on", "result-in-record", view)
    if isinstance(command, cmd.NewGame):
        return sentence("result-new-game")
    return sentence("result-answered" if isinstance(command, cmd.Query) else "result-done")
