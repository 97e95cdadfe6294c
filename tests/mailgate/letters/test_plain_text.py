"""Letters as plain text: line width, and boards that are no commands."""

import re
import textwrap

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from godaemon.diagrams.text import text_board
from godaemon.rules.points import Size
from godaemon.texts.catalogue import _catalogue, languages, speaking
from mailgate.language.command_lines import is_command_line
from mailgate.letters.blocks import Choices, LetterBlocks, Table, Words
from mailgate.letters.plain_text import WIDTH, text_of, wrap_safely
from tests.support.boards import points_of, seven_state_rows
from tests.support.examples import examples

SENTENCES = {
    language: [form for forms in _catalogue(language).forms.values() for form in forms]
    for language in languages()
}
VALUES = ["resign", "done", "yes", "D4", "dead B2", "はい", "投了", "stop", "resume"]
WIDE = st.builds(Size, st.integers(5, 30), st.integers(1, 12))
"""Boards of more than four columns: a row of fewer may look like a move."""


@settings(max_examples=examples(300))
@given(st.data(), seven_state_rows(WIDE), st.booleans(), st.sampled_from([0, 2, 4]))
def test_no_line_of_a_board_is_a_command(
    data: st.DataObject, rows: tuple[str, ...], fancy: bool, sides: int
) -> None:
    """In any style and state, so no line needs a mark."""
    last = data.draw(st.none() | points_of(rows))
    drawn = text_board(rows, last=last, fancy=fancy, sides=sides).split("\n")
    assert not list(filter(is_command_line, drawn))
    assert not [line for line in drawn if line != line.rstrip()]


@settings(max_examples=examples(300))
@given(
    st.lists(st.sampled_from([*"ab -\té", "é\u00a0:"])).map("".join),
    st.sampled_from(["", "- ", "  Reply with: x  "]),
)
def test_wrapping_agrees_with_textwrap(words: str, first: str) -> None:
    """With any spaces and prefix, unless a line would be a command."""
    lines = textwrap.wrap(
        words,
        WIDTH,
        initial_indent=first,
        subsequent_indent="  ",
        break_long_words=False,
        break_on_hyphens=False,
    )
    assume(not any(map(is_command_line, lines)))
    assert wrap_safely(words, first=first, rest="  ") == "\n".join(lines)


@settings(max_examples=examples(1000))
@given(st.data(), st.sampled_from(languages()))
def test_no_line_of_a_paragraph_is_a_command(data: st.DataObject, language: str) -> None:
    """However it is wrapped, and whatever is filled in, in every language."""
    text = st.text(st.sampled_from("ab 名前"), max_size=30)
    values = text.map(lambda one: " ".join(one.split())) | st.sampled_from(VALUES)
    sentences = SENTENCES[language]
    menus = [one for one in sentences if " > " in one]
    sentence = data.draw(st.sampled_from(sentences) | st.sampled_from(menus))
    filled = re.sub(r"\{\w+\}", lambda _: data.draw(values), sentence)
    words = f"{data.draw(st.sampled_from(VALUES))}{data.draw(values)} {filled}"
    with speaking(language):
        lines = text_of(LetterBlocks("News.", (Words(words),))).splitlines()
    assert not [line for line in lines if line.startswith(">") or is_command_line(line)]


def test_a_choice_is_separated_from_its_effect() -> None:
    """However long the line to send is."""
    for width in range(1, 30):
        choices = Choices((("x" * width, "does that"), ("y", "does this")))
        assert re.search(rf" x{{{width}}}\s+does that", text_of(LetterBlocks("News.", (choices,))))


def test_table_cells_wrap_into_safe_lines() -> None:
    """Lines to send break where no mark is needed."""
    for width in range(1, 24):
        rows = (("A" * width, "x" * 20, "emails my-turn, digest at 19, stop"), ("B", "y", "stop"))
        text = text_of(LetterBlocks("News.", (Table((), rows, figures=False),)))
        assert not re.search(r"(?m)^ *([|>]|\.\.\.)", text), text
