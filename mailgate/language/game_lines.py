"""Lines that name their game: `34: D4`, `game 41 pass`, `D4 in game 34`, `Bob: D4`.

Pure; raises nothing. People answer the list of their games so. `parser` reads the request.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from godaemon.errors import Refusal
from mailgate.address import clean_quote
from mailgate.language.command_lines import is_command_line, whole_command
from mailgate.language.lexicon import any_of, lexicon
from mailgate.language.parser import parse_text
from mailgate.language.written_moves import normalize
from mailgate.reading.reply_trimming import fold_space

MAX_LINES, MAX_LINE = 30, 300
"""Maximum number of lines of a letter, and characters of a line, that are searched for a game."""
_MARKED = re.compile(r"[(\[]?(\d{1,9})(?:번 ?대국)? ?[:=>)\].]+ ?")
_LOOSE = re.compile(r"#?(\d{1,9}) ?[–—,-]? ")
_NEXT = [
    re.compile(between) for between in (r"[,;.] (?:and )?", "[,;.]? and ", r" (?=#?\d{1,9} ?:)")
]
"""Separators between the requests about two games."""
_ARROWS = (["-"], ["->"], ["=>"], ["="], ["–"])
_WORDS = re.compile(r"(?i)(?:say|note|hidden|tell)\b")
"""Verbs that take the whole rest as words."""
_NO_NAMES: Mapping[str, int] = {}


@dataclass(frozen=True, slots=True)
class GameLine:
    """One request, and the number of the game that its line names, if any."""

    line: str  # as written, shortened for quotations
    request: str
    game: int | None = None


def game_lines(lines: Sequence[str], names: Mapping[str, int] = _NO_NAMES) -> list[GameLine]:
    """The requests in the lines of a letter; a line may be the heading of the lines below.

    `names` are game numbers by the opponents' names in lower case.

    >>> [(one.game, one.request) for one in game_lines(["34: D4", "Game 41", "pass", "games"])]
    [(34, 'D4'), (41, 'pass'), (41, 'games')]
    >>> [(one.game, one.request) for one in game_lines(["D4 in game 34", "show 9", "4 d"])]
    [(34, 'D4'), (None, 'show 9'), (None, '4 d')]
    >>> [(one.game, one.request) for one in game_lines(["Bob: D4", "E5 for Bob"], {"bob": 34})]
    [(34, 'D4'), (34, 'E5')]
    """
    found, heading = list[GameLine](), None
    names = {name: game for name, game in names.items() if name[1:] and not whole_command(name)}
    for text in _split_lines(lines, names):
        number, rest = _read_game(text, names)
        if number is not None and not rest:
            heading = number
        else:
            game = heading if number is None else number
            found.append(GameLine(clean_quote(text, 200), rest, game))
    if heading is not None and not found:
        return [GameLine(f"{heading}", "show", heading)]
    return found[:MAX_LINES]


def _split_lines(lines: Sequence[str], names: Mapping[str, int]) -> Iterator[str]:
    for line in lines[: 4 * MAX_LINES]:
        folded = " ".join(fold_space(unicodedata.normalize("NFKC", line[:3_000])).split())
        whole = folded.lstrip("-•·* ")
        betweens = (*_NEXT, _patterns().between) if len(whole) <= MAX_LINE else ()
        splits = (between.split(whole) for between in betweens)
        several = (parts for parts in splits if parts[1:] and _are_requests(parts, names))
        yield from next(several, [whole] if whole else [])


def _are_requests(parts: Sequence[str], names: Mapping[str, int]) -> bool:
    """True if each part names its game and a command, and only the last one takes words."""
    read = [_read_game(part, names) for part in parts[:MAX_LINES] if part]
    named = all(game is not None and is_command_line(rest) for game, rest in read)
    return named and not any(_WORDS.match(rest) for _, rest in read[:-1])


def _read_game(text: str, names: Mapping[str, int]) -> tuple[int | None, str]:
    """The game that a line names, if any, and the rest of it."""
    if len(text) > MAX_LINE:
        return None, text
    ahead, behind, _ = _patterns()
    found, loose = ahead.match(text) or _MARKED.match(text), _LOOSE.match(text)
    if not found and loose and _is_request(text[loose.end() :]):
        found = loose
    if found:
        return int(found[1]), text[found.end() :].strip()
    if whole_command(text) is not None:
        return None, text
    found = behind.search(text)
    if found and is_command_line(text[: found.start()]):
        return int(found[1]), text[: found.start()].strip()
    return next(_games_by_name(text, names), (None, text))


class _Patterns(NamedTuple):
    """Patterns of a game's number before a request, behind it, and between two requests."""

    ahead: re.Pattern[str]
    behind: re.Pattern[str]
    between: re.Pattern[str]


@cache
def _patterns() -> _Patterns:
    game, to = (any_of(lexicon().terms[term]) for term in ("game", "versus"))
    word = rf"(?:(?:{to}) )?(?:the )?(?:{game}|#|№|no|nr)\.? ?#?"
    return _Patterns(
        re.compile(
            rf"(?i)(?:{word}|第(?=\d+[局盘盤]))(\d{{1,9}})[局盘盤]?(?:$|[ :.,)\]=>–—-]{{1,3}})"
        ),
        re.compile(rf"(?i)[ ,]{{1,2}}[(\[]?(?:{word}|(?:{to}) )(\d{{1,9}})[)\].]?$"),
        re.compile(rf"(?i)(?<=[.!;。！；]) (?={word}\d{{1,9}} ?:)"),
    )


def _games_by_name(text: str, names: Mapping[str, int]) -> Iterator[tuple[int, str]]:
    """Games by the opponent's name: `Bob: D4`, `against Bob, D4`, `D4 with Bob`."""
    words, originals, versus = normalize(text).split(), text.split(" "), lexicon().terms["versus"]
    bare = [word.strip(":,.!") for word in words]
    for name, game in names.items():
        parts = name.split()
        first = 1 if words[0] in versus else 0
        end, last = first + len(parts), len(words) - len(parts)
        marked = first or " ".join(words[:end]).endswith((":", ","))
        if bare[first:end] == parts and (marked or words[end : end + 1] in _ARROWS):
            yield game, " ".join(originals[end:]).lstrip(":=>-– ")
        if last > 0 and bare[last:] == parts and bare[last - 1] in versus:
            rest = _strip_game(originals[: last - 1])
            if rest and not _WORDS.match(rest):
                yield game, rest


def _strip_game(words: list[str]) -> str:
    """The command without words that call it a game: `D4 in my game`."""
    for count in (3, 2, 1, 0):
        end = len(words) - count
        rest = " ".join(words[: max(end, 0)]).rstrip(" ,")
        a_game = not count or {*map(normalize, words[end:])} & lexicon().terms["game"]
        if a_game and is_command_line(rest):
            return rest
    return ""


def _is_request(text: str) -> bool:
    """True for a command, or nearly one."""
    try:
        return bool(parse_text([text]).commands)
    except Refusal:
        return True
