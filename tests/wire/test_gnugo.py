"""Games against GNU Go, a program of other people's: every move legal to both, one score."""

from __future__ import annotations

import pytest

from godaemon.rules.rulesets import parse_ruleset
from gtp.board.board_session import BoardSession
from gtp.board.free_board import FreeBoard
from tests.support import peers
from tests.support.referee import Ask, Program, play, succeeded


def gnugo(rules: str, seed: int) -> Program:
    """GNU Go at its lowest level."""
    options = ["--mode", "gtp", "--level", "1", "--seed", str(seed), f"--{rules}-rules"]
    return Program([peers.find("gnugo"), *options])


def house(rules: str, seed: int) -> Ask:
    """Our own engine on a free board in this process."""
    board = FreeBoard(parse_ruleset(rules), level=1)
    board.reseed(seed)
    session = BoardSession(board)
    return lambda line: succeeded(line, session.answer(line.encode()).decode())


@pytest.mark.peer("gnugo")
@pytest.mark.parametrize("seed", range(1, 4))
@pytest.mark.parametrize("rules", ["japanese", "chinese"])
def test_a_game_against_gnugo(rules: str, seed: int) -> None:
    """A 9x9 game is played to two passes, in either colour, and both count it the same."""
    with gnugo(rules, seed) as other:
        engines = (house(rules, seed), other.ask)
        match = play(*(engines if seed % 2 else engines[::-1]), size=9, komi=6.5)
    assert match.scores[0] == match.scores[1]
    assert len(match.moves) > 20
