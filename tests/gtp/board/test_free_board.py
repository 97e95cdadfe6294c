"""The engine's options on a free board: time, komi, resignation and dead stones."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from godaemon.engine import Choice, Reading
from godaemon.engine.network import load_network
from godaemon.rules.points import Color, parse_point
from godaemon.rules.position import Position
from gtp.board.board_session import BoardSession
from gtp.board.free_board import FreeBoard, never
from gtp.board.time_settings import LAG, SHARE
from tests.support import places
from tests.support.blocks import read_lines
from tests.support.played_board import PlayedBoard

LINES = read_lines(places.DATA / "meanings.txt")


class Player:
    """An engine with configured answers that records its calls."""

    def __init__(self, choice: Choice, dead: str = "", doubtful: str = "") -> None:
        self.asked: list[dict[str, Any]] = []
        self.judged = 0
        self._choice = choice
        self._dead = frozenset(map(parse_point, dead.split()))
        self._doubtful = frozenset(map(parse_point, doubtful.split()))

    def genmove(self, position: Position, color: Color, **options: object) -> Choice:
        self.asked.append(options)
        return self._choice

    def read_dead_stones(self, position: Position) -> Reading:
        """The configured stones, as far as they are on the board."""
        self.judged += 1
        stones = {one for one in self._dead if position.board.color(one) is not None}
        return Reading(frozenset(stones), self._doubtful)


PASS = Choice()


def session(player: Player, *lines: str) -> BoardSession:
    """A session on 5x5 after some successful commands."""
    talk = BoardSession(PlayedBoard(lambda: player))
    for line in ("boardsize 5", *lines):
        assert talk.answer(line.encode()).startswith(b"="), line
    return talk


def test_a_resignation_changes_no_board() -> None:
    """It is answered by the word that programs know."""
    talk = session(Player(Choice(resigns=True)), "play b C3")
    assert talk.answer(b"genmove w") == b"= resign\n\n"
    assert talk.answer(b"reg_genmove w") == b"= resign\n\n"
    assert talk.answer(b"last_move") == b"= black C3\n\n"


@pytest.mark.parametrize("line", LINES["seconds for a move"])
def test_time_limits_reach_the_player(line: str) -> None:
    """The engine gets the time limit of its move, or none."""
    lines, seconds = line.split(" => ")
    player = Player(PASS)
    session(player, *filter(None, lines.split(" | ")), "genmove b")
    limit = player.asked[0]["seconds"]
    assert limit == (None if seconds == "none" else pytest.approx(int(seconds) * SHARE - LAG))
    assert player.asked[0]["stop"] is never, "no controller can interrupt"


def test_time_settings_load_the_network_before_the_clock_runs() -> None:
    """Without time limits it is loaded at the first move."""
    load_network.cache_clear()
    talk = BoardSession(FreeBoard(level=1))
    talk.answer(b"kgs-time_settings none")
    assert not load_network.cache_info().currsize
    talk.answer(b"time_settings 0 1 1")
    assert load_network.cache_info().currsize


def test_the_engine_gets_komi_without_compensation_for_set_up_stones() -> None:
    """The player adds White's points for a handicap itself, but not those for other stones."""
    player = Player(PASS)
    session(player, "komi 0.5", "set_free_handicap A1 C3 E5", "genmove w")
    lines = ("komi 0.5", "gogui-setup b A1 b C3 b E5", "genmove w")
    session(player, *lines, "kata-set-rules japanese", "genmove w")
    assert [options["komi"] for options in player.asked] == [0.5, -2.5, 0.5]


def test_a_position_is_judged_once() -> None:
    """Statuses, score and drawings share one opinion; a move asks for another."""
    player = Player(PASS, dead="C3")
    commands = ("final_status_list dead", "final_status_list alive", "final_score")
    session(player, "play w C3", *commands, "godaemon-show_dead", "play b A1")
    assert player.judged == 1
    session(player, "play w C3", "final_score", "play b A1", "final_score")
    assert player.judged == 3


