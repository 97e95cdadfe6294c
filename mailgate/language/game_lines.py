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

from godaemon.errors import Refusal
from mailgate.address import clean_quote
from mailgate.language.parser import is_command_line, is_whole_command, parse_text
from mailgate.reading.reply_trimming import fold_space

MOST = 30
"""How many lines of a letter are looked at."""

_GAME = r"(?:the )?(?:game|no\.?|nr\.?|number|#|№)(?: ?(?:no\.?|#|№))? ?"
_NAMED = re.compile(rf"(?i)(?:in |for )?{_GAME}(\d{{1,9}})(?:$|[ :.,)\]=>–—-]+)(.*)")
_BARE = re.compile(r"[(\[]?(\d{1,9})(?: ?[:=>]+|\.?[)\]] ?:?)(.*)")
_LOOSE = re.compile(r"(\d{1,9})(?:\.? ?[–—-] ?|[., ] ?)(.+)")
_BEHIND = re.compile(
    rf"(?i)(.+?)[ ,]+(?:(?:in|for|at|on) )?[(\[]?(?:{_GAME}|in )(\d{{1,9}})[)\].]?"
)
_AFTER = re.compile(r"([^\d]+?) #?(\d{1,9})[.!]?")
_NEXT = re.compile(
    rf"(?i)[,;.]? (?<!game )(?<!no. )(?<!and )(?<!the )(?=(?:and )?(?:{_GAME})?\d{{1,9}} ?:)"
    r"|,? and | ?[,;.] (?:and )?"
)
"""What may stand between what is asked of one game and of the next."""
_DIGITS = {"one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6"}
_SPELT = re.compile(rf"(?i)(?<=\bgame )(?:{'|'.join(_DIGITS)})\b")
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
    for line, said in _parts(lines, named):
        number, rest = _read(said)
        if number is not None and not rest:
            heading = number
            continue
        asked = rest if line == said or number is not None else line
        found.append(GameLine(clean_quote(line, 200), asked, heading if number is None else number))
    if heading is not None and not found:
        return [GameLine(f"{heading}", "show", heading)]
    return found[:MOST]


def _parts(lines: Sequence[str], named: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    """Each part of each line that asks something, and the same with numbers for names."""
    for line in lines[: 4 * MOST]:
        folded = " ".join(fold_space(unicodedata.normalize("NFKC", line[:3_000])).split())
        whole, names = _numbered(folded.lstrip("-•·* "), named)
        parts = [part.removeprefix("and ") for part in _NEXT.split(whole) if part]
        for part in parts if len(parts) > 1 and _apart(parts) else [whole] if whole else []:
            shown = part
            while names and names[0][0] in shown:
                shown = shown.replace(*names.pop(0), 1)
            yield shown, part


def _apart(parts: Sequence[str]) -> bool:
    """True where each part names its game; the first need not, where the others begin with it."""
    if _read(parts[0])[0] is not None:
        return all(_read(part)[0] is not None for part in parts)
    below = map(_NAMED.fullmatch, parts[1:])
    return is_command_line(parts[0]) and all(found and found[2] for found in below)


def _numbered(line: str, named: Mapping[str, int]) -> tuple[str, list[tuple[str, str]]]:
    """A line with the numbers of games for the names in it, and what stood for which."""
    swapped: list[tuple[str, str]] = []

    def _swap(found: re.Match[str]) -> str:
        swapped.append((f"game {named[found['name'].casefold()]}", found[0]))
        return swapped[-1][0]

    line = _SPELT.sub(lambda found: _DIGITS[found[0].casefold()], line)
    names = "|".join(map(re.escape, sorted(named, key=len, reverse=True)))
    by_name = _BY_NAME.replace("NAME", rf"(?:{names})")
    return (re.sub(by_name, _swap, line) if names else line), swapped


_BY_NAME = (
    r"(?i)(?:(?:^|(?<=[,;.] )|(?<=\band ))(?=NAME ?[:=>,–-])"
    r"|\b(?:(?:(?:in|for) )?(?:the|my|our) game )?(?:with|against|vs\.?|for) )(?P<name>NAME)"
    r"(?=$|[ .,;:=>–-])"
)
"""How people say with whom they play the game that they mean."""


def _read(said: str) -> tuple[int | None, str]:
    """The game that a line names, if any, and what it asks."""
    if found := _NAMED.fullmatch(said) or _BARE.fullmatch(said):
        return int(found[1]), found[2].strip()
    if (found := _LOOSE.fullmatch(said)) and _asks(found[2]):
        return int(found[1]), found[2].strip()
    behind = None if is_whole_command(said) else _BEHIND.fullmatch(said) or _AFTER.fullmatch(said)
    if behind and is_command_line(behind[1]):
        return int(behind[2]), behind[1].strip()
    return None, said


def _asks(said: str) -> bool:
    """True where words are a command, or nearly one."""
    try:
        return bool(parse_text([said]).commands)
    except Refusal:
        return True
