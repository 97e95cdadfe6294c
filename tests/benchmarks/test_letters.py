"""The benchmark of letters sends what it says; its figures are shown by running it."""

from pathlib import Path

import pytest

from tests.benchmarks.letters import letter, main


@pytest.mark.parametrize("more", [(), ("--words", "3")], ids=["moves", "words"])
def test_figures(tmp_path: Path, capsys: pytest.CaptureFixture[str], more: tuple[str, ...]) -> None:
    """Each letter is a move, and its turn letter arrives; the program measures how fast."""
    sent = ("--letters", "4", "--connections", "1", "2", "--folder", str(tmp_path))
    assert main([*sent, *more]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in shown[-6:]] == [
        *("1", "2", "taken", "through", "alone,", "one")
    ]


def test_each_letter_has_words_of_its_own() -> None:
    """What one letter says is remembered for no other."""
    texts = [letter(number, 10).decode() for number in range(50)]
    talk = [text.partition("D4\r\n")[2].partition("\r\n\r\n")[0].split("\r\n") for text in texts]
    assert {len(lines) for lines in talk} == {10}
    assert len({tuple(lines) for lines in talk}) == 50
    assert len({line for lines in talk for line in lines}) >= 300
