"""The benchmark of sessions does what it says; its figures are shown by running it."""

import pytest

from tests.benchmarks.sessions import main


@pytest.mark.parametrize("door", [[], pytest.param(["--tls"], marks=pytest.mark.peer("openssl"))])
def test_the_program_prints_its_figures(
    door: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """A few sessions stay open while a game is played."""
    main(["--sessions", "6", "--idle", "0.1", "--plays", "4", *door])
    shown = capsys.readouterr().out
    assert [line.split()[0] for line in shown.splitlines()] == [
        *("6", "memory:", "idle:"),
        *("play", "play", "release", "release"),
    ]
