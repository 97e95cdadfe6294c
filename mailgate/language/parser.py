"""The parser of the language that players write to us in; `verb_table` has its verbs.

Pure; raises `Unreadable` alone. Commands are whole lines at the top of the new text; the first line
that is not a command begins the message to the opponent. A line that looks like a command but is
none refuses the whole letter: else the opponent would read the move while the game stood still.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import takewhile

from godaemon.errors import Refusal, Unreadable
from godaemon.games import commands as cmd
from godaemon.rules.points import Color, Size
from mailgate.address import clean_quote
from mailgate.language.arguments import (
    UNSURE_TERMS,
    read_block,
    read_boards,
    read_counter,
    read_forget,
    read_i_am,
    read_mark_sentence,
    read_relocate,
    read_resume,
    read_send,
    read_stop,
    read_watch_player,
    read_watching,
    rematches,
)
from mailgate.language.board_questions import read_past, read_question, read_score
from mailgate.language.learning import read_learn
from mailgate.language.near_commands import refuse_near_command
from mailgate.language.near_moves import refuse_near_move
from mailgate.language.new_game import EXAMPLE, read_proposal
from mailgate.language.opponent_words import clean_message
from mailgate.language.questions import question_to_us, questions_to_us
from mailgate.language.reserved import NUMBERED, Reservation, all_reserved, reserved
from mailgate.language.reserved_words import TO_US
from mailgate.language.talk import (
    LONGEST,
    is_greeting,
    move_within,
    opens_kindly,
    plan_in,
    plans,
    takes_back,
    told,
    vertices,
)
from mailgate.language.verb_table import LINES, VERBS
from mailgate.language.wished_games import wished_games
from mailgate.language.wished_terms import left_out, wished_terms
from mailgate.language.written_moves import claimed_color, normalize, read_move, strip_decoration
from mailgate.reading.reply_trimming import fold_space

MAX_COMMANDS = 10
"""How many command lines a letter may hold, and among how many lines they are looked for."""


WISHED = "a game is wished for"
"""The detail of a refusal of words that wish for a game, and do not propose one."""


@dataclass(frozen=True, slots=True)
class ParsedCommand:
    """A command, the line that it was read from, and the colour which that says it is of."""

    line: str
    command: cmd.Command
    color: Color | None = None
    within: str = ""
    """The whole line that it stands in, where that has words beside it."""


@dataclass(frozen=True, slots=True)
class ParsedText:
    """The commands of a letter, in order, and the words for the opponent, cleaned."""

    commands: tuple[ParsedCommand, ...]
    message: str
    held: str = ""
    """Words that are not passed on, because some of them seem to be meant for us."""
    kept: Reservation | None = None
    """The line for which they are held back, where none of the commands answers it."""


_MOVES = (
    *(cmd.Play, cmd.Place, cmd.Pass, cmd.Undo, cmd.Resign, cmd.Done, cmd.Resume, cmd.Void),
    cmd.Mark,
)
"""What plays the game on: below it, words about the game are expected."""
_TO_ONESELF = re.compile(r"(?i)(?:private(?:ly)?|secret|note to (?:self|myself)|for me|todo)\b ?:")
_PLAYS_ON = (cmd.Play, cmd.Place, cmd.Pass, cmd.Resign, cmd.Mark)
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
_ABROAD_I = re.compile(r"^(?:(?:ich|je|yo|io|ik|eu|jag|я|저는|나는) |私は|我)")
"""Who speaks, as other languages say or leave it: `yo paso`, `我虚手`."""
_INVITES = re.compile(r"(?:new|challenge|invite)\b(?!.*(?:@|\bvs\b))")
"""What begins as a proposal does, and names nobody."""


def parse_text(lines: Sequence[str], subject: str = "", *, size: Size | None = None) -> ParsedText:
    """The commands and words in a letter's new text; the subject is read where there is none.

    A subject that asks for no more letters, as the buttons of mail programs write it, is read too
    where the text does not begin with a command: such programs add sentences of their own.

    `size` is the board's where it is known: refusals then offer points of that board.
    Raises `Unreadable`, with exact replies as hints, where a line looks like a command but is none,
    where commands contradict each other, and beyond `MAX_COMMANDS` of them.

    >>> found = parse_text(["D4", "", "Good luck!"])
    >>> [one.command for one in found.commands], found.message
    ([Play(point=Point(column=3, row=3))], 'Good luck!')
    >>> [one.command for one in parse_text([], "Re: pass").commands]
    [Pass()]
    >>> parse_text(["I think you are strong"]).commands
    ()
    >>> parse_text(["D4?"])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    godaemon.errors.Unreadable: “D4?” is a question; without the question mark it is a move. ...
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
    start, before = _below_greeting(lines)
    for index, line in enumerate(lines[start:], start):
        if not fold_space(line):
            continue
        one = _read_line(line, parsed)
        if one is None and not parsed and (found := told(line)) is not None:
            before += [found.words] if found.words else []
            plain, whole = clean_quote(found.said, 200), clean_quote(line, 200)
            one = ParsedCommand(plain, found.command, found.color, whole)
        if one is None and not parsed and (move := move_within(lines[index:])) is not None:
            parsed = [_parsed_command(str(move.point), move)]
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
    tried = range(1, len([*short]) + 1) if verb in VERBS else ()
    return next((count for count in tried if _is_one(line, below[:count])), 0)


