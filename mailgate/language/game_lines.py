"""Lines that name the game that they are about: `34: D4`, `game 41 pass`, `D4 in game 34`.

Pure; raises nothing. So people answer the list of their games, in which there is no board: what a
number there stands for is a game, and so is a name: `Bob: D4`. What is asked of that game is read
by `parser`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from godaemon.errors import Refusal
from mailgate.address import clean_quote
from mailgate.language.lexicon import lexicon
from mailgate.language.parser import is_command_line, parse_text, whole_command
from mailgate.language.written_moves import normalize
from mailgate.reading.reply_trimming import fold_space

MOST = 30
"""How many lines of a letter are looked at."""
LONGEST = 300
"""Characters of a line that are looked at for a game; a longer one is words."""
_MARKED = re.compile(r"[(\[]?(\d{1,9}) ?[:=>)\].]+ ?")
_LOOSE = re.compile(r"#?(\d{1,9}) ?[–—,-]? ")
_NEXT = (
    re.compile(r"[,;.] (?:and )?"),
    re.compile(r"[,;.]? and "),
    re.compile(r" (?:and )?(?=#?\d{1,9} ?:)"),
)
"""What may stand between what is asked of one game and of the next."""
_ARROWS = (["-"], ["->"], ["=>"], ["="], ["–"])
_WORDS = re.compile(r"(?i)(?:say|note|hidden|tell)\b")
"""What takes all that stands behind it for words."""
_NO_NAMES: Mapping[str, int] = {}


@dataclass(frozen=True, slots=True)
class GameLine:
    """One thing that is asked: the words for it, and the game that they name, if any."""

    line: str
    """As it was written, and as we quote it."""
    said: str
    game: int | None = None


def game_lines(lines: Sequence[str], named: Mapping[str, int] = _NO_NAMES) -> list[GameLine]:
    """What the lines of a letter ask of several games; a line may only name one for those below.

    `named` are names in lower case, each for the game with the player who has it.

    >>> [(one.game, one.said) for one in game_lines(["34: D4", "Game 41", "pass", "games"])]
    [(34, 'D4'), (41, 'pass'), (41, 'games')]
    >>> [(one.game, one.said) for one in game_lines(["D4 in game 34", "show 9", "4 d"])]
    [(34, 'D4'), (None, 'show 9'), (None, '4 d')]
    >>> [(one.game, one.said) for one in game_lines(["Bob: D4", "E5 for Bob"], {"bob": 34})]
    [(34, 'D4'), (34, 'E5')]
    """
    found: list[GameLine] = []
    heading: int | None = None
    named = {name: game for name, game in named.items() if name[1:] and not whole_command(name)}
    for said in _parts(lines, named):
        number, rest = _read(said, named)
        if number is not None and not rest:
            heading = number
            continue
        found.append(GameLine(clean_quote(said, 200), rest, heading if number is None else number))
    if heading is not None and not found:
        return [GameLine(f"{heading}", "show", heading)]
    return found[:MOST]


def _parts(lines: Sequence[str], named: Mapping[str, int]) -> Iterator[str]:
    for line in lines[: 4 * MOST]:
        folded = " ".join(fold_space(unicodedata.normalize("NFKC", line[:3_000])).split())
        whole = folded.lstrip("-•·* ")
        tried = (pattern.split(whole) for pattern in _NEXT if len(whole) <= LONGEST)
        apart = (parts for parts in tried if len(parts) > 1 and _apart(parts, named))
        yield from next(apart, [whole] if whole else [])


def _apart(parts: Sequence[str], named: Mapping[str, int]) -> bool:
    """True where each part names its game and is a command."""
    read = [_read(part, named) for part in parts[:MOST] if part]
    if any(_WORDS.match(rest) for _, rest in read[:-1]):
        return False
    return all(game is not None and is_command_line(rest) for game, rest in read)


def _read(said: str, named: Mapping[str, int]) -> tuple[int | None, str]:
    """The game that a line names, if any, and what it asks."""
    if len(said) > LONGEST:
        return None, said
    ahead, behind = _patterns()
    if found := ahead.match(said) or _MARKED.match(said):
        return int(found[1]), said[found.end() :].strip()
    if (found := _LOOSE.match(said)) and _asks(said[found.end() :]):
        return int(found[1]), said[found.end() :].strip()
    if whole_command(said) is not None:
        return None, said
    found = behind.search(said)
    if found and is_command_line(said[: found.start()]):
        return int(found[1]), said[: found.start()].strip()
    return _read_name(said, named) if named else (None, said)


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What names a game by its number, before what is asked and behind it."""
    terms = lexicon().terms
    game = "|".join(map(re.escape, sorted(terms["game"], key=len, reverse=True)))
    to = "|".join(map(re.escape, sorted(terms["versus"], key=len, reverse=True)))
    word = rf"(?:(?:{to}) )?(?:the )?(?:{game}|#|№|no|nr)\.? ?#?"
    return (
        re.compile(rf"(?i){word}(\d{{1,9}})(?:$|[ :.,)\]=>–—-]{{1,3}})"),
        re.compile(rf"(?i)[ ,]{{1,2}}[(\[]?(?:{word}|(?:{to}) )(\d{{1,9}})[)\].]?$"),
    )


def _read_name(said: str, named: Mapping[str, int]) -> tuple[int | None, str]:
    """The same by the name of the other player: `Bob: D4`, `against Bob, D4`, `D4 with Bob`."""
    plain, versus = normalize(said), lexicon().terms["versus"]
    words = plain.split()
    for name, game in named.items():
        parts = name.split()
        many = len(parts)
        first = 1 if words[:1] and words[0] in versus else 0
        bare = [word.strip(":,.!") for word in words]
        if bare[first : first + many] == parts:
            behind = words[first + many :]
            if words[first + many - 1][-1] in ":," or first or behind[:1] in _ARROWS:
                return game, " ".join(said.split(" ")[first + many :]).lstrip(":=>-– ")
        if bare[-many:] == parts and bare[-many - 1 : -many] and bare[-many - 1] in versus:
            rest = _before_game(said.split(" ")[: -many - 1])
            if rest and not _WORDS.match(rest):
                return game, rest
    return None, said


def _before_game(words: list[str]) -> str:
    """The command that words are, without those that call it a game: `D4 in my game`."""
    for many in (3, 2, 1, 0):
        left, rest = words[len(words) - many :], " ".join(words[: len(words) - many]).rstrip(" ,")
        if is_command_line(rest) and (
            not many or {*map(normalize, left)} & lexicon().terms["game"]
        ):
            return rest
    return ""


def names_somebody(lines: Sequence[str]) -> bool:
    """True where a line may say with whom the game is that it is about.

    >>> names_somebody(["D4"]), names_somebody(["for Bob: D4"]), names_somebody(["Bob: D4"])
    (False, True, True)
    """
    return any(_names(line[:LONGEST]) for line in lines[:MOST])


def _names(line: str) -> bool:
    words, versus = line.split(), lexicon().terms["versus"]
    ends = [at + 1 for at, word in enumerate(words[:4]) if word[-1:] in ":,"]
    behind = [at for at, word in enumerate(words[:-1]) if normalize(word) in versus]
    asked = (" ".join(words[at:]) for at in ends)
    return bool(behind) or any(said and is_command_line(said) for said in asked)


def _asks(said: str) -> bool:
    """True where words are a command, or nearly one."""
    try:
        return bool(parse_text([said]).commands)
    except Refusal:
        return True
