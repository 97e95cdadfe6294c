"""The board in sentences."""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from functools import cache
from textwrap import dedent

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from godaemon.diagrams import description
from godaemon.diagrams.symbols import points_in
from godaemon.rules.board import Board, points_of
from godaemon.rules.points import Color, Point, column_name, parse_point
from godaemon.rules.scoring import board_rows
from tests.support import naive
from tests.support.boards import board, dead, marked_boards, seven_state_rows
from tests.support.boards import points_of as around
from tests.support.examples import examples

LADDER = """
    . . . . . .
    . . X . . .
    . X O O . .
    . . X X O .
    . . . . X .
    . . . . . .
    """
SEKI = """
    . X O . X
    X X O X X
    X O O X .
    O O X X .
    . . . . .
    """
KO = """
    . X O .
    X O . O
    . X O .
    . . . .
    """
CORNERS = """
    X O . O X
    O . . . O
    . . . . .
    O . . . O
    X O . O X
    """
COUNTED = """
    . . X O .
    . X X O .
    @ . X O O
    . . X X O
    . . . X O
    """
ALL_DEAD = """
    . . . .
    # @ . .
    . . . .
    """
NINE = """
    . . . . . . . . .
    . . O . . . X . .
    . . . . . . . . .
    . . . . . . . O .
    . . . . X . . . .
    . . . . O . . . .
    . . X O . . X . .
    . . . X . . . . .
    . . . . . . . . .
    """