def test_doubtful_stones_are_listed_by_chain() -> None:
    """Whether they are taken for dead or not."""
    talk = session(Player(PASS, dead="C3", doubtful="C3 A1 A2"), "play w C3", "play b A1")
    talk.answer(b"play b A2")
    assert talk.answer(b"godaemon-doubtful_stones") == b"= A1 A2\nC3\n\n"


COLUMNS = "gogui-setup b C1 b C2 b C3 b C4 b C5 w D1 w D2 w D3 w D4 w D5 w A1"


def test_a_cleanup_captures_dead_stones_and_then_passes() -> None:
    """It plays at the dead stones until none is left."""
    talk = session(Player(PASS, dead="A1"), COLUMNS)
    moves: list[str] = []
    while len(moves) < 9 and (not moves or moves[-1] != "pass"):
        moves.append(talk.answer(b"kgs-genmove_cleanup b").decode()[2:].strip())
    assert len(moves) == 3
    assert set(moves) == {"A2", "B1", "pass"}
    assert talk.answer(b"captures b") == b"= 1\n\n"


def test_a_cleanup_prepares_a_liberty_that_would_be_self_atari() -> None:
    """A stone at A6 alone could be taken, so A4 comes first; then the dead stones fall."""
    player = Player(PASS, dead="A8 B5 B6 B7 B8 C7 D7 D8 E7")
    stones = {
        "b": "A5 A7 A9 B4 B9 C4 C5 C6 C9 D4 D6 D9 E6 E8 F7 F8",
        "w": "A8 B5 B6 B7 B8 C7 D7 D8 E7",
    }
    placed = " ".join(f"{color} {at}" for color, points in stones.items() for at in points.split())
    talk = session(player, "boardsize 9", f"gogui-setup {placed}")
    moves = [talk.answer(b"kgs-genmove_cleanup b").decode()[2:].strip() for _ in range(4)]
    assert moves == ["A4", "A6", "C8", "pass"]
    assert talk.answer(b"captures b") == b"= 9\n\n"
    assert all(asked["cleanup"] for asked in player.asked)


@pytest.mark.parametrize(
    ("color", "rules", "dead", "black"),
    [
        ("w", "chinese", "A1", "C1 C2 C3 C4 C5"),  # its own dead stones are no reason to play on
        ("b", "chinese", "A2 B2 C2 D2 E2 B1 D1", "A3 B3 C3 D3 E3"),  # an eye would cost the stone
        ("b", "new-zealand", "A2 B2 C2 D2 E2 C1 E1", "A1 A3 B3 C3 D3 E3"),  # legal suicide
    ],
)
def test_a_cleanup_passes_where_nothing_can_be_captured(
    color: str, rules: str, dead: str, black: str
) -> None:
    """A move could only lose stones."""
    stones = [*(f"w {at}" for at in dead.split()), *(f"b {at}" for at in black.split())]
    setup = f"gogui-setup {' '.join(stones)}"
    talk = session(Player(PASS, dead=dead), f"kata-set-rules {rules}", setup)
    assert talk.answer(f"kgs-genmove_cleanup {color}".encode()) == b"= pass\n\n"


def test_loadsgf_reads_what_printsgf_writes(tmp_path: Path) -> None:
    """Stones set up, handicap, moves, komi and the turn."""
    starts: list[tuple[str, ...]] = [
        ("play b C3", "play b D4", "play w pass"),
        ("fixed_handicap 2", "play w E5"),
        ("gogui-setup b C3 b C4",),
        ("gogui-setup b C3 w C4", "gogui-setup_player w"),
        ("gogui-setup b C3 w C4", "gogui-setup_player w", "play w A1", "play w A2"),
    ]
    for number, lines in enumerate(starts):
        file = tmp_path / f"{number}.sgf"
        there, back = (BoardSession() for _ in range(2))
        for line in ("boardsize 9", "komi 3.5", *lines, f"printsgf {file}"):
            assert there.answer(line.encode()) == b"= \n\n" or line.startswith("fixed")
        assert back.answer(f"loadsgf {file}".encode()).startswith(b"=")
        same: Callable[[FreeBoard], object] = lambda board: (  # noqa: E731
            board.position,
            board.position.to_move,
            board.komi,
            board.handicap,
        )
        assert same(back.board) == same(there.board), lines
