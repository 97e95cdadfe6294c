"""`godaemon gtp` with a free board starts fast: it imports no library of the command line."""

import io
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from godaemon.cli import gtp
from godaemon.cli.exit_statuses import EXIT_UNAVAILABLE, EXIT_USAGE
from godaemon.errors import ConfigError
from tests.support import places

ROOT = places.ROOT
HEAVY = ("argparse", "pydantic", "sqlmodel", "structlog", "asyncio", "godaemon.engine", "sgfmill")
SLOW = (
    "pathlib",
    "dataclasses",
    "inspect",
    "json",
    "ssl",
    "godaemon.rules",
    "gtp.command_table",
)
"""What a client need not wait for either."""
PROGRAM = f"""
import sys
from godaemon.cli import main
sys.argv[0] = "godaemon"
try:
    main()
finally:
    print("loaded:", [name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)
"""
CLIENT = PROGRAM.replace(repr(HEAVY), repr(HEAVY + SLOW))


@pytest.fixture(autouse=True)
def nobody_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    """No program is there that would be answered."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO()))


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A configuration whose daemon does not run."""
    config = tmp_path / "godaemon.toml"
    config.write_text(f'state_directory = "{tmp_path}"\n')
    monkeypatch.setenv("GODAEMON_CONFIG", str(config))
    for name in ("STATE_DIRECTORY", "RUNTIME_DIRECTORY"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


PATHS = [str(ROOT), *(path for path in sys.path if path.endswith("site-packages"))]
TALK = "gogui-title\nboardsize 9\nplay b E5\nquit\n"


def spoken(
    *words: str, commands: str = TALK, program: str = PROGRAM
) -> subprocess.CompletedProcess[str]:
    """Run `godaemon gtp` with arguments; it gets a command for its title, and quits."""
    command = [sys.executable, "-I", "-S", "-c", f"import sys; sys.path[:0] = {PATHS}\n{program}"]
    command += ["gtp", *words]
    return subprocess.run(command, input=commands, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("words", "level"),
    [
        ((), 3),
        (("--level", "7"), 7),
        (("--level=10",), 10),
    ],
)
def test_a_free_board_loads_nothing_heavy(state: Path, words: tuple[str, ...], level: int) -> None:
    """Size and moves are answered before any library is loaded that they do not need."""
    done = spoken(*words)
    assert done.stdout == f"= godaemon, level {level}\n\n= \n\n= \n\n= \n\n"
    assert done.stderr == "loaded: []\n"
    assert done.returncode == 0


def test_a_running_daemon_answers(state: Path) -> None:
    """It names the engine that plays, and saves the board, unless a level is given."""
    with socket.socket(socket.AF_UNIX) as door, ThreadPoolExecutor() as pool:
        door.bind(str(state / "gtp.sock"))
        door.listen()

        def daemon() -> list[bytes]:
            """Let somebody look whether we are here, and answer two requests."""
            door.accept()[0].close()
            requests = []
            for answer in (b"= gnugo \n\n", b"= 1\n\n"):
                link = door.accept()[0]
                with link:
                    requests.append(link.recv(4096))
                    link.sendall(answer)
            return requests

        received = pool.submit(daemon)
        done = spoken()
        assert done.stdout == "= gnugo\n\n" + "= \n\n" * 3
        first, second = received.result(10)
        assert first == b"godaemon-board 0\n"
        assert second.startswith(b"godaemon-save 0 ")
        assert spoken("--level", "4").stdout.startswith("= godaemon, level 4\n")


@pytest.mark.parametrize("text", ["[gtp\n", "[gtp]\nsocket = 7\n", "gtp = 3\n"])
def test_a_wrong_file(state: Path, text: str) -> None:
    """A configuration that cannot be read so quickly is read, and complained of, as a whole."""
    (state / "godaemon.toml").write_text(text)
    with pytest.raises(ConfigError):
        gtp.main([])


@pytest.mark.parametrize(
    ("words", "status", "why"),
    [
        ("--game 1", EXIT_USAGE, b"--game N and --as black|white go together."),
        ("--game 1 --as black", EXIT_UNAVAILABLE, b"no daemon runs here"),
        ("--board 7", EXIT_UNAVAILABLE, b"no daemon runs here"),
    ],
)
def test_a_program_gets_the_reason_for_a_refusal(
    state: Path, words: str, status: int, why: bytes
) -> None:
    """In answer to its first command, as it may show nothing that is said elsewhere."""
    call = [sys.executable, "-c", PROGRAM, "gtp", *words.split()]
    done = subprocess.run(call, input=b"7 name\nquit\n", capture_output=True, cwd=ROOT, check=False)
    assert done.returncode == status
    assert done.stdout.startswith(b"?7 " + why)
    assert why in done.stderr
