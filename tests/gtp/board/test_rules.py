"""Effects of a session's rules on a free board: captures and compensation."""

import re

from godaemon.rules.named_rulesets import parse_ruleset
from gtp.board.board_session import BoardSession
from tests.gtp.board.test_free_board import PASS, Player
from tests.support import places
from tests.support.blocks import read_lines
from tests.support.played_board import PlayedBoard
from tests.support.rows import each_row

LINES = read_lines(places.DATA / "meanings.txt")


def answers(rules: str, *lines: str) -> list[str]:
    """A session by these rules on 5x5, without komi; a stone at A1 is dead."""
    talk = BoardSession(PlayedBoard(lambda: Player(PASS, dead="A1"), parse_ruleset(rules)))
    responses = [talk.answer(line.encode()) for line in ("boardsize 5", "komi 0", *lines)]
    return [answer.decode().strip() for answer in responses[2:]]


@each_row("line", LINES["scores with a dead stone, by the rules and the number of passes"])
def test_the_ruleset_decides_whether_dead_stones_are_removed(line: str) -> None:
    """Tromp-Taylor removes none, nor does AGA after the fourth pass."""
    rules, passes, score = re.split("; | => ", line)
    lines = ("play b C3", "play w A1", *("play b pass", "play w pass") * (int(passes) // 2))
    *_, status, result = answers(rules, *lines, "final_status_list dead", "final_score")
    assert result == score
    assert (status == "= A1") is (score != "= 0")


@each_row(("rules", "score"), [("japanese", "= B+23"), ("chinese", "= B+23"), ("aga", "= B+24")])
def test_the_score_counts_handicap_and_pass_stones(rules: str, score: str) -> None:
    """White gets points for two stones, or the stone that a pass hands over."""
    handicap = ("set_free_handicap B2 D4", "play w pass", "play b pass", "final_score")
    assert answers(rules, *handicap)[-1] == score


def test_new_rules_judge_the_repetitions_of_a_game_begun_under_others() -> None:
    """Superko, once asked for, forbids what simple ko allowed."""
    shape = [f"play {stone}" for stone in ("b B1", "b A2", "b B3", "w C1", "w D2", "w C3")]
    taken = ("play w B2", "play b C2", "play w pass", "play b pass")
    for rules, answer in (("japanese", "="), ("tromp-taylor", "? illegal move")):
        *_, last = answers("japanese", *shape, *taken, f"kata-set-rules {rules}", "play w B2")
        assert last == answer
