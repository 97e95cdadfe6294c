"""A free board's player thinks elsewhere; whatever becomes of it there, the board gets a move."""

from __future__ import annotations

import asyncio
from contextlib import closing

import pytest

from godaemon.daemon.free_boards import EngineProcessPlayer, engine_board
from godaemon.engine import Choice, Reading
from godaemon.errors import Busy, Temporary
from godaemon.games import commands as cmd
from godaemon.rules.points import Color, Point, Size
from godaemon.rules.position import Position
from godaemon.rules.rulesets import parse_ruleset
from gtp.board.board_session import BoardSession
from gtp.engines.controller import Answer
from gtp.read_ahead import Listener

B, W = Color.BLACK, Color.WHITE
THERE = Point(4, 4)


class Elsewhere:
    """A process that answers what it is told to, fails, or never answers."""

    def __init__(self, answer: Answer | Exception | None) -> None:
        self.answer = answer
        self.asked: list[tuple[str, float, Color]] = []

    async def think(
        self, engine: str, _table: object, _position: Position, komi: float, color: Color
    ) -> Answer:
        """What it was told."""
        self.asked.append((engine, komi, color))
        if self.answer is None:
            await asyncio.Event().wait()
        if isinstance(self.answer, Exception):
            raise self.answer
        assert self.answer is not None
        return self.answer

    async def read(self, _board: object, position: Position, _komi: float) -> frozenset[Point]:
        """All stones."""
        board = position.board
        return frozenset(board.point(at) for color in Color for at in board.stones(color))

    async def analyze(
        self, line: str, position: Position, _komi: float, listener: Listener
    ) -> None:
        """What it was asked, and then nothing more, until that is enough."""
        if isinstance(self.answer, Exception):
            raise self.answer
        await listener.tell(f"info {line} after {position.move_number} moves")
        await listener.ended()


def begun() -> Position:
    """An empty 9x9 board."""
    return Position(Size(9, 9), parse_ruleset("chinese"))


def thinker(answer: Answer | Exception | None) -> EngineProcessPlayer:
    """A player whose process answers so."""
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
    """No process, a dead one, a taken point: a move is made all the same."""
    position = begun()
    position.play(B, THERE)
    player = thinker(answer)
    chosen = await asyncio.to_thread(player.genmove, position, W, komi=7.5)
    assert chosen.point is not None
    assert position.is_legal(W, chosen.point)


async def test_who_is_stopped_moves_at_once() -> None:
    """The question is taken back from a process that has not answered it."""
    player = thinker(None)
    looks = iter([False, False])
    chosen = await asyncio.to_thread(
        player.genmove, begun(), B, komi=7.5, stop=lambda: next(looks, True)
    )
    assert chosen.point is not None


async def test_the_clock_is_kept() -> None:
    """A process that takes longer than there is time for is not waited for."""
    chosen = await asyncio.to_thread(thinker(None).genmove, begun(), B, komi=7.5, seconds=0.0)
    assert chosen.point is not None


async def test_dead_stones_are_read_elsewhere() -> None:
    """By our own player's process, as whoever keeps the board has no network."""
    position = begun()
    position.play(B, THERE)
    found = await asyncio.to_thread(thinker(None).read, position)
    assert found == Reading(frozenset({THERE}))


async def test_the_level_of_the_board_is_asked() -> None:
    """`level 5` lets another process think, from the next move on."""
    mind = Elsewhere(cmd.Pass())
    board = engine_board(mind, asyncio.get_running_loop())
    board.komi = 0.5
    await asyncio.to_thread(board.genmove, B)
    board.grade(5)
    await asyncio.to_thread(board.genmove, W)
    assert mind.asked == [("house3", 0.5, B), ("house5", 0.5, W)]


async def test_our_own_player_thinks_aloud_elsewhere() -> None:
    """Its lines come as it has them, empty ones between them, until nobody listens any more."""
    board = engine_board(Elsewhere(None), asyncio.get_running_loop(), "gnugo")
    board.play(B, THERE)

    def _watched() -> list[str]:
        thoughts = board.watch("kata-analyze 50")
        assert thoughts is not None
        with closing(thoughts):
            return [next(thoughts), next(thoughts)]

    assert await asyncio.to_thread(_watched) == ["info kata-analyze 50 after 1 moves", ""]


async def test_why_nobody_thinks_aloud_is_said() -> None:
    """As the process says it, or because others have it think."""
    board = engine_board(Elsewhere(Busy("others")), asyncio.get_running_loop())
    session = BoardSession(board)
    answer = await asyncio.to_thread(session.answer, b"7 kata-analyze 50")
    assert answer == b"?7 others\n\n"


async def test_the_configured_engine_is_asked() -> None:
    """Whatever level is asked for, it is the operator's engine that answers."""
    mind = Elsewhere(cmd.Pass())
    board = engine_board(mind, asyncio.get_running_loop(), "gnugo")
    board.grade(5)
    await asyncio.to_thread(board.genmove, W)
    assert [engine for engine, _, _ in mind.asked] == ["gnugo"]
    session = BoardSession(board)
    assert session.answer(b"gogui-title") == b"= gnugo\n\n"
