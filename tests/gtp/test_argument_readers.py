"""GTP lines and responses: parsing and framing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from godaemon.errors import Unreadable
from godaemon.rules.points import LETTERS, Color, Point
from gtp import argument_readers
from gtp.client import syntax
from gtp.client.syntax import Reply, Request

LINES = st.binary(max_size=60) | st.text(max_size=60).map(lambda text: text.encode("utf-8"))
TEXTS = st.text(alphabet=st.characters(codec="utf-8") | st.sampled_from("\n\r\t\0 =?"), max_size=40)


@pytest.mark.parametrize(
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
def test_parse(line: bytes | str, request_: Request | None) -> None:
    """Controls and comments go, tabs are blanks, and only an int of the spec is an id."""
    assert syntax.parse(line) == request_


@given(LINES)
def test_any_line_parses(line: bytes) -> None:
    """Whatever arrives is a request or nothing, and its words hold no blank or control."""
    found = syntax.parse(line)
    if found is not None:
        assert found.id is None or 0 <= found.id <= syntax.LARGEST_INT
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
def test_encode(reply: Reply, number: int | None, frame: bytes) -> None:
    """There is a blank after the sign and id, and one blank line, at the end."""
    assert syntax.encode(reply, number) == frame


@given(st.booleans(), TEXTS, st.none() | st.integers(0, syntax.LARGEST_INT))
def test_any_text_is_one_frame(ok: bool, text: str, number: int | None) -> None:
    """Whatever a text holds, it goes out as one frame that a client reads back whole."""
    frame = syntax.encode(Reply(ok, text), number)
    label = "" if number is None else str(number)
    assert frame.startswith(f"{'=' if ok else '?'}{label} ".encode())
    assert frame.endswith(b"\n\n")
    assert b"\n\n" not in frame[:-1]
    assert not set(frame) & {*range(9), *range(11, 32), 127}


@given(st.sampled_from(LETTERS), st.integers(1, 25), st.booleans())
def test_vertices_in_either_case(letter: str, row: int, lower: bool) -> None:
    """A vertex reads the same in either case, and is written in upper case."""
    text = f"{letter}{row}"
    point = argument_readers.vertex((text.lower() if lower else text,), 0)
    assert point == Point(LETTERS.index(letter), row - 1)
    assert argument_readers.format_vertex(point) == text


@pytest.mark.parametrize("text", ["pass", "PASS", "Pass"])
def test_pass(text: str) -> None:
    """Pass in any case is the vertex that is no point, and is written in lower case."""
    assert argument_readers.vertex((text,), 0) is None
    assert argument_readers.format_vertex(None) == "pass"


def test_bug_a_seat_gave_out_columns_that_it_did_not_read() -> None:
    """On boards of more than 25 columns the 26th is AA, and the 52nd BB."""
    points = [argument_readers.vertex((text,), 0) for text in ("AA1", "bb52", "Z3", "aA1", "Aa1")]
    assert points == [Point(25, 0), Point(26 + 25, 51), Point(24, 2), *[Point(25, 0)] * 2]


@pytest.mark.parametrize(
    "text", ["I4", "i4", "D", "4", "D0", "D-1", "D+1", "D4x", "ZA1", "AAA1", "resign"]
)
def test_no_vertex(text: str) -> None:
    """What is not of the form of a vertex is a syntax error; column I is never shifted."""
    with pytest.raises(Unreadable, match=r"^syntax error$"):
        argument_readers.vertex((text,), 0)


@pytest.mark.parametrize("text", ["b", "B", "black", "BLACK", "Black"])
def test_color(text: str) -> None:
    """Colours read in any case and in both forms."""
    assert argument_readers.color((text,), 0) is Color.BLACK


def test_other_readers() -> None:
    """Ints and floats are those of the specification, and nothing Python adds."""
    assert argument_readers.integer(("2147483647",), 0) == syntax.LARGEST_INT
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
