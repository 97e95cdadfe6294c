"""The parser of the players' language.

Pure; raises only `Unreadable`. Commands are lines at the top of the new text, each a verb with its
arguments, a point, or a sentence of the lexicon. The first other line begins the words. Words below
a command are for the opponent. Words alone may be meant for us; `mailgate.handling` decides.
"""

import re
import unicodedata
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import takewhile

from godaemon.errors import Refusal, Unreadable
from godaemon.games import commands as cmd
from godaemon.rules.points import Color
from godaemon.texts.catalogue import sentence, sentence_pattern
from mailgate.address import clean_quote
from mailgate.language.acting_statements import (
    find_retraction,
    is_greeting,
    is_name,
    is_polite,
    read_talk,
)
from mailgate.language.command_lines import (
    LONG_COMMANDS,
    is_command_line,
    parse_line,
    rejoin_lines,
    split_plans,
    whole_command,
)
from mailgate.language.lexicon import IRREVERSIBLE, lexicon
from mailgate.language.meaning_model import meaning
from mailgate.language.near_misses import refuse_near_miss
from mailgate.language.statement_splitting import MAX_LINE, vertices
from mailgate.language.written_moves import color_of_line, normalize
from mailgate.reading.reply_trimming import fold_space
from mailgate.tokens import clean_message

MAX_COMMANDS = 10
"""The limit on commands in a letter, and on lines that are searched for them."""


@dataclass(frozen=True, slots=True)
class ParsedCommand:
    """A command, the line that it was read from, and the colour that the line names."""

    line: str
    command: cmd.Command
    color: Color | None = None
    within: str = ""  # the whole line, if it has other words besides the command


@dataclass(frozen=True, slots=True)
class HoldReason:
    """Why words are held: the sentence at fault, if any, our answer, and lines to reply with."""

    line: str
    answer: str
    hints: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ParsedText:
    """The commands of a letter, in order, and the clean words for the opponent."""

    commands: tuple[ParsedCommand, ...]
    message: str
    held_words: str = ""  # words that are not passed on yet
    hold_reason: HoldReason | None = None  # why they are held, unless a command answers them


def parse_text(lines: Sequence[str], subject: str = "") -> ParsedText:
    """The commands and words in a letter's new text, or in its subject if there is no text.

    Raises `Unreadable`, with exact replies as hints, for wrong arguments, for commands that
    contradict each other, and for more than `MAX_COMMANDS`.

    >>> parse_text(["D4", "", "Good luck!"]).message, parse_text([], "Re: pass").commands[0].command
    ('Good luck!', Pass())
    """
    found = _read_once(tuple(lines), subject)
    if isinstance(found, Refusal):
        raise copy(found)  # the kept one would keep all that its traceback refers to
    return found


@lru_cache(maxsize=256)  # the same lines are parsed for each game that they may be about
def _read_once(lines: Sequence[str], subject: str) -> ParsedText | Refusal:
    try:
        return _read_text(lines, subject)
    except Refusal as refusal:
        return refusal.with_traceback(None)


def _read_text(lines: Sequence[str], subject: str) -> ParsedText:
    lines = split_plans(rejoin_lines(lines))
    rows = [line for line in lines if fold_space(line)]
    if not rows or (asks_to_stop(subject) and not is_command_line(rows[0])):
        return _parse_subject(subject)
    parsed: list[ParsedCommand] = []
    start = _index_below_greeting(lines)
    before = list(lines[:start])
    for index, line in enumerate(lines[start:], start):
        one = _read_line(line, parsed)
        if one is None and not parsed and (found := read_talk(line)) is not None:
            before += [found.words] if found.words else []
            one = _build_command(found.statement, found.command, found.color, line)
        if one is None and fold_space(line):
            return _build_text(parsed, before, lines[index:])
        parsed += [one] if one else []
    return _build_text(parsed, before, ())


def _index_below_greeting(lines: Sequence[str]) -> int:
    """The index of the first line below a greeting; 0 for a greeting alone."""
    rows = [index for index, line in enumerate(lines) if fold_space(line)]
    first = lines[rows[0]]
    has_name = is_name(first) and not is_polite(first) and whole_command(first) is None
    polite = takewhile(lambda index: is_polite(lines[index]), rows[has_name:])
    skipped = has_name + len([*polite])
    if skipped == len(rows) or (has_name and whole_command(lines[rows[skipped]]) is None):
        return 0
    return rows[skipped] if skipped else 0


