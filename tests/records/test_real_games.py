"""Real games replay by the rules, and score as recorded."""

from pathlib import Path

import pytest

from godaemon.engine import network, network_dead_stones
from godaemon.errors import IllegalMove, Reason
from godaemon.records.record import Record
from godaemon.records.replay import execute, replay
from godaemon.records.sgf import format_sgf, parse_sgf
from godaemon.rules.named_rulesets import RULESETS
from godaemon.rules.points import Color, Point, Size
from godaemon.rules.position import Move
from godaemon.rules.scoring import board_rows, count
from tests.support import places
from tests.support.mailgame import dead_stones

GAMES = places.DATA / "games"
COUNTED = sorted(GAMES.glob("counted-*.sgf"))


@pytest.mark.parametrize("path", sorted(GAMES.glob("*.sgf")), ids=lambda path: path.stem)
@pytest.mark.parametrize("rules", ["japanese", "chinese", "aga"])
def test_real_games_are_legal(path: Path, rules: str) -> None:
    """They are also parsed as written."""
    record = parse_sgf(path.read_bytes())
    if path.stem.startswith(("counted", "captures")):
        position = replay(record, RULESETS[rules])
        assert position.moves == record.moves
        assert position.board == execute(record)
    assert parse_sgf(format_sgf(record).encode()) == record


@pytest.mark.parametrize("path", COUNTED, ids=lambda path: path.stem)
def test_real_games_are_scored_as_recorded(path: Path) -> None:
    """By one way of counting, with the dead stones; the other is near."""
    record = parse_sgf(path.read_bytes())
    position = replay(record, RULESETS["chinese"])
    gone = frozenset(dead_stones(record.rows or ()))
    assert record.rows == board_rows(position.board, gone)
    results, margins = [], []
    for rules in ("chinese", "japanese"):
        ruleset = RULESETS[rules]
        score = count(position, gone, record.komi, ruleset=ruleset)
        results.append(score.result)
        margins.append(score.margin)
    assert record.result in results
    assert abs(margins[0] - margins[1]) <= 1


@pytest.mark.slow
@pytest.mark.parametrize("path", COUNTED, ids=lambda path: path.stem)
def test_our_engine_finds_the_recorded_dead_stones(path: Path) -> None:
    """To the stone."""
    record = parse_sgf(path.read_bytes())
    position = replay(record, RULESETS["chinese"])
    assert network_dead_stones.read_dead_stones(network.load_network(), position) == (
        frozenset(dead_stones(record.rows or ())),
        frozenset(),
    )


def test_the_real_games_exist() -> None:
    """Four are counted, and one has many captures."""
    assert len(COUNTED) == 4
    record = parse_sgf((GAMES / "captures.sgf").read_bytes())
    assert sum(replay(record, RULESETS["chinese"]).prisoners.values()) == 82


def test_an_illegal_record_names_its_move() -> None:
    moves = (Move(Color.BLACK, Point(0, 0)), Move(Color.WHITE, Point(0, 0)))
    record = Record(Size(3, 3), moves=moves)
    with pytest.raises(
        IllegalMove, match="White cannot play A1 as move 2: There is already"
    ) as why:
        replay(record, RULESETS["japanese"])
    assert why.value.reason is Reason.OCCUPIED
    legal = Record(Size(3, 3), moves=moves[:1])
    assert replay(legal, RULESETS["japanese"]).move_number == 1


def test_sgf_executes_illegal_moves() -> None:
    """A stone on a stone replaces it, and suicide vanishes (FF[4], "Move vs. Place")."""
    moves = (Move(Color.WHITE, Point(0, 0)), Move(Color.BLACK, Point(1, 1)))
    record = Record(
        Size(2, 2), setup_black=(Point(0, 0),), setup_white=(Point(1, 0), Point(0, 1)), moves=moves
    )
    assert board_rows(execute(record), None) == (".b", "..")
    alone = Record(Size(1, 1), moves=moves[:1])
    assert board_rows(execute(alone), None) == (".",)
