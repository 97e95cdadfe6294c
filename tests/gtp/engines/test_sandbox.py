"""A hostile engine in the sandbox: what it reaches, consumes and leaves behind."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import uvloop
from structlog.testing import capture_logs

from godaemon.errors import GodaemonError
from gtp.engines.engine_process import EngineProcess
from tests.support import places
from tests.support.engine_programs import engine_program
from tests.support.waiting import come

DEBIAN_12 = 2
"""The version of Landlock in Linux 6.1."""
HARMS = (
    *("read_the_key", "list_the_folder", "write_there", "cut_the_key", "open_the_key_to_all"),
    *("link_to_the_key", "link_hard_to_the_key", "read_home"),
    *("command_the_daemon", "write_by_a_pair", "connect_out", "listen", "notify_the_manager"),
    *("stop_the_daemon", "stop_the_keeper", "read_its_environment", "read_its_memory", "trace_it"),
    *("starve_it", "inherit_files", "see_the_environment"),
    *("leave_the_session", "make_a_namespace", "use_the_ring"),
)

pytestmark = pytest.mark.peer("landlock")


class Surroundings:
    """A folder with a key, a control socket and a port: what an engine has no business with."""

    def __init__(self, folder: Path) -> None:
        self.state = folder / "state"
        self.scratch = self.state / "engines"
        self.scratch.mkdir(parents=True)
        self.key = self.state / "token.key"
        self.key.write_text("secret", "ascii")
        self.key.chmod(0o600)
        self.control = socket.socket(socket.AF_UNIX)
        self.control.bind(str(folder / "control.sock"))
        self.control.listen()
        self.port = socket.create_server(("127.0.0.1", 0))
        self.daemon = folder / "daemon"
        self.daemon.write_text(str(os.getpid()), "ascii")

    def close(self) -> None:
        self.control.close()
        self.port.close()

    @asynccontextmanager
    async def engine(
        self, *, memory_mib: int = 512, **bounds: object
    ) -> AsyncIterator[EngineProcess]:
        """The engine; at the end nothing is left of it."""
        command = (
            *(sys.executable, "-S", str(places.ROOT / "tests/support/hostile_engine.py")),
            *(str(self.state), str(self.control.getsockname())),
            *(str(self.port.getsockname()[1]), str(self.daemon)),
        )
        bounds |= {"memory_mib": memory_mib, "hidden_folder": self.state}
        program = engine_program("hostile", command, **bounds)
        process = await EngineProcess.start(program, self.scratch / "hostile-1")
        try:
            yield process
        finally:
            await process.kill_and_remove()
            await come(lambda: not group(process.pid))
            assert list(self.scratch.iterdir()) == []


@pytest.fixture
def around(tmp_path: Path) -> Iterator[Surroundings]:
    found = Surroundings(tmp_path)
    yield found
    found.close()


def group(leader: int) -> list[int]:
    listed = subprocess.run(["ps", "-eo", "pgid=,pid=,stat="], check=True, capture_output=True)
    rows = [line.split() for line in listed.stdout.decode().splitlines()]
    return [int(pid) for pgid, pid, stat in rows if int(pgid) == leader and "Z" not in stat]


async def outcome(engine: EngineProcess, harm: str) -> str:
    """The result of an attack: the words of the engine, or our error if it ended."""
    try:
        return await engine.ask(f"harm {harm}")
    except GodaemonError as fault:
        return fault.public


@pytest.mark.parametrize("version", [None, DEBIAN_12], ids=["this kernel", "Debian 12"])
async def test_the_sandbox_prevents_every_attack(
    around: Surroundings, monkeypatch: pytest.MonkeyPatch, version: int | None
) -> None:
    """On keys, folders, sockets and other processes."""
    if version is not None:
        monkeypatch.setattr("gtp.engines.engine_program.landlock_version", lambda: version)
    async with around.engine() as engine:
        found = {harm: await outcome(engine, harm) for harm in HARMS}
    assert {harm: result for harm, result in found.items() if "Error" not in result} == {}
    assert around.key.read_text("ascii") == "secret"
    assert around.key.stat().st_mode & 0o777 == 0o600


def test_an_engine_inherits_no_open_file(around: Surroundings) -> None:
    """Neither the daemon's nor copies of its own streams, which uvloop leaves open."""

    async def run() -> str:
        async with around.engine() as engine:
            return await outcome(engine, "inherit_files")

    reading, writing = os.pipe()
    os.set_inheritable(reading, True)
    try:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            assert "Error" in runner.run(run())
    finally:
        os.close(reading)
        os.close(writing)


