"""Phrases in eight situations: understood, asked back, passed on or answered.

The tables in `phrases/` describe their format. The model was trained on phrases like `known.txt`;
the others were written before they were tried, and measure quality. To see all failures:
`python -m tests.mailgate.handling.phrase_report strangers.txt`.
"""

from dataclasses import dataclass
from pathlib import Path

import pytest

from mailgate.language import train
from tests.support.phrase_outcome import Cell, judge, run
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
    """The situations in which a table is tested, and the results that it requires."""

    situations: tuple[str, ...]
    harm: float
    """The largest share of cells that are misplayed, leaked or silent."""
    well: float
    """The smallest share of cells without a fault."""


TABLES = {
    "known.txt": Table(SITUATIONS, harm=0.02, well=0.93),
    "verbs.txt": Table(("mine", "theirs"), harm=0.015, well=0.78),
    "strangers.txt": Table(("invited", "mine", "theirs", "agreed"), harm=0.02, well=0.91),
}


@pytest.mark.parametrize("table", ["verbs.txt", "strangers.txt"])
def test_the_model_was_not_trained_on_the_phrases_of_strangers(table: str) -> None:
    """At most 5 % of their longer lines are in the training data: some sentences are common."""
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
def test_few_phrases_are_misread(table: str, situation: str) -> None:
    """Few do harm, each gets an answer, and most get the wanted outcome."""
    tried = TABLES[table]
    cells = run(situation, read_phrases(FOLDER / table), read_meanings())
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
def test_judge_names_the_fault(situation: str, text: str, wanted: str, fault: str) -> None:
    """Commands with known outcomes get the fault that `judge` documents."""
    way, _, what = wanted.partition(" ")
    cell: Cell = judge(situation, Phrase("", text), [Wanted(way, what)])
    assert cell.fault == fault, cell
