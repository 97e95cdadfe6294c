"""A daemon's free boards survive their sessions, never wait for the disk, and always get a move."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from godaemon.daemon.engine_worker import EngineWorker
from godaemon.daemon.free_boards import (
    SAVE_DELAY,
    AutosavedBoard,
    EngineProcessPlayer,
    SavedBoards,
    engine_board,
)
from godaemon.engine import Choice, Reading
from godaemon.errors import Busy, Temporary, Unknown
from godaemon.games import commands as cmd
from godaemon.records.sgf import parse_sgf
from godaemon.rules.named_rulesets import parse_ruleset
from godaemon.rules.points import Color, Point, Size
from godaemon.rules.position import Position
from godaemon.storage.board_store import SavedBoard
from godaemon.storage.writer import WriterThread
from gtp.board.board_session import BoardSession
from gtp.engines.controller import Answer
from gtp.read_ahead import Listener
from tests.support import stores
from tests.support.hand_clock import HandClock

B, W = Color.BLACK, Color.WHITE
FIRST, SECOND, THIRD = Point(2, 2), Point(6, 6), Point(2, 6)


@pytest.fixture
def writer(tmp_path: Path) -> Iterator[WriterThread]:
    with closing(stores.fresh(tmp_path / "state")) as database, WriterThread(database) as writer:
        yield writer


@pytest.fixture
def clock() -> HandClock:
    return HandClock(stores.NOW)


@pytest.fixture
def boards(writer: WriterThread, clock: HandClock) -> SavedBoards:
    return SavedBoards(writer, clock)


async def kept(boards: SavedBoards) -> list[SavedBoard]:
    return await boards.writer.run(lambda unit: list(unit.boards.all()))


def played(sitting: AutosavedBoard, *points: Point) -> None:
    """Black and White play these points of a 9x9 board, from the first move on."""
    sitting.board.resize(9, 9)
    for number, point in enumerate(points):
        sitting.board.play(W if number % 2 else B, point)
    sitting.save_soon()


async def test_a_board_is_written_a_moment_later(boards: SavedBoards, clock: HandClock) -> None:
    """Many moves cost one visit to the store, about a second after the first of them."""
    sitting = await boards.open()
    played(sitting, FIRST)
    played(sitting, FIRST, SECOND)
    assert await kept(boards) == []
    await asyncio.sleep(0)  # the one who will write it down begins to wait
    clock.advance(SAVE_DELAY)
    assert sitting._saving is not None
    await asyncio.wait_for(sitting._saving, 10)
    (row,) = await kept(boards)
    assert (row.size, row.move_number) == ("9x9", 2)


async def test_a_board_is_taken_up_again(boards: SavedBoards) -> None:
    """Moves, handicap, komi and rules are there, and what is played then is the same board.

    A board that was never kept is refused, and an empty one is not kept.
    """
    for number in (7, None):
        if number:
            with pytest.raises(Unknown, match="board 7"):
                await boards.open(number)
        empty = await boards.open()
        empty.save_soon()
        await empty.close()
        assert await kept(boards) == []
    sitting = await boards.open()
    sitting.board.resize(9, 9)
    sitting.board.set_rules(parse_ruleset("japanese"))
    sitting.board.place_fixed(2)
    sitting.board.komi = 0.5
    sitting.board.play(W, Point(4, 4))
    await sitting.close()
    second = await boards.open(sitting.number)
    assert [move.point for move in second.board.position.moves] == [Point(4, 4)]
    assert (second.board.komi, second.board.ruleset) == (0.5, parse_ruleset("japanese"))
    assert second.board.handicap == 2
    second.board.play(B, Point(4, 5))
    await second.close()
    assert [(row.id, row.move_number) for row in await kept(boards)] == [(sitting.number, 2)]


async def test_bug_two_programs_on_one_board_lost_moves(boards: SavedBoards) -> None:
    """The second one has a copy, which gets its own number with its first move."""
    sitting = await boards.open()
    played(sitting, FIRST)
    await sitting.close()
    first, second, idle = [await boards.open(sitting.number) for _ in range(3)]
    played(first, FIRST, SECOND, THIRD)
    played(second, FIRST, THIRD)
    for one in (first, second, idle):
        await one.close()
    assert {row.id: row.move_number for row in await kept(boards)} == {
        sitting.number: 3,
        second.number: 2,
    }


async def test_replaying_makes_no_other_board(boards: SavedBoards, writer: WriterThread) -> None:
    """A program clears its board and replays it to go back and forth; other moves are another."""
    sitting = await boards.open()
    for points in ((FIRST, SECOND), (FIRST,), (FIRST, SECOND, THIRD)):
        played(sitting, *points)
        await sitting._save()
    first = sitting.number
    played(sitting, THIRD, SECOND)
    await sitting.close()
    assert [row.id for row in await kept(boards)] == [sitting.number, first]
    record = parse_sgf((await writer.run(lambda unit: unit.boards.sgf(first or 0))).encode())
    assert len(record.moves) == 3


@pytest.mark.parametrize("after", [(FIRST,), (FIRST, SECOND), (FIRST, SECOND, THIRD)])
async def test_a_board_keeps_its_number_over_a_restart(
    boards: SavedBoards, clock: HandClock, after: tuple[Point, ...]
) -> None:
    """Bug: its program gave it to the next daemon, and the list had a stale copy of it."""
    for points in ((FIRST, SECOND), (FIRST, THIRD), (FIRST, SECOND)):
        sitting = await boards.open()
        played(sitting, *points)
        await sitting.close()
    before = await kept(boards)
    second = SavedBoards(boards.writer, clock)
    other, new = await second.open(0), await second.open(0)
    played(other, FIRST, SECOND)
    await other.close()
    second.played.add(other)  # somebody plays on it still
    played(new, *after)
    await new.close()
    assert {row.id for row in await kept(boards)} == {row.id for row in before}
    assert other.number != new.number


async def test_a_store_that_fails_stops_no_play(boards: SavedBoards, writer: WriterThread) -> None:
    """The board goes on without its copy, and the session ends without a fault."""
    sitting = await boards.open()
    played(sitting, FIRST)
    await asyncio.to_thread(writer.close)
    await sitting.close()
    assert sitting.number is None


B, W = Color.BLACK, Color.WHITE
THERE = Point(4, 4)


class Elsewhere(EngineWorker):
    """A process with configured answers, which can fail or hang."""

    def __init__(self, answer: Answer | Exception | None) -> None:
        self.answer = answer
        self.asked: list[tuple[str, float, Color]] = []

    async def genmove(
        self,
        engine: str,
        _table: object,
        _position: Position,
        komi: float,
        color: Color,
        *,
        aloud: tuple[str, Listener] | None = None,
        cleanup: bool = False,
    ) -> Answer:
        """The configured answer; analysis output on request, except by GNU Go."""
        if aloud and engine != "gnugo":
            await aloud[1].tell(f"info {aloud[0]}")
        self.asked.append((engine, komi, color))
        if self.answer is None:
            await asyncio.Event().wait()
        if isinstance(self.answer, Exception):
            raise self.answer
        assert self.answer is not None
        return self.answer

    async def read(self, _board: object, position: Position, _komi: float) -> frozenset[Point]:
        board = position.board
        return frozenset(board.point(at) for color in Color for at in board.stones(color))

    async def analyze(
        self, line: str, position: Position, _komi: float, listener: Listener
    ) -> None:
        """Send the command, and nothing more, until the listener has enough."""
        if isinstance(self.answer, Exception):
            raise self.answer
        await listener.tell(f"info {line} after {position.move_number} moves")
        await listener.wait_for_end()


def begun() -> Position:
    """An empty 9x9 board."""
    return Position(Size(9, 9), parse_ruleset("chinese"))


def thinker(answer: Answer | Exception | None) -> EngineProcessPlayer:
    """An engine whose process gives this answer."""
    return EngineProcessPlayer(Elsewhere(answer), asyncio.get_running_loop(), "house3")


@pytest.mark.parametrize(
    ("answer", "choice"),
    [(cmd.Play(THERE), Choice(THERE)), (cmd.Pass(), Choice()), (cmd.Resign(), Choice(None, True))],
)
async def test_what_the_process_says_is_played(answer: Answer, choice: Choice) -> None:
    """A point, a pass, or resignation."""
    player = thinker(answer)
    chosen = await asyncio.to_thread(player.genmove, begun(), B, komi=7.5)
    assert chosen == choice


@pytest.mark.parametrize("answer", [Temporary("It died."), KeyError("pachi"), cmd.Play(THERE)])
async def test_what_cannot_be_is_replaced(answer: Answer | Exception) -> None:
    """Without a process, or after its death or an illegal answer, a move is still made."""
    position = begun()
    position.play(B, THERE)
    player = thinker(answer)
    chosen = await asyncio.to_thread(player.genmove, position, W, komi=7.5)
    assert chosen.point is not None
    assert position.is_legal(W, chosen.point)


@pytest.mark.parametrize("stopped", [True, False])
async def test_who_is_not_answered_in_time_moves(stopped: bool) -> None:
    """The question is taken back, when the player is stopped or when their time is over."""
    looks = iter([False, False])
    limit = {"stop": lambda: next(looks, True)} if stopped else {"seconds": 0.0}
    genmove = partial(thinker(None).genmove, begun(), B, komi=7.5, **limit)
    chosen = await asyncio.to_thread(genmove)
    assert chosen.point is not None


async def test_dead_stones_are_read_elsewhere() -> None:
    """Our engine's process answers, as the board keeper has no network."""
    position = begun()
    position.play(B, THERE)
    found = await asyncio.to_thread(thinker(None).read, position)
    assert found == Reading(frozenset({THERE}))


