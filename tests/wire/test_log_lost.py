"""A daemon whose log cannot be written keeps all its promises, and says what ails it."""

from __future__ import annotations

import smtplib
import subprocess
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from godaemon.control.control_client import ask
from tests.support.daemon import LiveDaemon
from tests.support.descriptors import closed_terminal, full_disk, full_pipe
from tests.support.waiting import until

ALICE = "alice@players.example"
LETTER = f"From: {ALICE}\nTo: go@localhost\nMessage-ID: <1@players.example>\n\nhelp\n"


@pytest.mark.parametrize(
    "stderr",
    [closed_terminal, full_disk, lambda stack: full_pipe(stack)[1]],
    ids=["closed", "full disk", "never read"],
)
def test_a_log_that_cannot_be_written(tmp_path: Path, stderr: Callable[[ExitStack], int]) -> None:
    """A letter is taken, answered and noted; GTP is answered; a reload goes; `status` tells."""
    with ExitStack() as stack:
        daemon = LiveDaemon(tmp_path)
        daemon.says_to = stderr(stack)
        daemon.start()
        stack.callback(daemon.kill)
        with smtplib.SMTP("127.0.0.1", daemon.port, timeout=10) as line:
            assert line.sendmail(ALICE, ["go@localhost"], LETTER) == {}

        def status() -> dict[str, Any]:
            said: dict[str, Any] = ask(tmp_path / "control.sock", "status")
            return said

        until(lambda: status()["letters"]["sent"] == 1, "its answer is noted as sent")
        assert len(list(daemon.mail.glob("*/new/*"))) == 1
        engine = subprocess.run(
            daemon.gtp(), check=True, input=b"name\nquit\n", capture_output=True, timeout=20
        )
        assert engine.stdout == b"= godaemon\n\n= \n\n"
        assert ask(tmp_path / "control.sock", "reload") == {"later": []}
        until(lambda: status()["log_lost"] > 2, "it knows that nobody reads its log")
        said = daemon.command("status", check=False)
        assert said.returncode == 1
        assert "warning: Lines of the log that are lost" in said.stdout
        assert daemon.stop() == 0
