"""`godaemon demo` plays a game to the end, and leaves a store to explore."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest


# The name is short, as it is in the paths of sockets, which have some hundred bytes.
@pytest.mark.slow
def test_the_demo_plays_a_recorded_game(tmp_path: Path) -> None:
    """It ends as recorded, and the email for a browser has all its pictures."""
    done = subprocess.run(
        [sys.executable, "-m", "godaemon", "demo"],
        env={**os.environ, "TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
        timeout=110,
    )
    assert "The game is over: W+3.5  (recorded: W+3.5)" in done.stdout
    (page,) = tmp_path.glob("*/last-letter.html")
    html = page.read_text("utf-8")
    assert str(page) in done.stdout
    assert re.findall(r'<img[^>]* src="(?!data:image/png;base64,)', html) == []
