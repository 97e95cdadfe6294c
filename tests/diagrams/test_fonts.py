"""Fonts in pictures have every character of names."""

import shutil
from base64 import b64encode
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import ImageFont

from godaemon.diagrams import fonts
from godaemon.diagrams.drawing import Text
from godaemon.diagrams.picture import BoardPicture, board_drawing
from godaemon.diagrams.raster import png
from tests.support.examples import examples


def forget() -> None:
    """Search the machine's fonts again."""
    for cached in (fonts._find_font, fonts._load_font, fonts._exists, fonts._has):
        cached.cache_clear()


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of fonts of a machine that has none yet."""
    monkeypatch.setenv("XDG_DATA_DIRS", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    folder = tmp_path / "fonts" / "of" / "all" / "kinds"
    folder.mkdir(parents=True)
    forget()
    yield folder
    forget()


def drawn(*lines: str) -> str:
    """A picture of these lines, as a comparable value."""
    notes = [Text(0, 0.3 + at, line, 0.3, "#000", True, 9) for at, line in enumerate(lines)]
    return b64encode(png(board_drawing(BoardPicture(("...",)), notes=notes))).decode()


@pytest.mark.parametrize("block", ["00c0-024f", "0370-03ff", "0400-0525", "1e00-1efb", "1f00-1fff"])
def test_every_letter_of_latin_greek_and_cyrillic_is_drawn(machine: Path, block: str) -> None:
    """By the font that comes with us, on a machine without fonts."""
    first, last = (int(end, 16) for end in block.split("-"))
    letters = [chr(at) for at in range(first, last + 1) if chr(at).isalpha()]
    missing = [letter for letter in letters if not fonts.can_write(letter)]
    assert not missing
    assert len({drawn(letter) for letter in letters[:12]}) == 12


@pytest.mark.parametrize(
    "name",
    ["Böb", "Nguyễn Thị Ánh", "Ἀλέξανδρος", "Ґалаґан", "Հայկ", "ქართული", "Žižek-Łukasz O'Brien"],
)
def test_names_are_drawn_with_the_font_that_comes_with_us(machine: Path, name: str) -> None:
    """Characters look different from each other and from the replacement glyph."""
    assert fonts.can_write(name)
    assert "".join(words for _, words in fonts.font_runs(name)) == name
    assert drawn(name) not in {drawn("?" * len(name)), drawn("\uffff" * len(name)), drawn("")}


def test_a_name_for_which_there_is_no_font_is_left_out(machine: Path) -> None:
    """It is not drawn as something that it is not."""
    assert not fonts.can_write("柯洁")
    assert drawn("柯洁 (black)") == drawn("(black)")
    assert not fonts.can_write("🎉")


def test_a_font_of_the_machine_serves_for_what_ours_has_not(
    machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the script's name; words that ours has are drawn in ours."""
    shutil.copy(fonts.OURS, machine / "NotoSansCyrillic-Regular.ttf")
    plain = machine / "plain.ttf"
    ascii_alone = ImageFont.load_default(12)
    assert isinstance(ascii_alone, ImageFont.FreeTypeFont)
    assert isinstance(ascii_alone.path, BytesIO)
    plain.write_bytes(ascii_alone.path.getvalue())
    monkeypatch.setattr(fonts, "OURS", str(plain))
    found = list(fonts.font_runs("Игорь Юрьевич (black)"))
    cyrillic = "NotoSansCyrillic-Regular.ttf"
    assert found == [(cyrillic, "Игорь Юрьевич"), (str(plain), " (black)")]


@pytest.mark.peer("raqm")
def test_names_that_run_to_the_left_leave_the_line_as_it_is(machine: Path) -> None:
    """The line still begins at the left, with the name."""
    assert fonts.can_write("שלום כהן")
    line = "שלום כהן, Anna"
    assert drawn(line) != drawn("Anna שלום כהן,")
    assert drawn(f"\u202e{line}\u202c") == drawn(line)


def test_names_that_run_to_the_left_are_left_out_where_they_cannot_be_turned(
    machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Backwards they would be other names."""
    monkeypatch.setattr(fonts, "DIRECTION", None)
    assert not fonts.can_write("שלום")
    assert fonts.can_write("Böb")


@pytest.mark.parametrize(
    ("name", "same"),
    [
        ("Bo\u0308b", "Böb"),
        ("Bob 🎉", "Bob"),
        ("👩\u200d💻Bob\ufe0f", "Bob"),
        ("\U0001d4d1\U0001d4f8\U0001d4eb", "Bob"),
        ("\uff22\uff4f\uff42", "Bob"),
        ("b" + "\u0301\u0302\u0303" * 9, "b\u0301\u0302"),
        ("a\u202etxt.exe", "atxt.exe"),
    ],
)
def test_what_is_no_letter_does_no_harm(machine: Path, name: str, same: str) -> None:
    """Combining marks are on their letters, and many of them do not cover the board."""
    assert fonts.can_write(name)
    assert drawn(name) == drawn(same)


@given(st.text(max_size=40))
@settings(max_examples=examples(60), deadline=None)
def test_any_words_can_be_written(words: str) -> None:
    """The same words give the same picture."""
    assert drawn(words) == drawn(words)
    assert not fonts.can_write(words) or list(fonts.font_runs(words))
