"""Dialogues with a free board from the files in `dialogues/`: GUIs', and each command's.

They contain every command, and every error that its contract quotes.
"""

import re
from functools import cache
from pathlib import Path

import pytest

from gtp.board.board_session import COMMANDS, BoardSession
from gtp.board.free_board import FreeBoard
from tests.support import dialogue, places
from tests.support.gtp_page import contract
from tests.support.rows import each_row

HERE = places.ROOT / "tests" / "gtp"
DIALOGUES = sorted(HERE.joinpath("dialogues").glob("*.gtp"))


@pytest.mark.parametrize("path", DIALOGUES, ids=lambda path: path.stem)
def test_dialogue(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each line is answered with what the file says, in one well-formed frame."""
    monkeypatch.chdir(HERE.parents[1])
    dialogue.think_little(monkeypatch)
    board = FreeBoard(level=1)
    board.reseed(1)
    session = BoardSession(board)
    assert dialogue.differences(path, session.answer) == []


@cache
def _outcomes() -> set[tuple[str, str]]:
    """The commands in the dialogues, each with `=` or with the words of a failure."""
    exchanges = [each for path in DIALOGUES for each in dialogue.read(path) if each.expected]
    found = set()
    for _, sent, expected in exchanges:
        words = sent.decode("utf-8", "replace").split()
        name = next((word for word in words if not word.isdecimal()), "")
        ok = expected.startswith("=")
        found.add((name, "=" if ok else expected.lstrip("?0123456789").strip()))
    return found


@each_row("name", COMMANDS)
def test_dialogues_cover_the_contract_of_each_command(name: str) -> None:
    """Its success, and each failure that its contract quotes, is in some dialogue."""
    fails = contract(COMMANDS[name]).parts["Fails"]
    promised = {"=", *re.findall(r"`([^`]*)`", fails)}
    assert {words for words in promised if (name, words) not in _outcomes()} == set()
    assert ("never" in fails) or len(promised) > 1


def test_a_wrong_answer_is_reported(tmp_path: Path) -> None:
    """A dialogue that expects another answer is reported, with its place."""
    wrong = tmp_path / "wrong.gtp"
    wrong.write_text("> name\n= gnugo\n> # nothing\n= something\n")
    found = dialogue.differences(wrong, BoardSession().answer)
    assert [line.split()[0] for line in found] == ["wrong.gtp:1:", "wrong.gtp:3:"]


@pytest.mark.parametrize("response", [b"= a\n\nb\n\n", b"= a\n", b"= a\n\n\n"])
def test_a_badly_framed_response_matches_nothing(response: bytes) -> None:
    """A response must not contain a blank line, and must end with one."""
    assert not dialogue.matches("= a...", response)
