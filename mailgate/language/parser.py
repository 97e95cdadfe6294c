"""The parser of the language that players write to us in.

Pure; raises `Unreadable` alone. Commands are lines at the top of the new text, each a verb with its
arguments, a point, or a sentence of the lexicon; the first line that is none begins the words.
Words below a command that acts are for the opponent. Words alone may be meant for us: `meaning`
says how sure that is, and `mailgate.handling` decides.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile

from godaemon.errors import Refusal, Unreadable
from godaemon.games import commands as cmd
from godaemon.rules.points import Color, Size
from mailgate.address import clean_quote
from mailgate.language.grammar import (
    ASKING,
    is_greeting,
    is_name,
    is_polite,
    read_statement,
    takes_back,
    told,
)
from mailgate.language.lexicon import FOR_GOOD, lexicon
from mailgate.language.meanings import meaning
from mailgate.language.near_misses import refuse_near_miss
from mailgate.language.opponent_words import clean_message
from mailgate.language.statements import LONGEST, marked, vertices
from mailgate.language.verb_table import AS_WRITTEN, FREE_WORDS, READERS
from mailgate.language.written_moves import claimed_color, normalize, read_move, strip_decoration
from mailgate.reading.reply_trimming import fold_space

MAX_COMMANDS = 10
"""How many command lines a letter may hold, and among how many lines they are looked for."""


@dataclass(frozen=True, slots=True)
class ParsedCommand:
    """A command, the line that it was read from, and the colour which that says it is of."""

    line: str
    command: cmd.Command
    color: Color | None = None
    within: str = ""
    """The whole line that it stands in, where that has words beside it."""


@dataclass(frozen=True, slots=True)
class Withheld:
    """A sentence for which words are not passed on, what we answer, and what may be replied."""

    line: str
    answer: str
    hints: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ParsedText:
    """The commands of a letter, in order, and the words for the opponent, cleaned."""

    commands: tuple[ParsedCommand, ...]
    message: str
    held: str = ""
    """Words that are not passed on yet."""
    kept: Withheld | None = None
    """Why, where none of the commands answers them."""


def parse_text(lines: Sequence[str], subject: str = "", *, size: Size | None = None) -> ParsedText:
    """The commands and words in a letter's new text; the subject is read where there is none.

    `size` is the board's where it is known: refusals then offer points of that board.
    Raises `Unreadable`, with exact replies as hints, where a verb has wrong arguments, where
    commands contradict each other, and beyond `MAX_COMMANDS` of them.

    >>> found = parse_text(["D4", "", "Good luck!"])
    >>> [one.command for one in found.commands], found.message
    ([Play(point=Point(column=3, row=3))], 'Good luck!')
    >>> [one.command for one in parse_text([], "Re: pass").commands]
    [Pass()]
    >>> parse_text(["I think you are strong"]).commands
    ()
    """
    found = _read_once(tuple(lines), subject, size)
    if isinstance(found, Refusal):
        raise found.with_traceback(None)
    return found


@lru_cache(maxsize=256)  # the same words are asked for in each game that they may be about
def _read_once(lines: Sequence[str], subject: str, size: Size | None) -> ParsedText | Refusal:
    try:
        return _read_text(lines, subject, size)
    except Refusal as refusal:
        return refusal


def _read_text(lines: Sequence[str], subject: str, size: Size | None) -> ParsedText:
    lines = _with_plans_apart(_rejoined(lines))
    said = [line for line in lines if fold_space(line)]
    if not said or (asks_to_stop(subject) and not is_command_line(said[0])):
        return _parse_subject(subject, size)
    parsed: list[ParsedCommand] = []
    start = _below_greeting(lines)
    before = list(lines[:start])
    for index, line in enumerate(lines[start:], start):
        if not fold_space(line):
            continue
        one = _read_line(line, parsed)
        if one is None and not parsed and (found := told(line)) is not None:
            before += [found.words] if found.words else []
            one = _from_talk(line, found.said, found.command, found.color)
        if one is None:
            return _parsed_text(parsed, before, lines[index:], size)
        parsed = _with(parsed, one)
        if len(parsed) > MAX_COMMANDS:
            message = f"An email may hold at most {MAX_COMMANDS} commands. Nothing was done."
            raise Unreadable(message)
    return _parsed_text(parsed, before, (), size)


def _rejoined(lines: Sequence[str]) -> list[str]:
    """The lines with each command that goes on below as one: mail programs break long ones."""
    whole, rest = list[str](), list(lines[:_TOP])
    while rest:
        line = rest.pop(0)
        while more := _goes_on(line, rest[:_BROKEN]):
            line = " ".join(map(fold_space, (line, *rest[:more])))
            del rest[:more]
        whole.append(line)
    return [*whole, *lines[_TOP:]]


def _goes_on(line: str, below: Sequence[str]) -> int:
    """The number of lines below that belong to the command which a line begins; 0 for none."""
    verb = _first_word(line)
    another = ("", "" if verb == "if" else verb)
    short = takewhile(lambda one: len(one) < LONGEST and _first_word(one) not in another, below)
    tried = range(1, len([*short]) + 1) if verb in lexicon().verbs else ()
    return next((count for count in tried if _is_one(line, below[:count])), 0)


def _first_word(line: str) -> str:
    return fold_space(line[:LONGEST]).casefold().partition(" ")[0]


def _is_one(line: str, below: Sequence[str]) -> bool:
    """True if lines are one command that the first is not, or is only a part of."""
    first, whole = whole_command(line), whole_command(" ".join((line, *below)))
    if not isinstance(whole, _LONG) or first == whole:
        return False
    if isinstance(first, cmd.Propose) and isinstance(whole, cmd.Propose):
        return first.opponent == whole.opponent  # else words of their own made it a longer name
    if first is None or line.rstrip().endswith(","):
        return True
    lists = isinstance(whole, cmd.Mark) or len(line) >= _WIDE
    alone = (one for one in below if not (lists and len(vertices(one)) == len(one.split())))
    return type(first) is type(whole) and not any(map(whole_command, alone))


_BROKEN, _TOP, _WIDE = 4, 40, 56
"""The lines that are tried below a command, those of a letter, and the columns of a broken one."""
_LONG = cmd.Mark | cmd.Place | cmd.If | cmd.Try | cmd.Propose
"""The commands that may be longer than a line."""


def _with_plans_apart(lines: Sequence[str]) -> list[str]:
    """The lines with a plan that stands behind a move below it: `D4, and if E5 then F6`."""
    apart = list[str]()
    for line in lines:
        found = _PLAN_BEHIND.search(line[:LONGEST])
        move = line[: found.start()] if found else ""
        plan = whole_command(line[found.start("plan") :]) if found else None
        whole = isinstance(plan, cmd.If) and isinstance(whole_command(move), cmd.Play)
        apart += [move, line[found.start("plan") :]] if found and whole else [line]
    return apart


_PLAN_BEHIND = re.compile(r"(?i)[ ,;.]{1,3}(?:and )?(?P<plan>if ).")


def _from_talk(line: str, said: str, command: cmd.Command, color: Color | None) -> ParsedCommand:
    return ParsedCommand(clean_quote(said, 200), command, color, clean_quote(line, 200))


def _below_greeting(lines: Sequence[str]) -> int:
    """Where the lines below a greeting begin; 0 where it is all there is."""
    said = [index for index, line in enumerate(lines) if fold_space(line)]
    first = lines[said[0]]
    named = is_name(first) and not is_polite(first) and whole_command(first) is None
    skipped = 1 if named else 0
    while skipped < len(said) and is_polite(lines[said[skipped]]):
        skipped += 1
    if skipped == len(said) or (named and whole_command(lines[said[skipped]]) is None):
        return 0
    return said[skipped] if skipped else 0


def _with(parsed: list[ParsedCommand], more: ParsedCommand) -> list[ParsedCommand]:
    """One more; handicap stones on several lines, as mail programs break long ones, are one."""
    before = parsed[-1].command if parsed else None
    if isinstance(more.command, cmd.Place) and isinstance(before, cmd.Place) and before.points:
        whole = cmd.Place((*before.points, *more.command.points))
        return [*parsed[:-1], ParsedCommand(f"{parsed[-1].line} {more.line}"[:200], whole)]
    return [*parsed, more]


def is_command_line(line: str) -> bool:
    """True where a line, on its own, would be obeyed: none of our own letters' may.

    >>> is_command_line("dead Q16 C3 only"), is_command_line("is Q16 dead?")
    (True, False)
    """
    return whole_command(line) is not None or told(line) is not None


@lru_cache(maxsize=512)
def whole_command(line: str) -> cmd.Command | None:
    """The command that a whole line is; None for words, and for one with wrong arguments."""
    with suppress(Refusal):
        return _parse_line(line)
    return None


def asks_to_stop(subject: str) -> bool:
    """True where a subject, not that of an answer, asks for no more letters.

    >>> asks_to_stop("Unsubscribe"), asks_to_stop("Re: stop")
    (True, False)
    """
    return isinstance(whole_command(subject[:LONGEST]), cmd.Stop)


_TAGS = r"(?:\[[^\[\]]{0,80}\]\s*)*"
_ANSWERED = re.compile(
    rf"(?i)^{_TAGS}(?:(?:re|aw|sv|vs|antw|antwort|r|ref|odp|res|resp|rif|vá|ynt|atb|bls|πρ|απ|ответ"
    rf"|на|回复|答复|回覆|答覆|返信|답장|회신)\s*(?:\[\d+\]\s*)?[:：]\s*{_TAGS})*"
)
"""What programs put before the subject of an answer."""
_FORWARDED = re.compile(
    r"(?i)(?:fwd?|wg|tr|rv|i|enc|vb|vl|doorst|vidaresänt|pd|přep|továbbítás|ilet|прд|пересл"
    r"|转发|轉寄|転送|전달)\s*(?:\[\d+\]\s*)?[:：]"
)


def _parse_subject(subject: str, size: Size | None) -> ParsedText:
    """The subject of a letter without text, where it is a whole command; else nothing.

    A subject that came with a forwarded letter is not its sender's own.
    """
    plain = _ANSWERED.sub("", fold_space(subject[:LONGEST]))
    if _FORWARDED.match(plain):
        return ParsedText((), "")
    command = whole_command(plain)
    if command is None:
        refuse_near_miss(plain, size=size)
    return ParsedText((_parsed_command(plain, command),) if command else (), "")


def _parsed_command(line: str, command: cmd.Command) -> ParsedCommand:
    colored = isinstance(command, cmd.Play | cmd.Pass | cmd.Resign)
    color = claimed_color(normalize(line[:LONGEST])) if colored else None
    return ParsedCommand(clean_quote(line, 200), command, color)


def _parsed_text(
    parsed: list[ParsedCommand], before: list[str], rest: Sequence[str], size: Size | None
) -> ParsedText:
    """The commands with the words `before` and below them; or words alone."""
    if not parsed and (below := _move_below(rest)) is not None:
        return below
    parsed, rest = _with_note(*_with_lines_below(parsed, rest))
    _refuse_contradiction(parsed)
    unique = {one.command: one for one in reversed(parsed)}
    commands = tuple(one for one in parsed if unique[one.command] is one)
    if any(isinstance(one, cmd.Stop | cmd.Forget) for one in unique):
        return ParsedText(commands, "")  # who stops our emails tells us why, and nobody else
    if parsed and not rest and before and all(is_greeting(line) for line in before if line.strip()):
        before = []  # a greeting alone is worth no words to the opponent
    if any(isinstance(one, cmd.NewGame) for one in unique):
        _refuse_private(rest)
        return ParsedText(commands, clean_message("\n".join(rest)))  # for whoever is invited
    _refuse_taken_back(parsed, rest)
    between = [""] if before and rest and parsed else []
    message = clean_message("\n".join([*before, *between, *rest]))
    if commands and rest:
        _refuse_left_over(parsed, rest[0])
    if rest:
        refuse_near_miss(rest[0], size=size, below=bool(commands))
    if not commands:
        _refuse_command_below(rest)
    return ParsedText(commands, message)


def _move_below(words: Sequence[str]) -> ParsedText | None:
    """The move that stands on a line of its own right below a line of talk, as in that line."""
    said = [index for index, line in enumerate(words) if fold_space(line)][:2]
    line = words[said[-1]] if len(said) > 1 else ""
    if len(line) > _SHORT or not isinstance(command := whole_command(line), cmd.Play | cmd.Pass):
        return None
    found = told(f"{words[said[0]]} {line}")
    if found is None or found.command != command:
        return None
    one = _from_talk(line, line, command, claimed_color(normalize(line)))
    return ParsedText((one,), clean_message("\n".join([*words[: said[1]], *words[said[1] + 1 :]])))


_SHORT = 20
"""Characters of a line that is a move and nothing else."""


def _with_lines_below(
    parsed: list[ParsedCommand], rest: Sequence[str]
) -> tuple[list[ParsedCommand], Sequence[str]]:
    """The commands with those below words that no other player could be told: settings and plans.

    Each has a line of its own, which nobody writes in a talk.
    """
    below, words = list[ParsedCommand](), list[str]()
    for line in rest:
        command = whole_command(line) if 0 < len(fold_space(line)) < LONGEST else None
        noted = isinstance(command, cmd.Note) and not parsed  # of words that may answer us
        if command is not None and _for_us_alone(command, line) and not noted:
            below.append(_parsed_command(line, command))
        else:
            words.append(line)
    if not below or len(parsed) + len(below) > MAX_COMMANDS:
        return parsed, rest
    return [*parsed, *below], words


def _for_us_alone(command: cmd.Command, line: str) -> bool:
    if isinstance(command, cmd.Note):
        return ":" in line
    return isinstance(command, _BELOW) and not line.rstrip().endswith(("?", "!"))


_BELOW = cmd.Timezone | cmd.Emails | cmd.Receipts | cmd.Vacation | cmd.If


def _refuse_command_below(rest: Sequence[str]) -> None:
    """Raises where a letter's only command stands below its first words, and so is not read."""
    for line in [line for line in rest[1:] if fold_space(line)][: MAX_COMMANDS - 1]:
        if isinstance(whole_command(line), _PLAYS_ON):
            quoted = clean_quote(line)
            message = f"“{quoted}” stands below other words; commands come first. Nothing was done."
            raise Unreadable(message, hints=(quoted,))


