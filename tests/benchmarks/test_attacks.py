"""The benchmark of attacks runs without faults; running it shows the figures."""

import pytest

from tests.benchmarks.attacks import main


def test_prints_its_figures(capsys: pytest.CaptureFixture[str]) -> None:
    """Moves are accepted during attacks."""
    assert main(["--seconds", "0.5", "commas", "100 tokens"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert [line[:12].strip() for line in shown] == ["commas", "100 tokens"]
    assert all("a move was taken in" in line for line in shown)
