"""GTP lines and responses: parsing and framing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from godaemon.errors import Unreadable
from godaemon.rules.points import LETTERS, Color, Point
from gtp import argument_readers
from gtp.client import syntax
from gtp.client.syntax import Reply, Request
from tests.support.rows import each_row

LINES = st.binary(max_size=60) | st.text(max_size=60).map(lambda text: text.encode("utf-8"))
TEXTS = st.text(alphabet=st.characters(codec="utf-8") | st.sampled_from("\n\r\t\0 =?"), max_size=40)


@each_row(
    ("line", "request_"),
    [
        ("play b d4", Request(None, "play", ("b", "d4"))),
        (b"\xef\xbb\xbfname\r", Request(None, "name", ())),
        (b"12\tname\t# words", Request(12, "name", ())),
        ("loadsgf caf\u00e9.sgf", Request(None, "loadsgf", ("caf\u00e9.sgf",))),
        ("0" * 5000 + "7 name", Request(7, "name", ())),
        ("9" * 5000 + " name", Request(None, "9" * 5000, ("name",))),
        ("\u0663 name", Request(None, "\u0663", ("name",))),
        ("#", None),
        (" \t ", None),
    ],
)
def test_a_line_is_parsed(line: bytes | str, request_: Request | None) -> None:
    """Controls and comments are dropped, tabs are blanks, and only an int is an id."""
    assert syntax.parse(line) == request_


@given(LINES)
def test_any_line_is_a_request_or_nothing(line: bytes) -> None:
    """The words of a request contain no blank and no control character."""
    found = syntax.parse(line)
    if found is not None:
        assert found.id is None or 0 <= found.id <= syntax.MAX_INT
        for word in (found.name, *found.arguments):
            assert not set(word) & {*map(chr, range(33)), "#", "\x7f"}


@pytest.mark.parametrize(
    ("line", "interrupt"),
    [
        (b"# interrupt", True),
        (b"#interrupt\r", True),
        (b"  # interrupt  ", True),
        (b"# interrupted", False),
        (b"name # interrupt", False),
        (b"interrupt", False),
    ],
)
def test_is_interrupt(line: bytes, interrupt: bool) -> None:
    """Only GoGui's comment, alone on its line, is an interrupt."""
    assert syntax.is_interrupt(line) is interrupt


@pytest.mark.parametrize(
    ("reply", "number", "frame"),
    [
        (Reply(ok=True, text=""), None, b"= \n\n"),
        (Reply(ok=True, text="D4"), 7, b"=7 D4\n\n"),
        (Reply(ok=False, text="syntax error"), 0, b"?0 syntax error\n\n"),
        (Reply(ok=True, text="\nA\n\n \nB\n\n"), None, b"= \nA\nB\n\n"),
        (Reply(ok=True, text="a\rb\0c"), None, b"= abc\n\n"),
    ],
)
def test_a_reply_is_framed(reply: Reply, number: int | None, frame: bytes) -> None:
    """A blank follows the sign and id, and a blank line ends the frame."""
    assert syntax.encode(reply, number) == frame


@given(st.booleans(), TEXTS, st.none() | st.integers(0, syntax.MAX_INT))
def test_any_text_is_one_frame(ok: bool, text: str, number: int | None) -> None:
    """A client reads it back whole."""
    frame = syntax.encode(Reply(ok, text), number)
    label = "" if number is None else str(number)
    assert frame.startswith(f"{'=' if ok else '?'}{label} ".encode())
    assert frame.endswith(b"\n\n")
    assert b"\n\n" not in frame[:-1]
    assert not set(frame) & {*range(9), *range(11, 32), 127}


@given(st.sampled_from(LETTERS), st.integers(1, 25), st.booleans())
def test_vertices_are_read_in_either_case(letter: str, row: int, lower: bool) -> None:
    """They are written in upper case."""
    text = f"{letter}{row}"
    point = argument_readers.vertex((text.lower() if lower else text,), 0)
    assert point == Point(LETTERS.index(letter), row - 1)
    assert argument_readers.format_vertex(point) == text


@pytest.mark.parametrize(
    ("texts", "point"),
    [
        ("pass PASS Pass", None),
        ("AA1 aA1 Aa1", Point(25, 0)),
        ("bb52", Point(26 + 25, 51)),
        ("Z3", Point(24, 2)),
    ],
)
def test_passes_and_columns_beyond_the_25th_are_vertices(texts: str, point: Point | None) -> None:
    """Bug: a seat did not read vertices of two letters that it had written."""
    assert {argument_readers.vertex((text,), 0) for text in texts.split()} == {point}
    assert texts.startswith((argument_readers.format_vertex(point), "bb52"))


@each_row("text", ["I4", "i4", "D", "4", "D0", "D-1", "D+1", "D4x", "ZA1", "AAA1", "resign"])
def test_other_text_is_no_vertex(text: str) -> None:
    """It is a syntax error; column I is never shifted."""
    with pytest.raises(Unreadable, match=r"^syntax error$"):
        argument_readers.vertex((text,), 0)


def test_colors_are_words_or_letters_in_any_case() -> None:
    """As in the specification."""
    for text in ("b", "B", "black", "BLACK", "Black"):
        assert argument_readers.color((text,), 0) is Color.BLACK


def test_numbers_are_those_of_the_specification() -> None:
    """Forms that only Python accepts are refused."""
    assert argument_readers.integer(("2147483647",), 0) == syntax.MAX_INT
    assert argument_readers.decimal(("-.5e1",), 0) == -5
    for reader in (
        argument_readers.integer,
        argument_readers.decimal,
        argument_readers.seconds,
        argument_readers.color,
        argument_readers.vertex,
    ):
        for text in ("1_0", "inf", "True", "\u0663", "0x1"):
            with pytest.raises(Unreadable):
                reader((text,), 0)
        with pytest.raises(Unreadable):
            reader((), 0)
