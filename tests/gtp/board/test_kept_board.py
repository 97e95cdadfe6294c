"""A free board survives its daemon, and the next daemon restores it."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from godaemon.rules.position import Move
from gtp.board.board_session import COMMANDS
from gtp.client.resend import CHANGES
from gtp.server.connection import ConnectionHandler, OpenBoard, Peer
from tests.gtp.server.test_connection import Daemon, UnsavedBoard, start_client
from tests.support import dialogue, places
from tests.support.waiting import come

STAYS = """protocol_version name version known_command list_commands quit gogui-analyze_commands
gogui-interrupt gogui-title gogui-rules_game_id godaemon-show_dead godaemon-doubtful_stones
godaemon-show_score godaemon-show_liberties godaemon-show_last godaemon-describe lz-analyze
kata-analyze kata-search_analyze kata-list_time_settings kata-get-rules kata-list-params
kata-get-param list_stones top_moves_black top_moves_white color is_legal all_legal captures
countlib estimate_score findlib query_boardsize get_komi get_handicap last_move move_history
printsgf clear_cache reg_genmove final_score final_status_list showboard get_random_seed"""
"""The commands after which a board is as it was."""


def test_no_command_is_forgotten() -> None:
    """Whatever a daemon's board knows leaves the board as it was, or is remembered."""
    known = {name for name, command in COMMANDS.items() if not command.local}
    assert CHANGES.keys() <= known
    assert known - CHANGES.keys() == {*STAYS.split()}


