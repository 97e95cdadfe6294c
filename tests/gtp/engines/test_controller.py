"""An engine process: positions, limits and wrong answers."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
import uvloop

from godaemon.config.settings import Engines
from godaemon.daemon.engine_roster import roster_of
from godaemon.errors import Busy, Refusal, Temporary, Unreadable
from godaemon.games import commands as cmd
from godaemon.rules.points import Color, Point, Size, parse_point
from godaemon.rules.position import Position
from gtp.engines.controller import Controller
from gtp.engines.engine_process import EngineProcess
from gtp.engines.engine_program import EngineProgram, remove_tree
from gtp.read_ahead import Listener
from tests.support import peers, places
from tests.support.boards import played, points
from tests.support.engine_programs import engine_program
from tests.support.waiting import PATIENCE, come

FAKE = places.FAKE_ENGINE
BLACK, WHITE = Color.BLACK, Color.WHITE
D4 = cmd.Play(parse_point("D4"))


def program(mode: str, moves: str = "", **changes: object) -> EngineProgram:
    command = (sys.executable, "-S", FAKE, mode, moves)
    return engine_program("fake", command, **changes)


@asynccontextmanager
async def controlled(folder: Path, run: EngineProgram) -> AsyncIterator[Controller]:
    """A controller; at its end every process is gone, with its folder."""
    controller = Controller(run, folder)
    try:
        yield controller
    finally:
        await controller.close()
        assert left_in(folder) == []


@asynccontextmanager
async def started(folder: Path, run: EngineProgram) -> AsyncIterator[EngineProcess]:
    process = await EngineProcess.start(run, folder)
    try:
        yield process
    finally:
        await process.kill_and_remove()


def left_in(folder: Path) -> list[Path]:
    """The folders of processes that still exist."""
    return list(folder.iterdir())


def written(folder: Path, name: str) -> str:
    """The content of a file in the folder of a process; "" if there is none."""
    return "".join(file.read_text("utf-8") for file in folder.glob(f"*/{name}"))


class TestAnswers:
    """Moves and opinions in various formats."""

    @pytest.mark.parametrize(
        ("mode", "answer", "move"),
        [
            *((mode, "D4", D4) for mode in ("well", "noise", "no-id", "tight", "grumbles", "slow")),
            *(("well", "PASS", cmd.Pass()), ("noise", "resign", cmd.Resign())),
        ],
    )
    async def test_a_move_is_read(
        self, tmp_path: Path, mode: str, answer: str, move: cmd.Command
    ) -> None:
        """Banners, CRLF, lower case, no id, no blank, noise on standard error."""
        async with controlled(tmp_path, program(mode, answer)) as engine:
            assert await engine.genmove(1, played(""), 6.5, BLACK) == move

    @pytest.mark.parametrize("answer", ["", "dear me", "D", "44", "D4D4", "\x1b[31m"])
    async def test_other_text_is_no_answer(self, tmp_path: Path, answer: str) -> None:
        """No move and no empty opinion; its process is not used again."""
        text = f"{answer or ' '},D4,dead={answer or 'all'}"
        async with controlled(tmp_path, program("well", text)) as engine:
            with pytest.raises(Unreadable):
                await engine.genmove(1, played(""), 6.5, BLACK)
            assert not engine._idle
            with pytest.raises(Unreadable, match="dead stones"):
                await engine.read_dead_stones(1, played("C3"), 6.5)

    @pytest.mark.parametrize(("mode", "dead"), [("well", points("C3 D4 E5")), ("no-status", None)])
    async def test_dead_stones_are_read(
        self, tmp_path: Path, mode: str, dead: frozenset[Point] | None
    ) -> None:
        """In one line or several; None without final_status_list."""
        async with controlled(tmp_path, program(mode, "dead=C3 D4,dead=e5")) as engine:
            found = await engine.read_dead_stones(1, played("C3 D4 E5"), 6.5)
        assert (found and found.dead) == dead


class TestTrouble:
    """A failure becomes an error, and leaves no process."""

    @pytest.mark.parametrize(
        ("mode", "fault", "words"),
        [
            ("dies", Temporary, "ended"),
            ("hangs", Temporary, "in time"),
            ("mute", Temporary, "in time"),
            ("floods", Temporary, "no sense"),
            ("nonsense", Unreadable, "not a move"),
            ("stubborn", Refusal, "refused"),
        ],
    )
    async def test_a_failing_engine_is_started_again(
        self, tmp_path: Path, mode: str, fault: type[Exception], words: str
    ) -> None:
        """The next question tries another process."""
        answer, begin = (0.5 if mode == late else PATIENCE for late in ("hangs", "mute"))
        run = program(mode, seconds=answer, start_seconds=begin)
        async with controlled(tmp_path, run) as engine:
            for _ in range(2):
                with pytest.raises(fault, match=words):
                    await engine.genmove(1, played("C3"), 6.5, WHITE)
            assert not engine._idle
            assert engine._started == 2

    async def test_a_missing_program_is_a_temporary_error(self, tmp_path: Path) -> None:
        """It may be installed later."""
        async with controlled(tmp_path, engine_program("none", ("/no/such/program",))) as engine:
            with pytest.raises(Temporary, match="could not be started"):
                await engine.genmove(1, played(""), 6.5, BLACK)

    async def test_an_engine_that_died_while_idle_is_replaced(self, tmp_path: Path) -> None:
        """Without an error."""
        async with controlled(tmp_path, program("well", "D4")) as engine:
            await engine.genmove(1, played(""), 6.5, BLACK)
            (worker,) = engine._idle
            os.kill(worker.process.pid, signal.SIGKILL)
            await come(lambda: not worker.process.alive)
            answer = await engine.genmove(1, played("D4 E5"), 6.5, BLACK)
            assert answer == D4
            assert engine._started == 2

    async def test_closing_ends_a_thinking_process(self, tmp_path: Path) -> None:
        """Its caller gets an error."""
        controller = Controller(program("hangs", seconds=60.0), tmp_path)
        asking = asyncio.create_task(controller.genmove(1, played(""), 6.5, BLACK))
        await come(lambda: "genmove" in written(tmp_path, "heard"))
        await controller.close()
        with pytest.raises(Temporary):
            await asking

    async def test_a_cancelled_question_ends_its_process(self, tmp_path: Path) -> None:
        """The state of the process is unknown."""
        async with controlled(tmp_path, program("hangs", seconds=60.0)) as engine:
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(1):
                    await engine.genmove(1, played(""), 6.5, BLACK)
            assert not engine._idle


POSITIONS: dict[str, tuple[EngineProgram, list[str | Position], str]] = {
    "size, empty board, komi, the moves; nothing that it does not know": (
        program("well", "E5"),
        ["C3 pass"],
        "boardsize 9, clear_board, komi 6.5, play black C3, play white pass, genmove black",
    ),
    "rules and handicap by the commands it lists": (
        program("clever"),
        [played("", "chinese", handicap=2)],
        "kata-set-rules chinese, komi 6.5, set_free_handicap C3 G7, kgs-genmove_cleanup white",
    ),
    "a rectangle, as KataGo has it": (
        program("well"),
        [played("", "aga", size=Size(9, 7))],
        "list_commands, boardsize 9 7, clear_board, komi 6.5, genmove black",
    ),
    "the rest, where it has the beginning, its own move included": (
        program("well", "E5,E6"),
        ["C3", "C3 E5 G7"],
        "genmove white, play black G7, genmove white",
    ),
    "all of it, where its move was not taken": (
        program("well", "E5", processes=1),
        ["C3", "C3 D4"],
        "clear_board, komi 6.5, play black C3, play white D4, genmove black",
    ),
}


@pytest.mark.parametrize(("run", "positions", "commands"), POSITIONS.values(), ids=POSITIONS)
async def test_a_position_is_set_up_by_these_commands(
    tmp_path: Path, run: EngineProgram, positions: list[str | Position], commands: str
) -> None:
    """An engine that knows the beginning gets only the rest."""
    async with controlled(tmp_path, run) as engine:
        for one in positions:
            position = played(one) if isinstance(one, str) else one
            await engine.genmove(1, position, 6.5, position.to_move, cleanup=True)
        heard = [line.partition(" ")[2] for line in written(tmp_path, "heard").splitlines()]
        assert ", ".join(heard).endswith(commands)


class TestProcesses:
    """Their number, and how long they run."""

    async def test_the_number_of_processes_is_limited(self, tmp_path: Path) -> None:
        """Five games share two."""
        async with controlled(tmp_path, program("slow", "D4,E5,F6", processes=2)) as engine:
            answers = await asyncio.gather(
                *(engine.genmove(number, played(""), 6.5, BLACK) for number in range(5))
            )
            assert len(answers) == 5
            assert engine._started == 2

    async def test_a_game_keeps_its_process(self, tmp_path: Path) -> None:
        """It knows the moves so far."""
        async with controlled(tmp_path, program("well", "D4,E5")) as engine:
            await asyncio.gather(*(engine.genmove(game, played(""), 6.5, BLACK) for game in (1, 2)))
            pids = {worker.game: worker.process.pid for worker in engine._idle}
            await engine.genmove(1, played("D4 C3"), 6.5, BLACK)
            assert {worker.game: worker.process.pid for worker in engine._idle} == pids

    async def test_idle_processes_quit(self, tmp_path: Path) -> None:
        """After a while without work."""
        async with controlled(tmp_path, program("well", idle_seconds=0.0)) as engine:
            await engine.genmove(1, played(""), 6.5, BLACK)
            await come(lambda: not left_in(tmp_path))

    async def test_forgetting_a_game_ends_its_process(self, tmp_path: Path) -> None:
        """Others stay."""
        async with controlled(tmp_path, program("well")) as engine:
            await asyncio.gather(*(engine.genmove(game, played(""), 6.5, BLACK) for game in (1, 2)))
            await engine.forget(1)
            assert [worker.game for worker in engine._idle] == [2]

    async def test_an_engine_has_its_own_folder_session_and_environment(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Of our environment it gets PATH alone."""
        monkeypatch.setenv("SECRET", "hunter2")
        async with started(tmp_path / "here", program("well")) as process:
            await process.ask("name")
            there = Path(f"/proc/{process.pid}")
            assert b"hunter2" not in (there / "environ").read_bytes()
            assert os.getsid(process.pid) == process.pid
            assert (there / "cwd").readlink() == tmp_path / "here"


