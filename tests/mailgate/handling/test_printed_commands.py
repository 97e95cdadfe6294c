"""Lines offered in our plain text can be copied as printed."""

import re
import textwrap

import pytest

from godaemon.games.model import Phase
from godaemon.games.notices import Kind
from godaemon.rules import scoring
from godaemon.rules.points import Color, board_order
from tests.mailgate.handling.test_real_counts import counted
from tests.support.gateway import Person


def offered(reader: Person) -> list[str]:
    """The offered lines of their newest letter, each as far as it is on one printed line."""
    return re.findall(r"(?m)^ +Reply with: (.*?)(?:  .*)?$", reader.text())


@pytest.mark.parametrize(
    ("number", "color"), [(0, Color.BLACK), (6, Color.WHITE), (16, Color.BLACK), (59, Color.WHITE)]
)
def test_a_dead_colour_is_one_short_line(number: int, color: Color) -> None:
    """It marks every chain."""
    gateway, game = counted(number)
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    board = gateway.game_now().position.board
    stones = frozenset(board.point(index) for index in board.stones(color))
    named = [min(chain, key=board_order) for chain in scoring.chains(board, stones)]
    alice.reply(textwrap.fill(f"dead {' '.join(map(str, named))}", 72))
    assert alice.newest().notice.kind is Kind.REFUSED
    (line,) = offered(alice)
    assert alice.reply(line).event == "accepted", line
    assert gateway.game_now().dead == stones
    assert alice.reply("done").event == "accepted"
    assert bob.reply("done").event == "accepted"
    assert gateway.game_now().phase is Phase.FINISHED
    if scoring.chain(board, game.dead[0]) <= stones and len(game.dead) == len(named):
        assert gateway.game_now().result == game.result
