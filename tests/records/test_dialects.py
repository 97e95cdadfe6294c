"""SGF dialects of other servers, in small files."""

from pathlib import Path

import pytest

from godaemon.records.record import ClockReading, Record
from godaemon.records.sgf import format_sgf, parse_sgf
from godaemon.records.sgf_dialects import overtime, result
from godaemon.rules.named_rulesets import RULESETS
from godaemon.rules.points import Color, Point, Size
from tests.support import places

FOLDER = places.DATA / "dialects"


def record(name: str) -> Record:
    return parse_sgf((FOLDER / f"{name}.sgf").read_bytes())


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.sgf")), ids=lambda path: path.stem)
def test_files_of_servers_are_rewritten_without_loss(path: Path) -> None:
    """Nothing of what we understood of them is lost in our own file."""
    found = parse_sgf(path.read_bytes())
    assert parse_sgf(format_sgf(found).encode()) == found


FACTS: dict[str, dict[str, object]] = {
    # A variation for each move, chat in the comments, place and ranks, byo-yomi.
    "ogs": {
        "info": {"BR": "5k", "WR": "4k", "PC": "OGS: https://online-go.com/game/1"},
        "main_time": 600,
        "overtime": "5x30 byo-yomi",
        "result": "B+R",
        "ruleset": RULESETS["chinese"],
    },
    # Clocks by move with the stones left in overtime, dead stones at the end, whole words.
    "kgs": {
        "result": "W+F",
        "handicap": 2,
        "komi": 0.5,
        "to_move": None,
        "clocks": {1: ClockReading(298.25), 2: ClockReading(0.412, 25), 3: ClockReading(590, 24)},
    },
    # Komi in hundredths of stones is 7.5 points, and byo-yomi stands in TC and TT.
    "fox": {
        "black": "晓风",
        "white": "残月",
        "komi": 7.5,
        "main_time": 7200,
        "overtime": "5x60 byo-yomi",
    },
    # FF[1] with its long names, a pass as tt, and a result in full.
    "igs": {
        "size": Size(13, 13),
        "black": "emil",
        "white": "fritz",
        "result": "B+R",
        "komi": 5.5,
        "setup_black": (Point(3, 3), Point(9, 9), Point(9, 3)),
    },
    # The encoding that the file names is its own.
    "tom": {"black": "棋手甲", "result": "B+R"},
    "nihon": {"black": "表示", "result": "W+R"},
}


@pytest.mark.parametrize("name", FACTS)
def test_files_are_read_as_their_servers_mean_them(name: str) -> None:
    """Each has the values that its server means."""
    found = record(name)
    assert {fact: getattr(found, fact) for fact in FACTS[name]} == FACTS[name]


def test_moves_have_comments_counts_and_clocks() -> None:
    """As points and passes."""
    ogs, kgs, fox, igs = map(record, ("ogs", "kgs", "fox", "igs"))
    assert [str(point) for _, point in ogs.moves] == ["E5", "C5", "E7", "None", "G3"]
    assert ogs.comments[0] == "anna: hello\nbert: have fun [and luck]\n"
    assert ogs.comments[3] == "bert: oh\n"
    assert kgs.comments[5].startswith("carla [2d]: thanks")
    assert kgs.rows is not None
    assert (kgs.rows[0], kgs.rows[2][:7], kgs.rows[6]) == ("W.......W", "W...b.b", "..b...w..")
    assert fox.moves[-1].point is None
    assert (igs.clocks[3], igs.moves[2]) == (ClockReading(31, 9), (Color.WHITE, None))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("B+3.50", "B+3.5"),
        ("w + resign", "W+R"),
        ("B+Time", "B+T"),
        ("W+Forfeit", "W+F"),
        ("Draw", "0"),
        ("Jigo", "0"),
        ("void", "Void"),
        ("?", "?"),
        ("B+", "B+"),
        ("白胜1.5目", "W+1.5"),
        ("黑超时胜", "B+T"),
        ("B+ a lot", "B+ a lot"),
        ("", ""),
    ],
)
def test_results_become_ff4_forms(text: str, expected: str) -> None:
    """Unknown ones stay; a second conversion changes nothing."""
    assert result(text) == expected
    assert result(expected) == expected


def test_overtime_needs_numbers() -> None:
    """An incomplete byo-yomi is none."""
    assert overtime({"TC": ["5"], "TT": ["60"]}) == "5x60 byo-yomi"
    assert overtime({"TC": ["5"], "LT": ["60"]}) == overtime({"TC": ["0"], "TT": ["60"]}) == ""
    assert overtime({"TC": ["x"], "TT": ["9" * 5000]}) == ""


def test_our_own_files_are_not_converted() -> None:
    """A komi of 150 points is odd, but ours."""
    odd = Record(Size(19, 19), komi=150.25, result="Draw")
    assert parse_sgf(format_sgf(odd).encode()) == odd
