"""What the network's readings of a finished board come to, and where nobody is sure.

The boards are those of games between programs on which readers differ; each was looked at by hand.
"""

from __future__ import annotations

import pytest

from godaemon.engine import Reading, network
from godaemon.engine.network_dead_stones import read_dead_stones
from godaemon.rules.points import parse_point
from tests.support.boards import dead, position

RACE = """
. . O # # . # . .
O . O . O # # O O
O . O O . # O O #
O O # # # # O # #
O # # . O O O # .
O O # # O # # # .
. . O # # O O O #
O O O # # O # . O
. # O # O . O O .
"""
"""Black's seventeen in the middle have one eye and many liberties."""

SHORTAGE = """
. . O . O . . . O
. O . O . . O O .
O . O . O O O . O
. O O O . O O O .
O # # O O # O O .
O # . # # # # O O
O # # # O # # O .
O O O O O # O O .
. # # # # # # O .
"""
"""White connects at A6 and only then takes at A1 and C4; at first sight Black has two eyes."""

KO = """
. . . . . . . O O X . X X . .
. . # O O . O O X . X . . X X
O O O . . O O X X X . . X X O
O O X O O O X @ . X X X O X O
X X X X X O X X X . X O O O O
X . X . X O O X X X O O . O .
. . . X O O . @ X . X O O . O
X . X X O O O X . @ X O O O .
X . . X X O O X X X X X X O O
X @ X X X X O X X . . X X X O
X X . . X O O O X X X @ @ X X
X X . X X X X O X O X X @ X X
X . . X X X O O O O X X @ X @
X . . . X O O O X O X @ @ @ .
. X . . X X O O X X X @ . @ @
"""
"""White's stone at H9 is connected at G9, or taken there, by whoever comes first."""


def named(diagram: str) -> Reading:
    """What is read of a diagram, its marks left aside."""
    return read_dead_stones(
        network.load_network(), position(diagram.replace("#", "X").replace("@", "O"))
    )


def test_where_either_side_moves_first_and_nothing_changes_nobody_is_asked() -> None:
    """A race that is lost whoever begins it: the stones are dead, and there is no doubt."""
    assert parse_point("B5") in named(RACE).dead
    assert named(RACE).dead <= dead(RACE)
    assert not named(RACE).doubtful


@pytest.mark.parametrize(("diagram", "at"), [(SHORTAGE, "B1"), (KO, "H9")])
def test_where_readings_differ_nobody_is_sure(diagram: str, at: str) -> None:
    """A chain that lives at first sight and dies when it is played out, or as the turn is."""
    assert parse_point(at) in named(diagram).doubtful


@pytest.mark.parametrize(
    "diagram",
    [
        """
        . . . . . . .
        . @ X . . . .
        X X . X X X .
        O O X X @ @ .
        . O O O X X .
        O # . O O X .
        . . . . O X .
        """,
        """
        . O . . . . . . .
        O . O O O . . . .
        # O O O O O O O .
        # O O # O # # O .
        # # # # # . # # O
        . O O # # # # # .
        O O O O O # O # #
        . O # . O # O O #
        O # # # O O . O .
        """,
        """
        . . O O . O O O .
        . O . O O # O # #
        . . O # # # # # .
        . . O # . # O # #
        . O . O O # O O #
        . O O # . # O O O
        . . O # # # O . O
        . O . O O # # O .
        . O . O # # # O #
        """,
    ],
)
def test_boards_on_which_readers_differ(diagram: str) -> None:
    """A stone alone in a corner, one eye against two, and a large group without a second eye."""
    assert named(diagram).dead == dead(diagram)


@pytest.mark.parametrize(
    "diagram",
    [
        """
        . X . X O . O . .
        . X @ X O O # O .
        . X . X X O . # O
        X X X . X O O O .
        . @ . X X O . . .
        X . X X O O O O O
        . X . X O . # . O
        X X X X O O . O .
        . . X X O . O O .
        """,
        "X X . . .\n. X . . .\nX X X X X\nO O O O O\n. . O # .",
    ],
)
def test_where_all_agree_nothing_is_asked(diagram: str) -> None:
    """On a plainly finished board, and on one that the network does not know."""
    assert named(diagram) == Reading(dead(diagram))


@pytest.mark.parametrize("rules", ["japanese", "chinese"])
@pytest.mark.parametrize(
    "diagram",
    [
        """
        O X . O X . X . .
        O X . O X . X . .
        O X X O X X X X X
        O O O X X . X . .
        . O . O X X . . .
        O . O O X . X X .
        . O O O X X . . .
        O O . O X . X . .
        . O O O X X . . .
        """,
        """
        . X . O . O X . .
        X X O O O O X . X
        O O X X X X X X .
        . O O X . . X . X
        O . O X X . . . .
        . O O O X X X X X
        . . . O X . . . .
        O O O O X . X . X
        . . . O X . . . .
        """,
    ],
)
def test_seki(diagram: str, rules: str) -> None:
    """Two shared liberties, and an eye each with one: nobody is dead there, or doubtful."""
    assert read_dead_stones(network.load_network(), position(diagram, rules)) == Reading(
        frozenset()
    )


def test_the_same_position_has_the_same_reading() -> None:
    """Two who ask hear one answer."""
    assert named(RACE) == named(RACE)