TOLD: list[tuple[str, str, str]] = [
    # What is in atari, of both colours, and by which liberty.
    ("...", "atari", ""),
    ("XO.", "atari", "White B1 by C1."),
    ("XO.\n...", "atari", "Black A2 by A1."),
    ("XO.\nXO.\n...", "atari", "Black A2 by A1."),
    (LADDER, "atari", ""),
    (SEKI, "atari", "Black A3 by A5."),
    (KO, "atari", "White B3 by C3.\nBlack B4 by A4."),
    (CORNERS, "atari", ""),
    (COUNTED, "atari", ""),
    ("XO.XO.XO.XO.XO.XO.XO.\n" + "." * 21 + "\n" + "." * 21, "atari", "Black A3 by A2."),
    # What is marked dead.
    (KO, "dead", ""),
    (COUNTED, "dead", "White A3, 1."),
    (ALL_DEAD, "dead", "Black A2, 1.\nWhite B2, 1."),
    ("##.\n#.O\n.OO", "dead", "Black A2, 3."),
    # All stones, row by row.
    ("...\n...", "rows", "Rows 2 to 1: no stones."),
    ("...", "rows", "Row 1: no stones."),
    (
        LADDER,
        "rows",
        """
        Row 6: no stones.
        Row 5: Black C5.
        Row 4: Black B4; White C4, D4.
        Row 3: Black C3, D3; White E3.
        Row 2: Black E2.
        Row 1: no stones.
        """,
    ),
    (
        CORNERS,
        "rows",
        """
        Row 5: Black A5; White B5, D5; Black E5.
        Row 4: White A4, E4.
        Row 3: no stones.
        Row 2: White A2, E2.
        Row 1: Black A1; White B1, D1; Black E1.
        """,
    ),
    (
        COUNTED,
        "rows",
        """
        Row 5: Black's territory A5 to B5; Black C5; White D5; White's territory E5.
        Row 4: Black's territory A4; Black B4, C4; White D4; White's territory E4.
        Row 3: dead White A3; Black's territory B3; Black C3; White D3, E3.
        Row 2: Black's territory A2 to B2; Black C2, D2; White E2.
        Row 1: Black's territory A1 to C1; Black D1; White E1.
        """,
    ),
    (
        ALL_DEAD,
        "rows",
        "Row 3: no stones.\nRow 2: dead Black A2; dead White B2.\nRow 1: no stones.",
    ),
    (".......X.", "rows", "Row 1: Black H1."),
    ("........X", "rows", "Row 1: Black J1."),  # there is no column I
    ("." * 25 + "XO", "rows", "Row 1: Black AA1; White AB1."),
    # The chains of a colour, those in danger first.
    ("...", "black", ""),
    (
        KO,
        "black",
        """
        Black chain B4, 1 stone: in atari, 1 liberty, A4.
        Black chain B2, 1 stone: 2 liberties, B1 and A2.
        Black chain A3, 1 stone: 2 liberties, A2 and A4.
        """,
    ),
    (SEKI, "white", "White chain A2, 6 stones: 3 liberties, A1, B1 and D5."),
    (
        COUNTED,
        "white",
        """
        White chain E1, 6 stones: 2 liberties, E4 and E5.
        White chain A3, 1 stone: marked dead, 3 liberties, A2, B3 and A4.
        """,
    ),
    (".....\n.XXX.\n.....", "black", "Black chain B2, 3 stones: 8 liberties."),
    # One row, one column.
    (
        NINE,
        "row 3",
        """
        Row 3, from left to right: empty A3 to B3; Black C3; White D3; empty E3 to F3; Black
          G3; empty H3 to J3.
        """,
    ),
    (NINE, "row 9", "Row 9, from left to right: empty A9 to J9."),
    (
        NINE,
        "column E",
        "Column E, from the bottom up: empty E1 to E3; White E4; Black E5; empty E6 to E9.",
    ),
    (SEKI, "column B", "Column B, from the bottom up: empty B1; White B2, B3; Black B4, B5."),
    (
        COUNTED,
        "column E",
        "Column E, from the bottom up: White E1, E2, E3; White's territory E4 to E5.",
    ),
    # One chain, and what touches it.
    (
        SEKI,
        "group B4",
        """
        Black B4 is one of 4 connected stones: in atari, 1 liberty, A5.
        All of them: A3, A4, B4 and B5.
        Next to it: White A2 (3 liberties).
        """,
    ),
    (
        NINE,
        "group E5",
        """
        Black E5 is a single stone: 3 liberties, D5, F5 and E6.
        Next to it: White E4 (3 liberties).
        """,
    ),
    (NINE, "group A1", "A1 is empty.\nNext to it: no other stones."),
    (
        KO,
        "group C3",
        """
        C3 is empty.
        Next to it: White C2 (3 liberties), White B3 (in atari, 1
          liberty), White D3 (3 liberties) and White C4 (2 liberties).
        """,
    ),
    (
        COUNTED,
        "group A3",
        """
        White A3 is a single stone: marked dead, 3 liberties, A2, B3 and A4.
        Next to it: no other stones.
        """,
    ),
    (
        ".......\n.XXXXX.\n.......",
        "group B2",
        """
        Black B2 is one of 5 connected stones: 12 liberties, B1, C1, D1, E1,
          F1, A2, G2, B3, C3, D3, E3 and F3.
        All of them: B2, C2, D2, E2 and F2.
        Next to it: no other stones.
        """,
    ),
    # What is around a point.
    (
        NINE,
        "near D3",
        """
        White D3 is a single stone: 2 liberties, E3 and D4.
        To the left: Black C3, next to it.
        To the right: Black G3, 3 lines away.
        Above: no stone up to D9 at the edge.
        Below: Black D2, next to it.
        White E4: 1 to the right, 1 up.
        Black E5: 1 to the right, 2 up.
        """,
    ),
    (
        NINE,
        "near A9",
        """
        A9 is empty.
        To the left: the edge of the board.
        To the right: no stone up to J9 at the edge.
        Above: the edge of the board.
        Below: no stone up to A1 at the edge.
        White C8: 2 to the right, 1 down.
        """,
    ),
    (
        "X.XX.\n.....",
        "near A2",
        """
        Black A2 is a single stone: 2 liberties, A1 and B2.
        To the left: the edge of the board.
        To the right: Black C2, 2 lines away.
        Above: the edge of the board.
        Below: no stone up to A1 at the edge.
        Black D2: 3 to the right.
        """,
    ),
    (
        "O",
        "near A1",
        """
        White A1 is a single stone: 0 liberties.
        To the left: the edge of the board.
        To the right: the edge of the board.
        Above: the edge of the board.
        Below: the edge of the board.
        No other stones within 3 lines.
        """,
    ),
    (
        COUNTED,
        "near B3",
        """
        B3 is Black's territory.
        To the left: dead White A3, next to it.
        To the right: Black C3, next to it.
        Above: Black B4, next to it.
        Below: no stone up to B1 at the edge.
        Black C4: 1 to the right, 1 up.
        Black C2: 1 to the right, 1 down.
        White D3: 2 to the right.
        Black C5: 1 to the right, 2 up.
        White D4: 2 to the right, 1 up.
        Black D2: 2 to the right, 1 down.
        White D5: 2 to the right, 2 up.
        Black D1: 2 to the right, 2 down.
        White E3: 3 to the right.
        White E2: 3 to the right, 1 down.
        White E1: 3 to the right, 2 down.
        """,
    ),
]


