"""The promises of tests/conftest.py."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tests import conftest
from tests.support import fork_server, peers
from tests.support.daemon import LiveDaemon
from tests.support.places import ROOT
from tests.support.waiting import until


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder of a short name, as the path of a socket may have 107 bytes."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        yield Path(name, "t")


def pytest_on(test: str, folder: Path) -> list[str]:
    return [sys.executable, "-m", "pytest", "-q", "-n0", f"--basetemp={folder}", test]


OURS = {**os.environ, "PYTEST_ADDOPTS": ""}
"""Settings for these tests do not apply to the pytest that they start."""


def listening(path: Path) -> bool:
    """Whether somebody listens on a Unix socket."""
    with socket.socket(socket.AF_UNIX) as line, contextlib.suppress(OSError):
        line.connect(str(path))
        return True
    return False


def test_killed_tests_leave_no_daemon(folder: Path) -> None:
    """A daemon ends with the tests that started it, whatever becomes of them."""
    game = "test_a_ko_fight_is_played_by_mail"
    tests = subprocess.Popen(
        pytest_on(f"tests/wire/test_game_by_mail.py::{game}", folder), cwd=ROOT, env=OURS
    )
    try:
        until(
            lambda: any(map(listening, folder.glob("test_*0/control.sock"))),
            "a daemon is there",
            90,
        )
    finally:
        tests.kill()
        tests.wait()
    [control] = folder.glob("test_*0/control.sock")
    until(lambda: not listening(control), "it has gone")


@pytest.mark.parametrize("required", ["", "1"])
def test_a_test_that_skips_itself_fails_where_peers_are_required(
    required: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else nobody would notice that CI no longer runs it."""
    monkeypatch.setenv("GODAEMON_REQUIRE_PEERS", required)
    report = pytest.TestReport("t", ("t.py", 1, "t"), {}, "skipped", ("t.py", 1, "no"), "setup")
    hook = conftest.pytest_runtest_makereport()
    next(hook)
    with pytest.raises(StopIteration) as end:
        hook.send(report)
    assert end.value.value.outcome == ("failed" if required else "skipped")


@pytest.mark.parametrize("peer", ["landlock", "libseccomp"])
def test_what_the_kernel_or_a_library_lacks_is_a_peer(
    peer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its tests are left out with a line that says so, and in CI nothing runs without it."""
    item = SimpleNamespace(
        iter_markers=lambda name: [pytest.mark.peer(peer).mark],
        get_closest_marker=lambda name: None,
    )
    config = SimpleNamespace(
        hook=SimpleNamespace(pytest_deselected=lambda items: None), stash=pytest.Stash()
    )
    lacking = replace(peers.PEERS[peer], missing=lambda: peer)
    monkeypatch.setitem(peers.PEERS, peer, lacking)
    monkeypatch.setenv("GODAEMON_REQUIRE_PEERS", "1")
    with pytest.raises(pytest.UsageError, match=peer):
        conftest._leave_out(cast("Any", config), [cast("Any", item)])


def test_ctrl_c_arrives() -> None:
    """Whatever the tests were started by, what they start can be interrupted."""
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_ctrl_c_arrives_in_tests_in_the_background(folder: Path) -> None:
    """A shell has them ignore it there, and all that they start would inherit that."""
    tests = pytest_on(f"{__file__}::{test_ctrl_c_arrives.__name__}", folder)
    background = ["sh", "-c", 'trap "" INT; exec "$@"', "sh", *tests]
    subprocess.run(background, cwd=ROOT, env=OURS, check=True)


def test_a_forked_command_is_a_process_like_any_other(folder: Path) -> None:
    """It has its own exit status and output, and ends by the signal that it is sent."""
    done = fork_server.run(["show", "1", "--config", str(folder)], check=False)
    assert (done.returncode, done.stdout) == (78, "")
    assert str(folder) in done.stderr
    assert fork_server.run(["--version"]).stdout.startswith("godaemon ")
    with pytest.raises(subprocess.CalledProcessError):
        fork_server.run(["--no-such-option"])
    folder.mkdir()
    live = LiveDaemon(folder)
    live.start()
    os.kill(live.pid, signal.SIGKILL)
    until(lambda: live.ended, "it has ended")
    assert live.status == -signal.SIGKILL