def _with_note(
    parsed: list[ParsedCommand], rest: Sequence[str]
) -> tuple[list[ParsedCommand], Sequence[str]]:
    """All words below a note belong to it: nobody else is to read them."""
    last = parsed[-1].command if parsed else None
    if not rest or not isinstance(last, cmd.Note):
        return parsed, rest
    whole = cmd.Note(clean_message("\n".join([last.text, *rest])), last.hidden)
    return [*parsed[:-1], ParsedCommand(parsed[-1].line, whole)], ()


def _refuse_left_over(parsed: Sequence[ParsedCommand], line: str) -> None:
    """Raises for a line of points below a list of points: it is no word to the opponent."""
    named = vertices(line[:LONGEST])
    if isinstance(parsed[-1].command, _LONG) and named and 2 * len(named) >= len(line.split()):
        raise Unreadable(
            f"“{clean_quote(line)}” seems to go on from “{parsed[-1].line}”, and I cannot read it."
            " Nothing was done: please send all of it on one line.",
            hints=(f"{parsed[-1].line} {' '.join(named)}",),
        )


def _refuse_taken_back(parsed: Sequence[ParsedCommand], rest: Sequence[str]) -> None:
    """Raises where the words below a command take it back: `D4`, and below it `no, sorry, E5`."""
    for one in parsed:
        if not isinstance(one.command, cmd.Turn) or isinstance(one.command, cmd.Undo):
            continue
        if line := takes_back(rest, one.command):
            raise Unreadable(
                f"“{one.line}” and then “{clean_quote(line)}”: I am not sure which you mean, so"
                " nothing was done.",
                hints=tuple(dict.fromkeys((one.line, *vertices(line)[:2]))),
            )


