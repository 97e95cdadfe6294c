"""Sabaki's own GTP library drives our engine."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import peers

HERE = Path(__file__).parent


@pytest.mark.peer("node")
@pytest.mark.peer("sabaki")
def test_sabaki_is_content() -> None:
    """Handshake, navigation by undo and replay, rectangles, analysis, a burst, and quit."""
    command = [
        peers.find("node"),
        str(HERE / "sabaki_probe.js"),
        sys.executable,
        "-m",
        "godaemon",
        "gtp",
        "--level",
        "3",
    ]
    environment = {**os.environ, "SABAKI_GTP": peers.sabaki()}
    done = subprocess.run(
        command, cwd=HERE.parents[1], env=environment, capture_output=True, text=True, check=False
    )
    checks = [json.loads(line) for line in done.stdout.splitlines()]
    assert [check for check in checks if not check["ok"]] == []
    assert len(checks) > 20
    assert (done.returncode, done.stderr) == (0, "")