def told(rows: tuple[str, ...], asked: str) -> list[str]:
    """The lines that answer a question about a board."""
    what, _, where = asked.partition(" ")
    if not where:
        return {
            "atari": [
                f"{one.color.word.capitalize()} {one.stones[0]} by {one.liberties[0]}."
                for one in description.in_atari(rows)
            ],
            "dead": [
                f"{one.color.word.capitalize()} {one.stones[0]}, {len(one.stones)}."
                for one in description.marked_dead(rows)
            ],
            "rows": description.stones_by_row(rows),
            "black": description.chains_of(rows, Color.BLACK),
            "white": description.chains_of(rows, Color.WHITE),
        }[what]
    point = parse_point({"row": f"A{where}", "column": f"{where}1"}.get(what, where))
    tellers = {
        "row": description.row,
        "column": description.column,
        "group": description.group,
        "near": description.near,
    }
    return tellers[what](rows, point)


def sentences(text: str) -> list[str]:
    """The lines of a text; what is indented deeper goes on with the one above."""
    return re.sub(r"\n +", " ", dedent(text).strip()).splitlines()


@pytest.mark.parametrize(("diagram", "asked", "lines"), TOLD)
def test_boards_are_told_in_these_sentences(diagram: str, asked: str, lines: str) -> None:
    """A board, a question, and the answer that a listener gets."""
    gone = dead(diagram)
    rows = board_rows(board(diagram), gone or None)
    assert told(rows, asked) == sentences(lines)


@settings(max_examples=examples(300))
@given(seven_state_rows())
def test_every_stone_is_told_exactly_once(rows: tuple[str, ...]) -> None:
    """From the rows alone the stones can be set up again, whatever is on the board."""
    heard: Counter[tuple[str, str]] = Counter()
    for line in description.stones_by_row(rows):
        _, _, said = line.removesuffix(".").partition(": ")
        for part in said.split("; "):
            if found := re.fullmatch(r"((?:dead )?(?:Black|White)) ([A-Z0-9, ]+)", part):
                heard.update((found[1], name) for name in found[2].split(", "))
    names = {"b": "Black", "w": "White", "c": "dead Black", "x": "dead White"}
    stones = ((names[state], str(point)) for state in names for point in points_in(rows, state))
    assert heard == Counter(stones)


@settings(max_examples=examples(80))
@given(marked_boards())
def test_chains_and_their_liberties_are_right(marked: tuple[Board, frozenset[Point]]) -> None:
    """Each stone is in one chain, and its liberties are those that a plain flood finds."""
    made, gone = marked
    stones = {point: one for point in points_of(made.size) if (one := made.color(point))}
    chains = description.chains(board_rows(made, gone))
    assert Counter(stone for chain in chains for stone in chain.stones) == Counter(list(stones))
    for chain in chains:
        assert set(chain.stones) == naive.chain(made.size, stones, chain.stones[0])
        assert chain.color is stones[chain.stones[0]]
        beside = {near for stone in chain.stones for near in naive.beside(made.size, stone)}
        assert set(chain.liberties) == beside - set(stones)


@settings(max_examples=examples(300))
@given(seven_state_rows())
def test_no_atari_is_overlooked(rows: tuple[str, ...]) -> None:
    """The few chains that are looked at closely are all that may have one liberty."""
    short = [chain for chain in description.chains(rows) if chain.in_atari]
    assert description.in_atari(rows) == short


@settings(max_examples=examples(80))
@given(st.data())
def test_every_question_has_an_answer(data: st.DataObject) -> None:
    """Whatever is on the board, and wherever one asks, there are sentences and each ends as one."""
    rows = data.draw(seven_state_rows())
    point = data.draw(around(rows))
    for asked in ("atari", "dead", "rows", "black", "white"):
        assert all(line.endswith(".") for line in told(rows, asked))
    for asked in (f"row {point.row + 1}", f"column {column_name(point.column)}"):
        assert told(rows, asked)[0].startswith(asked.capitalize()[:4])
    for asked in ("near", "group"):
        lines = told(rows, f"{asked} {point}")
        assert str(point) in lines[0]
        assert all(line.endswith(".") for line in lines)


@cache
def spoken(text: str) -> str:
    """The sounds that espeak-ng makes of a text, without stress and pauses."""
    command = ["espeak-ng", "-v", "en-us", "-q", "--ipa", text]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return re.sub(r"[ˈˌ\s]", "", said)


@pytest.mark.peer("espeak-ng")
@pytest.mark.parametrize(("diagram", "asked"), [(one[0], one[1]) for one in TOLD])
def test_each_point_is_heard_by_its_name(diagram: str, asked: str) -> None:
    """A speech synthesizer says every point as it says it alone: no `A` becomes an article."""
    for line in told(board_rows(board(diagram), dead(diagram) or None), asked):
        heard = spoken(line)
        for point in re.findall(r"\b[A-Z][0-9]{1,2}\b", line):
            _, found, heard = heard.partition(spoken(point))
            assert found, f"{point} in: {line}"