def refuse_below(lines: Sequence[str]) -> None:
    """Raises where a command stands among or below quoted lines, and was not read."""
    found = [line for line in lines if isinstance(whole_command(line), _PLAYS_ON)]
    if found:
        hints = tuple(dict.fromkeys(map(clean_quote, found)))[:3]
        message = (
            f"“{hints[0]}” stands below a quotation. Commands come first, on the first line of the"
            " email. Nothing was done."
        )
        raise Unreadable(message, hints=hints)


_PLAYS_ON = (cmd.Play, cmd.Place, cmd.Pass, cmd.Resign, cmd.Mark)


def _refuse_private(words: Sequence[str]) -> None:
    """Raises where a line among the words for whoever is invited is for their writer alone."""
    for line in words:
        if isinstance(whole_command(line), cmd.Note | cmd.If | cmd.CancelIfs) or (
            meaning(line).first == "note"
        ):
            raise Unreadable(
                f"“{clean_quote(line)}” stands among the words for the player you invite, and is"
                " not for them. Nothing was proposed: please send it by itself."
            )


def _refuse_contradiction(parsed: list[ParsedCommand]) -> None:
    """Raises for two things of which a letter may ask only one."""
    turns = {one.command: one.line for one in parsed if isinstance(one.command, cmd.Turn)}
    marks = {one.command: one.line for one in parsed if isinstance(one.command, cmd.Mark)}
    if len(turns) > 1:
        first, second = list(turns.values())[:2]
        message = f"Your email says both “{first}” and “{second}”. Nothing was done: send one."
        raise Unreadable(message, hints=(first, second))
    for turn, line in turns.items():
        if marks and not isinstance(turn, cmd.Done):
            mark = next(iter(marks.values()))
            message = f"“{line}” and “{mark}” cannot stand in one email. Nothing was done."
            raise Unreadable(message, hints=(line, mark))


