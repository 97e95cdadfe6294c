"""The client as a single file: old Pythons and Windows run it, and it plays at a seat."""

import ast
import asyncio
import os
import pty
import re
import shlex
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from gtp.client_file import MODULES, client_file
from tests.gtp.test_server import served_strangers
from tests.support import places
from tests.support.blocks import read_lines
from tests.support.waiting import PATIENCE, come

LINES = read_lines(places.DATA / "meanings.txt")

PROGRAM = re.findall(rb"r'''(.*)'''", client_file(), re.DOTALL)[0]
TREE = ast.parse(PROGRAM, feature_version=(3, 9))


def pythons(*versions: str) -> dict[str, list[str]]:
    """The interpreters of these versions that are here, on the PATH or of pyenv.

    The shims of pyenv on the PATH stand for versions that are not there, too.
    """
    root = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    folders = [one for one in os.get_exec_path() if Path(one) != root / "shims"]
    found: dict[str, list[str]] = {}
    for version in versions:
        on_path = shutil.which(f"python{version}", path=os.pathsep.join(folders))
        known = map(str, sorted(root.glob(f"versions/{version}.*/bin/python")))
        if place := on_path or next(known, None):
            found[version] = [place]
    return found


OURS = "{}.{}".format(*sys.version_info)
NEW = pythons("3.9", "3.10", "3.11", "3.12", "3.13") or {OURS: [sys.executable]}
OLDEST_AND_NEWEST = sorted({next(iter(NEW)), [*NEW][-1]})
PRETENDED = """
import runpy, sys
sys.version_info = (3, 7, 17, "final", 0)
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""
OLD = {**pythons("2.7", "3.6", "3.8"), "3.7": [sys.executable, "-c", PRETENDED]}
"""Where there is no old one, ours says that it is."""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The file as a person saves it, in a folder with a blank in its name."""
    folder = tmp_path / "Jo Doe"
    folder.mkdir()
    saved = folder / "godaemon-gtp.txt"
    saved.write_bytes(client_file())
    return saved


async def started(*words: str | Path, stdout: int = subprocess.PIPE) -> asyncio.subprocess.Process:
    """A program with pipes, as a GUI starts one."""
    pipe = subprocess.PIPE
    environ = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return await asyncio.create_subprocess_exec(
        *words, stdin=pipe, stdout=stdout, stderr=pipe, env=environ
    )


async def answered(process: asyncio.subprocess.Process, input_lines: bytes) -> tuple[bytes, bytes]:
    """A program's answers to an input, and its output for people."""
    return await asyncio.wait_for(process.communicate(input_lines), PATIENCE)


SENT = b"1 name\r\nboardsize 9\r\nclear_board\r\nplay b D4\r\n\r\n# a note\r\nplay w E5\r\nquit\r\n"
OUTPUT = b"=1 godaemon\n\n" + b"= \n\n" * 5


def test_the_file_is_plain_text_made_from_all_modules() -> None:
    """Mail carries it unchanged, and nobody who compares two finds a difference."""
    text = client_file()
    assert text == client_file()
    assert text.isascii()
    assert b"\r" not in text
    assert max(map(len, text.splitlines())) <= 100
    folder = places.ROOT / "gtp" / "client"
    assert {path.stem for path in folder.glob("*.py")} == {"__init__", *MODULES}


def test_the_file_imports_only_the_standard_library() -> None:
    """At the top and later."""
    nodes = [node for node in ast.walk(TREE) if isinstance(node, ast.Import | ast.ImportFrom)]
    names = {name.name for node in nodes if isinstance(node, ast.Import) for name in node.names}
    names |= {str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)}
    assert {name.partition(".")[0] for name in names} <= sys.stdlib_module_names


def test_the_joined_modules_share_no_name() -> None:
    """A second definition would replace the first."""
    named: Counter[str] = Counter()
    for node in TREE.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            named[node.name] += 1
        if isinstance(node, ast.Assign | ast.AnnAssign):
            names = [name for name in ast.walk(node) if isinstance(name, ast.Name)]
            named.update(name.id for name in names if isinstance(name.ctx, ast.Store))
    assert [name for name, times in named.items() if times > 1] == []


async def test_quit_is_answered_while_the_daemon_is_away(tmp_path: Path, file: Path) -> None:
    """Bug: the client went on for as long as the daemon was away."""
    async with served_strangers(tmp_path) as (_, where):
        process = await started(sys.executable, file, "--connect", where, "--key", "white-key")
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"name\n")
        assert await process.stdout.readuntil(b"\n\n") == b"= godaemon\n\n"
    process.stdin.write(b"1 version\n2 quit\n")
    output = await asyncio.wait_for(process.stdout.read(), PATIENCE)
    assert output == b"?1 cannot reach the daemon\n\n=2 \n\n"
    assert await process.wait() == 69


@pytest.mark.parametrize("version", OLD)
async def test_an_older_python_is_refused_with_the_reason(version: str, file: Path) -> None:
    """On standard error, which Go programs show."""
    process = await started(*OLD[version], file, "--connect", "go.example:7000", "--key", "k")
    out, err = await answered(process, b"7 name\nversion\n")
    assert (out, err) == (b"", b"This needs Python 3.9 or newer (python.org has it).\n")
    assert process.returncode == 1


