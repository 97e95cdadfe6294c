"""SGF, written and parsed."""

from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sgfmill import sgf as sgfmill_sgf

from godaemon.errors import Unknown, Unreadable
from godaemon.records.record import INFO, ClockReading, Edit, Record
from godaemon.records.replay import execute, move_index, replay
from godaemon.records.sgf import format_sgf, parse_sgf
from godaemon.rules.named_rulesets import RULESETS
from godaemon.rules.points import Color, Point, Size
from godaemon.rules.position import Move
from godaemon.rules.scoring import board_rows
from tests.support import places
from tests.support.blocks import read_lines
from tests.support.boards import SIZES

BLACK, WHITE = Color.BLACK, Color.WHITE
LINES = read_lines(places.DATA / "record_lines.txt")
GAME = Record(
    size=Size(9, 9),
    komi=6.5,
    rules="Japanese",
    black="alice",
    white="Bob [9k] \\o/",
    moves=(
        Move(BLACK, Point(2, 6)),
        Move(WHITE, Point(6, 6)),
        Move(BLACK, None),
        Move(WHITE, None),
    ),
    comments={0: "Good luck!", 2: "That corner: mine]\nReally."},
    result="B+3.5",
    date="2026-11-21",
    name="Game 7",
    event="Autumn",
)


def test_sgfmill_reads_our_files() -> None:
    """Players, komi, moves, comments and result."""
    game = sgfmill_sgf.Sgf_game.from_string(format_sgf(GAME))
    assert (game.get_player_name("b"), game.get_player_name("w")) == (GAME.black, GAME.white)
    assert (game.get_size(), game.get_komi(), game.get_winner()) == (9, 6.5, "b")
    moves = [node.get_move() for node in game.get_main_sequence()[1:]]
    assert moves == [("b", (6, 2)), ("w", (6, 6)), ("b", None), ("w", None)]
    assert game.get_main_sequence()[2].get("C") == GAME.comments[2]


def test_the_root_has_format_encoding_and_program() -> None:
    text = format_sgf(GAME)
    for part in ("FF[4]", "GM[1]", "CA[UTF-8]", "AP[godaemon:", "SZ[9]", "KM[6.5]", "RU[Japanese]"):
        assert part in text


WIDE = Record(Size(13, 5), moves=(Move(BLACK, Point(12, 0)),))
COUNTED = Record(Size(2, 1), setup_black=(Point(1, 0),), setup_white=(Point(0, 0),), rows=("xb",))


@pytest.mark.parametrize(
    ("record", "properties"),
    [(WIDE, {"SZ[13:5]", "B[me]"}), (COUNTED, {"TB[aa]", "TW[]"})],
    ids=["columns first, and rows from the top (FF[4], SZ)", "a dead stone in territory"],
)
def test_properties_are_written_as_specified(record: Record, properties: set[str]) -> None:
    """And read back."""
    text = format_sgf(record)
    assert all(one in text for one in properties)
    assert parse_sgf(text.encode()) == record


@pytest.mark.parametrize("line", LINES["moves of other programs"])
def test_files_of_other_programs_are_read(line: str) -> None:
    """Old property names, passes as `tt`, variations, and text around the game."""
    data, moves = line.split(" => ")
    found = (str(point or "-") for _, point in parse_sgf(data.encode()).moves)
    assert " ".join(found) == moves


@pytest.mark.parametrize("rules", ["Some House Rules", "围棋规则"])
def test_unknown_rules_are_reported(rules: str) -> None:
    """The record has the terms as played; for later play they are completed."""
    record = parse_sgf(f"(;SZ[9]RU[{rules}];B[ee])".encode())
    assert record.rules == rules
    assert record.left_out == (f"Its rules, “{rules}”, are not known here.",)
    for known in ("Japanese", "中国规则", "", "tromp-taylor"):
        assert parse_sgf(f"(;SZ[9]RU[{known}];B[ee])".encode()).left_out == ()


def test_compressed_points_are_read() -> None:
    """Rectangles of stones, and removed ones, before the first move."""
    record = parse_sgf(b"(;SZ[5]AB[aa:ba]AW[ee];AE[ba]PL[B];B[cc])")
    assert record.setup_black == (Point(0, 4),)
    assert record.setup_white == (Point(4, 0),)
    assert record.to_move is BLACK


def test_an_edited_board_is_kept() -> None:
    """It is read, shown and written, but cannot be played by the rules."""
    record = parse_sgf(b"(;SZ[3];B[aa];AW[bb]AE[aa]PL[W];W[cc];PL[B])")
    assert record.edits == {1: Edit(white=(Point(1, 1),), empty=(Point(0, 2),), to_move=WHITE)}
    assert board_rows(execute(record), None) == ("...", ".w.", "..w")
    assert board_rows(execute(record, 1), None) == ("...", ".w.", "...")
    assert parse_sgf(format_sgf(record).encode()) == record
    with pytest.raises(Unreadable, match="by hand after move 1"):
        replay(record, RULESETS["japanese"])


def test_texts_are_cleaned_when_read() -> None:
    """So that they can be written unchanged."""
    record = parse_sgf(b"(;PB[ a\x06\t b\x0bc\nd ]C[one\x07\ttwo\r\nthree];B[aa])")
    assert (record.black, record.comments[0]) == ("a b c d", "one two\nthree")
    assert parse_sgf(format_sgf(record).encode()) == record


