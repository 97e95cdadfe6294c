"""The board in sentences."""

import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from godaemon.diagrams import description
from godaemon.diagrams.symbols import points_in
from godaemon.rules.board import Board, points_of
from godaemon.rules.points import Color, Point, column_name, parse_point
from godaemon.rules.scoring import board_rows
from tests.support import naive, places
from tests.support.blocks import read_blocks
from tests.support.boards import board, dead, marked_boards, seven_state_rows
from tests.support.boards import points_of as around
from tests.support.examples import examples
from tests.support.rows import each_row

Row = tuple[str, str, list[str]]
"""A board, a question, and the lines of the answer."""


def rows_of_the_file() -> Iterator[tuple[str, Row]]:
    """The questions of the file, by their names."""
    for name, text in read_blocks(places.DATA / "shapes" / "described.txt").items():
        diagram, *questions = text.split("\n> ")
        for question in questions:
            question_line, *answer = question.splitlines()
            yield f"{name}: {question_line}", (diagram, question_line, answer)


ROWS = dict(rows_of_the_file())


def described(rows: tuple[str, ...], question: str) -> list[str]:
    kind, _, where = question.partition(" ")
    if not where:
        return {
            "atari": [
                f"{one.color.word.capitalize()} {one.stones[0]} by {one.liberties[0]}."
                for one in description.chains_in_atari(rows)
            ],
            "dead": [
                f"{one.color.word.capitalize()} {one.stones[0]}, {len(one.stones)}."
                for one in description.chains(rows)
                if one.dead
            ],
            "rows": description.describe_stones(rows),
            "black": description.describe_chains(rows, Color.BLACK),
            "white": description.describe_chains(rows, Color.WHITE),
        }[kind]
    point = parse_point({"row": f"A{where}", "column": f"{where}1"}.get(kind, where))
    tellers = {
        "row": description.describe_row,
        "column": description.describe_column,
        "group": description.describe_group,
        "near": description.describe_surroundings,
    }
    return tellers[kind](rows, point)


@each_row(("diagram", "question", "answer"), ROWS.values())
def test_descriptions(diagram: str, question: str, answer: list[str]) -> None:
    """The answer to each question about a board."""
    assert described(board_rows(board(diagram), dead(diagram) or None), question) == answer


@settings(max_examples=examples(100))
@given(seven_state_rows())
def test_rows_list_each_stone_once(rows: tuple[str, ...]) -> None:
    """The board could be set up again from them."""
    counts: Counter[tuple[str, str]] = Counter()
    for line in description.describe_stones(rows):
        _, _, points = line.removesuffix(".").partition(": ")
        for part in points.split("; "):
            if found := re.fullmatch(r"((?:dead )?(?:Black|White)) ([A-Z0-9, ]+)", part):
                counts.update((found[1], name) for name in found[2].split(", "))
    names = {"b": "Black", "w": "White", "c": "dead Black", "x": "dead White"}
    stones = ((names[state], str(point)) for state in names for point in points_in(rows, state))
    assert counts == Counter(stones)


@settings(max_examples=examples(80))
@given(marked_boards())
def test_chains_and_liberties_agree_with_a_flood_fill(
    marked: tuple[Board, frozenset[Point]],
) -> None:
    """Each stone is in one chain, and its liberties are those that a plain flood finds."""
    made, gone = marked
    stones = {point: one for point in points_of(made.size) if (one := made.color(point))}
    chains = description.chains(board_rows(made, gone))
    assert Counter(stone for chain in chains for stone in chain.stones) == Counter(list(stones))
    for chain in chains:
        assert set(chain.stones) == naive.chain(made.size, stones, chain.stones[0])
        assert chain.color is stones[chain.stones[0]]
        beside = {near for stone in chain.stones for near in naive.neighbors(made.size, stone)}
        assert set(chain.liberties) == beside - set(stones)


@settings(max_examples=examples(100))
@given(seven_state_rows())
def test_all_chains_in_atari_are_found(rows: tuple[str, ...]) -> None:
    """Although only few chains are examined."""
    short = [chain for chain in description.chains(rows) if chain.in_atari]
    assert description.chains_in_atari(rows) == short


@settings(max_examples=examples(80))
@given(st.data())
def test_every_question_is_answered(data: st.DataObject) -> None:
    """In sentences, on any board."""
    rows = data.draw(seven_state_rows())
    point = data.draw(around(rows))
    for question in ("atari", "dead", "rows", "black", "white"):
        assert all(line.endswith(".") for line in described(rows, question))
    for question in (f"row {point.row + 1}", f"column {column_name(point.column)}"):
        assert described(rows, question)[0].startswith(question.capitalize()[:4])
    for question in ("near", "group"):
        lines = described(rows, f"{question} {point}")
        assert str(point) in lines[0]
        assert all(line.endswith(".") for line in lines)


@cache
def spoken(text: str) -> str:
    """The sounds that espeak-ng makes of a text, without stress and pauses."""
    command = ["espeak-ng", "-v", "en-us", "-q", "--ipa", text]
    phonemes = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return re.sub(r"[ˈˌ\s]", "", phonemes)


@pytest.mark.peer("espeak-ng")
@pytest.mark.parametrize("name", ROWS)
def test_points_are_spoken_correctly(name: str) -> None:
    """espeak-ng reads each as it reads it alone: no `A` becomes an article."""
    for line in ROWS[name][2]:
        rest = spoken(line)
        for point in re.findall(r"\b[A-Z][0-9]{1,2}\b", line):
            _, found, rest = rest.partition(spoken(point))
            assert found, f"{point} in: {line}"