def _first_word(line: str) -> str:
    return fold_space(line[:LONGEST]).casefold().partition(" ")[0]


def _is_one(line: str, below: Sequence[str]) -> bool:
    """True if lines are one command that the first is not, or is only a part of."""
    first, whole = _whole_command(line), _whole_command(" ".join((line, *below)))
    if not isinstance(whole, _LONG) or first == whole:
        return False
    if isinstance(first, cmd.Propose) and isinstance(whole, cmd.Propose):
        return first.opponent == whole.opponent  # else words of their own made it a longer name
    if first is None or line.rstrip().endswith(","):
        return True
    lists = isinstance(whole, cmd.Mark) or len(line) >= _WIDE
    alone = (one for one in below if not (lists and len(vertices(one)) == len(one.split())))
    return type(first) is type(whole) and not any(map(_whole_command, alone))


_BROKEN, _TOP, _WIDE = 4, 40, 56
"""The lines that are tried below a command, those of a letter, and the columns of a broken one."""
_LONG = cmd.Mark | cmd.Place | cmd.If | cmd.Try | cmd.Propose
"""The commands that may be longer than a line."""


def _with_plans_apart(lines: Sequence[str]) -> list[str]:
    """The lines with a plan that stands behind a move below it: `D4, and if E5 then F6`."""
    apart = list[str]()
    for line in lines:
        found = _PLAN_BEHIND.fullmatch(line[:LONGEST])
        plan = plan_in(found["plan"]) if found and plans(found["plan"]) else ""
        moves = found is not None and isinstance(_whole_command(found["move"]), cmd.Play)
        apart += [found["move"], plan] if found is not None and moves and plan else [line]
    return apart


_PLAN_BEHIND = re.compile(
    r"(?i)(?P<move>.{2,30}?)[ ,;.]{1,9}(?:(?:and|und|et|y) )?"
    r"(?P<plan>(?:if|when|in case|wenn|falls|si) .*)"
)


def _below_greeting(lines: Sequence[str]) -> tuple[int, list[str]]:
    """Where the lines below a greeting begin, and the greeting; 0 where it is all there is."""
    said = [index for index, line in enumerate(lines) if fold_space(line)]
    above, below = [*(lines[index] for index in said[:2]), "", ""][:2]
    if len(said) > 1 and _greets(above, below) and not _asks_more(above):
        return said[1], list(lines[said[0] : said[1]])
    return 0, []


def _greets(line: str, below: str) -> bool:
    """True for a greeting, and for one with kind words about it right above a command."""
    return is_greeting(line) or (
        opens_kindly(line) and question_to_us([line]) is None and is_whole_command(below)
    )


def _with(parsed: list[ParsedCommand], more: ParsedCommand) -> list[ParsedCommand]:
    """One more; handicap stones on several lines, as mail programs break long ones, are one."""
    if not (parsed and isinstance(more.command, cmd.Place) and more.command.points):
        return [*parsed, more]
    before = parsed[-1].command
    if not (isinstance(before, cmd.Place) and before.points):
        return [*parsed, more]
    whole = cmd.Place((*before.points, *more.command.points))
    return [*parsed[:-1], ParsedCommand(f"{parsed[-1].line} {more.line}"[:200], whole)]


def is_command_line(line: str) -> bool:
    """True where a line, on its own, would be obeyed: none of our own letters' may.

    >>> is_command_line("dead Q16 C3 only"), is_command_line("is Q16 dead?")
    (True, False)
    """
    return is_whole_command(line) or told(line) is not None


def is_whole_command(line: str) -> bool:
    """True where all of a line is a command, with no words about it."""
    return _whole_command(line) is not None


