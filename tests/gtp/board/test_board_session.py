"""A session on a free board with any input, and its command table."""

import os
from collections.abc import Iterator
from contextlib import chdir
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from godaemon.engine import Choice, LiveAnalysis, Reading
from godaemon.engine.house import House
from godaemon.engine.search import Search
from godaemon.rules.points import Color, Size
from godaemon.rules.position import Position
from gtp.argument_readers import words
from gtp.board.board_session import COMMANDS, BoardSession
from gtp.board.commands import BOARD_COMMANDS, analyze
from gtp.board.free_board import FreeBoard
from gtp.command_table import CommandTable
from gtp.every_session import POSITION_COMMANDS, SESSION_COMMANDS
from gtp.seat.commands import SEAT_COMMANDS
from tests.support import places
from tests.support.blocks import read_blocks
from tests.support.dialogue import matches, think_little
from tests.support.examples import examples
from tests.support.gtp_page import contract
from tests.support.played_board import PlayedBoard


class FirstPoint:
    """An engine that takes the first legal point, for tests that are not about engines."""

    def genmove(self, position: Position, color: Color, **_: object) -> Choice:
        """The first legal point of the board."""
        return Choice(next(iter(position.legal_moves(color)), None))

    def read_dead_stones(self, position: Position) -> Reading:
        return Reading(frozenset())

    def analyse(self, position: Position, color: Color, **_: object) -> Iterator[Search]:
        """One step of our own player's search."""
        return islice(House(1).analyse(position, color, komi=0.0), 1)


def session() -> BoardSession:
    return BoardSession(PlayedBoard(FirstPoint))


QUICK = [name for name in COMMANDS if not name.endswith("analyze")]
WORDS = st.sampled_from(
    [*QUICK, "b", "w", "D4", "e5", "pass", "2", "9", "19", "-1", "6.5", "dead", "#"]
)
LINES = st.lists(WORDS, max_size=5).map(lambda words: " ".join(words).encode()) | st.binary()


@given(st.lists(LINES, max_size=20), LINES)
@settings(max_examples=examples(100))
def test_a_failure_changes_nothing(
    tmp_path_factory: pytest.TempPathFactory, lines: list[bytes], last: bytes
) -> None:
    """After a `?` the board, its past and the komi are what they were before."""
    talk = session()
    with chdir(tmp_path_factory.getbasetemp()):  # `printsgf D4` writes a file
        for line in lines:
            talk.answer(line)
        before = _state(talk.board)
        if talk.answer(last).startswith(b"?"):
            assert _state(talk.board) == before


def _state(board: FreeBoard) -> tuple[object, ...]:
    position = board.position
    stones = (position.board.copy(), position.moves, dict(position.prisoners), position.to_move)
    return (*stones, board.komi, board.ruleset, board.handicap, board.level)


@pytest.mark.parametrize(
    "table",
    [SESSION_COMMANDS, POSITION_COMMANDS, BOARD_COMMANDS, SEAT_COMMANDS],
    ids=["any", "looks", "free", "seat"],
)
def test_the_example_of_a_contract_calls_its_command(table: CommandTable) -> None:
    """The docstring of each command has an example, which begins with one of its names."""
    for command in table.values():
        parts = contract(command).parts
        names = [name for name, one in table.items() if one.handle is command.handle]
        assert parts["Example"].removeprefix("`").split("`")[0].split()[0] in names


RECORDS = read_blocks(places.DATA / "loadsgf.txt")


@pytest.mark.parametrize("text", RECORDS.values(), ids=RECORDS)
def test_loadsgf_sets_up_the_position_of_a_file(tmp_path: Path, text: str) -> None:
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


def test_loadsgf_reads_only_regular_files_of_limited_size(tmp_path: Path) -> None:
    """A device would take all memory, and a pipe would block."""
    pipe, large = tmp_path / "pipe", tmp_path / "large.sgf"
    os.mkfifo(pipe)
    with large.open("wb") as file:
        file.truncate(2**24 + 1)
    talk = session()
    for name in ("/dev/zero", pipe, large):
        assert talk.answer(f"loadsgf {name}".encode()).startswith(b"? cannot load file: ")


def test_an_analysis_is_acknowledged_before_its_first_line() -> None:
    """Bug: `=` came with the first line, and programs that wait for it hung."""
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


class AnalysingPlayer(FirstPoint):
    """An engine that visits ten positions, and takes a tenth of a second for each."""

    now = 0.0

    def genmove(self, position: Position, color: Color, **options: object) -> Choice:
        analysis = options["analysis"]
        assert isinstance(analysis, LiveAnalysis)
        for search in islice(House(1).analyse(position, color, komi=0.0), 10):
            AnalysingPlayer.now += 0.1
            analysis.report(search)
        return super().genmove(position, color)


@pytest.mark.parametrize(("interval", "lines"), [(1, 11), (35, 3), (400, 1)])
def test_genmove_analyze_reports_the_search_at_intervals(
    monkeypatch: pytest.MonkeyPatch, interval: int, lines: int
) -> None:
    """There is a line per interval and a last one that is never empty; then comes the move."""
    think_little(monkeypatch)
    monkeypatch.setattr(analyze, "monotonic", lambda: AnalysingPlayer.now)
    board = PlayedBoard(AnalysingPlayer)
    board.begin_game(Size(7, 7))
    output: list[bytes] = []
    talk = BoardSession(board)
    talk.send = output.append
    command = f"3 kata-genmove_analyze b {interval} maxmoves 1"
    assert talk.answer(command.encode()) == b"play A1\n\n"
    assert output[0] == b"=3\n"
    assert all(line.startswith(b"info move ") for line in output[1:])
    visits = [int(line.split()[4]) for line in output[1:]]
    assert visits == sorted(visits)
    assert len(visits) == lines
    assert b"visits 0" not in output[-1]


class Faulty(FirstPoint):
    """An engine with a fault in it."""

    def genmove(self, position: Position, color: Color, **_: object) -> Choice:
        """Fails."""
        raise ZeroDivisionError


def test_a_bug_is_answered_and_logged(capfd: pytest.CaptureFixture[str]) -> None:
    """The answer is `internal error`, nothing goes to the terminal, and play goes on."""
    faults: list[Exception] = []
    reporting, silent = (BoardSession(PlayedBoard(Faulty)) for _ in range(2))
    reporting.report = faults.append
    for talk in (reporting, silent):
        assert talk.answer(b"3 genmove b") == b"?3 internal error\n\n"
        assert talk.answer(b"play b D4") == b"= \n\n"
    assert [type(fault) for fault in faults] == [ZeroDivisionError]
    assert capfd.readouterr() == ("", "")


def test_the_command_table_refuses_duplicates_and_the_page_missing_examples() -> None:
    """A second command of a name fails at import."""
    table = CommandTable()

    @table.command("name", words)
    def name(_: object) -> str:
        return ""

    with pytest.raises(ValueError, match="two commands"):
        table.command("name")(name)
    with pytest.raises(ValueError, match="name"):
        contract(*table.values())
