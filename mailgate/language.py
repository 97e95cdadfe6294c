"""The reader of the language that players write to us in; `verbs` has its table.

Pure; raises `Unreadable` alone. Commands are whole lines at the top of the new text; the first line
that is not a command begins the message to the opponent. A line that looks like a command but is
none refuses the whole letter: else the opponent would read the move while the game stood still.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from godaemon.errors import Refusal, Unreadable
from godaemon.games import commands as cmd
from godaemon.rules.points import Color, Size
from mailgate.address import clean_quote
from mailgate.moves import bare, claimed_color, points, read_move, settle
from mailgate.nearly import POLITE, refuse_near_move
from mailgate.proposals import read_proposal
from mailgate.reply import fold
from mailgate.verbs import TABLE, Entry, read_relocate
from mailgate.words import MAX_MESSAGE, clean_message

__all__ = [
    "MAX_COMMANDS",
    "MAX_MESSAGE",
    "TABLE",
    "Entry",
    "Reading",
    "Spoken",
    "clean_message",
    "is_command_line",
    "misspelt",
    "read",
]

MAX_COMMANDS = 10
"""How many command lines a letter may hold, and among how many lines they are looked for."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """A command, the line that it was read from, and the colour which that says it is of."""

    line: str
    command: cmd.Command
    color: Color | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """What a letter asks for, in order, and the words for the opponent, cleaned."""

    commands: tuple[Spoken, ...]
    message: str


_LINES = {settle(line): entry for entry in TABLE for line in (*entry.synonyms, *entry.abroad)}
_VERBS = {verb: entry for entry in TABLE for verb in (entry.verb, *entry.verbs)}
_SPELT = tuple({*_VERBS, "accept", "decline"})
_GRAVE = frozenset(
    [
        "pass",
        "resign",
        "dead",
        "alive",
        "resume",
        "accept",
        "decline",
        "withdraw",
        "receipts",
        "sgf",
        "kifu",
        "gui",
    ]
)
"""Verbs that few sentences of three words begin with."""
_CHAT = frozenset(
    [
        *("avoid", "avoided", "voice"),
        *("eyes", "now", "one", "ones", "known", "gone", "past", "last", "says", "saying"),
        *("shown", "shoe", "snow", "knew", "news", "newer", "lived", "dear", "deal", "deep"),
        *("gamer", "whelp", "nope", "noon", "movie", "moved", "moves", "moving", "passed"),
        *("passing", "playing", "played", "plays", "player", "plan", "game", "message"),
        *("black", "blocks", "blocked", "clock", "lock", "flock", "unlock", "stock", "blocking"),
        *("placed", "places", "palace", "messages", "tall", "teal", "tale", "resigned", "purpose"),
    ]
)
"""Words near a verb that people begin a message with."""
_NOT_OFFERED = {
    "undo": "A move that was played stands: there is no undo by letter",
    "take back": "A move that was played stands: there is no undo by letter",
    "takeback": "A move that was played stands: there is no undo by letter",
    "p": "One letter is too little to act on",
    "r": "One letter is too little to act on",
    "y": "One letter is too little to act on",
    "n": "One letter is too little to act on",
}
_MOVES = (cmd.Play, cmd.Place, cmd.Pass, cmd.Resign, cmd.Done, cmd.Resume, cmd.Void, cmd.Mark)
"""What plays the game on: below it, words about the game are expected."""
_HINTS = {"p": "pass", "r": "resign", "y": "yes", "n": "no"}


def read(lines: Sequence[str], subject: str = "", *, size: Size | None = None) -> Reading:
    """What the new text of a letter asks for; the subject is read where there is no text.

    `size` is the board's where it is known: refusals then offer points of that board.
    Raises `Unreadable`, with exact replies as hints, where a line looks like a command but is none,
    where commands contradict each other, and beyond `MAX_COMMANDS` of them.
    """
    if not any(fold(line) for line in lines):
        return _read_subject(subject)
    spoken: list[Spoken] = []
    for index, line in enumerate(lines):
        if not fold(line):
            continue
        moved = any(isinstance(one.command, _MOVES) for one in spoken)
        command = _command(line, moved=moved, size=size)
        # Nothing is asked in a letter to which one answers with a move: this is talk.
        if command is None or (moved and isinstance(command, cmd.Yes | cmd.No)):
            return _reading(spoken, lines[index:])
        spoken = _with(spoken, _spoken(line, command))
        if len(spoken) > MAX_COMMANDS:
            message = f"A letter may hold at most {MAX_COMMANDS} commands. Nothing was done."
            raise Unreadable(message)
    return _reading(spoken, ())


def _with(spoken: list[Spoken], more: Spoken) -> list[Spoken]:
    """One more; handicap stones on several lines, as mail programs break long ones, are one."""
    if not (spoken and isinstance(more.command, cmd.Place) and more.command.points):
        return [*spoken, more]
    before = spoken[-1].command
    if not (isinstance(before, cmd.Place) and before.points):
        return [*spoken, more]
    whole = cmd.Place((*before.points, *more.command.points))
    return [*spoken[:-1], Spoken(f"{spoken[-1].line} {more.line}"[:200], whole)]


def is_command_line(line: str) -> bool:
    """Whether a line, on its own, would be obeyed: none of our own letters' may."""
    try:
        return _parsed(line) is not None
    except Refusal:
        return False


