"""The commands of a letter: which act on its game, and what came of each line. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from godaemon.errors import Unreadable
from godaemon.games import commands as cmd
from godaemon.games.acquaintances import called
from godaemon.games.model import Phase
from godaemon.games.people import person
from godaemon.rules.points import Color
from mailgate.address import clean_quote
from mailgate.handling.parsed_letter import asks
from mailgate.handling.seated import Seated
from mailgate.language.grammar import is_greeting
from mailgate.language.parser import MAX_COMMANDS, ParsedCommand, ParsedText, is_command_line
from mailgate.reading.reply_trimming import fold_space

_NOT_DONE = "understood, not done"
WORDS = "words, not passed on"

Line = tuple[str, str]  # a line as it was written, and its result


def acts_on_game(text: ParsedText) -> bool:
    """True where any of the commands acts on a game."""
    acting = cmd.Action | cmd.Send | cmd.Agree
    return any(isinstance(one.command, acting) for one in text.commands)


def game_actions(text: ParsedText, at: Seated) -> tuple[cmd.Action, ...]:
    """The commands that act on the game, with the words for the opponent as the last of them."""
    game = at.game
    found = tuple(one.command for one in text.commands if isinstance(one.command, cmd.Action))
    if asks(text.commands, cmd.Counter):  # the words go with the terms
        words = text.message
        return tuple(replace(x, words=words) if isinstance(x, cmd.Counter) else x for x in found)
    proposed = game.phase is Phase.PROPOSED
    if proposed and cmd.No() in found:
        return (cmd.No(text.message),)
    if proposed and any(_ends(one.command, at) for one in text.commands):
        return (*found, cmd.No(blocking=True))
    if not text.message or asks(text.commands, cmd.NewGame):
        return found  # the words go with the proposal
    heard = (not proposed or cmd.Yes() in found) and (game.confirmed or not proposed or not found)
    return (*found, cmd.Say(text.message)) if heard or not text.commands else found


def _ends(command: cmd.Command, at: Seated) -> bool:
    """True for what says no to a proposal too: none of this player again, or no letters."""
    if not isinstance(command, cmd.Block):
        return isinstance(command, cmd.Stop) and at.awaits is not None
    whom, spec, other = command.whom, at.game.spec, at.opponent
    if "@" in whom:  # it says nothing of an address that was not told
        return not (spec.named or spec.open) and person(whom) == person(other.address)
    return not whom or bool(called(whom, (), [other]))


def command_names(text: ParsedText) -> str:
    """A letter's commands, for the log."""
    return ", ".join(cmd.logged(one.command) for one in text.commands) or "say"


# -- what came of each line --------------------------------------------------------------------
def told(lines: Sequence[Line]) -> dict[str, Any]:
    """What a notice keeps of the lines that its letter repeats."""
    return {"lines": [line for line, _ in lines], "results": [result for _, result in lines]}


def check_colors(commands: Sequence[ParsedCommand], at: Seated) -> None:
    """Raise `Unreadable` for a line that names the colour which its sender does not have now."""
    game = at.game
    mine = game.to_move if game.spec.teaching else at.color
    for one in commands if mine else ():
        if one.color not in (None, mine):
            word, said = ("Black", "White") if mine is Color.BLACK else ("White", "Black")
            you = f"it is {word}'s turn" if game.spec.teaching else f"you are {word}"
            message = f"“{one.line}” is about {said}, and {you}. Nothing was done."
            raise Unreadable(message, hints=(plainly(one),))


def plainly(one: ParsedCommand) -> str:
    """A command in one word, where it can be."""
    if isinstance(one.command, cmd.Play):
        return str(one.command.point)
    if isinstance(one.command, cmd.Stop):
        return "stop all" if one.command.everywhere else "stop"
    return _IN_A_WORD.get(type(one.command), one.line)


_PLAIN = (
    *(cmd.Pass, cmd.Undo, cmd.Resign, cmd.Done, cmd.Resume, cmd.Yes, cmd.No, cmd.Void),
    cmd.Withdraw,
)
_IN_A_WORD: dict[type, str] = {one: one.__name__.lower() for one in _PLAIN}
_IN_A_WORD[cmd.CancelIfs] = "cancel ifs"


def unread(lines: Sequence[str], why: str) -> list[Line]:
    """The lines of a letter that could not be read, for the reason given, down to its words."""
    found: list[Line] = []
    said_here = [line for line in lines if fold_space(line)]
    if said_here[1:] and is_greeting(said_here[0]):
        said_here = said_here[1:]
    for line in said_here[:MAX_COMMANDS]:
        said = clean_quote(line, 200)
        if not is_command_line(line):
            below = any(f"“{command}”" in why for command, _ in found)
            return [*found, (said, WORDS if below else "not a command as it stands")]
        found.append((said, _NOT_DONE))
    return found


def not_done(commands: Sequence[ParsedCommand], reason: ParsedCommand | None) -> list[Line]:
    """The commands of a letter that was refused for one of them."""
    why = "refused, for the reason above"
    return [(one.within or one.line, why if one is reason else _NOT_DONE) for one in commands]


def done(text: ParsedText, other: str) -> list[Line]:
    """The commands of a letter that was accepted, and its words for `other`."""
    # A line in which two things were asked is one.
    lines = [*dict.fromkeys((one.line, _result(one.command, other)) for one in text.commands)]
    if text.message:
        first, *more = text.message.split("\n")
        words = f"{clean_quote(first)} …" if more else clean_quote(first)
        lines.append((words, f"passed on to {other}"))
    return lines


def opponent_name(at: Seated | None) -> str:
    """The other player's name, for a result."""
    if at is not None and at.game.spec.teaching:
        return "the record"
    drawn = at is not None and at.color is not None
    return (at.opponent.name if at and drawn else "") or "your opponent"


def _result(command: cmd.Command, other: str) -> str:
    if isinstance(command, cmd.Say):
        return f"passed on to {other}"
    if isinstance(command, cmd.NewGame):
        return "a new game: it has an email of its own"
    return "answered" if isinstance(command, cmd.Query) else "done"
