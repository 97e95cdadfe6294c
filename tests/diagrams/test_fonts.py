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


def clear_font_caches() -> None:
    """Search the machine's fonts again."""
    for cached in (fonts._find_font, fonts.load_font, fonts._exists, fonts._has):
        cached.cache_clear()


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of fonts of a machine that has none yet."""
    monkeypatch.setenv("XDG_DATA_DIRS", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    folder = tmp_path / "fonts" / "of" / "all" / "kinds"
    folder.mkdir(parents=True)
    clear_font_caches()
    yield folder
    clear_font_caches()


def drawn(*lines: str) -> str:
    """A picture of these lines, as a comparable value."""
    notes = [Text(0, 0.3 + at, line, 0.3, "#000", True, 9) for at, line in enumerate(lines)]
    return b64encode(png(board_drawing(BoardPicture(("...",)), notes=notes))).decode()


@pytest.mark.parametrize("block", ["00c0-024f", "0370-03ff", "0400-0525", "1e00-1efb", "1f00-1fff"])
def test_latin_greek_and_cyrillic_letters_are_drawn(machine: Path, block: str) -> None:
    """On a machine without fonts, with ours."""
    first, last = (int(end, 16) for end in block.split("-"))
    letters = [chr(at) for at in range(first, last + 1) if chr(at).isalpha()]
    missing = [letter for letter in letters if not fonts.can_write(letter)]
    assert not missing
    assert len({drawn(letter) for letter in letters[:12]}) == 12


@pytest.mark.parametrize(
    "name",
    ["Böb", "Nguyễn Thị Ánh", "Ἀλέξανδρος", "Ґалаґан", "Հայկ", "ქართული", "Žižek-Łukasz O'Brien"],
)
def test_names_are_drawn_with_our_font(machine: Path, name: str) -> None:
    """Characters differ from each other and from the replacement glyph."""
    assert fonts.can_write(name)
    assert "".join(words for _, words in fonts.font_runs(name)) == name
    assert drawn(name) not in {drawn("?" * len(name)), drawn("\uffff" * len(name)), drawn("")}


def test_a_name_without_a_font_is_left_out(machine: Path) -> None:
    """No replacement glyphs are drawn."""
    assert not fonts.can_write("柯洁")
    assert drawn("柯洁 (black)") == drawn("(black)")
    assert not fonts.can_write("🎉")


def test_a_font_of_the_machine_complements_ours(
    machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Found by the script's name."""
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
def test_a_right_to_left_name_begins_the_line(machine: Path) -> None:
    """At the left, as any other."""
    assert fonts.can_write("שלום כהן")
    line = "שלום כהן, Anna"
    assert drawn(line) != drawn("Anna שלום כהן,")
    assert drawn(f"\u202e{line}\u202c") == drawn(line)


def test_right_to_left_names_need_raqm(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
        ("a\u202etxt.exe", "atxt.exe"),
    ],
)
def test_marks_and_emoji_are_harmless(machine: Path, name: str, same: str) -> None:
    """Combining marks stay on their letters."""
    assert fonts.can_write(name)
    assert drawn(name) == drawn(same)


@given(st.text(max_size=40))
@settings(max_examples=examples(60), deadline=None)
def test_any_text_is_drawn_reproducibly(words: str) -> None:
    """The same words give the same picture."""
    assert drawn(words) == drawn(words)
    assert not fonts.can_write(words) or list(fonts.font_runs(words))