def test_a_link_in_place_of_a_folder_is_only_removed(tmp_path: Path) -> None:
    """No file behind it is touched."""
    other, link = tmp_path / "other", tmp_path / "engines"
    (other / "deep").mkdir(parents=True)
    link.symlink_to(other)
    remove_tree(link)
    assert not link.is_symlink()
    assert (other / "deep").is_dir()


@pytest.mark.peer("gnugo")
async def test_gnugo_reports_dead_stones(tmp_path: Path) -> None:
    """On the board of a finished game."""
    run = engine_program("gnugo", (peers.find("gnugo"), "--mode", "gtp", "--quiet"))
    moves = "C3 E3 C2 E2 C4 E4 C1 E1 C5 E5 C6 E6 C7 E7 C8 E8 C9 E9 B3 A8 pass pass"
    async with controlled(tmp_path, run) as engine:
        found = await engine.read_dead_stones(1, played(moves), 6.5)
    assert found
    assert found.dead == points("A8")


def house() -> EngineProgram:
    """Our own player in one process; no other engine here analyzes."""
    ours = roster_of(Engines.model_validate({}), os.environ).programs["house"]
    return replace(ours, processes=1)


async def test_the_last_words_of_an_engine_that_dies_are_in_the_log(tmp_path: Path) -> None:
    """Pachi reports so that it lacks memory."""
    program = "import sys; sys.exit('Some noise.\\n\\ntree.c: OUT OF MEMORY')"
    dying = engine_program("dying", (sys.executable, "-S", "-c", program))
    async with started(tmp_path / "dying-1", dying) as process:
        with pytest.raises(Temporary) as fault:
            await process.ask("name")
    assert fault.value.detail.endswith("its last words: tree.c: OUT OF MEMORY")


