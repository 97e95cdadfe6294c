"""The benchmark of the seats plays what it says; its figures are shown by running it."""

from pathlib import Path

import pytest

from tests.benchmarks.seats import main

_FIRST_WORDS = ["raw", "plays", "a", "plays", "commands", "a"]


def test_the_program_prints_its_figures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each play of a few games is committed and answered; how fast is for the program to show."""
    arguments = ["--rounds", "1", "--moves", "4", "--games", "2", "--folder", str(tmp_path)]
    assert main(arguments) == 0
    shown = capsys.readouterr().out
    assert [line.split()[0] for line in shown.splitlines()[-6:]] == _FIRST_WORDS
    assert list(tmp_path.iterdir()) == []
