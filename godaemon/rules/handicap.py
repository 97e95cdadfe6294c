"""Handicap stones: at fixed points (GTP 2 draft 2, 4.1.1), or at Black's choice.

Raises `Unreadable`.
"""

from collections.abc import Collection

from godaemon.errors import Unreadable
from godaemon.rules.points import Point, Size
from godaemon.rules.ruleset import Placing, Ruleset
from godaemon.texts.catalogue import sentence

MAX_FREE = 36
"""Maximum number of handicap stones that Black may place freely."""


def max_fixed(size: Size) -> int:
    """The maximum number of fixed handicap stones; 0 for a board without fixed points.

    >>> max_fixed(Size(19, 19)), max_fixed(Size(7, 7)), max_fixed(Size(5, 5))
    (9, 4, 0)
    """
    width, height = size
    if min(width, height) < 7 or max(width, height) > 25:
        return 0
    if width % 2 and height % 2 and min(width, height) >= 9:
        return 9
    return 4


def fixed_points(size: Size, stones: int) -> tuple[Point, ...]:
    """The fixed points for a number of stones, in the order of the specification.

    Five, seven and nine stones use the centre; six and eight do not. Raises `Unreadable` if
    the board has no such handicap.

    >>> print(*fixed_points(Size(19, 19), 5))
    D4 Q16 D16 Q4 K10
    """
    check_handicap(size, Placing.FIXED, stones)
    columns, rows = map(handicap_lines, size)
    centre = [(_MID, _MID)] if stones in {5, 7, 9} else []
    places = [*_CORNERS, *_SIDES][: stones - len(centre)] + centre
    return tuple(Point(columns[across], rows[up]) for across, up in places)


def free_points(size: Size, stones: int) -> tuple[Point, ...]:
    """Points for free handicap stones: at most the fixed ones, or two corners without those."""
    fixed = max_fixed(size)
    return fixed_points(size, min(stones, fixed)) if fixed else (Point(0, 0), size.last)


def max_stones(size: Size, placing: Placing) -> int:
    """The maximum number of handicap stones; one point must stay empty."""
    if placing is Placing.FIXED:
        return max_fixed(size)
    return min(MAX_FREE, size.points - 1) if size.points > 2 else 0


def check_handicap(size: Size, placing: Placing, stones: int) -> None:
    """Raise `Unreadable` if a board of this size has no such handicap."""
    limit = max_stones(size, placing)
    if not 2 <= stones <= limit:
        hints = ("handicap 2", f"handicap {limit}") if limit else ()
        key = "handicap-up-to" if limit else "no-fixed-handicap"
        raise Unreadable(sentence(key, size=size, most=limit), hints=hints)


def handicap_stones(
    size: Size, ruleset: Ruleset, stones: int, chosen: Collection[Point] = ()
) -> tuple[Point, ...]:
    """The handicap stones of a game: Black's choice, or else the fixed ones.

    Black can choose only under rules with free placement. The points must be distinct, as many as
    the handicap, and leave one point empty. Raises `Unreadable`.
    """
    if not chosen:
        return fixed_points(size, stones) if stones else ()
    points = tuple(dict.fromkeys(chosen))
    if ruleset.placing is Placing.FIXED and {*points} != {*fixed_points(size, stones)}:
        names = " ".join(map(str, fixed_points(size, stones)))
        rules = sentence(f"rules-{ruleset.name}")
        message = sentence("handicap-fixed", rules=rules, count=stones, points=names)
        raise Unreadable(message, hints=(names,))
    outside = [point for point in points if not size.has(point)]
    if outside:
        raise Unreadable(sentence("off-board", point=outside[0], size=size, last=size.last))
    if len(points) != len(chosen) or len(points) != stones:
        raise Unreadable(sentence("handicap-counted", points=len(points), count=stones))
    check_handicap(size, ruleset.placing, stones)
    return points


def handicap_lines(length: int) -> tuple[int, int, int]:
    """The low, high and middle line of a side, from 0: the third line up to 11, then the fourth."""
    low = 2 if length < 12 else 3
    return low, length - 1 - low, length // 2


_LOW, _HIGH, _MID = 0, 1, 2
_CORNERS = ((_LOW, _LOW), (_HIGH, _HIGH), (_LOW, _HIGH), (_HIGH, _LOW))
_SIDES = ((_LOW, _MID), (_HIGH, _MID), (_MID, _LOW), (_MID, _HIGH))
