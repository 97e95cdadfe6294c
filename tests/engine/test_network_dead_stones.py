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


def test_where_either_side_moves_first_and_nothing_changes_nobody_is_asked() -> None:
    """A race lost by whoever begins: the stones are dead without doubt."""
    assert parse_point("B5") in named(RACE).dead
    assert named(RACE).dead <= dead(RACE)
    assert not named(RACE).doubtful


@pytest.mark.parametrize("name", [name for name in DEAD if name.startswith("doubtful")])
def test_where_readings_differ_nobody_is_sure(name: str) -> None:
    """A chain that lives at first sight and dies when it is played out, or as the turn is."""
    assert parse_point(name.split()[1].rstrip(":")) in named(DEAD[name]).doubtful


@pytest.mark.parametrize("diagram", shapes("differ"))
def test_boards_on_which_readers_differ(diagram: str) -> None:
    """A stone alone in a corner, one eye against two, and a large group without a second eye."""
    assert named(diagram).dead == dead(diagram)


@pytest.mark.parametrize("rules", ["japanese", "chinese"])
@pytest.mark.parametrize("diagram", shapes("plain", "seki"))
def test_where_all_agree_nothing_is_asked(diagram: str, rules: str) -> None:
    """On clearly finished boards, one of them unknown to the network, and in a seki."""
    assert named(diagram, rules) == Reading(dead(diagram))


def test_the_same_position_has_the_same_reading() -> None:
    """Two requests share one answer."""
    assert named(RACE) == named(RACE)