def asks_to_stop(subject: str) -> bool:
    """True if a subject without `Re:` is the command `stop`."""
    return isinstance(whole_command(subject[:MAX_LINE]), cmd.Stop)


_TAGS = r"(?:\[[^\[\]]{0,80}\]\s*)*"
_ANSWERED = re.compile(
    rf"(?i)^{_TAGS}(?:(?:re|aw|sv|vs|antw|antwort|r|ref|odp|res|resp|rif|vá|ynt|atb|bls|πρ|απ|ответ"
    rf"|на|回复|答复|回覆|答覆|返信|답장|회신)\s*(?:\[\d+\]\s*)?[:：]\s*{_TAGS})*"
)
"""Prefixes of the subject of an answer."""
_FORWARDED = re.compile(
    r"(?i)(?:fwd?|wg|tr|rv|i|enc|vb|vl|doorst|vidaresänt|pd|přep|továbbítás|ilet|прд|пересл"
    r"|转发|轉寄|転送|전달)\s*(?:\[\d+\]\s*)?[:：]"
)


def _parse_subject(subject: str) -> ParsedText:
    """The command that is the subject of a letter without text, if any.

    The subject of a forwarded letter is not its sender's own.
    """
    plain = _ANSWERED.sub("", fold_space(subject[:MAX_LINE]))
    plain = "" if _FORWARDED.match(plain) else plain
    command = whole_command(plain)
    if command is None:
        refuse_near_miss(plain)
    return ParsedText((_build_command(plain, command),) if command else (), "")


def _build_command(
    line: str, command: cmd.Command, color: Color | None = None, within: str = ""
) -> ParsedCommand:
    if isinstance(command, cmd.Play | cmd.Pass | cmd.Resign) and not within:
        color = color_of_line(normalize(line[:MAX_LINE]))
    return ParsedCommand(clean_quote(line, 200), command, color, clean_quote(within, 200))


def _build_text(parsed: list[ParsedCommand], before: list[str], rest: Sequence[str]) -> ParsedText:
    if len(parsed) > MAX_COMMANDS:
        raise Unreadable(sentence("too-many-commands", count=MAX_COMMANDS))
    parsed, rest = _extend_note(*_add_lines_below(parsed, rest))
    _refuse_contradiction(parsed)
    acts = [one.command for one in parsed]
    commands = tuple(one for at, one in enumerate(parsed) if one.command not in acts[:at])
    if any(isinstance(one, cmd.Stop | cmd.Forget) for one in acts):
        return ParsedText(commands, "")  # words beside `stop` are for us, not for the opponent
    if any(isinstance(one, cmd.NewGame) for one in acts):
        _refuse_private_line(rest)
        above = [line for line in before if not (is_polite(line) or is_name(line))]
        return ParsedText(commands, clean_message("\n".join([*above, *rest])))  # for the invited
    if parsed and not rest and all(is_greeting(line) for line in before if line.strip()):
        before = []  # do not pass on a bare greeting
    if rest:
        _refuse_retraction(parsed, rest)
        _refuse_leftover_points(parsed, rest[0])
        refuse_near_miss(rest[0], below=bool(commands))
    between = [""] if before and rest and parsed else []
    return ParsedText(commands, clean_message("\n".join([*before, *between, *rest])))


def _add_lines_below(
    parsed: list[ParsedCommand], rest: Sequence[str]
) -> tuple[list[ParsedCommand], Sequence[str]]:
    """Add the settings, plans and notes below the words to the commands; return the other words.

    Nobody would write such a line to an opponent.
    """
    below, words = list[ParsedCommand](), list[str]()
    for line in rest:
        command = whole_command(line) if len(line) < MAX_LINE else None
        is_note = isinstance(command, cmd.Note) and ":" in line and bool(parsed)
        is_setting = isinstance(command, cmd.Emails | cmd.Receipts | cmd.Vacation | cmd.If)
        is_zone = isinstance(command, cmd.Set) and command.field == "zone"
        exclaims = line.rstrip().endswith(("?", "!"))
        if command is not None and (is_note or ((is_setting or is_zone) and not exclaims)):
            below.append(_build_command(line, command))
        else:
            words.append(line)
    too_many = len(parsed) + len(below) > MAX_COMMANDS
    return (parsed, rest) if too_many else ([*parsed, *below], words)


