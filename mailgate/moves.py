"""Moves as people write them, and what only looks like a move.

Pure; raises `Unreadable` alone. Forgiving in form (`d4`, `D-4`, `4d`, `play D4`, `57. D4`), strict
in meaning: nothing is guessed, shifted to a neighbour or turned to another corner.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from godaemon.errors import Unreadable
from godaemon.games.commands import Play
from godaemon.rules.points import LARGEST, Point, from_sgf, parse_point
from mailgate.address import clean_quote
from mailgate.reply import fold

__all__ = ["POLITE", "bare", "point", "points", "read_move", "refuse_near_move", "settle"]

POLITE = frozenset(
    [
        *("please", "pls", "plz", "thanks", "thank", "you", "thx", "ty", "cheers", "sorry", "sir"),
        *("bitte", "danke", "merci", "gracias", "grazie", "bedankt", "then", "now", "gg", ":)"),
        *(":-)", ";)", "hi", "hello", "ok", "okay", "so", "and", "is", "my", "move", "i", "play"),
    ]
)
"""Words that say nothing beside a move, and so show that the line was meant as one."""

_VERTEX = (
    r"(?:(?P<a>[a-z])[ \-,_./]{0,3}(?P<n>\d{1,2})"
    r"|(?P<aa>[a-z]{2})-?(?P<nn>\d{1,2})"
    r"|(?P<m>\d{1,2}) ?(?P<b>[a-z]))"
)
_MOVE = re.compile(
    r"(?:#?\d{1,3}(?: ?[.):] ?| ))?"
    r"(?:(?:i|my move|my move is) ?:? ?)?"
    r"(?:(?:black|white|b|w) ?[:,]? )?"
    r"(?:(?:plays?|playing|moves?|to|at|on) ?:? ){0,2}" + _VERTEX + r" ?[bw]?"
)
_COMPACT = re.compile(r"[a-z]{1,2}-?\d{1,2}|\d{1,2}[a-z]")
_LEADING = re.compile(
    r"\(?(?:[a-z]-?\d{1,2}|[b-hj-z] \d{1,2}|\d{1,2}[a-z])(?![a-z0-9'])[):;.,!?-]*"
)
_LEADS = re.compile(
    r"(?:i|i'll|i will|i'd|my move|play|move|black|white|b|w|ok|okay|so|hi|hello)\b"
)
_TAIL = " .!,;"
_STOPS = re.compile(r" ?[.!,;]{1,4} ?$")  # not the row of dots of a board: `1  X  .  .  .`
_WRAPS = (("(", ")"), ("[", "]"), ("{", "}"), ("<", ">"), ('"', '"'), ("'", "'"), ("`", "`"))
_CONFUSED = re.compile(r"([a-z])-?(?=[oil|]*[0-9])([0-9oil|]{1,3})")
_NUMBERS = re.compile(r"(\d{1,2}) ?([-/,x*]) ?(\d{1,2})")
_KANJI = re.compile(r"\d{1,2} ?[のノ之の]? ?[一二三四五六七八九十]{1,3}")
_SGF = re.compile(r";?(?:[bw] ?\[([a-s])([a-s])\]|([a-s])([a-s]))")
_TWO_LETTER_WORDS = frozenset(
    [
        *("ad", "ah", "ai", "al", "am", "an", "as", "be", "bo", "co", "da", "de", "di", "do"),
        *("eg", "ed", "eh", "el", "em", "en", "er", "es", "fa", "fe", "go", "gg", "ha", "he"),
        *("hh", "hi", "hm", "id", "ie", "if", "im", "in", "is", "ja", "jk", "ka", "kk", "la"),
        *("le", "li", "lo", "ma", "me", "mi", "mm", "na", "ne", "nm", "no", "np", "of", "oh"),
        *("ok", "om", "op", "or", "os", "pa", "pc", "pm", "ps", "qi", "re", "se", "sh", "si"),
        *("so"),
    ]
)
_CORNERS = frozenset(["hoshi", "komoku", "sansan", "san-san", "tengen", "takamoku", "mokuhazushi"])
_LOOKALIKES = str.maketrans(
    "АВСЕНКМОРТХЅЈасеорхуѕјᴅԁѵԛԝΑΒΕΖΗΚΜΝΟΡΤΥΧοαρν",
    "ABCEHKMOPTXSJaceopxysjddvqwABEZHKMNOPTYXoapv",
)


def settle(line: str) -> str:
    """A line in the one form in which it is compared: NFKC, folded spaces, lower case."""
    return " ".join(fold(unicodedata.normalize("NFKC", line)).casefold().split())


def bare(line: str) -> str:
    """A settled line without brackets and quotation marks around it, or stops at its end."""
    line = _STOPS.sub("", line.lstrip("-•·* ").strip("*“”„«» "))
    for left, right in _WRAPS:
        if len(line) > 2 and line.startswith(left) and line.endswith(right):
            line = line[1:-1].strip(_TAIL)
    return line


def read_move(line: str) -> Play | None:
    """The move that a whole settled line is, or None; raises `Unreadable` beyond every board."""
    found = _MOVE.fullmatch(bare(line)) if len(line) <= 60 else None
    if found is None:
        return None
    letters = found["a"] or found["aa"] or found["b"]
    return Play(point(letters + (found["n"] or found["nn"] or found["m"])))


def point(text: str) -> Point:
    """The point of a vertex such as `q16`; raises `Unreadable`, also beyond the largest board."""
    found = parse_point(text.upper().replace("-", ""))
    if found.column >= LARGEST or found.row >= LARGEST:
        raise Unreadable(f"“{text}” lies on no board: they have at most {LARGEST} lines a side.")
    return found


def points(text: str) -> tuple[Point, ...] | None:
    """The points of a settled list such as `q16, c3 and d 4`; None where it holds other words."""
    joined = re.sub(r"\b([a-z]) (?=\d{1,2}\b)", r"\1", text[:1000])
    words = [word for word in re.split(r"[ ,;&.]+|\band\b", joined) if word]
    if not words or not all(_COMPACT.fullmatch(word) for word in words):
        return None
    named = (point(_letters_first(word)) for word in words)
    return tuple(dict.fromkeys(named))


def refuse_near_move(said: str, *, moved: bool) -> None:
    """Raises `Unreadable` for a line that looks like a move but is none, quoting it.

    `moved` says that the letter has its move already, so that a vertex may begin a sentence.
    """
    line = settle(said[:500])
    if len(line) > 400:
        return
    for look in (_question, _lookalike, _confused, _numbers, _other_notation):
        near = look(line)
        if near is not None:
            raise _unreadable(said, near)
    near = _company(line, moved=moved)
    if near is not None:
        raise _unreadable(said, near)


_Near = tuple[str, tuple[str, ...]]
"""Why a line is no move, to follow its quotation, and what would be one."""


def _company(line: str, *, moved: bool) -> _Near | None:
    """A vertex with other words about it: `D4 thanks!`, `ok D4`, `D4 Q16`."""
    words = [word.strip(_TAIL + "()?") for word in line.split()]
    others = [word for word in words if word and not _COMPACT.fullmatch(word)]
    vertices = [word for word in words if _COMPACT.fullmatch(word)]
    if len(vertices) > 1 and not others:
        return "holds more than one point, and a letter holds one move", tuple(vertices[:2])
    leading = _LEADING.match(line)
    if leading and not vertices:
        vertices = [re.sub(r"[^a-z0-9]", "", leading[0])]
    last = bool(vertices) and len(words) <= 4 and words[-1] == vertices[-1]
    meant = leading or (last and _LEADS.match(line))
    if vertices and (all(word in POLITE for word in others) or (meant and not moved)):
        return "has more on it than a move: put the move alone on its line", (vertices[0],)
    return None


def _question(line: str) -> _Near | None:
    meant = line.rstrip("?! ")
    if line.endswith("?") and read_move(meant):
        return "is a question; without its mark it is a move", (meant,)
    return None


def _lookalike(line: str) -> _Near | None:
    """Letters of another alphabet that look like ours (settled lines are in lower case)."""
    latin = line.upper().translate(_LOOKALIKES).casefold()
    if latin != line and latin.isascii() and read_move(latin):
        return "has a letter of another alphabet that only looks like a Latin one", (latin,)
    return None


def _confused(line: str) -> _Near | None:
    text = bare(line)
    if re.fullmatch(r"0\d{1,2}", text):
        return "begins with a nought where the letter O may be meant", (f"o{text[1:]}",)
    if re.fullmatch(r"[a-z]\d{3,}", text):
        return "lies on no board", (text[:2], text[:3])
    found = _CONFUSED.fullmatch(text)
    if found is None:
        return None
    meant = found[1] + found[2].translate(str.maketrans("oil|", "0111"))
    confused = meant != text.replace("-", "") and read_move(meant)
    return ("mixes up letters and digits: O and 0, or l and 1", (meant,)) if confused else None


def _numbers(line: str) -> _Near | None:
    text = bare(line)
    found = _NUMBERS.fullmatch(text)
    if found is None:
        return None
    if found[2] in "x*":
        return "is the size of a board; a new game is proposed so", (
            f"new {text} vs bob@example.org",
        )
    return "could be any of four corners: name the point", tuple(_corners(found))


def _other_notation(line: str) -> _Near | None:
    text = bare(line)
    if text in _CORNERS or _KANJI.fullmatch(text):
        return "does not say which point: a point is a letter and a number", ("d4",)
    found = _SGF.fullmatch(text)
    if found is None or text in _TWO_LETTER_WORDS:
        return None
    meant = from_sgf((found[1] or found[3]) + (found[2] or found[4]), 19)
    return f"is how SGF writes a point; on a 19x19 board it is our {meant}", (str(meant),)


def _corners(found: re.Match[str]) -> Iterator[str]:
    one, other = int(found[1]), int(found[3])
    if not (1 <= one <= 10 and 1 <= other <= 10):
        return
    for column, row in ((one, other), (20 - one, other), (one, 20 - other), (20 - one, 20 - other)):
        yield str(Point(column - 1, row - 1))


def _letters_first(word: str) -> str:
    return word[-1] + word[:-1] if word[0].isdigit() else word


def _unreadable(said: str, near: _Near) -> Unreadable:
    why, meant = near
    hints = tuple(text.upper() if len(text) <= 4 else text for text in meant)
    return Unreadable(f"“{clean_quote(said)}” {why}. Nothing was done.", hints=hints)