def _read_line(line: str, parsed: Sequence[ParsedCommand]) -> ParsedCommand | None:
    """The command that a line is, None for words; raises `Unreadable` for wrong arguments."""
    command = _parse_line(line)
    consents = cmd.Yes | cmd.No | cmd.Agree
    moves = (one.command for one in parsed if not isinstance(one.command, consents))
    moved = any(isinstance(one, cmd.Turn | cmd.Place | cmd.Mark) for one in moves)
    if moved and isinstance(command, consents):
        return None  # nothing is asked of somebody who answers with a move: this is talk
    return None if command is None else _parsed_command(line, command)


def _parse_line(line: str) -> cmd.Command | None:
    """The command that a whole line is; raises `Unreadable` where only its arguments are wrong."""
    line = line[:3_000]
    if _QUOTED.match(line):
        return None
    folded = " ".join(fold_space(unicodedata.normalize("NFKC", line)).split())
    normal = normalize(line)
    whole = strip_decoration(normal) or normal
    if (found := _sentence(whole, asks="?" in normal[-3:] or "？" in normal[-3:])) is not None:
        return found
    asks = normal.endswith("?") and normal.strip("? ") and "@" not in normal
    if asks:
        verb = lexicon().verbs.get(normalize(folded.partition(" ")[0]).strip(".:,"))
        return _read_verb(folded) if verb in FREE_WORDS else None
    return _with_arguments(folded)


