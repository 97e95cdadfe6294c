"""Simple Go Notation: a whole game on one line, `19x19 Q16b D4w`, or `19x19,Q16b,D4w` in a URL.

The original notes on the notation leave some questions open; we answer them as follows:

- The size comes first and is WIDTHxHEIGHT, as in SGF's SZ: `13x19` is thirteen columns wide.
- A move is a point and the colour of its stone, `b` or `w`, always last and never left out: `A6b`
  is Black at A6. `B6` and `BA6` are refused, since nobody can tell a colour from a column there; on
  boards of more than 25 columns `BA6b` is Black in column BA. Letters are written `Q16b`, and read
  in either case: the last one is the colour, those before the number are the column.
- There is no column I (`I4b` is refused, not shifted); columns after Z are AA, AB ... as elsewhere.
- A pass, which the notes do not have, is `passb` or `passw`.
- Two or more black stones before White's first are a handicap (as in the notes' example
  `C2b F9b C3b C9w`): they are set up, and White moves. A single one is a move.
- Captures follow from the moves. They may stand after the move that makes them, as `A6c`; then they
  must be stones that it takes.
- Words are separated by blanks or commas.
- A URL may hold a game (`http://host/sgn?19x19,Q16b,D4w`): at the end of its path or in its query.

What SGN has no words for (players, komi, clocks, words, result) is not written. Pure; raises
`Unreadable`.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import takewhile
from urllib.parse import unquote

from godaemon.errors import Unreadable
from godaemon.records.record import Record
from godaemon.records.replay import captures
from godaemon.rules.points import Color, Point, Size, check_size, parse_point
from godaemon.rules.position import Move
from godaemon.texts.catalogue import sentence

LONGEST = 100_000
"""Characters; a game of ten thousand moves is shorter."""

_LETTERS = {Color.BLACK: "b", Color.WHITE: "w"}
_COLORS = {letter: color for color, letter in _LETTERS.items()}


def format_sgn(record: Record) -> str:
    """The game on one line, separated by blanks.

    Raises `Unreadable` for a record with white stones set up, with black ones set up where White
    does not follow, or with a board changed by hand: SGN knows only stones that are played.
    """
    _require_played_stones(record)
    words = [str(record.size), *(f"{point}b" for point in record.setup_black)]
    words += [f"{point or 'pass'}{_LETTERS[color]}" for color, point in record.moves]
    return " ".join(words)


def parse_sgn(text: str) -> Record:
    """The game in a line of SGN; raises `Unreadable`, with correct examples as hints.

    >>> game = parse_sgn("9x9,C3b,G7b,E5w,passb")
    >>> game.handicap, game.moves[0]
    (2, Move(color=<Color.WHITE: -1>, point=Point(column=4, row=4)))
    >>> format_sgn(game)
    '9x9 C3b G7b E5w passb'
    """
    if len(text) > LONGEST:
        raise Unreadable(sentence("record-too-large"))
    words = [word for word in re.split(r"[\s,]+", text) if word]
    board = _parse_size(words[0] if words else "")
    moves: list[Move] = []
    claims: dict[int, list[Point]] = {}
    for word in words[1:]:
        point, letter = _parse_word(word, board)
        if letter == "c":
            claims.setdefault(len(moves), []).append(point or Point(-1, -1))
        else:
            moves.append(Move(_COLORS[letter], point))
    _check_claims(claims, captures(Record(board, moves=tuple(moves))))
    return replace(_split_handicap(board, moves), tells_komi=False)


def find_game(text: str) -> tuple[str, str]:
    """The game within a line (or ""), in the form that `parse_sgn` takes, and the other words.

    >>> find_game("new vs bob@example.org http://host.example/sgn?19x19,Q16b,D4w")
    ('19x19,Q16b,D4w', 'new vs bob@example.org')
    >>> find_game("new 9x9 vs bob@example.org")
    ('', 'new 9x9 vs bob@example.org')
    """
    for pattern in (_URL, _GAME):
        found = pattern.search(text)
        if found:
            rest = f"{text[: found.start()].rstrip()} {text[found.end() :].lstrip()}"
            return unquote(found[1]).replace("+", " "), rest.strip()
    return "", text


_PARTED = r"(?:\s*,\s*|\s+)"
_MOVE = r"(?:[a-z]{1,2}\d{1,2}|pass)[bwc]\b"
_URL = re.compile(
    r"(?i)<?(?<![^\s<(])https?://[^\s<>]*?[/?=](\d{1,4}x\d{1,4}(?:(?:,|%2c|%20|\+)\w*)*)[^\s<>]*>?"
)
_GAME = re.compile(rf"(?i)\b(\d{{1,4}}x\d{{1,4}}(?:{_PARTED}{_MOVE})+)")


def _require_played_stones(record: Record) -> None:
    first = record.moves[0].color if record.moves else None
    alone = len(record.setup_black) == 1
    wrong = record.setup_black and (alone or first is Color.BLACK or record.to_move is Color.BLACK)
    again = not record.setup_black and _count_handicap(record.moves) > 1
    if record.setup_white or record.edits or wrong or again:
        raise Unreadable(sentence("sgn-set-up"))


def _parse_size(word: str) -> Size:
    found = re.fullmatch(r"([0-9]{1,4})[xX]([0-9]{1,4})", word)
    if found is None:
        raise _unread_error(word, "19x19 Q16b D4w")
    return check_size(int(found[1]), int(found[2]))


def _parse_word(word: str, board: Size) -> tuple[Point | None, str]:
    """A point (None for a pass) and the letter behind it: b, w or c."""
    place, letter = word[:-1], word[-1].lower()
    if letter not in "bwc" or not place:
        hint = f"{_shorten(word).upper()}b"
        raise _unread_error(word, hint, f"{hint[:-1]}w")
    if place.lower() == "pass" and letter != "c":
        return None, letter
    if len(place) > 5:
        raise _unread_error(word, "Q16b", "passb")
    point = parse_point(place)
    if not board.has(point):
        raise Unreadable(sentence("off-board", point=point, size=board, last=board.last))
    return point, letter


def _unread_error(word: str, *hints: str) -> Unreadable:
    return Unreadable(sentence("sgn-unread", word=_shorten(word)), hints=hints)


def _check_claims(claims: dict[int, list[Point]], gone: tuple[tuple[Point, ...], ...]) -> None:
    for number, points in claims.items():
        for point in points:
            if number == 0 or point not in gone[number - 1]:
                raise _unread_error(f"{point}c")


def _split_handicap(board: Size, moves: list[Move]) -> Record:
    stones = _count_handicap(moves)
    if stones < 2:
        return Record(board, moves=tuple(moves))
    return Record(
        board,
        handicap=stones,
        setup_black=tuple(move.point for move in moves[:stones] if move.point),
        to_move=Color.WHITE,
        moves=tuple(moves[stones:]),
    )


def _count_handicap(moves: list[Move] | tuple[Move, ...]) -> int:
    """The number of black stones, each on a point of its own, before anything else."""
    begins = takewhile(lambda move: move.color is Color.BLACK and move.point is not None, moves)
    points = [move.point for move in begins]
    return len(points) if len(set(points)) == len(points) else 0


def _shorten(word: str) -> str:
    return word if len(word) <= 20 else f"{word[:20]}…"