@pytest.mark.parametrize(
    ("engine", "asked"), [(None, ["house3", "house5"]), ("gnugo", ["gnugo"] * 2)]
)
async def test_which_engine_answers(engine: str | None, asked: list[str]) -> None:
    """Our own player at the level of the board, from the next move on, or the operator's engine."""
    mind = Elsewhere(cmd.Pass())
    board = engine_board(mind, asyncio.get_running_loop(), engine)
    board.komi = 0.5
    await asyncio.to_thread(board.genmove, B)
    board.set_level(5)
    await asyncio.to_thread(board.genmove, W)
    assert mind.asked == [*zip(asked, (0.5, 0.5), (B, W), strict=True)]
    title = engine or "godaemon"
    assert BoardSession(board).answer(b"gogui-title").startswith(f"= {title}".encode())


async def test_our_own_player_thinks_aloud_elsewhere() -> None:
    """Its lines come as it has them, empty ones between them, until nobody listens any more."""
    board = engine_board(Elsewhere(None), asyncio.get_running_loop(), "gnugo")
    board.play(B, THERE)

    def _watched() -> list[str]:
        thoughts = board.analyst_lines("kata-analyze 50")
        assert thoughts is not None
        with closing(thoughts):
            return [next(thoughts), next(thoughts)]

    assert await asyncio.to_thread(_watched) == ["info kata-analyze 50 after 1 moves", ""]


