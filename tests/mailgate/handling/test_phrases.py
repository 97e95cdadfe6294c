"""Phrases in eight situations: understood, asked back, passed on or answered.

The tables in `phrases/` describe their format. The model was trained on the first and the second,
so these are checked in part, and only for harm; the third and the fourth are by strangers, and
measure quality. To see all failures:
`python -m tests.mailgate.handling.phrase_report fourth.txt`.
"""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

from mailgate.language import train
from tests.support.phrase_outcome import Cell, Situation, judge, run
from tests.support.phrase_table import (
    FOLDER,
    SITUATIONS,
    Phrase,
    Wanted,
    read_meanings,
    read_phrases,
)

HARM = ("misplayed", "leaked", "silent")


@dataclass(frozen=True, slots=True)
class Table:
    """How to test a table, and its required results."""

    situations: tuple[str, ...]
    harm: float
    """The share of cells that are misplayed, leaked or silent, at most."""
    well: float
    """The share of cells that do well, at least."""
    each: int = 1
    """One of this many phrases is tested."""


TABLES = {
    "first.txt": Table(SITUATIONS, harm=0.02, well=0.93, each=6),
    "second.txt": Table(SITUATIONS, harm=0.02, well=0.9, each=6),
    "third.txt": Table(("mine", "theirs"), harm=0.015, well=0.78),
    "fourth.txt": Table(("invited", "mine", "theirs", "agreed"), harm=0.02, well=0.91),
}
STRANGERS = ("third.txt", "fourth.txt")


def test_no_table_is_forgotten() -> None:
    """Each table of the folder is tried."""
    assert {*TABLES, "meanings.txt"} == {path.name for path in FOLDER.glob("*.txt")}


@pytest.mark.parametrize("table", TABLES)
def test_a_table_is_whole(table: str) -> None:
    """It has hundreds of phrases, none of them twice, and all of them mean something."""
    phrases, meanings = read_phrases(FOLDER / table), read_meanings()
    assert len(phrases) >= 160
    assert [text for text, often in Counter(one.text for one in phrases).items() if often > 1] == []
    assert {one.meaning for one in phrases} <= set(meanings)


@pytest.mark.parametrize("table", STRANGERS)
def test_no_model_was_trained_on_strangers(table: str) -> None:
    """Of their lines in five words or more, hardly one stands among what the model has seen.

    Two writers who know nothing of each other do write the odd sentence alike.
    """
    folder = Path(train.__file__).parent / "words"
    seen = {_plain(one.text) for one in train.phrases(folder) if not one.held}
    lines = {_plain(line) for one in read_phrases(FOLDER / table) for line in one.body.split("\n")}
    long = {line for line in lines if len(line.split()) >= 5}
    assert len(long) >= 100
    assert len(long & seen) <= 0.05 * len(long), sorted(long & seen)


def _plain(line: str) -> str:
    return " ".join("".join(mark if mark.isalnum() else " " for mark in line.casefold()).split())


@pytest.mark.parametrize(
    ("table", "situation"),
    [(name, situation) for name, table in TABLES.items() for situation in table.situations],
)
@pytest.mark.slow
def test_what_people_write(table: str, situation: str) -> None:
    """Hardly anybody is misread or exposed, nobody is left in silence, and most are helped."""
    tried = TABLES[table]
    cells = run(situation, read_phrases(FOLDER / table)[:: tried.each], read_meanings())
    bad = [cell for cell in cells if cell.fault]
    harmed = [cell for cell in bad if cell.fault in HARM]
    assert [str(cell) for cell in cells if cell.fault == "silent" or "trouble" in cell.got] == []
    assert len(harmed) <= tried.harm * len(cells), "\n".join(map(str, harmed))
    assert len(bad) <= (1 - tried.well) * len(cells), "\n".join(map(str, bad))


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
    """Plain commands are judged correctly."""
    way, _, what = wanted.partition(" ")
    cell: Cell = judge(Situation(situation), Phrase("", "", text), [Wanted(way, what)])
    assert cell.fault == fault, cell
