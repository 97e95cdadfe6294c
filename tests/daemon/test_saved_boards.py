"""A free board on a daemon outlives its session, and none of its commands waits for the disk."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from godaemon.daemon.free_boards import BEHIND, AutosavedBoard, SavedBoards
from godaemon.errors import Unknown
from godaemon.records.sgf import read
from godaemon.rules.points import Color, Point
from godaemon.rules.rulesets import parse_ruleset
from godaemon.storage.seat_store import SavedBoard
from godaemon.storage.writer import WriterThread
from tests.support import stores
from tests.support.hand_clock import HandClock

B, W = Color.BLACK, Color.WHITE
FIRST, SECOND, THIRD = Point(2, 2), Point(6, 6), Point(2, 6)


@pytest.fixture
def writer(tmp_path: Path) -> Iterator[WriterThread]:
    """A store with a writer."""
    with closing(stores.fresh(tmp_path / "state")) as database, WriterThread(database) as writer:
        yield writer


@pytest.fixture
def clock() -> HandClock:
    """A clock that the test turns."""
    return HandClock(stores.NOW)


@pytest.fixture
def boards(writer: WriterThread, clock: HandClock) -> SavedBoards:
    """The boards of a daemon."""
    return SavedBoards(writer, clock)


async def kept(boards: SavedBoards) -> list[SavedBoard]:
    """What is in the store."""
    return await boards.writer.run(lambda unit: list(unit.boards.all()))


def played(sitting: AutosavedBoard, *points: Point) -> None:
    """Black and White play these points of a 9x9 board, from the first move on."""
    sitting.board.resize(9, 9)
    for number, point in enumerate(points):
        sitting.board.play(W if number % 2 else B, point)
    sitting.touched()


async def test_a_board_is_written_a_moment_later(boards: SavedBoards, clock: HandClock) -> None:
    """Many moves cost one visit to the store, about a second after the first of them."""
    sitting = await boards.open()
    played(sitting, FIRST)
    played(sitting, FIRST, SECOND)
    assert await kept(boards) == []
    await asyncio.sleep(0)  # the one who will write it down begins to wait
    clock.advance(BEHIND)
    assert sitting._saving is not None
    await asyncio.wait_for(sitting._saving, 10)
    (row,) = await kept(boards)
    assert (row.size, row.move_number) == ("9x9", 2)


async def test_a_board_is_taken_up_again(boards: SavedBoards) -> None:
    """Moves, komi and rules are there again, and what is played then is the same board."""
    sitting = await boards.open()
    sitting.board.rule(parse_ruleset("japanese"))
    sitting.board.komi = 0.5
    played(sitting, FIRST, SECOND)
    await sitting.close()
    again = await boards.open(sitting.number)
    assert [move.point for move in again.board.position.moves] == [FIRST, SECOND]
    assert (again.board.komi, again.board.ruleset) == (0.5, parse_ruleset("japanese"))
    again.board.play(B, THIRD)
    await again.close()
    assert [(row.id, row.move_number) for row in await kept(boards)] == [(sitting.number, 3)]


async def test_handicap_stones_are_kept(boards: SavedBoards) -> None:
    """Stones set before the first move are no moves, and White begins."""
    sitting = await boards.open()
    sitting.board.resize(9, 9)
    sitting.board.place_fixed(2)
    sitting.board.play(W, Point(4, 4))
    await sitting.close()
    again = await boards.open(sitting.number)
    assert again.board.handicap == 2
    await again.close()
    assert len(await kept(boards)) == 1


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
    record = read((await writer.run(lambda unit: unit.boards.sgf(first or 0))).encode())
    assert len(record.moves) == 3


@pytest.mark.parametrize("after", [(FIRST,), (FIRST, SECOND), (FIRST, SECOND, THIRD)])
async def test_a_board_keeps_its_number_over_a_restart(
    boards: SavedBoards, clock: HandClock, after: tuple[Point, ...]
) -> None:
    """Bug: its program replayed it to the next daemon, and the list had a stale copy of it."""
    for points in ((FIRST, SECOND), (FIRST, THIRD), (FIRST, SECOND)):
        sitting = await boards.open()
        played(sitting, *points)
        await sitting.close()
    before = await kept(boards)
    again = SavedBoards(boards.writer, clock)
    other, new = await again.open(0), await again.open(0)
    played(other, FIRST, SECOND)
    await other.close()
    again.played.add(other)  # somebody plays on it still
    for end in range(1, len(after) + 1):  # no part of the replay is taken for the board
        played(new, *after[:end])
        await asyncio.sleep(0)
        clock.advance(BEHIND)
        await asyncio.sleep(0)
    await new.close()
    assert {row.id for row in await kept(boards)} == {row.id for row in before}
    assert other.number != new.number


async def test_an_empty_board_is_not_kept(boards: SavedBoards) -> None:
    """A program that only asks for our name leaves nothing behind."""
    sitting = await boards.open()
    sitting.touched()
    await sitting.close()
    assert await kept(boards) == []


async def test_a_board_that_is_not_there(boards: SavedBoards) -> None:
    """Taking up what was never kept is refused."""
    with pytest.raises(Unknown, match="board 7"):
        await boards.open(7)


async def test_a_store_that_fails_stops_no_play(boards: SavedBoards, writer: WriterThread) -> None:
    """The board goes on without its copy, and the session ends without a fault."""
    sitting = await boards.open()
    played(sitting, FIRST)
    await asyncio.to_thread(writer.close)
    await sitting.close()
    assert sitting.number is None
