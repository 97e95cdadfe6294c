"""Arguments of the command line, and output that cannot be written."""

import io
import json
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from godaemon import cli
from godaemon.cli.common import ask_daemon
from godaemon.errors import ConfigError
from tests.support import places
from tests.support.blocks import read_lines
from tests.support.fork_server import run

GODAEMON = f"{sys.executable} -m godaemon"


def shell(line: str) -> subprocess.CompletedProcess[str]:
    """A line of a shell, in which `godaemon` is ours."""
    return subprocess.run(
        ["bash", "-c", f'set -o pipefail; godaemon() {{ {GODAEMON} "$@"; }}; {line}'],
        capture_output=True,
        text=True,
        check=False,
    )


Typed = Callable[[str], tuple[int, str, str]]


@pytest.fixture
def typed(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Typed:
    """Runs `godaemon` with some words in this process; its status, output and error output."""

    def run(words: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["godaemon", *shlex.split(words)])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO()))
        with pytest.raises(SystemExit) as ended:
            cli.main()
        assert isinstance(ended.value.code, int)
        return ended.value.code, *capsys.readouterr()

    return run


USAGE = (places.ROOT / "tests/cli/usage.txt").read_text("utf-8").splitlines()[1:]


@pytest.mark.parametrize("line", USAGE)
def test_wrong_usage_exits_with_64(typed: Typed, line: str) -> None:
    """The message names the mistake."""
    words, _, error = line.partition(">> ")
    status, out, err = typed(words)
    assert status == 64
    assert error in out + err