def misspelt(line: str) -> str | None:
    """The verb that a line of one or two words nearly is; None for prose and for real commands."""
    words = bare(settle(line)).split()
    if not 1 <= len(words) <= 2 or words[0] in _VERBS or words[0] in _CHAT or len(words[0]) < 3:
        return None
    if words[0] in _LINES:  # a verb alone; with more, words of another language: `pas mal`
        return None
    near = get_close_matches(words[0], _SPELT, n=1, cutoff=0.8)
    turned = [verb for verb in _SPELT if len(verb) > 3 and sorted(verb) == sorted(words[0])]
    return next(iter(near or turned), None)


def _read_subject(subject: str) -> Reading:
    """The subject of a letter without text, where it is a whole command; else nothing."""
    tags = r"(?:\[[^\[\]]{0,80}\]\s*)*"
    answers = "re|aw|sv|vs|antw|antwort|fwd?|wg|tr|rv|r|ref|odp|回复|答复|回覆|转发|返信|답장"
    plain = re.sub(
        rf"(?i)^{tags}(?:(?:{answers})\s*(?:\[\d+\])?\s*[:：]\s*{tags})*", "", fold(subject[:300])
    )
    try:
        command = _parsed(plain)
    except Unreadable:
        command = None
    return Reading((_spoken(plain, command),) if command else (), "")


def _spoken(line: str, command: cmd.Command) -> Spoken:
    colored = isinstance(command, cmd.Play | cmd.Pass | cmd.Resign)
    return Spoken(
        clean_quote(line, 200), command, claimed_color(settle(line[:500])) if colored else None
    )


def _reading(spoken: list[Spoken], rest: Sequence[str]) -> Reading:
    if not spoken:
        _refuse_command_below(rest)
    _refuse_contradiction(spoken)
    unique = {one.command: one for one in reversed(spoken)}
    commands = tuple(one for one in spoken if unique[one.command] is one)
    return Reading(commands, clean_message("\n".join(rest)))


def _refuse_command_below(rest: Sequence[str]) -> None:
    """Raises where a letter's only command stands below its first words, and so is not read."""
    for line in [line for line in rest[1:] if fold(line)][: MAX_COMMANDS - 1]:
        try:
            command = _parsed(line)
        except Refusal:
            continue
        if isinstance(command, cmd.Play | cmd.Place | cmd.Pass | cmd.Resign | cmd.Mark):
            quoted = clean_quote(line)
            message = f"“{quoted}” stands below other words; commands come first. Nothing was done."
            raise Unreadable(message, hints=(quoted,))


