"""Published numbers, computed again with our legality.

Legal positions: Tromp and Farnebaeck, "Combinatorics of Go" (OEIS A094777 for square boards).
Games under positional superko: the same paper's table; the simple paths from the empty board in
the graph of positions, of every length, where either colour may move and passes count nothing.
"""

import pytest

from godaemon.rules.board import EMPTY, neighbours, place, unplace
from godaemon.rules.named_rulesets import RULESETS
from godaemon.rules.points import Color, Point, Size
from godaemon.rules.position import Position


def legal_positions(size: Size) -> int:
    """The number of positions that moves of either colour in the order of the board lead to.

    Taking a stone off a legal position leaves a legal one, so each is reached once, by moves that
    take nothing. Colours change places, so that only those whose first stone is black are counted.
    """
    cells, near, points = [EMPTY] * size.points, neighbours(size), size.points

    def count(start: int, colors: tuple[int, ...]) -> int:
        found = 1
        for index in range(start, points):
            for color in colors:
                taken = place(cells, near, index, color)
                if not taken:
                    found += count(index + 1, (1, -1))
                unplace(cells, index, color, taken)
        return found

    return 2 * count(0, (1,)) - 1


LEGAL = {Size(1, 1): 1, Size(2, 2): 57, Size(3, 3): 12675, Size(5, 2): 35117, Size(4, 3): 321689}


@pytest.mark.timeout(900)
@pytest.mark.parametrize("size", LEGAL)
def test_legal_positions_are_as_published(size: Size) -> None:
    """Stones in the order of the board reach each one once."""
    assert legal_positions(size) == LEGAL[size]


def games_by_length(size: Size, rules: str, longest: int | None = None) -> list[int]:
    """The number of games of each length, either colour moving at each step."""
    game = Position(size, RULESETS[rules])
    points = [Point(column, row) for row in range(size.height) for column in range(size.width)]
    counts: list[int] = []

    def count(depth: int) -> None:
        if depth == len(counts):
            counts.append(0)
        counts[depth] += 1
        if depth == longest:
            return
        for color in Color:
            for point in points:
                if game.is_legal(color, point):
                    game.play(color, point)
                    count(depth + 1)
                    game.undo()

    count(0)
    return counts


def test_games_on_tiny_boards_are_as_published() -> None:
    """1x1 has one game, 1x2 nine, 1x3 has 907."""
    assert sum(games_by_length(Size(1, 1), "tromp-taylor")) == 1
    assert sum(games_by_length(Size(1, 2), "tromp-taylor")) == 9
    lengths = [1, 6, 20, 28, 44, 48, 48, 64, 80, 96, 128, 148, 124, 60, 12]
    for rules in ("tromp-taylor", "chinese-superko"):
        assert games_by_length(Size(3, 1), rules) == lengths
    assert sum(lengths) == 907


@pytest.mark.parametrize(
    ("size", "rules", "lengths"),
    [
        (Size(2, 2), "chinese-superko", [1, 8, 48, 176, 304, 784]),
        (Size(2, 2), "tromp-taylor", [1, 8, 48, 176, 304, 784]),
        (Size(4, 1), "chinese-superko", [1, 8, 44, 140, 268, 632, 1544]),
        (Size(4, 1), "tromp-taylor", [1, 8, 44, 148, 324, 832, 2028]),
        (Size(5, 1), "tromp-taylor", [1, 10, 76, 408, 1540]),
        (Size(3, 2), "chinese-superko", [1, 12, 120, 944, 5384]),
        (Size(3, 2), "tromp-taylor", [1, 12, 120, 944, 5416]),
    ],
)
def test_first_moves_are_as_published(size: Size, rules: str, lengths: list[int]) -> None:
    """On larger boards, with suicide and without."""
    assert games_by_length(size, rules, longest=len(lengths) - 1) == lengths
