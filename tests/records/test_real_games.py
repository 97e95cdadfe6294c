"""Real games replay by the rules, and score as recorded."""

from pathlib import Path

import pytest

from godaemon.engine import network, network_dead_stones
from godaemon.errors import IllegalMove, Reason
from godaemon.records.record import Edit, Record
from godaemon.records.replay import captures, execute, replay
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
def test_replays(path: Path, rules: str) -> None:
    """No move is refused, and writing and parsing gives the same record."""
    record = parse_sgf(path.read_bytes())
    if path.stem.startswith(("counted", "captures")):
        position = replay(record, RULESETS[rules])
        assert position.moves == record.moves
        assert position.board == execute(record)
    assert parse_sgf(format_sgf(record).encode()) == record


@pytest.mark.parametrize("path", COUNTED, ids=lambda path: path.stem)
def test_scores_to_its_result(path: Path) -> None:
    """With its dead stones one way of counting gives its result, and the other is near."""
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
def test_our_engine_sees_the_dead_stones(path: Path) -> None:
    """On these games its opinion is the record's, to the stone."""
    record = parse_sgf(path.read_bytes())
    position = replay(record, RULESETS["chinese"])
    assert network_dead_stones.read_dead_stones(network.load_network(), position) == (
        frozenset(dead_stones(record.rows or ())),
        frozenset(),
    )


def test_there_are_games() -> None:
    """The files have not been lost: four are counted, and one has many captures."""
    assert len(COUNTED) == 4
    record = parse_sgf((GAMES / "captures.sgf").read_bytes())
    assert sum(replay(record, RULESETS["chinese"]).prisoners.values()) == 82


def test_an_illegal_move_is_named() -> None:
    """An illegal record raises an error with the number of the move."""
    moves = (Move(Color.BLACK, Point(0, 0)), Move(Color.WHITE, Point(0, 0)))
    record = Record(Size(3, 3), moves=moves)
    with pytest.raises(
        IllegalMove, match="White cannot play A1 as move 2: There is already"
    ) as why:
        replay(record, RULESETS["japanese"])
    assert why.value.reason is Reason.OCCUPIED
    assert replay(record, RULESETS["japanese"], upto=1).move_number == 1


def test_sgf_executes_what_the_rules_forbid() -> None:
    """A stone on a stone replaces it, and suicide vanishes (FF[4], "Move vs. Place")."""
    moves = (Move(Color.WHITE, Point(0, 0)), Move(Color.BLACK, Point(1, 1)))
    record = Record(
        Size(2, 2), setup_black=(Point(0, 0),), setup_white=(Point(1, 0), Point(0, 1)), moves=moves
    )
    assert board_rows(execute(record), None) == (".b", "..")
    alone = Record(Size(1, 1), moves=moves[:1])
    assert board_rows(execute(alone), None) == (".",)


def test_what_each_move_captured() -> None:
    """By moves as SGF executes them, on a board that was changed by hand between two of them."""
    moves = (
        Move(Color.BLACK, Point(0, 0)),
        Move(Color.WHITE, None),
        Move(Color.WHITE, Point(1, 0)),
    )
    plain = Record(Size(2, 2), moves=moves)
    assert captures(plain) == ((), (), ())
    edited = Record(Size(2, 2), moves=moves, edits={2: Edit(white=(Point(0, 1),))})
    assert captures(edited) == ((), (), (Point(0, 0),))
