"""Patterns: what the eight points around an empty one say about a stone there. Pure; never fails.

The eight are one number of two bits each: 0 empty, 1 black, 2 white, 3 beyond the edge. The arena
keeps these numbers up to date as stones come and go, and so eyes, room and shape are one look-up
in a table that fills itself as numbers are met.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

EYE = 1
"""All four points beside it are one's own, and too few corners the opponent's to make it false."""
ROOMY = 2
"""Two of the points beside it are empty: no move there is suicide, self-atari or ko."""
SHAPELY = 4
"""A move there is hane, a cut, a block at the edge or the like."""

EDGE = 3

_CORNERS = (0, 2, 5, 7)
_SIDES = (1, 3, 4, 6)

# From the meanings of those in S. Gelly, Y. Wang, R. Munos, O. Teytaud, "Modification of UCT with
# Patterns in Monte-Carlo Go" (2006), section 3.2. Reading order without the point itself:
# X and O are the two colours, whichever; "." empty; "#" beyond the edge; "?" anything;
# "x" anything but X, "o" anything but O, both on the board or off it.
_SHAPES = (
    "XOX .. ???",  # hane that encloses
    "XO. .. ?.?",  # hane with nothing to cut
    "XO? X. x.?",  # the turn around a stone
    "XO? Oo ?o?",  # a cut that nobody looks after
    "XO? OX ???",  # a cut that has been peeped at
    "?X? OO ooo",  # in between two stones
    "OX? oO ???",  # a cut of a knight's move
    "X.? O? ###",  # a chase along the edge
    "OX? XO ###",  # a cut at the edge
    "?X? xO ###",  # a connection at the edge
    "?OX XO ###",  # a cut below
)
_MEANS = {
    "X": (1,),
    "O": (2,),
    ".": (0,),
    "#": (3,),
    "?": (0, 1, 2, 3),
    "x": (0, 2, 3),
    "o": (0, 1, 3),
}
_TURNED = (5, 3, 0, 6, 1, 7, 4, 2)
_MIRRORED = (2, 1, 0, 4, 3, 7, 6, 5)


class Kinds(dict[int, int]):
    """For each number the marks above, as one colour sees them."""

    def __init__(self, color: int) -> None:
        self._own, self._other = (1, 2) if color > 0 else (2, 1)

    def __missing__(self, code: int) -> int:
        around = [code >> 2 * at & 3 for at in range(8)]
        kind = 0
        if self._eye(around):
            kind |= EYE
        if sum(around[at] == 0 for at in _SIDES) > 1:
            kind |= ROOMY
        if _shapely(around):
            kind |= SHAPELY
        self[code] = kind
        return kind

    def _eye(self, around: list[int]) -> bool:
        if any(around[at] not in (self._own, EDGE) for at in _SIDES):
            return False
        edge = any(around[at] == EDGE for at in _CORNERS)
        return sum(around[at] == self._other for at in _CORNERS) < (1 if edge else 2)


KINDS = (Kinds(1), Kinds(1), Kinds(-1))
"""By colour, 1 and -1; the first one is not used."""


def _shapely(around: list[int]) -> bool:
    """True where any shape fits: each of the eight leaves over those that allow what is there."""
    left = -1
    for allowed, sign in zip(_shapes(), around, strict=True):
        left &= allowed[sign]
        if not left:
            return False
    return True


@lru_cache(maxsize=1)
def _shapes() -> tuple[tuple[int, ...], ...]:
    """For each of the eight and each of the four signs, the shapes that allow it, a bit a shape.

    The shapes are turned in every direction, mirrored, and drawn for both colours.
    """
    swapped = str.maketrans("XOxo", "OXox")
    drawn = dict.fromkeys(
        signs
        for shape in _SHAPES
        for colored in (shape, shape.translate(swapped))
        for signs in _directions(colored.replace(" ", ""))
    )
    return tuple(
        tuple(
            sum(1 << number for number, signs in enumerate(drawn) if sign in _MEANS[signs[at]])
            for sign in range(4)
        )
        for at in range(8)
    )


def _directions(signs: str) -> Iterator[str]:
    for _ in range(4):
        signs = "".join(signs[at] for at in _TURNED)
        yield signs
        yield "".join(signs[at] for at in _MIRRORED)