LIKE_WINDOWS = """
import builtins, os, runpy, select, signal, socket, sys
for module, names in {
    socket: ["AF_UNIX", "socketpair", "TCP_USER_TIMEOUT", "TCP_KEEPIDLE", "MSG_DONTWAIT"],
    os: ["fork", "pipe2", "set_blocking", "uname", "getuid", "sched_getaffinity"],
    select: ["poll", "epoll"],
    signal: ["SIGHUP", "SIGPIPE", "SIGALRM", "SIGCHLD", "setitimer", "pthread_sigmask"],
}.items():
    for name in names:
        if hasattr(module, name):
            delattr(module, name)

known = select.select
def sockets_alone(*given):
    for file in [file for files in given[:3] for file in files]:
        if not isinstance(file, socket.socket):
            raise OSError(10038, "an operation was attempted on something that is not a socket")
    return known(*given)
select.select = sockets_alone

found = builtins.__import__
def lacking(name, *rest, **more):
    if name.partition(".")[0] in {"fcntl", "termios", "resource", "pwd", "grp", "pty", "asyncio"}:
        raise ModuleNotFoundError(name)
    return found(name, *rest, **more)
builtins.__import__ = lacking

written = os.write
def refused(file, data):
    try:
        return written(file, data)
    except BrokenPipeError:
        raise OSError(22, "Invalid argument")
os.write = refused
sys.stdout = sys.stderr = None  # as for pythonw, which has no console
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""
ON_WINDOWS = ("-c", LIKE_WINDOWS)


@pytest.mark.parametrize(
    ("version", "before"),
    [*((version, ()) for version in NEW), *((one, ON_WINDOWS) for one in OLDEST_AND_NEWEST)],
)
async def test_supported_pythons_run_the_file(
    version: str, before: tuple[str, ...], tmp_path: Path, file: Path
) -> None:
    """A seat is taken, a move is played and released, with the line ends of Windows.

    On Windows without console, Unix socket, fork or signal but Ctrl-C, and `select` for sockets.
    """
    async with served_strangers(tmp_path) as (one, where):
        words = (file, "--connect", where, "--key", "white-key")
        process = await started(*NEW[version], *before, *words)
        assert await answered(process, SENT) == (OUTPUT, b"")
        assert process.returncode == 0
        assert one.seat.log == ["pending E5", "released E5"]


@pytest.mark.parametrize("before", [(), ON_WINDOWS])
async def test_the_client_ends_silently_if_nobody_reads(
    before: tuple[str, ...], tmp_path: Path, file: Path
) -> None:
    """Its move is still released."""
    async with served_strangers(tmp_path) as (one, where):
        words = (file, "--connect", where, "--key", "white-key")
        reading, writing = os.pipe()
        process = await started(sys.executable, *before, *words, stdout=writing)
        os.close(writing)
        os.close(reading)
        assert process.stdin is not None
        process.stdin.write(b"play b D4\nplay w E5\n")
        assert process.stderr is not None
        assert await asyncio.wait_for(process.stderr.read(), PATIENCE) == b""
        assert await asyncio.wait_for(process.wait(), PATIENCE) == 0
        process.stdin.close()
        await come(lambda: "released E5" in one.seat.log or not one.seat.log)


async def printed_help(file: Path, interpreter: str | Path = sys.executable) -> str:
    """What a client prints on a terminal, in the folder of its file."""
    ours, theirs = pty.openpty()
    async with served_strangers(file.parent) as (_, where):
        process = await asyncio.create_subprocess_exec(
            *(interpreter, file.name, "--connect", where, "--key", "white-key"),
            cwd=file.parent,
            stdin=theirs,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert process.stderr is not None
        output = await asyncio.wait_for(process.stderr.readuntil(b"Ctrl-C"), PATIENCE)
        os.write(ours, b"\x04")
        os.close(theirs)
        assert await asyncio.wait_for(process.wait(), PATIENCE) == 0
        os.close(ours)
    return output.decode().replace(where, "WHERE")


async def test_a_terminal_gets_the_command_for_go_programs(file: Path) -> None:
    """With absolute paths, and quotes where there is a blank."""
    output = await printed_help(file)
    line = f'"{file}" --connect WHERE --key white-key'
    assert f"Path:       {sys.executable}\n" in output
    assert f"Arguments:  {line}\n" in output
    assert f"  {sys.executable} {line}\n" in output
    assert "q5Go does not understand quotes: put the file in a folder" in output


async def test_paths_are_quoted_only_where_they_need_it(tmp_path: Path) -> None:
    """The field for the program holds a path alone, where quotes would be part of it."""
    folder = tmp_path / "Program Files"
    folder.mkdir()
    (folder / "python").symlink_to(sys.executable)
    file = tmp_path / "godaemon-gtp.txt"
    file.write_bytes(client_file())
    output = await printed_help(file, folder / "python")
    assert f"Path:       {folder}/python\n" in output
    assert f'  "{folder}/python" {file} --connect' in output
    assert "q5Go" not in output, "it splits the arguments alone"
    file.parent.joinpath("Jo's").mkdir()
    output = await printed_help(file.rename(tmp_path / "Jo's" / file.name))
    assert f'Arguments:  "{tmp_path}/Jo\'s/{file.name}" --connect' in output


@pytest.mark.parametrize("line", LINES["wrong options of the client"])
async def test_wrong_options_are_explained(line: str, file: Path) -> None:
    """To a Go program too, and nothing is opened."""
    words, error = line.replace("FILE", __file__).split(" => ")
    process = await started(sys.executable, file, *shlex.split(words))
    out, err = await answered(process, b"\n7 name\n")
    assert error in out.decode()
    assert process.returncode == 64
    assert out.decode() == f"?7 {err.decode().strip().removeprefix('godaemon-gtp: ')}\n\n"


async def test_the_client_without_options_prints_its_usage(file: Path) -> None:
    """It is no mistake."""
    process = await started(sys.executable, file)
    out, _ = await answered(process, b"")
    assert b"Usage: python3 godaemon-gtp.txt --connect HOST:PORT --key KEY" in out
    assert process.returncode == 0
