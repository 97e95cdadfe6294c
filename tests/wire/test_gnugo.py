"""GNU Go as opponent, and its analysis."""

import random
from collections.abc import Callable

import pytest

from godaemon.rules.named_rulesets import parse_ruleset
from godaemon.rules.points import LETTERS
from gtp.board.board_session import BoardSession
from gtp.board.free_board import FreeBoard
from tests.support.gnugo import GnuGo

pytestmark = pytest.mark.peer("gnugo")
COLORS = ("black", "white")
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


@pytest.mark.parametrize(("seed", "level"), [(1, 1), (4, 7)])
@pytest.mark.parametrize("rules", ["japanese", "chinese"])
@pytest.mark.slow
def test_a_game_against_gnugo(rules: str, seed: int, level: int) -> None:
    """With us as either colour, to two passes; both agree on the score."""
    with GnuGo("--level", "1", "--seed", str(seed), f"--{rules}-rules") as other:
        ours = house(rules, seed, level)
        assert play(*((ours, other.ask) if seed % 2 else (other.ask, ours))) > 20
        assert ours("final_score") == other.ask("final_score")


def same(answer: str) -> list[list[str]]:
    """An answer without regard to the order in a row, to capitals, or to a nought behind a dot."""
    words = (line.casefold().split() for line in answer.splitlines())
    return [sorted(word.removesuffix(".0") for word in row) for row in words]


@pytest.mark.parametrize(("seed", "size"), [(1, 9), (2, 9), (3, 13), (4, 5), (5, 7)])
def test_gnugo_gives_the_same_answers(seed: int, size: int) -> None:
    """Stones, liberties, prisoners, legal moves and history, also after undo."""
    rng = random.Random(seed)
    points = [f"{LETTERS[column]}{row + 1}" for column in range(size) for row in range(size)]
    ours = house("japanese", seed, 1)
    with GnuGo("--level", "1") as theirs:

        def both(line: str) -> str:
            """What both answer, which is compared."""
            got = ours(line)
            assert same(got) == same(theirs.ask(line)), line
            return got

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


def ask(both: Ask, point: str) -> None:
    """The questions that tools put, about the board and about one point of it."""
    for color in COLORS:
        both(f"list_stones {color}")
        both(f"captures {color}")
        both(f"all_legal {color}")
    if both(f"color {point}") != "empty":
        both(f"countlib {point}")
        both(f"findlib {point}")
