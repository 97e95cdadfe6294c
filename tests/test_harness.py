"""The promises of tests/conftest.py."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
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


def accepts_connections(path: Path) -> bool:
    """True if a process listens on a Unix socket."""
    with socket.socket(socket.AF_UNIX) as line, contextlib.suppress(OSError):
        line.connect(str(path))
        return True
    return False


def test_killed_tests_leave_no_daemon(folder: Path) -> None:
    """It ends with the tests that started it."""
    game = "test_a_ko_fight_is_played_by_mail"
    tests = subprocess.Popen(
        pytest_on(f"tests/wire/test_game_by_mail.py::{game}", folder), cwd=ROOT, env=OURS
    )
    try:
        until(
            lambda: any(map(accepts_connections, folder.glob("test_*0/control.sock"))),
            "a daemon is there",
        )
    finally:
        tests.kill()
        tests.wait()
    [control] = folder.glob("test_*0/control.sock")
    until(lambda: not accepts_connections(control), "it has gone")


@pytest.mark.parametrize("required", ["", "1"])
def test_skips_fail_if_peers_are_required(required: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else nobody would notice that CI no longer runs a test."""
    monkeypatch.setenv("GODAEMON_REQUIRE_PEERS", required)
    report = pytest.TestReport("t", ("t.py", 1, "t"), {}, "skipped", ("t.py", 1, "no"), "setup")
    hook = conftest.pytest_runtest_makereport()
    next(hook)
    with pytest.raises(StopIteration) as end:
        hook.send(report)
    assert end.value.value.outcome == ("failed" if required else "skipped")


@pytest.mark.parametrize("peer", ["landlock", "libseccomp"])
def test_kernel_features_and_libraries_are_peers(
    peer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their tests are deselected with a line, and CI does not run without them."""
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
    """Processes that tests start can be interrupted."""
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_ctrl_c_arrives_in_the_background(folder: Path) -> None:
    """A shell ignores SIGINT there, and child processes inherit that."""
    tests = pytest_on(f"{__file__}::{test_ctrl_c_arrives.__name__}", folder)
    background = ["sh", "-c", 'trap "" INT; exec "$@"', "sh", *tests]
    subprocess.run(background, cwd=ROOT, env=OURS, check=True)


def test_a_forked_command_is_an_ordinary_process(folder: Path) -> None:
    """With its own exit status and output; signals end it."""
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


def test_two_threads_may_kill_a_daemon_at_once(folder: Path) -> None:
    """Both return when it has ended; it can start again."""
    folder.mkdir()
    with LiveDaemon(folder) as live:
        with ThreadPoolExecutor(2) as threads:
            deaths = [threads.submit(live.kill) for _ in range(2)]
        assert [death.exception() for death in deaths] == [None, None]
        assert not live.running
        live.start()
