"""Effects of a session's rules on a free board: captures and compensation."""

import pytest

from godaemon.rules.named_rulesets import parse_ruleset
from gtp.board.board_session import BoardSession
from gtp.board.free_board import FreeBoard
from tests.gtp.board.test_free_board import PASS, Player


def answers(rules: str, *lines: str) -> list[str]:
    """A session by these rules on 5x5, without komi; a stone at A1 is dead."""
    talk = BoardSession(FreeBoard(parse_ruleset(rules), engine=lambda: Player(PASS, dead="A1")))
    responses = [talk.answer(line.encode()) for line in ("boardsize 5", "komi 0", *lines)]
    return [answer.decode().strip() for answer in responses[2:]]


STONES = ("play b C3", "play w A1")
FOUR = ("play b pass", "play w pass") * 2


@pytest.mark.parametrize(
    ("rules", "lines", "score"),
    [
        ("chinese", STONES, "= B+25"),
        ("tromp-taylor", STONES, "= 0"),
        ("aga", (*STONES, *FOUR[:2]), "= B+25"),
        ("aga", (*STONES, *FOUR), "= 0"),
        ("chinese", (*STONES, *FOUR), "= B+25"),
        ("tromp-taylor removal=yes", STONES, "= B+25"),
    ],
)
def test_what_comes_off(rules: str, lines: tuple[str, ...], score: str) -> None:
    """Nothing under Tromp-Taylor, nor after the fourth pass under rules that it settles."""
    *_, status, result = answers(rules, *lines, "final_status_list dead", "final_score")
    assert result == score
    assert (status == "= A1") is (score != "= 0")


@pytest.mark.parametrize(
    ("rules", "score"), [("japanese", "= B+23"), ("chinese", "= B+23"), ("aga", "= B+24")]
)
def test_handicap_and_passes_are_counted(rules: str, score: str) -> None:
    """White's points for two stones, or the stone that a pass hands over."""
    handicap = ("set_free_handicap B2 D4", "play w pass", "play b pass", "final_score")
    assert answers(rules, *handicap)[-1] == score


def test_rules_that_change_during_a_game_judge_its_repetitions() -> None:
    """Superko, once asked for, forbids what the simple ko rule of the game so far let pass."""
    shape = [f"play {stone}" for stone in ("b B1", "b A2", "b B3", "w C1", "w D2", "w C3")]
    taken = ("play w B2", "play b C2", "play w pass", "play b pass")
    for rules, answer in (("japanese", "="), ("tromp-taylor", "? illegal move")):
        *_, last = answers("japanese", *shape, *taken, f"kata-set-rules {rules}", "play w B2")
        assert last == answer


def test_half_a_character_in_a_command() -> None:
    """It is refused as any other argument, and the answer goes out."""
    talk = BoardSession(FreeBoard(parse_ruleset("japanese")))
    answer = talk.answer(b'kata-set-rules {"\\ud800":1}')
    assert answer.startswith(b"? ")
