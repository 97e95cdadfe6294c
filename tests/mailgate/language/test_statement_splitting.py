"""Splitting lines into statements with placeholders."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mailgate.language.statement_splitting import (
    MAX_LINE,
    mark_text,
    sentences,
    statements,
    vertices,
)

STATEMENTS = """
D4 | d4
Nice move! D4 :-) Q16 was good | nice move / d4 / q16 was good
Hi Bob, D4 | hi bob / d4
D4, please | d4 / please
well... D4 | well / d4
D4 - your turn | d4 / your turn
komi 6.5 it is | komi 6.5 it is
at 5.30 I go | at 5.30 i go
D4です。よろしく | d4です / よろしく
D4 🙂 thanks | d4 / thanks
D4 ^_^ | d4
... |
:-) |
what now? | what now?
what now :-) ? | what now?
D4?! Really | d4? / really
¡Paso! ¿Otra? | paso / otra?
패스~ | 패스
パス〜♪ | パス
"""


@pytest.mark.parametrize("row", STATEMENTS.strip().split("\n"))
def test_a_line_is_split_into_statements(row: str) -> None:
    """At stops, commas, dashes and emoji; numbers and points stay whole."""
    line, wanted = (part.strip() for part in row.split("|"))
    found = [one.text + ("?" if one.asks else "") for one in statements(line)]
    assert found == [one for one in wanted.split(" / ") if one]


POINTS = """
D4 or Q16? | D4 Q16
d4, D4 and d-4 | D4
In 2024 it was at 5pm |
a1 AA20 | A1 AA20
Ｄ４に打つ | D4
Д4 | D4
Ж4 |
С3 и Н8 | C3 H8
黒D4 | D4
version v1.2 |
alice4@example.org |
"""


@pytest.mark.parametrize("row", POINTS.strip().split("\n"))
def test_points_are_found(row: str) -> None:
    """In any script, once each; not in numbers, times or addresses."""
    text, wanted = (part.strip() for part in row.split("|"))
    assert " ".join(vertices(text)) == wanted


MARKED = """
Bob, D4 on 9x9 or 3 more? | B, P on S or N more?
write to bob@example.org | write to A
13 x 13 with komi 6.5 | S with komi N.N
黒D4 | 黒 P
Bobby | bobby
"""


@pytest.mark.parametrize("row", MARKED.strip().split("\n"))
def test_varying_words_are_replaced_by_marks(row: str) -> None:
    """Points, sizes, numbers, names and addresses, for the model."""
    text, wanted = (part.strip() for part in row.split("|"))
    assert mark_text(text, ("bob",)) == wanted


def test_text_is_split_into_sentences() -> None:
    """In any script, with their stops."""
    assert sentences("Hi, Bo! How are you?\nD4 then. 6.5 komi。はい。D4です") == [
        *("Hi, Bo!", "How are you?", "D4 then.", "6.5 komi。", "はい。", "D4です")
    ]


@given(st.text(max_size=2 * MAX_LINE))
def test_any_line_is_split(line: str) -> None:
    """Statements are in order, within the line, and not empty."""
    found = statements(line)
    places = [place for one in found for place in (one.start, one.end)]
    assert all(any(map(str.isalnum, one.text)) for one in found)
    assert places == sorted(places)
    assert all(0 <= place <= MAX_LINE for place in places)
    assert "".join(sentences(line)).split() or not line.split()
