"""A session on a free board with any input, and its command table."""

import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from godaemon.engine import Aloud as HowAloud
from godaemon.engine import Choice, Reading
from godaemon.engine.house import House
from godaemon.engine.search import Search
from godaemon.rules.points import Color, Point
from godaemon.rules.position import Position
from gtp.board.board_session import BoardSession
from gtp.board.commands import FREE, analyze
from gtp.board.free_board import FreeBoard
from gtp.command_table import CommandTable
from gtp.every_session import ANY, LOOKS
from gtp.seat.commands import SEAT
from tests.support import places
from tests.support.blocks import read_blocks
from tests.support.dialogue import matches
from tests.support.examples import examples
from tests.support.gtp_page import contract

PROMISED = """protocol_version name version known_command list_commands quit boardsize clear_board
komi play genmove undo fixed_handicap place_free_handicap set_free_handicap final_score
final_status_list loadsgf showboard time_settings time_left reg_genmove rectangular_boardsize
list_stones color is_legal all_legal captures countlib findlib query_boardsize get_komi get_handicap
last_move move_history printsgf gg-undo cputime clear_cache level get_random_seed set_random_seed
lz-analyze kata-analyze lz-genmove_analyze kata-genmove_analyze kata-search_analyze
kata-list-params kata-get-param kata-set-param top_moves_black top_moves_white
gogui-analyze_commands gogui-setup gogui-setup_player gogui-play_sequence gogui-interrupt
gogui-title gogui-rules_game_id set_position estimate_score
godaemon-describe godaemon-doubtful_stones godaemon-estimate godaemon-review godaemon-show_dead
godaemon-show_score
godaemon-show_liberties godaemon-show_last
kgs-rules kgs-time_settings kgs-genmove_cleanup
kata-get-rules kata-set-rules kata-set-rule kata-time_settings kata-list_time_settings"""


class FirstPoint:
    """An engine that takes the first legal point, for tests that are not about engines."""

    def genmove(self, position: Position, color: Color, **_: object) -> Choice:
        """The first legal point of the board."""
        return Choice(next(iter(position.legal_moves(color)), None))

    def read(self, position: Position) -> Reading:
        """None of them."""
        return Reading(frozenset())


def session() -> BoardSession:
    return BoardSession(FreeBoard(engine=FirstPoint))


QUICK = [name for name in PROMISED.split() if not name.endswith("analyze")]
WORDS = st.sampled_from(
    [*QUICK, "b", "w", "D4", "e5", "pass", "2", "9", "19", "-1", "6.5", "dead", "#"]
)
LINES = st.lists(WORDS, max_size=5).map(lambda words: " ".join(words).encode()) | st.binary()


@given(st.lists(LINES, max_size=20), LINES)
@settings(max_examples=examples(100))
def test_a_failure_changes_nothing(lines: list[bytes], last: bytes) -> None:
    """After a `?` the board, its past and the komi are what they were before."""
    talk = session()
    for line in lines:
        talk.answer(line)
    before = _state(talk.board)
    if talk.answer(last).startswith(b"?"):
        assert _state(talk.board) == before


def _state(board: FreeBoard) -> tuple[object, ...]:
    position = board.position
    stones = (position.board.copy(), position.moves, dict(position.prisoners), position.to_move)
    return (*stones, board.komi, board.ruleset, board.handicap, board.level)


def test_promised_commands() -> None:
    """A session of the operator's own has every command promised; LizzieYzy knows the first."""
    talk = session()
    assert sorted(talk.names()) == sorted(PROMISED.split())
    assert talk.names()[0] == "protocol_version"
    assert all(talk.knows(name) for name in PROMISED.split())


@pytest.mark.parametrize("table", [ANY, LOOKS, FREE, SEAT], ids=["any", "looks", "free", "seat"])
def test_each_command_has_its_contract(table: CommandTable) -> None:
    """Each command's docstring has all four parts, and its example begins with a name it has."""
    for command in table.values():
        parts = contract(command).parts
        names = [name for name, one in table.items() if one.handle is command.handle]
        assert parts["Example"].removeprefix("`").split("`")[0].split()[0] in names


RECORDS = read_blocks(places.DATA / "loadsgf.txt")


@pytest.mark.parametrize("text", RECORDS.values(), ids=RECORDS)
def test_loadsgf(tmp_path: Path, text: str) -> None:
    """The board is as in the file; a failed load changes nothing."""
    record, *exchanges = text.split("\n> ")
    file = tmp_path / "game.sgf"
    file.write_text(record, "utf-8")
    talk = session()
    for exchange in exchanges:
        line, _, expected = exchange.partition("\n")
        command = line.replace("FILE", str(file)).replace("FOLDER", str(tmp_path))
        answer = talk.answer(command.encode())
        assert matches(expected, answer), (line, answer)


