"""Imports and work that the start of a daemon avoids."""

import errno
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from godaemon.cli import status_of
from godaemon.errors import ConfigError, Corrupt
from tests.support import stores
from tests.support.waiting import PATIENCE

SCRIPT = """
import sys
from godaemon.cli import run
from godaemon.errors import ConfigError
try:
    run(["serve", "--config", sys.argv[1]])
except ConfigError as refusal:
    assert "/proc/1/mem" in refusal.public, refusal
print(*(name for name in sys.argv[2:] if sys.modules.get(name)))
"""
WITHOUT = ("alembic", "flufl.bounce", "numpy", "prometheus_client", "psycopg", "rich")


@pytest.mark.sqlite("what a daemon loads for it")
def test_a_daemon_loads_only_what_it_needs(tmp_path: Path) -> None:
    """No migrations, PostgreSQL or numpy: our player has a process of its own."""
    file, state = tmp_path / "godaemon.toml", tmp_path / "state"
    stores.create(state)
    file.write_text(
        f'state_directory = "{state}"\n[mail.smtp]\nlisten = "127.0.0.1:0"\n'
        '[control]\nsocket = "/proc/1/mem/x"\n',
        encoding="utf-8",
    )
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(file), *WITHOUT, "sqlalchemy.dialects.postgresql"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.splitlines()[-1:] == [""], done


@pytest.mark.parametrize(
    ("number", "status"),
    [(errno.EMFILE, 75), (errno.ENOMEM, 75), (errno.EIO, 75), (errno.EACCES, 78), (None, 78)],
)
def test_a_passing_shortage_is_no_configuration_error(number: int | None, status: int) -> None:
    """Bug: systemd did not try again after a start that had no descriptor left for its key."""
    fault = ConfigError("The keys cannot be read.")
    if number is not None:
        fault.__cause__ = OSError(number, "no")
    assert status_of(fault) == status


def test_a_damaged_store_does_not_start_again() -> None:
    """The unit knows this exit status."""
    assert status_of(Corrupt("The store is damaged.")) == 70


def demo(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the demonstration with its scratch folder in a folder."""
    return subprocess.run(
        [sys.executable, "-m", "godaemon", "demo"],
        env={**os.environ, "TMPDIR": str(folder), "RUNTIME_DIRECTORY": "/of/a/service"},
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
