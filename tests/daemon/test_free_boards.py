"""A daemon saves free boards, and its engine plays on them."""

from types import SimpleNamespace
from typing import Any

import pytest

from godaemon.config.loading import parse
from godaemon.daemon.free_boards import FreeBoards
from godaemon.errors import Temporary, Unknown, Unreadable
from godaemon.games import commands as cmd
from godaemon.rules.points import Color, Point
from godaemon.rules.position import Position
from godaemon.storage.writer import WriterThread
from gtp.board.game_file import pack
from gtp.client.syntax import BoardRequest, read_greeting
from gtp.engines.controller import Answer, Controller
from tests.support import stores
from tests.support.hand_clock import HandClock

PASS = cmd.Pass()


class FakeEngine(Controller):
    """An engine with a configured answer, which can fail."""

    def __init__(self, answer: Answer | Exception) -> None:
        self.answer = answer
        self.asked: list[tuple[object, ...]] = []

    async def genmove(
        self, game: object, position: Position, komi: float, color: Color, *, cleanup: bool = False
    ) -> Answer:
        self.asked.append((game, position.move_number, komi, color, cleanup))
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def boards(writer: WriterThread, answer: Answer | Exception = PASS) -> FreeBoards:
    return boards_with(writer, FakeEngine(answer))


def boards_with(writer: WriterThread, engine: FakeEngine) -> FreeBoards:
    """The boards of a daemon on which an engine plays."""
    text = '[gtp]\nengine = "gnugo"\n[engines]\nnetwork = "/a.bin.gz"\n'
    core: Any = SimpleNamespace(
        writer=writer, clock=HandClock(stores.NOW), settings=parse(text, "", {})
    )
    return FreeBoards(core, {"gnugo": engine})


async def ask(boards: FreeBoards, line: str, *records: str) -> str:
    """The answer to a request with these records."""
    words = [line, *(pack(record.encode()) for record in records)]
    request = read_greeting(" ".join(words).encode())
    assert isinstance(request, BoardRequest)
    return await boards.answer(request)


async def test_boards_are_saved_under_numbers(writer: WriterThread) -> None:
    """Another session's changes are never overwritten."""
    one = boards(writer)
    assert await ask(one, "godaemon-board 0") == f"gnugo /a.bin.gz\n{pack(b'')}"
    with pytest.raises(Unknown, match="board 7"):
        await ask(one, "godaemon-board 7")
    first, second, third = (f"(;SZ[9]{moves})" for moves in (";B[ee]", ";B[ee];W[cc]", ";B[gg]"))
    assert await ask(one, "godaemon-save 0", "", first) == "1"
    assert await ask(one, "godaemon-save 1", first, second) == "1"
    assert await ask(one, "godaemon-save 1", first, third) == "2"
    assert await ask(one, "godaemon-board 1") == f"gnugo /a.bin.gz\n{pack(second.encode())}"
    rows = await writer.run(lambda unit: list(unit.boards.all()))
    assert [(row.size, row.move_number) for row in rows] == [("9x9", 1), ("9x9", 2)]
    with pytest.raises(Unreadable):
        await ask(one, "godaemon-save 0", "", "no record")


@pytest.mark.parametrize(
    ("answer", "text"),
    [(cmd.Play(Point(2, 3)), "C4"), (cmd.Pass(), "pass"), (cmd.Resign(), "resign")],
)
async def test_the_engine_answers_with_one_word(
    writer: WriterThread, answer: Answer, text: str
) -> None:
    """A vertex, a pass or a resignation."""
    engine = FakeEngine(answer)
    one = boards_with(writer, engine)
    assert await ask(one, "godaemon-move 17 white 1", "(;SZ[9]KM[0.5];B[ee])") == text
    assert engine.asked == [("17", 1, 0.5, Color.WHITE, True)]


@pytest.mark.parametrize("fault", [Temporary("It died."), KeyError("pachi")])
async def test_a_failing_engine_is_a_refusal(writer: WriterThread, fault: Exception) -> None:
    """The program then plays a simple move."""
    with pytest.raises(Temporary):
        await ask(boards(writer, fault), "godaemon-move 17 white 0", "(;SZ[9])")