class Keeper:
    """A daemon with its boards, which can end as if killed."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.boards: list[OpenBoard] = []
        self.asked: list[int | None] = []
        self.links: set[asyncio.StreamWriter] = set()
        self.handler = ConnectionHandler(Daemon(path), quiet_seconds=60, open_board=self.open)
        self.server: asyncio.Server | None = None

    async def open(self, number: int | None) -> UnsavedBoard:
        self.asked.append(number)
        board = UnsavedBoard()
        self.boards.append(board)
        return board

    async def has(self, *moves: str) -> None:
        await come(lambda: [str(one.point) for one in self._moves()] == [*moves])

    def _moves(self) -> Sequence[Move]:
        return self.boards[-1].board.position.moves if self.boards else ()

    async def start(self) -> None:
        self.path.unlink(missing_ok=True)
        self.server = await asyncio.start_unix_server(self.serve, self.path)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection."""
        self.links.add(writer)
        await self.handler.serve(reader, writer, Peer())

    def die(self) -> None:
        """Go away without a word."""
        assert self.server is not None
        self.server.close()
        for link in self.links:
            link.transport.abort()
        self.links.clear()


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
    async def at(cls, one: Keeper) -> Program:
        return cls(await start_client(one.path))

    async def ask(self, line: bytes) -> bytes:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(line + b"\n")
        return await asyncio.wait_for(self.process.stdout.readuntil(b"\n\n"), 20)

    async def answer(self, line: str) -> str:
        return (await self.ask(line.encode())).decode().strip()

    async def end(self) -> int:
        """End its input; the exit status."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        return await asyncio.wait_for(self.process.wait(), 20)


async def test_a_board_outlives_its_daemon(tmp_path: Path) -> None:
    """Komi, rules and stones are there, the player answers, and no command is lost or doubled."""
    async with keeper(tmp_path) as one:
        program = await Program.at(one)
        for line in ("boardsize 9", "komi 0.5", "kata-set-rules japanese", "fixed_handicap 2"):
            assert (await program.answer(line))[0] == "="
        await program.answer("play w E5")
        await one.has("E5")
        one.die()
        assert await program.answer("get_komi") == "= 0.5"
        assert await program.answer("list_stones white") == "= E5"
        answer = await program.answer("genmove b")
        assert answer[0] == "="
        assert len((await program.answer("list_stones black")).split()) == 4
        assert '"scoring":"TERRITORY"' in await program.answer("kata-get-rules")
        assert await program.end() == 0


@pytest.mark.parametrize(
    "line", ["genmove b", "kgs-genmove_cleanup b", "kata-genmove_analyze b 10"]
)
async def test_a_move_that_was_chosen_is_played_again(tmp_path: Path, line: str) -> None:
    """No other engine can be chosen, by any name."""
    async with keeper(tmp_path) as one:
        program = await Program.at(one)
        await program.answer("boardsize 7")
        chosen = (await program.answer(line)).split()[-1]
        one.die()
        assert await program.answer("last_move") == f"= black {chosen}"
        assert await program.end() == 0


async def test_a_file_is_loaded_where_a_daemon_keeps_the_board(tmp_path: Path) -> None:
    """Its bytes go to the daemon; what it has set outlives the daemon, and a new size."""
    file = tmp_path / "my game.sgf"
    file.write_text("(;SZ[9]KM[0.5]RU[Japanese];B[ee];W[cc])")
    async with keeper(tmp_path) as one:
        program = await Program.at(one)
        assert await program.answer("known_command loadsgf") == "= true"
        await program.answer("komi 3")
        assert await program.answer(f'7 loadsgf "{file}" 2') == "=7 white"
        await one.has("E5")
        one.die()
        assert await program.answer("move_history") == "= black E5"
        await program.answer("boardsize 7")
        await one.start()
        await come(lambda: len(one.boards) == 2)
        assert await program.answer("get_komi") == "= 0.5"
        assert await program.answer("query_boardsize") == "= 7"
        assert await program.answer("loadsgf") == "? syntax error"
        assert (
            await program.answer("loadsgf /no-such-file")
            == "? cannot load file: /no-such-file is no file"
        )
        assert await program.answer(f'loadsgf "{file}" two') == "? syntax error"
        assert await program.end() == 0


async def test_the_next_daemon_has_the_board(tmp_path: Path) -> None:
    """What was played while none was there is handed over to the one that comes back."""
    async with keeper(tmp_path) as one:
        program = await Program.at(one)
        await program.answer("boardsize 9")
        await program.answer("play b D4")
        await one.has("D4")
        one.die()
        await program.answer("play w E5")
        await program.answer("play b C3")
        await program.answer("undo")
        await one.start()
        await one.has("D4", "E5")
        assert one.asked == [None, 0]  # not a new one again
        assert await program.answer("4 last_move") == "=4 white E5"
        assert await program.end() == 0


async def test_a_daemon_that_is_back_at_the_end_has_the_board(tmp_path: Path) -> None:
    """Though its controller quits before the next attempt to reach it was due."""
    async with keeper(tmp_path) as one:
        program = await Program.at(one)
        await program.answer("boardsize 9")
        await come(lambda: one.boards)
        one.die()
        await program.answer("play w E5")
        await one.start()
        assert await program.answer("quit") == "="
        assert await program.end() == 0
        assert [str(move.point) for move in one.boards[-1].board.position.moves] == ["E5"]


async def test_the_copy_has_all_that_came_at_once(tmp_path: Path) -> None:
    """More changes than are saved one by one, including cleared games."""
    points = [f"{column}{row}" for row in range(1, 10) for column in "ABCDEFGHJ"][:60]
    plays = [f"play {'bw'[at % 2]} {point}" for at, point in enumerate(points)]
    async with keeper(tmp_path) as one:
        program = await Program.at(one)
        lines = ["boardsize 9", *plays, "clear_board", "komi 2.5", "undo", *plays[:30], "7 name"]
        assert (await program.ask("\n".join(lines).encode())).startswith(b"=")
        await one.has(*points[:30])
        assert one.boards[-1].board.komi == 2.5
        await program.answer("play b J9")
        await one.has(*points[:30], "J9")
        assert await program.end() == 0
        assert len(one.boards) == 1


async def test_a_daemon_that_hangs_holds_no_move_up(tmp_path: Path) -> None:
    """It is there, and takes in nothing: moves are answered, and the end comes soon."""
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(str(tmp_path / "gtp.sock"))
        door.listen()
        door.settimeout(20)
        program = await Program.at(Keeper(tmp_path / "gtp.sock"))
        assert await program.answer("boardsize 9") == "="
        link, _ = await asyncio.to_thread(door.accept)
        with link:
            assert await program.answer("play b D4") == "="
            assert await program.answer("last_move") == "= black D4"
            assert await program.end() == 0


async def test_settings_of_the_player_are_the_next_daemons(tmp_path: Path) -> None:
    """Bug: after `level` without a number the next daemon did not get the level."""
    async with keeper(tmp_path) as one:
        program = await Program.at(one)
        await program.answer("level 7")
        assert await program.answer("level") == "= 7"
        one.die()
        assert await program.answer("level") == "= 7"
        await one.start()
        await come(lambda: len(one.boards) == 2 and one.boards[-1].board.level == 7)
        assert await program.end() == 0


FOLDER = places.ROOT / "tests" / "gtp" / "dialogues"
OUR_OWN = {FOLDER / name for name in ("records.gtp", "twogtp.gtp")}
"""Of commands that a daemon has not: for files, and for the chance of a player in this process."""
DIALOGUES = sorted({*FOLDER.glob("*.gtp")} - OUR_OWN)


@pytest.mark.parametrize("path", DIALOGUES, ids=lambda path: path.stem)
@pytest.mark.slow
async def test_every_dialogue_goes_on(path: Path, tmp_path: Path) -> None:
    """Real programs' commands are answered as by one board, though the daemon is cut off twice."""
    known = {name for name, command in COMMANDS.items() if command.local}
    exchanges = [one for one in dialogue.read(path) if one.expected and b"\0" not in one.sent]
    async with keeper(tmp_path) as one:
        program = await Program.at(one)
        await program.answer("level 1")
        for at, (place, sent, expected) in enumerate(exchanges):
            if at in {len(exchanges) // 3, 2 * len(exchanges) // 3}:
                one.die()
                await one.start()
            if not {b"quit", *map(str.encode, known)} & {*sent.split()}:
                ends = b"\n" if b"-analyze" in sent else b""  # a bare line
                answer = await program.ask(sent + ends)
                assert dialogue.matches(expected, answer), f"{path.name}:{place}: {answer!r}"
        assert await program.end() == 0