@pytest.mark.parametrize(
    ("engine", "output"),
    [
        (None, "info kata-genmove_analyze b 50"),
        ("katago", "info kata-genmove_analyze b 50"),
        ("gnugo", "info kata-analyze b 50 after 0 moves"),
    ],
)
async def test_who_plays_thinks_aloud(engine: str | None, output: str) -> None:
    """Its lines come before its move; our own player thinks for one that cannot think aloud."""
    board = engine_board(Elsewhere(cmd.Play(THERE)), asyncio.get_running_loop(), engine)
    answer = await asyncio.to_thread(BoardSession(board).answer, b"7 kata-genmove_analyze b 50")
    assert answer.decode() == f"=7\n{output}\nplay E5\n\n"
    assert board.position.move_number == 1


async def test_an_operators_engine_takes_no_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are refused rather than forgotten; our own player takes them, in its process alone.

    Why nobody can think aloud is said.
    """
    monkeypatch.setattr("godaemon.engine.network.load_network", pytest.fail)
    loop = asyncio.get_running_loop()
    line = b"kata-genmove_analyze b 50 avoid b D4 1"
    for engine, answer in ((None, b"=\ninfo "), ("gnugo", b"? gnugo plays here")):
        session = BoardSession(engine_board(Elsewhere(cmd.Play(THERE)), loop, engine))
        assert (await asyncio.to_thread(session.answer, line)).startswith(answer)
    session = BoardSession(engine_board(Elsewhere(Busy("others")), loop))
    answer = await asyncio.to_thread(session.answer, b"7 kata-analyze 50")
    assert answer == b"?7 others\n\n"
