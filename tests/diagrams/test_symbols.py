"""Star points."""

from __future__ import annotations

import pytest

from godaemon.diagrams.symbols import hoshi
from godaemon.rules.points import Size


@pytest.mark.parametrize(
    ("size", "stars"),
    [
        (Size(1, 1), ""),
        (Size(2, 2), ""),
        (Size(1, 9), ""),
        (Size(5, 5), "C3"),
        (Size(7, 7), "C3 C5 D4 E3 E5"),
        (Size(9, 9), "C3 C7 E5 G3 G7"),
        (Size(13, 13), "D4 D10 G7 K4 K10"),
        (Size(12, 12), "D4 D9 J4 J9"),
        (Size(19, 19), "D4 D10 D16 K4 K10 K16 Q4 Q10 Q16"),
        (Size(13, 19), "D4 D16 G10 K4 K16"),
    ],
)
def test_star_points(size: Size, stars: str) -> None:
    """Boards of any size are dotted as printed boards are."""
    assert {str(point) for point in hoshi(size)} == set(stars.split())
