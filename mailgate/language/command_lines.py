"""Lines that are commands: a verb with its arguments, a point, or a sentence of the lexicon.

Pure; raises only `Unreadable`. `rejoin_lines` joins lines that a mail program broke; `split_plans`
separates a plan from the move before it.
"""

import re
import unicodedata
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache

from godaemon.errors import Refusal, Unreadable
from godaemon.games import commands as cmd
from mailgate.language.acting_statements import VERBS_IN_QUESTIONS, read_statement, read_talk
from mailgate.language.lexicon import IRREVERSIBLE, lexicon
from mailgate.language.statement_splitting import MAX_LINE, mark_text, vertices
from mailgate.language.verb_table import FREE_WORDS, READERS
from mailgate.language.written_moves import normalize, read_move, strip_decoration
from mailgate.reading.reply_trimming import fold_space


def rejoin_lines(lines: Sequence[str]) -> list[str]:
    """Join the lines of commands that a mail program broke into several."""
    joined, rest = list[str](), list(lines[:_MAX_CHECKED_LINES])
    while rest:
        line = rest.pop(0)
        while more := _count_lines_to_join(line, rest[:_MAX_CONTINUATION_LINES]):
            line = " ".join(map(fold_space, (line, *rest[:more])))
            del rest[:more]
        joined.append(line)
    return [*joined, *lines[_MAX_CHECKED_LINES:]]


def _count_lines_to_join(line: str, below: Sequence[str]) -> int:
    """The number of lines below that belong to the command which a line begins."""
    folded = (fold_space(one[:MAX_LINE]).casefold() for one in (line, *below))
    verb, *others = (one.partition(" ")[0] for one in folded)
    ends = [at for at, one in enumerate(others) if one in ("", "" if verb == "if" else verb)]
    ends += [at for at, one in enumerate(below) if len(one) >= MAX_LINE]
    counts = range(1, min(ends, default=len(below)) + 1) if verb in lexicon().verbs else ()
    return next((count for count in counts if _is_broken_command(line, below[:count])), 0)


def _is_broken_command(line: str, below: Sequence[str]) -> bool:
    """True if the lines together are a command, and the first alone is another or none."""
    first, whole = whole_command(line), whole_command(" ".join((line, *below)))
    if not isinstance(whole, LONG_COMMANDS) or first == whole:
        return False
    if isinstance(first, cmd.Propose) and isinstance(whole, cmd.Propose):
        return first.opponent == whole.opponent  # else the next line was read as part of the name
    if first is None or line.rstrip().endswith(","):
        return True
    lists = isinstance(whole, cmd.Mark) or len(line) >= _MIN_BROKEN_WIDTH
    others = (one for one in below if not (lists and len(vertices(one)) == len(one.split())))
    return type(first) is type(whole) and not any(map(whole_command, others))


_MAX_CONTINUATION_LINES, _MAX_CHECKED_LINES, _MIN_BROKEN_WIDTH = 4, 40, 56
"""Maximum number of lines that continue a command, and of lines that are checked for that; minimum
width of a line that a mail program broke."""


LONG_COMMANDS = cmd.Mark | cmd.Place | cmd.If | cmd.Try | cmd.Propose
"""The commands that may be longer than a line."""


def split_plans(lines: Sequence[str]) -> list[str]:
    """Move each plan to a line below its move: `D4, and if E5 then F6`."""
    separate = list[str]()
    for line in lines:
        move, *plans = _PLAN_AFTER_MOVE.split(line, maxsplit=1)
        has_plan = any(isinstance(whole_command(one), cmd.If) for one in plans)
        is_both = has_plan and isinstance(whole_command(move), cmd.Play)
        separate += [move, *plans] if is_both else [line]
    return separate


_PLAN_AFTER_MOVE = re.compile(r"(?i)[ ,;.]{1,3}(?:and )?(?=if .)")


def is_command_line(line: str) -> bool:
    """True if this line alone would be executed; no line that we write may be."""
    return whole_command(line) is not None or read_talk(line) is not None


@lru_cache(maxsize=512)
def whole_command(line: str) -> cmd.Command | None:
    """The command that a whole line is; None for words, or if the arguments are wrong."""
    with suppress(Refusal):
        return parse_line(line)
    return None


def parse_line(line: str) -> cmd.Command | None:
    line = line[:3_000]
    if _QUOTED.match(line):
        return None
    folded = " ".join(fold_space(unicodedata.normalize("NFKC", line)).split())
    normal = normalize(line)
    whole = strip_decoration(normal) or normal
    if (found := _read_sentence(whole, asks="?" in normal[-3:])) is not None:
        return found
    if not (normal.endswith("?") and normal.strip("? ") and "@" not in normal):
        return _read_polite_command(folded)
    free = lexicon().verbs.get(_normalize_verb(folded.partition(" ")[0])) in FREE_WORDS
    return _read_verb(folded) if free else None


_QUOTED = re.compile(r"\s*[>＞|│┃]")


def _normalize_verb(word: str) -> str:
    return normalize(word).strip(".,!:")


def _read_sentence(whole: str, *, asks: bool) -> cmd.Command | None:
    """The command of a line that is a move, or one statement of the lexicon."""
    if not asks and (move := read_move(whole)) is not None:
        return move
    found = read_statement(whole.rstrip("? ")) if len(whole) <= MAX_LINE else None
    return found[1] if found is not None and (not asks or found[0] in VERBS_IN_QUESTIONS) else None


def _read_polite_command(line: str) -> cmd.Command | None:
    """The command of a verb and its arguments, without polite words at either end."""
    plain = _strip_polite(line)
    try:
        found = _read_verb(line)
    except Unreadable:
        if plain == line:
            raise
        return _read_verb(plain)  # `new 9x9 vs bob please`
    if found is not None or lexicon().changes_nothing(mark_text(strip_decoration(normalize(line)))):
        return found  # `Well done` is no command
    return _read_verb(plain) if plain != line else None


def _strip_polite(line: str) -> str:
    known, words = lexicon(), line.split(" ")
    for_good = known.verbs.get(_normalize_verb(words[0])) in IRREVERSIBLE
    polite = known.beside if for_good else known.polite  # not `stop there`
    kept = [at for at, word in enumerate(words) if _normalize_verb(word) not in polite]
    first = kept[0] if kept else 0
    heads = (_normalize_verb(" ".join(words[first : first + count])) for count in (1, 2))
    verbs = IRREVERSIBLE.intersection(map(known.verbs.get, heads)) if first else frozenset[str]()
    is_greeted = " ".join(map(_normalize_verb, words[:first])) in known.beside
    if not kept or "resign" in verbs or (verbs and not is_greeted):
        return line  # `Sir, resign` may be for the opponent
    return " ".join(words[first : kept[-1] + 1]).rstrip(",")


def _read_verb(line: str) -> cmd.Command | None:
    words = line.split(" ")
    for count in range(min(3, len(words)), 0, -1):
        head = normalize(" ".join(words[:count])).replace(",", "").rstrip(".!:")
        verb, rest = lexicon().verbs.get(head), " ".join(words[count:])
        if verb is not None and rest and words[count - 1][-1] in "!.":
            return None  # `Rematch! And I take White`: what follows is another statement
        if verb in ("note", "hidden") and words[count - 1].endswith(":"):
            rest = f": {rest}"
        if verb == "counter" and head not in (verb, "accept but"):
            with suppress(Unreadable):  # `yes, but White is dead` is talk
                return READERS[verb](rest)
        elif verb is not None:
            return READERS[verb](rest)
    return None
