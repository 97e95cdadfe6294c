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
from itertools import islice

from godaemon.errors import Refusal
from mailgate.address import clean_quote
from mailgate.language.parser import is_command_line, is_whole_command, parse_text
from mailgate.late_patterns import late
from mailgate.reading.reply_trimming import fold_space

MOST = 30
"""How many lines of a letter are looked at."""

_GAME = r"(?:the )?(?:game|no\.?|nr\.?|number|#|№)(?: ?(?:no\.?|#|№))? ?"
_NAMED = late(rf"(?i)(?:in |for )?{_GAME}(\d{{1,9}})(?:$|[ :.,)\]=>–—-]+)(.*)")
_BARE = late(r"[(\[]?(\d{1,9})(?: ?[:=>]+|\.?[)\]] ?:?)(.*)")
_LOOSE = late(r"(\d{1,9})(?:\.? ?[–—-] ?|[., ] ?)(.+)")
_BEHIND = late(
    rf"(?i)(.*?[^ ,])[ ,]++(?:(?:in|for|at|on) )?[(\[]?(?:{_GAME}|in )(\d{{1,9}})[)\].]?"
)
_AFTER = late(r"([^\d]+?) #?(\d{1,9})[.!]?")
_NEXT = late(
    rf"(?i)[,;.]? (?<!game )(?<!no. )(?<!and )(?<!the )(?=(?:and )?(?:{_GAME})?\d{{1,9}} ?:)"
    r"|,? and | ?[,;.] (?:and )?"
)
"""What may stand between what is asked of one game and of the next."""
_DIGITS = {"one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6"}
_SPELT = late(
    rf"(?i)(?:(?<=^game )|(?<=^in game )|(?<=^for game ))(?:{'|'.join(_DIGITS)})\b"
    rf"|(?<=\bgame )(?:{'|'.join(_DIGITS)})(?=[.!]?$)"
)
"""A number in a word, at the beginning or at the end."""
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

    `named` are names in lower case of which each stands for the game with whoever has it.

    >>> [(one.game, one.said) for one in game_lines(["34: D4", "Game 41", "pass", "games"])]
    [(34, 'D4'), (41, 'pass'), (41, 'games')]
    >>> [(one.game, one.said) for one in game_lines(["D4 in game 34", "show 9", "4 d"])]
    [(34, 'D4'), (None, 'show 9'), (None, '4 d')]
    >>> [(one.game, one.said) for one in game_lines(["Bob: D4", "E5 for Bob"], {"bob": 34})]
    [(34, 'D4'), (34, 'E5')]
    """
    found: list[GameLine] = []
    heading: int | None = None
    named = {name: game for name, game in named.items() if name[1:] and not is_whole_command(name)}
    for said in islice(_parts(lines, named), 2 * MOST):
        number, rest = _read(said, named)
        if number is not None and not rest:
            heading = number
            continue
        found.append(GameLine(clean_quote(said, 200), rest, heading if number is None else number))
    if heading is not None and not found:
        return [GameLine(f"{heading}", "show", heading)]
    return found[:MOST]


def names_somebody(lines: Sequence[str]) -> bool:
    """True where a line may say with whom the game is that it is about.

    >>> names_somebody(["D4"]), names_somebody(["for Bob: D4"]), names_somebody(["Bob: D4"])
    (False, True, True)
    """
    return any(map(_SOMEBODY.search, lines[:MOST]))


_SOMEBODY = late(
    r"(?i)\b(?:with|against|vs\.?|for) [^\W\d_]"
    r"|(?:^|[,;.] |\band )[^\W\d_]{2}[^:=>,–]{0,40}[:=>,–-]"
)


def _parts(lines: Sequence[str], named: Mapping[str, int]) -> Iterator[str]:
    for line in lines[: 4 * MOST]:
        folded = " ".join(fold_space(unicodedata.normalize("NFKC", line[:3_000])).split())
        whole = folded.lstrip("-•·* ")
        parts = [part.removeprefix("and ") for part in _NEXT.split(whole, MOST) if part]
        yield from parts if len(parts) > 1 and _apart(parts, named) else [whole] if whole else []


def _apart(parts: Sequence[str], named: Mapping[str, int]) -> bool:
    """True where each part asks something of its game, and none is words that go on.

    The first need not name its game, where it is a command and the others begin with theirs.
    """
    read = [_read(part, named) for part in parts]
    below = zip(parts[1:], read[1:], strict=True)
    if any(_WORDS.match(rest) for _, rest in read[:-1]):
        return False
    if read[0][0] is None:
        return is_command_line(parts[0]) and all(
            rest and (_NAMED.fullmatch(part) or _ahead(part, named)) for part, (_, rest) in below
        )
    return all(
        game is not None and (_BARE.fullmatch(part) or is_command_line(rest))
        for part, (game, rest) in below
    )


_WORDS = late(r"(?i)(?:say|note|tell)\b")
"""What takes all that stands behind it for words."""


def _read(said: str, named: Mapping[str, int]) -> tuple[int | None, str]:
    """The game that a line names, if any, and what it asks."""
    spelt = _SPELT.sub(lambda found: _DIGITS[found[0].casefold()], said)
    if found := _NAMED.fullmatch(spelt) or _BARE.fullmatch(said):
        return int(found[1]), found[2].strip()
    if (found := _LOOSE.fullmatch(said)) and _asks(found[2]):
        return int(found[1]), found[2].strip()
    whole = is_whole_command(said)
    behind = None if whole else _BEHIND.fullmatch(spelt) or _AFTER.fullmatch(said)
    if behind and is_command_line(behind[1]):
        return int(behind[2]), behind[1].strip()
    return (None, said) if whole or not named else _read_name(said, named)


def _read_name(said: str, named: Mapping[str, int]) -> tuple[int | None, str]:
    """The same by the name of who plays there: `Bob: D4`, `against Bob, D4`, `D4 with Bob`."""
    if ahead := _ahead(said, named):
        return ahead
    found = re.fullmatch(_WITH.replace("NAME", _any(named)), said)
    if found and is_command_line(found["rest"]) and not _WORDS.match(found["rest"]):
        return named[found["name"].casefold()], found["rest"]
    return None, said


def _ahead(said: str, named: Mapping[str, int]) -> tuple[int, str] | None:
    found = re.fullmatch(_AHEAD.replace("NAME", _any(named)), said) if named else None
    if found and (found["mark"] or (found["of"] and is_command_line(found["rest"]))):
        return named[found["name"].casefold()], found["rest"]
    return None


def _any(named: Mapping[str, int]) -> str:
    return "|".join(map(re.escape, sorted(named, key=len, reverse=True)))


_OF = r"(?:(?:in|for) )?(?:(?:the|my|our) game )?(?:with|against|vs\.?|for) "
_AHEAD = rf"(?i)(?P<of>{_OF})?(?P<name>NAME)\b(?P<mark> ?[:=>,–-]+)? *(?P<rest>.*)"
_WITH = rf"(?i)(?P<rest>.*?[^ ,])[ ,]++{_OF}(?P<name>NAME)[.!]?"
"""How people say with whom they play the game that they mean, before what they ask or behind it."""


def _asks(said: str) -> bool:
    """True where words are a command, or nearly one."""
    try:
        return bool(parse_text([said]).commands)
    except Refusal:
        return True