_QUOTED = re.compile(r"\s*[>＞|│┃]")


def _sentence(whole: str, *, asks: bool) -> cmd.Command | None:
    """The command of a whole line that is a move, or one statement of the lexicon."""
    if not asks and (move := read_move(whole)) is not None:
        return move
    found = read_statement(whole.rstrip("?？ ")) if len(whole) <= LONGEST else None
    return found[1] if found is not None and (not asks or found[0] in ASKING) else None


def _with_arguments(line: str) -> cmd.Command | None:
    """The command of a verb and the words behind it, polite ones at either end left out."""
    if (found := _read_verb(line)) is not None:
        return found
    if lexicon().changes_nothing(marked(strip_decoration(normalize(line)))):  # `Well done`
        return None
    words = line.split(" ")
    for_good = lexicon().verbs.get(normalize(words[0]).strip(".,!")) in FOR_GOOD
    polite = lexicon().beside if for_good else lexicon().polite  # not `stop there`
    while len(words) > 1 and normalize(words[-1]).strip(".,!") in polite:
        words.pop()
    while len(words) > 1 and normalize(words[0]).strip(".,!") in polite:
        words.pop(0)
    plain = " ".join(words).rstrip(",")
    return _read_verb(plain) if plain != line else None


def _read_verb(line: str) -> cmd.Command | None:
    words = line.split(" ")
    for many in (3, 2, 1):
        head = normalize(" ".join(words[:many])).replace(",", "").rstrip(".!:")
        verb = lexicon().verbs.get(head)
        if verb is None or len(words) < many:
            continue
        rest = " ".join(words[many:])
        if verb in ("note", "hidden") and words[many - 1].endswith(":"):
            rest = f": {rest}"
        if verb == "counter" and head not in (verb, "accept but"):
            with suppress(Unreadable):  # `yes, but White is dead` is talk
                return READERS[verb](rest)
            continue
        return READERS[verb](rest if verb in AS_WRITTEN else rest.casefold())
    return None