def test_the_default_move_is_the_last() -> None:
    """A missing number is refused."""
    assert (move_index(GAME, None), move_index(GAME, 0), move_index(GAME, 4)) == (4, 0, 4)
    with pytest.raises(Unknown, match="has 4 moves; there is no move 5"):
        move_index(GAME, 5)


@pytest.mark.parametrize("line", [*LINES["no SGF"], f"(;C[{'a' * 5_000_000}]) => No game needs"])
def test_a_broken_file_is_refused_with_a_reason(line: str) -> None:
    """Each kind with its own sentence."""
    data, why = line.split(" => ")
    with pytest.raises(Unreadable, match=why):
        parse_sgf(data.encode())


@pytest.mark.parametrize("komi", ["much", "nan", "-", "1e999", "1e308", "-20000"])
def test_invalid_numbers_are_left_out(komi: str) -> None:
    """With a warning."""
    record = parse_sgf(f"(;SZ[9x9]KM[{komi}]HA[some]PL[Z];B[aa])".encode())
    assert (record.size, record.komi, record.has_komi) == (Size(9, 9), 0, False)
    assert (record.handicap, len(record.moves)) == (0, 1)
    assert record.left_out == (
        f"Its KM value, “{komi}”, is not a number, and is left out.",
        "Its HA value, “some”, is not a number, and is left out.",
    )


_WORDS = st.text(st.characters(exclude_categories=["C", "Z"]) | st.just(" "), max_size=20).map(
    lambda words: " ".join(words.split())
)
_CHAT = st.text(
    st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"]) | st.just("\n"), min_size=1
)


_SECONDS = st.floats(allow_nan=False, allow_infinity=False)
_CLOCKS = st.builds(ClockReading, _SECONDS, st.none() | st.integers(0, 99)) | st.builds(
    ClockReading, st.none(), st.integers(-9, 99)
)


@st.composite
def edits(draw: st.DrawFn, points: st.SearchStrategy[Point]) -> Edit:
    """At least one stone put on the board or taken off it."""
    stones = draw(st.lists(points, unique=True, min_size=1, max_size=6))
    first, second = sorted(draw(st.tuples(st.integers(0, 6), st.integers(0, 6))))
    turn = draw(st.none() | st.sampled_from(Color))
    return Edit(tuple(stones[:first]), tuple(stones[first:second]), tuple(stones[second:]), turn)


@st.composite
def records(draw: st.DrawFn) -> Record:
    """Records of any shape, with moves that may be illegal."""
    size = draw(SIZES)
    points = st.builds(Point, st.integers(0, size.width - 1), st.integers(0, size.height - 1))
    stones = draw(st.lists(points, unique=True, max_size=6))
    cut = draw(st.integers(0, len(stones)))
    moves = draw(st.lists(st.builds(Move, st.sampled_from(Color), st.none() | points), max_size=9))
    numbers = st.integers(1, max(1, len(moves)))
    return Record(
        size=size,
        komi=draw(st.floats(-10_000, 10_000)),
        handicap=draw(st.integers(0, 9)),
        rules=draw(_WORDS),
        black=draw(_WORDS),
        white=draw(_WORDS),
        setup_black=tuple(stones[:cut]),
        setup_white=tuple(stones[cut:]),
        to_move=draw(st.none() | st.sampled_from(Color)),
        moves=tuple(moves),
        comments=draw(st.dictionaries(st.integers(0, len(moves)), _CHAT, max_size=3)),
        result=draw(_WORDS) or None,
        date=draw(_WORDS) or None,
        name=draw(_WORDS) or None,
        event=draw(_WORDS) or None,
        main_time=draw(st.none() | _SECONDS),
        overtime=draw(_WORDS),
        clocks=draw(st.dictionaries(numbers, _CLOCKS, max_size=3)) if moves else {},
        edits=draw(st.dictionaries(numbers, edits(points), max_size=2)) if moves else {},
        info=draw(st.dictionaries(st.sampled_from(list(INFO)), _WORDS.filter(bool), max_size=3)),
    )


@given(records(), st.booleans())
def test_records_are_parsed_as_written(record: Record, counted: bool) -> None:
    """Counted or not."""
    if counted:
        board = execute(record)
        stones = [board.point(index) for index, cell in enumerate(board.cells) if cell]
        rows = board_rows(board, stones[::2])
        record = replace(record, rows=rows)
    assert parse_sgf(format_sgf(record).encode()) == record


_PARTS = st.sampled_from(
    [
        *b"( ) ; [ ] \\ : B W AB AE AW TB SZ KM CA PL HA BL OB TM RE aa tt zz aa:ss".split(),
        *(b"19", b"9:13", b"B+3.5", b"UTF-7", b"\xff", b"\x81]", b" "),
    ]
)


@given(
    st.lists(_PARTS, max_size=40).map(b"".join)
    | st.lists(_PARTS, max_size=30).map(lambda parts: b"(;%s)" % b"".join(parts))
    | st.binary()
    | st.binary().map(b"(;CA[%b])".__mod__)
)
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    """What was read is parsed as written."""
    with suppress(Unreadable):
        record = parse_sgf(data)
        assert parse_sgf(format_sgf(record).encode()) == record
