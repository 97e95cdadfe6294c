"""Dead stones by the network's opinion on finished boards, and unsure cases.

The boards are from games between programs, are unclear to some engines, and were judged by hand.
"""

import pytest

from godaemon.engine import Reading, network
from godaemon.engine.network_dead_stones import read_dead_stones
from godaemon.rules.points import parse_point
from godaemon.rules.position import Position
from tests.support import places
from tests.support.blocks import read_blocks
from tests.support.boards import dead, position

DEAD = read_blocks(places.DATA / "shapes" / "dead.txt")


def shapes(*kinds: str) -> list[str]:
    """The boards of some kinds: what their names begin with."""
    return [text for name, text in DEAD.items() if name.startswith(kinds)]


def unmarked(diagram: str, rules: str = "japanese") -> Position:
    """The position of a diagram, its marks left aside."""
    return position(diagram.replace("#", "X").replace("@", "O"), rules)


def named(diagram: str, rules: str = "japanese") -> Reading:
    return read_dead_stones(network.load_network(), unmarked(diagram, rules))


(RACE,) = shapes("race")


def test_a_lost_race_leaves_no_doubt() -> None:
    """The stones are dead whoever moves first."""
    assert parse_point("B5") in named(RACE).dead
    assert named(RACE).dead <= dead(RACE)
    assert not named(RACE).doubtful


@pytest.mark.parametrize("name", [name for name in DEAD if name.startswith("doubtful")])
def test_chains_with_different_readings_are_doubtful(name: str) -> None:
    """One reading kills them: a playout, or the other player's turn."""
    assert parse_point(name.split()[1].rstrip(":")) in named(DEAD[name]).doubtful


@pytest.mark.parametrize("diagram", shapes("differ"))
def test_boards_on_which_engines_differ(diagram: str) -> None:
    """A stone alone in a corner, one eye against two, and a large group without a second eye."""
    assert named(diagram).dead == dead(diagram)


@pytest.mark.parametrize(
    ("diagram", "rules"),
    [*((board, "japanese") for board in shapes("plain", "seki")), (shapes("plain")[0], "chinese")],
)
def test_clear_boards_leave_no_doubt(diagram: str, rules: str) -> None:
    """Finished boards, one of a size unknown to the network, and sekis."""
    assert named(diagram, rules) == Reading(dead(diagram))


def test_a_reading_is_reproducible() -> None:
    """Two requests share one answer."""
    assert named(RACE) == named(RACE)