def asks_to_stop(subject: str) -> bool:
    """True where a subject, not that of an answer, asks for no more letters.

    >>> asks_to_stop("Unsubscribe"), asks_to_stop("Re: stop")
    (True, False)
    """
    return read_stop(strip_decoration(normalize(subject[:300]))) is not None


def _parse_subject(subject: str, size: Size | None) -> ParsedText:
    """The subject of a letter without text, where it is a whole command; else nothing.

    A subject that came with a forwarded letter is not its sender's own.
    """
    plain = _ANSWERED.sub("", fold_space(subject[:300]))
    if _FORWARDED.match(plain):
        return ParsedText((), "")
    command = _whole_command(plain)
    if command is None:
        refuse_near_move(plain, moved=False, size=size)
    return ParsedText((_parsed_command(plain, command),) if command else (), "")


def _parsed_command(line: str, command: cmd.Command) -> ParsedCommand:
    colored = isinstance(command, cmd.Play | cmd.Pass | cmd.Resign)
    return ParsedCommand(
        clean_quote(line, 200), command, claimed_color(normalize(line[:500])) if colored else None
    )


def _asks_more(greeting: str) -> bool:
    """True where a line that seems to greet says what is for us, as `Hi Bo, undo` does."""
    plain = strip_decoration(normalize(greeting[:300]))
    return reserved([greeting]) is not None and not re.fullmatch(TO_US, plain)


def _parsed_text(
    parsed: list[ParsedCommand], before: list[str], rest: Sequence[str], size: Size | None
) -> ParsedText:
    """The commands with the words `before` and below them; or what is meant by words alone."""
    parsed, rest = _with_note(*_with_lines_below(parsed, rest))
    _refuse_contradiction(parsed)
    unique = {one.command: one for one in reversed(parsed)}
    commands = tuple(one for one in parsed if unique[one.command] is one)
    if any(isinstance(one, cmd.Stop | cmd.Forget) for one in unique):
        return ParsedText(commands, "")  # who stops our emails tells us why, and nobody else
    if parsed and not rest and before and is_greeting(before[0]):
        before = before[1:]  # a greeting alone is worth no words to the opponent
    between = [""] if before and rest and parsed else []
    message = clean_message("\n".join([*before, *between, *rest]))
    if any(isinstance(one, cmd.NewGame) for one in unique):
        _refuse_private(rest)
        within = " ".join(one.within for one in commands)
        _refuse_terms_beside(unique, " ".join([*before, *rest[:1]]), within)
        return ParsedText(commands, clean_message("\n".join(rest)))  # for whoever is invited
    _refuse_taken_back(parsed, rest)
    alone = () if commands else rest
    _refuse_wished(alone, addressed=True)
    kept = all_reserved([*before, *rest], marked=bool(commands))
    excuses = kept is not None and kept.hints == ("undo",) and cmd.Undo() in unique
    if kept is not None and not excuses:
        if not commands:
            why = f"You wrote “{clean_quote(kept.line)}”. {kept.answer.rstrip('.')}"
            raise Unreadable(f"{why}. Nothing was done.", hints=kept.hints)
        return ParsedText(commands, "", message, kept)
    _refuse_wished(alone, addressed=False)
    if topics := questions_to_us([*before, *rest], marked=bool(commands)):
        asked = (ParsedCommand(clean_quote(topics[one], 200), cmd.Help(one.name)) for one in topics)
        return ParsedText((*commands, *asked), "", message)
    if rest:
        _refuse_left_over(parsed, rest[0])
        _refuse_near(rest[0], parsed, size)
    if not parsed:
        _refuse_command_below(rest)
    return ParsedText(commands, message)


def _with_lines_below(
    parsed: list[ParsedCommand], rest: Sequence[str]
) -> tuple[list[ParsedCommand], Sequence[str]]:
    """The commands with those below words that no other player could be told: settings and plans.

    Each has a line of its own, which nobody writes in a talk.
    """
    below, words = list[ParsedCommand](), list[str]()
    for line in rest:
        short = 0 < len(fold_space(line[:LONGEST])) < LONGEST
        command = _whole_command(line) if short else None
        if isinstance(command, _BELOW) and not line.rstrip().endswith(("?", "!")):
            below.append(_parsed_command(line, command))
        else:
            words.append(line)
    if not below or len(parsed) + len(below) > MAX_COMMANDS:
        return parsed, rest
    return [*parsed, *below], words


