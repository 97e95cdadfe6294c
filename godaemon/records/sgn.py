"""Simple Go Notation: a whole game on one line, `19x19 Q16b D4w`, or `19x19,Q16b,D4w` in a URL.

The original notes on the notation leave some questions open; these are our answers:

- The size comes first and is WIDTHxHEIGHT, as in SGF's SZ: `13x19` is thirteen columns wide.
- A move is a point followed by the colour of its stone, `b` or `w`: `A6b` is Black at A6. `B6` and
  `BA6` are refused, because `B` may be a colour or a column; on boards of more than 25 columns
  `BA6b` is Black in column BA. Letters are written as in `Q16b`, and read in either case.
- There is no column I (`I4b` is refused, not shifted); columns after Z are AA, AB ... as elsewhere.
- A pass, which the notes do not have, is `passb` or `passw`.
- Two or more black stones before White's first are a handicap (as in the notes' example
  `C2b F9b C3b C9w`): they are set up, and White moves. A single one is a move.
- Captures are computed from the moves. They may follow the move that makes them, as `A6c`, and are
  checked.
- Moves are separated by blanks or commas.
- A URL may contain a game (`http://host/sgn?19x19,Q16b,D4w`), at the end of its path or in its
  query.

SGN has no players, komi, clocks, comments or result. Raises `Unreadable`.
"""

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

MAX_LENGTH = 100_000
"""The limit on a game in characters; ten thousand moves are shorter."""

_LETTERS = {Color.BLACK: "b", Color.WHITE: "w"}
_COLORS = {letter: color for color, letter in _LETTERS.items()}


def format_sgn(record: Record) -> str:
    """The game on one line, separated by blanks.

    SGN has only moves and handicap stones. Raises `Unreadable` for a record with other stones set
    up, or with a board changed by hand.
    """
    first_color = record.moves[0].color if record.moves else None
    setup = record.setup_black
    is_handicap = len(setup) > 1 and Color.BLACK not in {first_color, record.to_move}
    is_ambiguous = not setup and _count_handicap(record.moves) > 1
    if record.setup_white or record.edits or (setup and not is_handicap) or is_ambiguous:
        raise Unreadable(sentence("sgn-set-up"))
    words = [str(record.size), *(f"{point}b" for point in setup)]
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
    if len(text) > MAX_LENGTH:
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
    record = Record(board, moves=tuple(moves), has_komi=False)
    _check_claims(claims, captures(record))
    stones = _count_handicap(moves)
    if stones < 2:
        return record
    setup = tuple(move.point for move in moves[:stones] if move.point)
    rest, mover = tuple(moves[stones:]), Color.WHITE
    return replace(record, handicap=stones, setup_black=setup, to_move=mover, moves=rest)


def find_game(text: str) -> tuple[str, str]:
    """The game in a line, in the form that `parse_sgn` reads, or ""; and the rest of the line.

    >>> find_game("new vs bob@example.org http://host.example/sgn?19x19,Q16b,D4w")
    ('19x19,Q16b,D4w', 'new vs bob@example.org')
    >>> find_game("new 9x9 vs bob@example.org")
    ('', 'new 9x9 vs bob@example.org')
    """
    for pattern in (_URL, _GAME):
        match = pattern.search(text)
        if match:
            rest = f"{text[: match.start()].rstrip()} {text[match.end() :].lstrip()}"
            return unquote(match[1]).replace("+", " "), rest.strip()
    return "", text


_MOVE = r"(?:[a-z]{1,2}\d{1,2}|pass)[bwc]\b"
_URL = re.compile(
    r"(?i)<?(?<![^\s<(])https?://[^\s<>]*?[/?=](\d{1,4}x\d{1,4}(?:(?:,|%2c|%20|\+)\w*)*)[^\s<>]*>?"
)
_GAME = re.compile(rf"(?i)\b(\d{{1,4}}x\d{{1,4}}(?:(?:\s*,\s*|\s+){_MOVE})+)")


def _parse_size(word: str) -> Size:
    match = re.fullmatch(r"([0-9]{1,4})[xX]([0-9]{1,4})", word)
    if match is None:
        raise _unread_error(word, "19x19 Q16b D4w")
    return check_size(int(match[1]), int(match[2]))


def _parse_word(word: str, board: Size) -> tuple[Point | None, str]:
    """A point (None for a pass) and the letter after it: b, w or c."""
    vertex, letter = word[:-1], word[-1].lower()
    if letter not in "bwc" or not vertex:
        hint = f"{_shorten(word).upper()}b"
        raise _unread_error(word, hint, f"{hint[:-1]}w")
    if vertex.lower() == "pass" and letter != "c":
        return None, letter
    if len(vertex) > 5:
        raise _unread_error(word, "Q16b", "passb")
    point = parse_point(vertex)
    if not board.has(point):
        raise Unreadable(sentence("off-board", point=point, size=board, last=board.last))
    return point, letter


def _unread_error(word: str, *hints: str) -> Unreadable:
    return Unreadable(sentence("sgn-unread", word=_shorten(word)), hints=hints)


def _check_claims(claims: dict[int, list[Point]], captures: tuple[tuple[Point, ...], ...]) -> None:
    for number, points in claims.items():
        for point in points:
            if number == 0 or point not in captures[number - 1]:
                raise _unread_error(f"{point}c")


def _count_handicap(moves: list[Move] | tuple[Move, ...]) -> int:
    """The number of black stones at the start, or 0 if two are on the same point."""
    stones = takewhile(lambda move: move.color is Color.BLACK and move.point is not None, moves)
    points = [move.point for move in stones]
    return len(points) if len(set(points)) == len(points) else 0


def _shorten(word: str) -> str:
    return word if len(word) <= 20 else f"{word[:20]}…"