def _extend_note(
    parsed: list[ParsedCommand], rest: Sequence[str]
) -> tuple[list[ParsedCommand], Sequence[str]]:
    """Add all words below a note to it, because they are private."""
    last = parsed[-1].command if parsed else None
    if not rest or not isinstance(last, cmd.Note):
        return parsed, rest
    note = cmd.Note(clean_message("\n".join([last.text, *rest])), last.hidden)
    return [*parsed[:-1], ParsedCommand(parsed[-1].line, note)], ()


def _refuse_leftover_points(parsed: Sequence[ParsedCommand], line: str) -> None:
    """Raise `Unreadable` for a line of points that must be the rest of the list above it."""
    points = vertices(line[:MAX_LINE])
    is_list = bool(parsed) and isinstance(parsed[-1].command, LONG_COMMANDS)
    letters = sum(map(str.isalnum, line))
    if is_list and points and 2 * len("".join(points)) >= letters:
        above = parsed[-1].line
        reason = sentence("goes-on-unread", below=clean_quote(line), line=above)
        raise Unreadable(reason, hints=(f"{above} {' '.join(points)}",))


def _refuse_retraction(parsed: Sequence[ParsedCommand], rest: Sequence[str]) -> None:
    """Raise `Unreadable` if the words retract a command: `D4`, and below it `no, sorry, E5`."""
    for one in parsed:
        is_turn = isinstance(one.command, cmd.Turn) and not isinstance(one.command, cmd.Undo)
        if is_turn and (line := find_retraction(rest, one.command)):
            reason = sentence("taken-back-below", line=one.line, below=clean_quote(line))
            hints = dict.fromkeys((one.line, *vertices(line)[:2]))
            raise Unreadable(reason, hints=tuple(hints))


def _refuse_private_line(words: Sequence[str]) -> None:
    """Raise `Unreadable` for a private line among the words for the person invited."""
    private = cmd.Note | cmd.If | cmd.CancelIfs
    for line in words:
        if isinstance(whole_command(line), private) or meaning(line).first == "note":
            raise Unreadable(sentence("private-among-words", line=clean_quote(line)))


def _refuse_contradiction(parsed: Sequence[ParsedCommand]) -> None:
    turns = {one.command: one.line for one in parsed if isinstance(one.command, cmd.Turn)}
    marks = [one.line for one in parsed if isinstance(one.command, cmd.Mark)]
    has_turn = any(not isinstance(turn, cmd.Done) for turn in turns)
    pair = [*turns.values(), *(marks if has_turn else ())][:2]
    if len(pair) > 1:
        raise Unreadable(sentence("says-both", line=pair[0], other=pair[1]), hints=tuple(pair))


def _read_line(line: str, parsed: Sequence[ParsedCommand]) -> ParsedCommand | None:
    """The command of a line, None for words; raises `Unreadable` for wrong arguments.

    Below a command it may have our own label, `and: done`.
    """
    line = _label_pattern().sub("", unicodedata.normalize("NFKC", line)) if parsed else line
    line = _strip_effect(line)
    command = parse_line(line)
    consents = cmd.Yes | cmd.No | cmd.Agree
    acts = (one.command for one in parsed if not isinstance(one.command, consents))
    if isinstance(command, consents) and any(isinstance(one, cmd.Turn | cmd.Mark) for one in acts):
        return None  # a yes or no below a move answers no question of ours: it is talk
    return _build_command(line, command) if command is not None else None


def _strip_effect(line: str) -> str:
    """A line without the effect that our emails print behind it, if any: `done (I agree)`.

    A command that cannot be taken back needs a line of its own.
    """
    plain = _effect_pattern().sub("", line) if "(" in line or "  " in line.strip() else line
    for_good = lexicon().verbs.get(normalize(plain)) in IRREVERSIBLE
    return line if for_good or whole_command(plain) is None else plain


@cache
def _effect_pattern() -> re.Pattern[str]:
    keys = [*_EFFECTS, *(f"help-{verb}" for verb in _TURNS)]
    return re.compile(rf"(?: {{2,}}| *\()(?:{'|'.join(map(sentence_pattern, keys))})[.)]* *$")


_EFFECTS = ("agree-to-score", "play-on", "play-on-last", "accept", "decline", "go-on", "forget-it")
_TURNS = ("pass", "undo", "done", "resume", "yes", "no", "show")
"""Keys of the effects that our emails print behind lines to send, and verbs with help there."""


@cache
def _label_pattern() -> re.Pattern[str]:
    return re.compile(rf"^ *(?:{sentence_pattern('reply-and')}) *", re.IGNORECASE)
