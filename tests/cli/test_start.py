"""What a start of the daemon does without: each costs hundredths of a second of CPU, or tenths."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import stores

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
WITHOUT = ("alembic", "flufl.bounce", "prometheus_client", "psycopg", "rich", "typer")


@pytest.mark.sqlite("what a daemon loads for it")
def test_it_loads_what_it_needs(tmp_path: Path) -> None:
    """No migrations, command line or PostgreSQL, where none of them has anything to do."""
    file, state = tmp_path / "godaemon.toml", tmp_path / "state"
    stores.lay(state)
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
