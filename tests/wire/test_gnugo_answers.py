"""GNU Go and a free board are asked the same about the same games, and answer the same."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from godaemon.rules.points import LETTERS
from godaemon.rules.rulesets import parse_ruleset
from gtp.board.board_session import BoardSession
from gtp.board.free_board import FreeBoard
from tests.support.gnugo import GnuGo

COLORS = ("black", "white")


def same(answer: str) -> list[list[str]]:
    """An answer without regard to the order in a row, to capitals, or to a nought behind a dot."""
    words = (line.casefold().split() for line in answer.splitlines())
    return [sorted(word.removesuffix(".0") for word in row) for row in words]


@pytest.mark.peer("gnugo")
@pytest.mark.parametrize(("seed", "size"), [(1, 9), (2, 9), (3, 13), (4, 5), (5, 7)])
def test_the_same_answers(seed: int, size: int) -> None:
    """Stones, liberties, prisoners, legal moves with ko, the moves so far; after undoing too."""
    rng = random.Random(seed)
    points = [f"{LETTERS[column]}{row + 1}" for column in range(size) for row in range(size)]
    ours = BoardSession(FreeBoard(parse_ruleset("japanese")))
    with GnuGo("--level", "1") as theirs:

        def both(line: str) -> str:
            """What both answer, which is compared."""
            got = ours.answer(line.encode()).decode()
            assert got.startswith("="), (line, got)
            assert same(got[2:].strip()) == same(theirs.ask(line)), line
            return got[2:].strip()

        for line in (f"boardsize {size}", "clear_board", "komi 6.5", "query_boardsize", "get_komi"):
            both(line)
        for number in range(size * size * 2):
            color = COLORS[number % 2]
            tried = rng.sample(points, 4)
            legal = [each for each in tried if both(f"is_legal {color} {each}") == "1"]
            both(f"play {color} {legal[0] if legal else 'pass'}")
            both("last_move")
            if number % 7 == 6:
                both(f"gg-undo {rng.randrange(1, 4)}")
                both("undo")
            ask(both, rng.choice(points))
        both("move_history")


def ask(both: Callable[[str], str], point: str) -> None:
    """The questions that tools put, about the board and about one point of it."""
    for color in COLORS:
        both(f"list_stones {color}")
        both(f"captures {color}")
        both(f"all_legal {color}")
    if both(f"color {point}") != "empty":
        both(f"countlib {point}")
        both(f"findlib {point}")
