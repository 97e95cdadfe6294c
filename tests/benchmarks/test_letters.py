"""The benchmark of letters."""

from pathlib import Path

import pytest

from tests.benchmarks.letters import main


def test_prints_its_figures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each letter is a move, and its turn letter arrives."""
    assert main(["--letters", "4", "--connections", "1", "2", "--folder", str(tmp_path)]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in shown[-6:]] == [
        *("1", "2", "taken", "through", "alone,", "one")
    ]