def _refuse_contradiction(spoken: list[Spoken]) -> None:
    """Raises for two things of which a letter may ask only one."""
    turns = {one.command: one.line for one in spoken if isinstance(one.command, cmd.Turn)}
    marks = {one.command: one.line for one in spoken if isinstance(one.command, cmd.Mark)}
    if len(turns) > 1:
        first, second = list(turns.values())[:2]
        message = f"Your letter says both “{first}” and “{second}”. Nothing was done: send one."
        raise Unreadable(message, hints=(first, second))
    for turn, line in turns.items():
        if marks and not isinstance(turn, cmd.Done):
            mark = next(iter(marks.values()))
            message = f"“{line}” and “{mark}” cannot stand in one letter. Nothing was done."
            raise Unreadable(message, hints=(line, mark))


def _command(line: str, *, moved: bool, size: Size | None) -> cmd.Command | None:
    """The command that a line is, None for words; raises `Unreadable` for what is in between."""
    command = _parsed(line)
    if command is None:
        refuse_near_move(line, moved=moved, size=size)
        _refuse_near_command(line)
    return command


def _parsed(line: str) -> cmd.Command | None:
    """The command that a whole line is; raises `Unreadable` where only its arguments are wrong."""
    folded = " ".join(fold(unicodedata.normalize("NFKC", line[:3_000])).split())
    settled = settle(line[:3_000])
    whole = bare(settled) or settled
    if whole in _LINES:
        return _LINES[whole].read("")
    if (move := read_move(settled) or read_relocate(folded)) is not None:
        return move
    if (mark := _parsed_mark(whole)) is not None:
        return mark
    verb, _, rest = folded.partition(" ")
    entry = _VERBS.get(verb.casefold().strip(".!:,"))
    if entry is None:
        entry = _VERBS.get(whole)
        return entry.read("") if entry else None
    if entry.verb == "move" and "@" in rest:
        return read_proposal(rest)
    return entry.read(rest if entry.verb in ("say", "new") else rest.casefold())


def _parsed_mark(line: str) -> cmd.Command | None:
    """`q16 is dead`, `q16 and c3 are alive`, `mark q16 dead`."""
    found = re.fullmatch(r"(?:mark )?(.{1,300}?)(?: is| are| as)? (dead|alive)", line)
    named = points(found[1]) if found else None
    return cmd.Mark(named, found[2] == "dead") if found and named else None


def _refuse_near_command(line: str) -> None:
    """Raises for a verb with company, a verb with a question mark, or one that is misspelt."""
    plain = bare(settle(line[:500]))
    words = [word.strip(".,!?;:") for word in plain.split()]
    if plain in _NOT_OFFERED:
        hints = (_HINTS[plain],) if plain in _HINTS else ()
        raise Unreadable(f"{_NOT_OFFERED[plain]}. Nothing was done.", hints=hints)
    meaning = [word for word in words if word not in POLITE]
    verb = words[0] if words else ""
    known = verb in _VERBS or verb in _LINES
    if len(meaning) == 1 and (meaning[0] in _VERBS or meaning[0] in _LINES) and len(words) <= 4:
        raise _near(line, meaning[0])
    if known and verb in _GRAVE and len(words) <= 3:
        raise _near(line, verb)
    if verb in ("dead", "alive", "place") and re.search(r"\b[a-z]\d{1,2}\b", plain):
        raise _near(line, verb)
    meant = misspelt(line)
    if meant is not None:
        raise _near(line, meant)


def _near(line: str, verb: str) -> Unreadable:
    entry = _VERBS.get(verb) or _LINES[verb]
    hints = entry.examples if entry.arguments or verb not in _VERBS else (verb,)
    message = f"“{clean_quote(line)}” is nearly a command, but not quite. Nothing was done."
    return Unreadable(message, hints=(verb,) if verb in entry.synonyms else hints)