_BELOW = cmd.Timezone | cmd.Emails | cmd.Receipts | cmd.Vacation | cmd.If


def _refuse_wished(rest: Sequence[str], *, addressed: bool) -> None:
    """Raises for a sentence that wishes for a game; `addressed` is one that says with whom."""
    hints = wished_games(" ".join(rest)[:600])
    if hints and (not addressed or hints != (EXAMPLE,)):
        message = "A new game is proposed on the first line of an email. Nothing was done."
        if hints[1:]:
            message = (
                "Each game is proposed on the first line of an email of its own. Nothing was done."
            )
        message += left_out(" ".join(rest), hints[0]) if "@" in " ".join(rest) else ""
        raise Unreadable(message, hints=hints, detail=WISHED)


def _with_note(
    parsed: list[ParsedCommand], rest: Sequence[str]
) -> tuple[list[ParsedCommand], Sequence[str]]:
    """The commands with all that stands below a note in it, so that nobody else is told of it."""
    if not rest or not parsed or not isinstance(last := parsed[-1].command, cmd.Note):
        return parsed, rest
    whole = replace(last, text=clean_message("\n".join([last.text, *rest])))
    return [*parsed[:-1], replace(parsed[-1], command=whole)], ()


def _refuse_near(line: str, parsed: Sequence[ParsedCommand], size: Size | None) -> None:
    """Raises where the first line that is no command is nearly one."""
    moved = any(isinstance(one.command, _MOVES) for one in parsed)
    turned = any(isinstance(one.command, cmd.Turn | cmd.Place) for one in parsed)
    try:
        talk = _parse_line(line) is not None  # in another letter it would be a command
    except Unreadable:
        talk = True
    if not talk:
        refuse_near_move(line, moved=moved or turned, size=size)
        refuse_near_command(line, turned=turned)


def _refuse_left_over(parsed: Sequence[ParsedCommand], line: str) -> None:
    """Raises for a line of points below a list of points: it is no word to the opponent."""
    named = vertices(line[:LONGEST])
    if parsed and isinstance(parsed[-1].command, _LONG) and 2 * len(named) >= len(line.split()):
        raise Unreadable(
            f"“{clean_quote(line)}” seems to go on from “{parsed[-1].line}”, and I cannot read it."
            " Nothing was done: please send all of it on one line.",
            hints=(f"{parsed[-1].line} {' '.join(map(str.upper, named))}",),
        )


def _refuse_taken_back(parsed: Sequence[ParsedCommand], rest: Sequence[str]) -> None:
    """Raises where the words below a command take it back: `D4`, and below it `no, sorry, E5`."""
    for one in parsed:
        undone = isinstance(one.command, cmd.Undo)  # of it people say what they had meant
        if (
            isinstance(one.command, cmd.Turn)
            and not undone
            and (line := takes_back(rest, one.command))
        ):
            others = tuple(vertex.upper() for vertex in vertices(line))
            raise Unreadable(
                f"“{one.line}” and then “{clean_quote(line)}”: I am not sure which you mean, so"
                " nothing was done.",
                hints=tuple(dict.fromkeys((one.line, *others[:2]))),
            )


def refuse_below(lines: Sequence[str]) -> None:
    """Raises where a command stands among or below quoted lines, and was not read.

    It is not where words stand above it, or the quotation goes on: in doubt nothing is done.
    """
    found = dict.fromkeys(filter(None, (_acts(line, *_PLAYS_ON) for line in lines)))
    if found:
        message = (
            f"“{next(iter(found))}” stands below a quotation. Commands come first, on the first"
            " line of the email. Nothing was done."
        )
        raise Unreadable(message, hints=tuple(found)[:3])


def _refuse_command_below(rest: Sequence[str]) -> None:
    """Raises where a letter's only command stands below its first words, and so is not read."""
    for line in [line for line in rest[1:] if fold_space(line)][: MAX_COMMANDS - 1]:
        if quoted := _acts(line, *_PLAYS_ON):
            message = f"“{quoted}” stands below other words; commands come first. Nothing was done."
            raise Unreadable(message, hints=(quoted,))


def _refuse_private(words: Sequence[str]) -> None:
    """Raises where a line among the words for whoever is invited is for their writer alone."""
    for line in (NUMBERED.sub("", one.lstrip("-•·* ")) for one in words):
        private = clean_quote(line) if _TO_ONESELF.match(line) else ""
        if quoted := private or _acts(line, cmd.Note, cmd.If, cmd.CancelIfs):
            raise Unreadable(
                f"“{quoted}” stands among the words for whoever is invited, and is not for them."
                " Nothing was proposed: please send it by itself."
            )