async def test_granted_rights_work(around: Surroundings, tmp_path: Path) -> None:
    """Its folder, a folder to write to, and the Internet."""
    given = tmp_path / "given"
    given.mkdir()
    async with around.engine(network=True, write=(str(given),)) as engine:
        assert await outcome(engine, "connect_out") == "done"
        assert await engine.ask(f"write {given}") == "done"
        assert await engine.ask("write .") == "done"
        assert "Error" in await outcome(engine, "command_the_daemon")


@pytest.mark.parametrize("given", ["state", "linked", "."])
async def test_a_granted_folder_does_not_open_the_secret_one_in_it(
    around: Surroundings, tmp_path: Path, given: str
) -> None:
    """By its own name, by a link, or from above; all else in it can be used."""
    (tmp_path / "linked").symlink_to(around.state)
    (tmp_path / "beside").mkdir()
    async with around.engine(write=(str(tmp_path / given),)) as engine:
        assert "Error" in await outcome(engine, "read_the_key")
        assert "Error" in await outcome(engine, "write_there")
        result = await engine.ask(f"write {tmp_path / 'beside'}")
        assert (result == "done") == (given == ".")


async def test_a_trusted_engine_still_has_limits(around: Surroundings) -> None:
    """It runs without the sandbox."""
    async with around.engine(contained=False) as engine:
        assert await outcome(engine, "read_the_key") == "done"
        assert "File too large" in await outcome(engine, "write_much")


@pytest.mark.parametrize(
    ("harm", "message"),
    [
        ("write_many", "MiB of disk space"),
        ("write_unseen", "MiB of disk space"),
        ("dig", "MiB of disk space"),
        ("eat_in_company", "MiB of memory"),
        ("fork_bomb", "processes and threads"),
    ],
)
async def test_an_engine_above_a_limit_is_killed(
    around: Surroundings, harm: str, message: str
) -> None:
    """With its children; the log has the reason, and its folder is removed."""
    memory = 1024 if harm == "fork_bomb" else 256  # or so many processes take it first
    with capture_logs() as logs:
        async with around.engine(disk_mib=4, memory_mib=memory) as engine:
            await outcome(engine, harm)
    stopped = [line["why"] for line in logs if line["event"] == "engine.stopped"]
    assert [message in why for why in stopped] == [True]


async def test_the_kernel_limits_files_and_memory_of_a_process(around: Surroundings) -> None:
    """Without a look of the keeper's."""
    async with around.engine() as engine:
        assert "File too large" in await outcome(engine, "write_much")
        assert "MemoryError" in await outcome(engine, "eat")


async def test_children_die_with_their_engine(around: Surroundings) -> None:
    """Forty of them, though it ended without a word."""
    async with around.engine() as engine:
        assert await outcome(engine, "leave_forty") == "it ended without an answer"
        await come(lambda: not group(engine.pid))


async def test_endless_errors_are_read_slowly(around: Surroundings) -> None:
    """They cost the daemon no processor time."""
    async with around.engine() as engine:
        began = time.monotonic()
        assert await engine.ask("babble") == ""
        await come(lambda: time.monotonic() > began + 0.5)
        complaints = int(await engine.ask("complaints"))
        looks = (time.monotonic() - began) / 0.01
        assert complaints < looks + 10


async def test_an_engine_dies_with_its_daemon(around: Surroundings) -> None:
    """With all its children, though the daemon is killed."""
    daemon = subprocess.Popen(  # noqa: ASYNC220 - it is to be killed, not awaited
        [sys.executable, "-c", _DAEMON, str(around.scratch)],
        cwd=places.ROOT,
        stdout=subprocess.PIPE,
    )
    assert daemon.stdout is not None
    leader = int(await asyncio.to_thread(daemon.stdout.readline))
    assert len(group(leader)) > 40
    daemon.send_signal(signal.SIGKILL)
    daemon.wait()
    await come(lambda: not group(leader))
    daemon.stdout.close()


_DAEMON = """
import asyncio, sys
from pathlib import Path
from gtp.engines.engine_process import EngineProcess
from tests.support.engine_programs import engine_program

async def main():
    words = "import time; [__import__('os').fork() or time.sleep(999) for _ in range(40)]"
    program = engine_program("left", (sys.executable, "-S", "-c", words + "; time.sleep(999)"))
    process = await EngineProcess.start(program, Path(sys.argv[1]) / "left-1")
    from tests.gtp.engines.test_sandbox import group
    while len(group(process.pid)) < 41:
        await asyncio.sleep(0.01)
    sys.__stdout__.write(f"{process.pid}\\n")
    sys.__stdout__.flush()
    await asyncio.sleep(999)

import structlog
structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))
asyncio.run(main())
"""
