"""The benchmark of letters runs without faults; running it shows the figures."""

import pytest

from tests.benchmarks.compose import main


def test_the_program_prints_its_figures(capsys: pytest.CaptureFixture[str]) -> None:
    """Every letter with its size; the turn letter is a whole one, links and all."""
    assert main(["--rounds", "1"]) == 0
    shown = capsys.readouterr().out
    rows = {line[:46].strip(): line[46:].split() for line in shown.splitlines()[1:]}
    assert int(rows["turn letter"][1]) > 40_000
    assert int(rows["letter of the count"][1]) > 40_000
    assert "turn letter under 15 ms:" in shown