def _refuse_terms_beside(commands: Iterable[cmd.Command], words: str, within: str) -> None:
    """Raises for a rematch with words beside it, or `within` its own sentence, that name terms."""
    if cmd.Rematch() not in commands:
        return
    terms = [one for one in wished_terms(words) if not one.startswith("as ")]
    if terms or wished_terms(within):  # below it, `I enjoyed that as Black` names none
        raise Unreadable(UNSURE_TERMS, hints=rematches(f"{within} {words}" if within else words))


def _acts(line: str, *kinds: type) -> str:
    """A line that is a command of some kinds, as we quote it; empty for any other."""
    return clean_quote(line) if isinstance(_whole_command(line), kinds) else ""


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
    """The command that a line is, None for words; raises `Unreadable` for what is in between."""
    moved = any(isinstance(one.command, _MOVES) for one in parsed)
    turned = any(isinstance(one.command, cmd.Turn | cmd.Place) for one in parsed)
    try:
        command = _parse_line(line)
    except Unreadable:
        if turned and _INVITES.match(normalize(line[:500])):  # `New game?`
            return None
        raise
    # Nothing is asked, and nothing counted, where one answers with a move: this is talk.
    played = any(isinstance(one.command, cmd.Play) for one in parsed)
    if (moved and isinstance(command, cmd.Yes | cmd.No)) or (
        played and isinstance(command, cmd.Done | cmd.Resume)
    ):
        return None
    if moved and isinstance(command, cmd.AskScore) and len(line.split()) > 1:  # asked of the other
        return None
    return None if command is None else _parsed_command(line, command)


@lru_cache(maxsize=512)
def _whole_command(line: str) -> cmd.Command | None:
    """The command that a whole line is; None for words, and for one with wrong arguments."""
    with suppress(Refusal):
        return _parse_line(line)
    return None


def _parse_line(line: str) -> cmd.Command | None:
    """The command that a whole line is; raises `Unreadable` where only its arguments are wrong.

    A kind word before or behind it changes nothing, where what it does can be done again.
    """
    plain = _KINDLY.sub("", line)
    if plain != line:
        with suppress(Unreadable):
            found = _read_whole(plain)
            if isinstance(found, _KIND) and not isinstance(found, cmd.Help):
                return found
    return _read_whole(line)


_KINDLY = re.compile(
    r"(?i)^\s*(?:please|pls|plz|kindly|bitte)[ ,]+|(?<![ ,])[ ,]+(?:please|pls|plz|thanks?"
    r"|thank you|thx|bitte|danke|merci|svp|gracias|grazie)[ .!]*$"
)

_SET = re.compile(
    r"(?i)^\s*(?:(?:please|pls|plz|can you|could you)[ ,]+)*(?:set|change) my (timezone|name) to "
)
_KIND = cmd.Query | cmd.If | cmd.CancelIfs | cmd.AskScore | cmd.Rematch | cmd.Public


def _read_whole(line: str) -> cmd.Command | None:
    line = _SET.sub(r"\1 ", line[:3_000])
    folded = " ".join(fold_space(unicodedata.normalize("NFKC", line)).split())
    normal = normalize(line)
    whole = strip_decoration(normal) or normal
    if entry := LINES.get(whole) or LINES.get(_ABROAD_I.sub("", whole)):
        return entry.read("")
    found = (
        read_move(normal)
        or read_relocate(folded)
        or read_i_am(folded)
        or read_counter(folded)
        or read_stop(whole)
        or read_forget(folded)
        or read_block(whole)
        or read_resume(whole)
        or read_watching(whole)
        or read_watch_player(folded)
        or read_question(whole)
        or read_past(whole)
        or read_learn(whole)
        or read_boards(whole)
        or read_score(whole)
        or read_send(whole)
        or read_mark_sentence(whole)
    )
    if found is not None:
        return found
    verb, _, rest = folded.partition(" ")
    entry = VERBS.get(verb.casefold().strip(".!:,"))
    if entry is None:
        entry = VERBS.get(whole)
        return entry.read("") if entry else None
    if entry.verb == "move" and "@" in rest:
        return read_proposal(rest)
    if entry.verb in ("note", "hidden") and verb.endswith(":"):
        rest = f": {rest}"  # whatever follows it, then
    own = entry.verb in ("say", "new", "name", "note", "hidden", "timezone")
    return entry.read(rest if own else rest.casefold())
