"""Games against GNU Go, a program of other people's: every move legal to both, one score."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from godaemon.rules.rulesets import parse_ruleset
from gtp.board.board_session import BoardSession
from gtp.board.free_board import FreeBoard
from tests.support.gnugo import GnuGo

Ask = Callable[[str], str]
"""Sends a command, which must succeed, and gives its answer."""


def house(rules: str, seed: int, level: int) -> Ask:
    """Our own player on a free board in this process."""
    board = FreeBoard(parse_ruleset(rules), level=level)
    board.reseed(seed)
    session = BoardSession(board)

    def ask(line: str) -> str:
        answer = session.answer(line.encode()).decode()
        assert answer.startswith("="), f"{line}: {answer}"
        return answer[1:].strip()

    return ask


def play(black: Ask, white: Ask) -> int:
    """A game on 9x9: every move of one must be accepted by the other; how many there were."""
    for ask in (black, white):
        for line in ("boardsize 9", "clear_board", "komi 6.5"):
            ask(line)
    moves: list[str] = []
    while moves[-2:] != ["pass", "pass"]:
        assert len(moves) < 6 * 81, "the game does not end"
        mover, other, color = (white, black, "w") if len(moves) % 2 else (black, white, "b")
        moves.append(mover(f"genmove {color}").lower())
        assert moves[-1] != "resign"
        other(f"play {color} {moves[-1]}")
    return len(moves)


@pytest.mark.peer("gnugo")
@pytest.mark.parametrize(("seed", "level"), [(1, 1), (2, 1), (3, 7), (4, 7)])
@pytest.mark.parametrize("rules", ["japanese", "chinese"])
def test_a_game_against_gnugo(rules: str, seed: int, level: int) -> None:
    """It is played to two passes, by us in either colour, and both count it the same."""
    with GnuGo("--level", "1", "--seed", str(seed), f"--{rules}-rules") as other:
        ours = house(rules, seed, level)
        assert play(*((ours, other.ask) if seed % 2 else (other.ask, ours))) > 20
        assert ours("final_score") == other.ask("final_score")