def test_a_wrong_configuration_hides_no_running_daemon(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Bug: monitoring reported a daemon as down that ran well."""
    wrong = tmp_path / "godaemon.toml"
    wrong.write_text("[mail]\nnosuch = 1\n")
    with pytest.raises(ConfigError, match="nosuch"):
        ask_daemon(wrong, "status")
    monkeypatch.setattr("godaemon.control.control_client.is_running", lambda _: True)
    monkeypatch.setattr("godaemon.control.control_client.ask", lambda *_: "asked")
    assert ask_daemon(wrong, "status") == "asked"


def test_sgf_rewrites_files_of_any_program(tmp_path: Path) -> None:
    """The record is in UTF-8 with variations; unreadable parts are reported."""
    file = tmp_path / "old.sgf"
    file.write_bytes("(;SZ[9]PB[古力]PW[常昊];B[ee](;W[cc];B[g8])(;W[gg];B[c".encode("gbk"))
    done = shell(f"godaemon sgf {file}; godaemon sgf --sgn - < {file}; ! echo x | godaemon sgf -")
    sgf, sgn = done.stdout.replace("\n", "").split(")9x9")
    assert "CA[UTF-8]" in sgf
    assert "PB[古力]" in sgf
    assert sgf.endswith("(;W[cc];B[gb])(;W[gg])")
    assert sgn == " E5b C7w G8b"
    assert done.stderr.count("godaemon sgf: The file has errors") == 2
    assert (done.returncode, "This is not an SGF file" in done.stderr) == (0, True)
    file.write_text("(;SZ[9];B[ee];W[cc];B[ee];W[dd])")
    twice = shell(f"godaemon sgf {file}")
    assert (twice.stdout.count("B[ee]"), "Black cannot play E5 as move 3" in twice.stderr) == (
        2,
        True,
    )


def test_a_file_that_cannot_be_read_has_an_answer_in_json(typed: Typed, tmp_path: Path) -> None:
    """Bug: only other errors had one."""
    status, out, _ = typed(f"mail explain {tmp_path} --json")
    assert (status, json.loads(out)["code"]) == (64, "usage-error")
    (tmp_path / "mail").symlink_to("/proc/self/mem")
    status, out, _ = typed(f"mail explain {tmp_path}/mail --json")
    assert (status, json.loads(out)["code"]) == (74, "io-error")


def test_words_after_version_are_ignored(typed: Typed) -> None:
    """As by other programs."""
    assert typed("--version foo") == typed("--version")
    assert typed("--version")[0] == 0


@pytest.mark.parametrize("words", ["show", "mail queue", "gtp", ""])
def test_help_can_be_asked_for_in_three_ways(typed: Typed, words: str) -> None:
    """`--help`, `-h`, and `help` before the command."""
    answers = {typed(line) for line in (f"{words} --help", f"{words} -h", f"help {words}")}
    ((status, out, err),) = answers
    assert (status, err) == (0, "")
    assert out.startswith(f"Usage: godaemon {words}".rstrip())


@pytest.mark.parametrize("line", read_lines(places.DATA / "meanings.txt")["completions"])
def test_complete_lists_commands_and_options(typed: Typed, line: str) -> None:
    """For the completion scripts of shells."""
    words, found = line.split(" => ")
    _, out, _ = typed(f"complete {words}")
    assert " ".join(one.partition("\t")[0] for one in out.splitlines()) == found.replace("none", "")


def test_completion_prints_a_script(typed: Typed) -> None:
    """It calls `godaemon complete`."""
    assert "godaemon complete" in typed("completion fish")[1]


@pytest.mark.parametrize("words", ["help", "gtp --help"])
@pytest.mark.parametrize(
    ("to", "why"), [(">/dev/full", "No space left on device"), (">&-", "Standard output is closed")]
)
def test_a_failed_write_exits_with_74(words: str, to: str, why: str) -> None:
    """With a sentence and without a traceback."""
    done = shell(f"godaemon {words} {to}")
    assert (done.returncode, done.stderr) == (74, f"godaemon: {why}\n")


def test_a_closed_pipe_is_no_error() -> None:
    """`| head` prints nothing more."""
    done = shell("godaemon help | true; godaemon help | head -n 1")
    assert (done.stdout, done.stderr) == ("Usage: godaemon COMMAND [ARGUMENT ...]\n", "")


@pytest.mark.parametrize("line", ["export site.tar.gz", "rotate-key", "rotate-key --lost"])
def test_a_missing_store_is_not_created(
    typed: Typed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    """Bug: after a slip in the configuration an empty site was exported."""
    monkeypatch.chdir(tmp_path)
    Path("g.toml").write_text(f'state_directory = "{tmp_path}/nowhere"\n')
    status, _, err = typed(f"{line} --config g.toml")
    assert (status, f"There are no games in {tmp_path}/nowhere yet" in err) == (1, True)
    assert [one.name for one in tmp_path.iterdir()] == ["g.toml"]


@pytest.mark.parametrize("words", ["client", "picture '9x9 E5b'"])
def test_output_does_not_follow_a_link(tmp_path: Path, words: str) -> None:
    """It may lead anywhere; a file is replaced."""
    other, link, file = (tmp_path / name for name in ("other.svg", "link.svg", "file.svg"))
    other.write_text("mine", encoding="utf-8")
    link.symlink_to(other)
    done = run([*shlex.split(words), "--out", str(link)], check=False)
    assert (done.returncode, "symbolic links" in done.stderr) == (74, True)
    assert other.read_text("utf-8") == "mine"
    for _ in range(2):
        run([*shlex.split(words), "--out", str(file)])
    assert len(file.read_bytes()) > 100


@pytest.mark.parametrize(
    "words",
    [*("mail explain /dev/zero", "mail explain - < /dev/zero", "sgf - < /dev/zero"), "sgf long"],
)
def test_a_file_above_the_limit_is_refused(tmp_path: Path, words: str) -> None:
    """In little memory, though it may have no end."""
    (tmp_path / "long").write_bytes(b"(;SZ[9]" + bytes(11 * 2**20))
    done = shell(f"cd {tmp_path}; ulimit -v 600000; godaemon {words}")
    assert "is larger than 10 MB, which is the limit." in done.stderr
    assert done.returncode == 1