def test_loadsgf_reads_files_alone_and_no_endless_ones(tmp_path: Path) -> None:
    """Neither a device, which took all memory, nor a pipe, for which it waited, nor too much."""
    pipe, large = tmp_path / "pipe", tmp_path / "large.sgf"
    os.mkfifo(pipe)
    with large.open("wb") as file:
        file.truncate(2**24 + 1)
    talk = session()
    for name in ("/dev/zero", pipe, large):
        assert talk.answer(f"loadsgf {name}".encode()).startswith(b"? cannot load file: ")


def test_the_sign_of_an_analysis_comes_at_once() -> None:
    """Bug: it came with the first line, and programs that wait for it thought that we hung."""
    output: list[bytes] = []

    class Slow(FreeBoard):
        def analyse(self, *_: object) -> Iterator[Search]:
            """Analyse the position; the sign must have been sent before."""
            assert output == [b"=1\n"]
            yield from super().analyse(Color.BLACK, ())

    talk = BoardSession(Slow(level=1))
    talk.send, talk.has_line = output.append, lambda: len(output) > 1
    assert talk.answer(b"1 kata-analyze 1") == b"\n"
    assert [one.partition(b" ")[0] for one in output[:2]] == [b"=1\n", b"info"]


class Aloud(FirstPoint):
    """An engine that looks at positions ten times, and takes a tenth of a second for each."""

    now = 0.0

    def genmove(self, position: Position, color: Color, **options: object) -> Choice:
        aloud = options["aloud"]
        assert isinstance(aloud, HowAloud)
        for search in islice(House(1).analyse(position, color, komi=0.0), 10):
            Aloud.now += 0.1
            aloud.hear(search)
        return super().genmove(position, color)


@pytest.mark.parametrize(("interval", "lines"), [(1, 11), (35, 3), (400, 1)])
def test_a_choice_is_reported_while_it_is_made(
    monkeypatch: pytest.MonkeyPatch, interval: int, lines: int
) -> None:
    """A line per interval, and a final one that is never empty; the move comes last."""
    monkeypatch.setattr(analyze, "monotonic", lambda: Aloud.now)
    board = FreeBoard(engine=Aloud)
    board.resize(7, 7)
    output: list[bytes] = []
    talk = BoardSession(board)
    talk.send = output.append
    command = f"3 kata-genmove_analyze b {interval} maxmoves 1"
    assert talk.answer(command.encode()) == b"play A1\n\n"
    assert output[0] == b"=3\n"
    assert all(line.startswith(b"info move ") for line in output[1:])
    looks = [int(line.split()[4]) for line in output[1:]]
    assert looks == sorted(looks)
    assert len(looks) == lines
    assert b"visits 0" not in output[-1]


@pytest.mark.parametrize("most", ["0", "1"])
def test_no_line_of_an_analysis_is_empty(most: str) -> None:
    """An empty line would end the response: with maxmoves 0 one move is reported."""
    talk = BoardSession(FreeBoard(level=1))
    output: list[bytes] = []
    talk.send = output.append
    talk.has_line = lambda: not output
    talk.answer(f"1 lz-analyze 1 maxmoves {most}".encode())
    assert output[0].startswith(b"=1\ninfo move ")
    assert b"\n\n" not in output[0]


class Faulty(FirstPoint):
    """An engine with a fault in it."""

    def genmove(self, position: Position, color: Color, **_: object) -> Choice:
        """Fails."""
        raise ZeroDivisionError


def test_our_own_fault_is_reported_and_survived(capfd: pytest.CaptureFixture[str]) -> None:
    """A fault answers `internal error`, goes to the log and not to the terminal; play goes on."""
    faults: list[Exception] = []
    for talk in (
        BoardSession(FreeBoard(engine=Faulty), report=faults.append),
        BoardSession(FreeBoard(engine=Faulty)),
    ):
        assert talk.answer(b"3 genmove b") == b"?3 internal error\n\n"
        assert talk.answer(b"play b D4") == b"= \n\n"
    assert [type(fault) for fault in faults] == [ZeroDivisionError]
    assert capfd.readouterr() == ("", "")


def test_set_up_stones_spread_over_a_small_board() -> None:
    """Where a board has no handicap points, free stones lie apart and leave room."""
    board = FreeBoard()
    board.resize(6, 2)
    stones = board.place_free(11)
    assert set(stones) == {Point(0, 0), Point(5, 1)}


def test_two_commands_of_one_name() -> None:
    """A second command of a name, or one without a contract, is refused where it is written."""
    table = CommandTable()

    @table.command("name")
    def name() -> str:
        """Something."""
        return ""

    with pytest.raises(ValueError, match="two commands"):
        table.command("name")(name)
    with pytest.raises(ValueError, match="no contract"):
        table.command("other")(lambda: "")
    with pytest.raises(ValueError, match="name"):
        contract(*table.values())
