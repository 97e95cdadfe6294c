"""A letter's lines, each with what came of it: what our answer repeats to the sender.

Pure; raises nothing. A letter's commands all take effect or none does, so that after a refusal the
results say which line was the reason, and that nothing was done of the others.
"""

from __future__ import annotations

from collections.abc import Sequence

from godaemon.errors import Unreadable
from godaemon.games import commands as cmd
from godaemon.rules.points import Color
from mailgate.address import clean_quote
from mailgate.handling.seated import Seated
from mailgate.language.grammar import is_greeting
from mailgate.language.parser import MAX_COMMANDS, ParsedCommand, ParsedText, is_command_line
from mailgate.reading.reply_trimming import fold_space

_NOT_DONE = "understood, not done"
WORDS = "words, not passed on"

Line = tuple[str, str]
"""A line as it was written, and its result."""


def told(lines: Sequence[Line]) -> dict[str, object]:
    """What a notice keeps of the lines that its letter repeats."""
    return {"lines": [line for line, _ in lines], "results": [result for _, result in lines]}


def check_colors(commands: Sequence[ParsedCommand], at: Seated) -> None:
    """Raise `Unreadable` for a line that names the colour which its sender does not have now."""
    game = at.game
    mine = game.to_move if game.spec.teaching else at.color
    for one in commands:
        if one.color is None or mine is None or one.color is mine:
            continue
        word, said = ("Black", "White") if mine is Color.BLACK else ("White", "Black")
        you = f"it is {word}'s turn" if game.spec.teaching else f"you are {word}"
        raise Unreadable(
            f"“{one.line}” is about {said}, and {you}. Nothing was done.",
            hints=(plainly(one),),
        )


def plainly(one: ParsedCommand) -> str:
    """A command in one word, where it can be."""
    if isinstance(one.command, cmd.Play):
        return str(one.command.point)
    if isinstance(one.command, cmd.Stop):
        return "stop all" if one.command.everywhere else "stop"
    return _IN_A_WORD.get(type(one.command), one.line)


_IN_A_WORD: dict[type, str] = {
    cmd.Pass: "pass",
    cmd.Undo: "undo",
    cmd.CancelIfs: "cancel ifs",
    cmd.Resign: "resign",
    cmd.Done: "done",
    cmd.Resume: "resume",
    cmd.Yes: "yes",
    cmd.No: "no",
    cmd.Void: "void",
    cmd.Withdraw: "withdraw",
}


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
    if at is None:
        return "your opponent"
    if at.game.spec.teaching:
        return "the record"
    drawn = at.color is not None
    return (at.opponent.name if drawn else "") or "your opponent"


def _result(command: cmd.Command, other: str) -> str:
    if isinstance(command, cmd.Say):
        return f"passed on to {other}"
    if isinstance(command, cmd.NewGame):
        return "a new game: it has an email of its own"
    return "answered" if isinstance(command, cmd.Query) else "done"
