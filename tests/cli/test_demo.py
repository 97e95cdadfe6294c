"""`godaemon demo` plays a game to the end, and leaves a store to explore."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.waiting import PATIENCE


def demo(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the demonstration with its scratch folder in a folder."""
    return subprocess.run(
        [sys.executable, "-m", "godaemon", "demo"],
        env={**os.environ, "TMPDIR": str(folder)},
        check=False,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )


# The name is short, because the test's folder is in the paths of sockets: at most 107 bytes.
@pytest.mark.slow
def test_a_demo_game(tmp_path: Path) -> None:
    """It ends as recorded, and the email for a browser has all its pictures."""
    done = demo(tmp_path)
    assert "The game is over: W+3.5  (recorded: W+3.5)" in done.stdout, done.stderr
    (page,) = tmp_path.glob("*/last-letter.html")
    html = page.read_text("utf-8")
    assert str(page) in done.stdout
    assert re.findall(r'<img[^>]* src="(?!data:image/png;base64,)', html) == []


def test_a_daemon_that_does_not_start_ends_the_demo_at_once(tmp_path: Path) -> None:
    """Here because the paths of its sockets are too long."""
    folder = tmp_path / ("x" * 100)
    folder.mkdir()
    done = demo(folder)
    assert done.returncode == 75
    assert "the path of a socket may have 107; choose a shorter one" in done.stderr
