"""A free board is saved by a daemon, survives it, and gets the moves of its engine."""

import asyncio
import os
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest

from godaemon.engine import Choice
from godaemon.errors import Refusal, Temporary, Unknown
from godaemon.records.sgf import parse_sgf
from godaemon.rules.points import Color, parse_point
from gtp.board import kept_board
from gtp.board.free_board import never
from gtp.board.game_file import pack, unpack
from gtp.board.kept_board import KeptBoard
from gtp.client.syntax import BoardRequest
from gtp.server import Peer
from tests.gtp.test_server import Daemon
from tests.support import places
from tests.support.waiting import PATIENCE, come

SESSION = """
import sys
from gtp.board import kept_board, stdio
kept_board.SAVE_DELAY = kept_board.RETRY_DELAY = 0.05
kept_board.PATIENCE = float(sys.argv[2])
sys.exit(stdio.run(lambda: kept_board.KeptBoard(sys.argv[1])))
"""
"""`godaemon gtp` beside a daemon, which saves sooner."""

W = Color.WHITE


@pytest.fixture(autouse=True)
def no_early_saves(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let sessions in this process save only at their end, because they block its event loop."""
    monkeypatch.setattr(kept_board, "SAVE_DELAY", 600.0)


class Keeper:
    """A daemon with boards, which can end as if killed; `move` is its engine's answer."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.engine, self.move = "", "D4"
        self.records: list[str] = []
        self.asked: list[tuple[str, ...]] = []
        self.links: set[asyncio.StreamWriter] = set()
        self.handler = Daemon(path).handler
        self.handler.answer_board_request = self.answer
        self.server: asyncio.Server | None = None

    async def answer(self, request: BoardRequest) -> str:
        self.asked.append(request.words)
        match request.words:
            case "godaemon-board", number:
                if int(number) > len(self.records):
                    raise Unknown(f"There is no board {number}.")
                record = self.records[int(number) - 1] if int(number) else ""
                return f"{self.engine} \n{pack(record.encode())}"
            case "godaemon-save", number, before, now:
                record = unpack(now).decode()
                if int(number):
                    assert unpack(before).decode() == self.records[int(number) - 1]
                    self.records[int(number) - 1] = record
                    return number
                self.records.append(record)
                return str(len(self.records))
        if self.move == "never":
            await asyncio.Event().wait()
        if self.move == "fails":
            raise Temporary("the engine has failed")
        return self.move

    async def has(self, *games: str) -> None:
        """Wait until these are the moves of the boards, and the program knows it."""
        await come(lambda: self.games() == [*games] and not self.links)

    def games(self) -> list[str]:
        """The moves of each board."""
        records = (parse_sgf(record.encode()) for record in self.records)
        return [" ".join(str(move.point) for move in record.moves) for record in records]

    async def start(self) -> None:
        self.path.unlink(missing_ok=True)
        self.server = await asyncio.start_unix_server(self.serve, self.path)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.links.add(writer)
        await self.handler.serve(reader, writer, Peer())
        self.links.discard(writer)

    def die(self) -> None:
        """Go away without a word."""
        assert self.server is not None
        self.server.close()
        for link in self.links:
            link.transport.abort()
        self.links.clear()

    async def session(self, number: int = 0) -> KeptBoard:
        """A session in this process."""
        return await asyncio.to_thread(KeptBoard, str(self.path), number)

    async def plays(self, lines: str, number: int = 0) -> None:
        """A session on board `number` that ends after these lines, divided by semicolons."""
        session = await self.session(number)
        for line in lines.split(";"):
            session.answer(line.encode())
        await asyncio.to_thread(session.close)


@asynccontextmanager
async def keeper(folder: Path) -> AsyncIterator[Keeper]:
    one = Keeper(folder / "gtp.sock")
    await one.start()
    try:
        yield one
    finally:
        one.die()


class Program:
    """`godaemon gtp` on a free board of a daemon."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process

    @classmethod
    async def at(cls, path: Path, patience: float = 30) -> "Program":
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", SESSION, str(path), str(patience)),
            env={**os.environ, "PYTHONPATH": str(places.ROOT)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        return cls(process)

    async def answer(self, line: str) -> str:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(line.encode() + b"\n")
        answer = await asyncio.wait_for(self.process.stdout.readuntil(b"\n\n"), PATIENCE)
        return answer.decode().strip()

    async def end(self) -> int:
        """End its input; the exit status."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        return await asyncio.wait_for(self.process.wait(), PATIENCE)


async def test_a_board_outlives_its_daemon(tmp_path: Path) -> None:
    """It is saved when nobody plays; if the daemon dies, the next one gets it."""
    async with keeper(tmp_path) as one:
        program = await Program.at(one.path)
        for line in ("boardsize 9", "komi 0.5", "kata-set-rules japanese", "fixed_handicap 2"):
            assert (await program.answer(line))[0] == "="
        await program.answer("play w E5")
        await one.has("E5")
        one.die()
        assert await program.answer("get_komi") == "= 0.5"
        assert (await program.answer("genmove b"))[0] == "="
        await program.answer("undo")
        await program.answer("play b D3")
        await one.start()
        await one.has("E5 D3")
        assert await program.end() == 0
        record = parse_sgf(one.records[0].encode())
        assert (record.komi, record.rules, record.handicap) == (0.5, "Japanese", 2)


async def test_a_busy_session_is_saved_too(tmp_path: Path) -> None:
    """Two programs that play fast leave no quiet moment."""
    async with keeper(tmp_path) as one:
        program = await Program.at(one.path)
        await program.answer("play b E5")
        while not one.records:
            await program.answer("name")
        assert one.games() == ["E5"]
        assert await program.end() == 0


async def test_a_board_is_saved_at_quit_if_the_daemon_is_back(tmp_path: Path) -> None:
    """The last save is not left to the timer."""
    async with keeper(tmp_path) as one:
        program = await Program.at(one.path)
        await program.answer("boardsize 9")
        one.die()
        await program.answer("play w E5")
        await one.start()
        assert await program.answer("quit") == "="
        assert await program.end() == 0
        assert one.games() == ["E5"]


async def test_a_hanging_daemon_delays_no_answer(tmp_path: Path) -> None:
    """It accepts the connection and never reads: moves are answered, and the program ends soon."""
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(str(tmp_path / "gtp.sock"))
        door.listen()
        program = await Program.at(tmp_path / "gtp.sock", 1)
        assert await program.answer("boardsize 9") == "="
        assert await program.answer("play b D4") == "="
        assert await program.answer("last_move") == "= black D4"
        assert await program.end() == 0
        with pytest.raises(Temporary):
            await asyncio.to_thread(KeptBoard, str(tmp_path / "gtp.sock"), 7)


async def test_a_board_is_resumed(tmp_path: Path) -> None:
    """Its moves continue the same board; an unknown number is refused."""
    async with keeper(tmp_path) as one:
        with pytest.raises(Refusal, match="There is no board 1"):
            await one.session(1)
        one.records.append("(;GM[1]SZ[9]KM[0.5]RU[Japanese];B[ee])")
        session = await one.session(1)
        assert session.answer(b"list_stones black") == b"= E5\n\n"
        assert session.answer(b"get_komi") == b"= 0.5\n\n"
        await asyncio.to_thread(session.close)
        assert one.asked[-1] == ("godaemon-board", "1")  # nothing has changed
        await one.plays("play w C3", 1)
        assert one.games() == ["E5 C3"]


@pytest.mark.parametrize(
    ("lines", "games"),
    [
        ("boardsize 9", []),
        ("undo", ["E5"]),
        ("clear_board", ["E5 C3"]),
        ("clear_board;play b E5;play w C3;play b D4", ["E5 C3 D4"]),
        ("clear_board;play b D4", ["E5 C3", "D4"]),
        ("boardsize 7;play b E5", ["E5 C3", "E5"]),
    ],
)
async def test_a_replay_keeps_the_board_and_other_moves_begin_a_new_one(
    tmp_path: Path, lines: str, games: list[str]
) -> None:
    """Programs clear the board and replay it to go back and forth."""
    async with keeper(tmp_path) as one:
        if games:
            await one.plays("boardsize 9;play b E5;play w C3")
        await one.plays(lines, len(one.records))
        assert one.games() == games


@pytest.mark.parametrize(
    ("move", "choice"),
    [
        ("E5", Choice(parse_point("E5"))),
        ("pass", Choice()),
        ("resign", Choice(None, resigns=True)),
        ("D4", None),
        ("fails", None),
        ("never", None),
    ],
)
async def test_the_configured_engine_plays(
    tmp_path: Path, move: str, choice: Choice | None
) -> None:
    """If it fails, is too slow or answers an illegal move, a simple move is played."""
    async with keeper(tmp_path) as one:
        one.engine, one.move = "gnugo", move
        session = await one.session()
        for line in (b"boardsize 9", b"komi 1.5", b"play b D4"):
            session.answer(line)
        assert session.answer(b"gogui-title") == b"= gnugo\n\n"
        assert session.answer(b"kata-genmove_analyze w avoid b D4 1").startswith(b"? gnugo plays")
        board = session.board
        position, choose_white = board.position, partial(board.choose, W, cleanup=True)
        in_time = [partial(choose_white, 0.0, never), partial(choose_white, None, lambda: True)]
        for choose in in_time if move == "never" else [partial(choose_white, None, never)]:
            chosen = await asyncio.to_thread(choose)
            if choice is not None:
                assert chosen == choice
            else:
                assert chosen.point is not None
                assert position.is_legal(W, chosen.point)
        await come(lambda: len(one.asked[-1]) == 5)  # which a move in no time may precede
        _, session_id, color, cleanup, packed = one.asked[-1]
        assert (int(session_id), color, cleanup) == (os.getpid(), "white", "1")
        assert parse_sgf(unpack(packed)).komi == 1.5
        dead = await asyncio.to_thread(session.answer, b"final_status_list dead")
        assert dead.startswith(b"=")
