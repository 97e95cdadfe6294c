"""What people write, in eight situations: understood, asked back, passed on or answered.

The tables stand in `phrases/`, and at the top of each how it is written. For all that fails:
`python -m tests.mailgate.handling.phrase_report first.txt`.
"""

from __future__ import annotations

from collections import Counter

import pytest

from tests.support.phrase_outcome import Cell, Situation, judge, run
from tests.support.phrase_table import (
    FOLDER,
    SITUATIONS,
    Phrase,
    Wanted,
    read_meanings,
    read_phrases,
)

TABLES = sorted(path.name for path in FOLDER.glob("*.txt") if path.name != "meanings.txt")
SHARE = {"first.txt": 1.0, "third.txt": 0.98}
"""So many cells of a table do well, at least; of one that is not named here, nine in ten."""
LATE = {"third.txt": ("mine", "theirs")}
"""The situations in which alone a table is tried, for it to cost little."""
HARM = {"misplayed", "leaked", "silent"}
"""What must not happen in any cell of any table."""


@pytest.mark.parametrize("table", TABLES)
def test_a_table_is_whole(table: str) -> None:
    """It has hundreds of phrases, none of them twice, and all of them mean something."""
    phrases, meanings = read_phrases(FOLDER / table), read_meanings()
    assert len(phrases) >= (160 if table in LATE else 400)
    assert [text for text, often in Counter(one.text for one in phrases).items() if often > 1] == []
    assert {one.meaning for one in phrases} <= set(meanings)


@pytest.mark.parametrize(
    ("table", "situation"),
    [(table, situation) for table in TABLES for situation in LATE.get(table, SITUATIONS)],
)
def test_what_people_write(table: str, situation: str) -> None:
    """Nobody is misread, exposed or left in silence, and nearly all get what they want."""
    cells = run(situation, read_phrases(FOLDER / table), read_meanings())
    bad = [cell for cell in cells if cell.fault]
    assert [str(cell) for cell in bad if cell.fault in HARM] == []
    assert len(bad) <= (1 - SHARE.get(table, 0.9)) * len(cells), "\n".join(map(str, bad))


@pytest.mark.parametrize(
    ("situation", "text", "wanted", "fault"),
    [
        ("mine", "D4", "acts Moved D4", ""),
        ("mine", "D4\nGood luck!", "acts Moved D4", ""),
        ("mine", "D4\nGood luck!", "acts Moved D4 alone", "leaked"),
        ("mine", "D4", "acts Moved E5", "misplayed"),
        ("mine", "D4", "asks D4", "misplayed"),
        ("mine", "I4", "asks pass", ""),
        ("mine", "I4", "asks done", "unhelpful"),
        ("mine", "I4", "passed", "held"),
        ("mine", "I4", "acts Passed", "undone"),
        ("theirs", "say hello", "answered", "leaked"),
        ("count", "done", "acts Agreed", ""),
        ("count", "dead C3 H8", "acts Marked dead C3, Marked dead H8", "misplayed"),
        ("count", "dead C3 H8", "acts Marked dead C3 H8", ""),
        ("agreed", "show", "shown", ""),
        ("over", "help", "answered review", ""),
        ("over", "help", "answered opinions", "unhelpful"),
        ("nogame", "new 9x9 vs carol@example.org", "acts Proposed alone", ""),
    ],
)
def test_the_judgement(situation: str, text: str, wanted: str, fault: str) -> None:
    """What comes of plain commands is judged as what it is."""
    way, _, what = wanted.partition(" ")
    cell: Cell = judge(Situation(situation), Phrase("", "", text), [Wanted(way, what)])
    assert cell.fault == fault, cell