@pytest.mark.parametrize("loop", [asyncio.new_event_loop, uvloop.new_event_loop])
def test_closed_input_is_a_failure_of_the_engine(
    tmp_path: Path, loop: Callable[[], asyncio.AbstractEventLoop]
) -> None:
    """Bug: uvloop raises RuntimeError for it, which was logged as a bug of ours."""

    async def _ask() -> None:
        async with started(tmp_path / "fake-1", program("well")) as process:
            process._stdin.close()
            await process._stdin.wait_closed()
            process.end_analysis()
            with pytest.raises(Temporary, match="ended without an answer"):
                await process.ask("name")

    with asyncio.Runner(loop_factory=loop) as runner:
        runner.run(_ask())


async def test_an_analysis_goes_on_until_it_is_ended(tmp_path: Path) -> None:
    """It is of the given position; afterwards the process is free."""
    output: list[str] = []
    enough = asyncio.Event()

    async def _hear(line: str) -> None:
        output.append(line)
        if len(output) > 2:
            enough.set()

    async with controlled(tmp_path, house()) as controller:
        for moves in ("D4 F6", "D4"):
            output.clear()
            enough.clear()
            line = "kata-analyze 1 maxmoves 1 ownership true"
            listener = Listener(_hear, enough.wait)
            await controller.analyze(line, played(moves), 6.5, listener)
            assert output.pop(0) == ""
            assert len(output) >= 2
            assert all(one.startswith("info move ") for one in output)
            owned = [float(word) for word in output[-1].partition("ownership ")[2].split()]
            assert (len(owned), owned[5 * 9 + 3] > 0) == (81, len(moves) > 2), "White's turn at D4"


async def test_a_refused_analysis_has_the_words_of_the_engine(tmp_path: Path) -> None:
    """A second analysis meanwhile is refused."""
    enough = asyncio.Event()
    small = played("", size=Size(5, 5))

    async def _hear(_: str) -> None:
        with pytest.raises(Busy, match="others"):
            await controller.analyze("lz-analyze", played(""), 6.5, listener)
        enough.set()

    listener = Listener(_hear, enough.wait)
    async with controlled(tmp_path, house()) as controller:
        with pytest.raises(Refusal, match="unknown key"):
            await controller.analyze("lz-analyze \udcff", played(""), 6.5, listener)
        with pytest.raises(Refusal, match="cannot analyze boards of this size"):
            await controller.analyze("lz-analyze", small, 6.5, listener)
        await controller.analyze("lz-analyze 1", played(""), 6.5, listener)
