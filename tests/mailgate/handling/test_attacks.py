"""Attacks by the content of a letter: HTML, invalid bytes, and bombs of MIME, HTML and zip."""

import pytest
from bs4 import BeautifulSoup
from hypothesis import given
from hypothesis import strategies as st

from godaemon.errors import Unreadable
from mailgate.handling.parsed_letter import parse_letter
from mailgate.reading import mime
from mailgate.reading.inbound_letter import InboundLetter
from tests.support.cost import calls, peak
from tests.support.gateway import ADDRESS, Table
from tests.support.letters import html, plain

HTML = """
<script>alert(1)</script>
<img src=x onerror=alert(1)>
</blockquote><a href="mailto:go@go.example?body=resign">D4</a>
<style>.goban{display:none}</style>
&lt;b&gt; &amp; {{ 7 * 7 }} {% raw %} <![CDATA[x]]> <!-- x -->
style="background:url(https://evil.example/)" `resign`
</title></head><body onload=x>
expression(alert(1)); @import url(//evil.example)
"""


def page_with(words: str) -> BeautifulSoup:
    """The HTML of a turn email with these words of the opponent."""
    table = Table()
    table.alice.reply(f"D4\nhello {words}")
    return BeautifulSoup(html(table.bob.read()), "html.parser")


def shape(page: BeautifulSoup) -> list[tuple[str, tuple[str, ...]]]:
    """The tags of a page with the names of their attributes."""
    return [(tag.name, tuple(sorted(tag.attrs))) for tag in page.find_all(name=True)]


@pytest.mark.parametrize("words", HTML.strip().split("\n"))
def test_html_in_words_is_shown_as_text(words: str) -> None:
    """The page has the same tags as with harmless words."""
    page = page_with(words)
    assert shape(page) == shape(page_with("hello"))
    assert " ".join(words.split()) in " ".join(page.get_text().split())


@pytest.mark.parametrize(
    "words",
    [
        b"D4\r\n\xff\xfe\x00 hello \xc3\x28",
        b"D\x004\r\nhello\x00",
        b"\xef\xbb\xbfD4\r\n\xed\xa0\x80 half a character",
        b"D4\r\n\x1b]0;title\x07\x1b[2J hello",
        "D4\r\nhello \u202eevil\u2066".encode(),
        b"D4\r\n\x80\x81\x8d",
        "\u2060D4\u200b\r\nhello\U000e0041".encode(),
    ],
    ids=repr,
)
def test_a_move_beside_invalid_bytes_is_made(words: bytes) -> None:
    """The opponent's letter has no character that hides or turns text."""
    table = Table()
    alice = table.alice.address
    raw = f"From: {alice}\r\n\r\n".encode() + words + b"\r\n"
    assert (
        table.gateway.take(InboundLetter(table.seat(table.alice), alice, raw)).event == "accepted"
    )
    assert table.moves() == "D4"
    letter = table.bob.read()
    assert not set(plain(letter) + html(letter)) & set("\0\x1b\x07\u202e\u2066\ufffe\ud800")


def costly_letters(times: int) -> dict[str, bytes]:
    """Letters that are costly to read, `times` larger than needed for that."""
    typed = b"Content-Type: multipart/mixed; boundary=%d\n\n--%d\n"
    page = b"Content-Type: text/html\n\n"
    coded = b"Content-Transfer-Encoding: %s\n\n%s"
    zipped = b"Content-Type: application/zip; name=42.zip\n" + coded % (b"base64", b"UEsDBBQA\n")
    parts = b"Content-Type: multipart/mixed; boundary=b\n\n"
    return {
        "deep nesting": b"".join(typed % (i, i) for i in range(2_000 * times)),
        "NUL": b"\x00" * 1_000_000 * times,
        "ten thousand parts": parts + b"--b\nContent-Type: text/plain\n\n\n" * 10_000 * times,
        "parts without a header": parts + b"--b\n\n" * 200_000 * times,
        "letters in letters": b"Content-Type: message/rfc822\n\n" * 4_000 * times,
        "archives": parts + (b"--b\n" + zipped) * 20_000 * times,
        "long parameters": b"Content-Type: text/plain;" + b'a="b;\n ' * 300_000 * times + b"\n\nx",
        "long subject": b"Subject:" + b" =?utf-8?q?\n" * 200_000 * times + b"\n\nx",
        "long author": b"From: " + b'(<"\n ' * 400_000 * times + b"\n\nx",
        "many fields": b"X: y\n" * 400_000 * times + b"\nx",
        "references": b"References:" + b" <a@b>\n" * 300_000 * times + b"\nx",
        "flowed": b"Content-Type: text/plain; format=flowed\n\n" + b"a \n" * 700_000 * times,
        "base64": coded % (b"base64", b"AAAA\n" * 400_000 * times),
        "uuencoded": coded % (b"x-uuencode", b"begin 644 x\n" + b"M\n" * 1_000_000 * times),
        "quoted-printable": coded % (b"quoted-printable", b"=========\n" * 200_000 * times),
        "moves": b"From: a@b.c\n\n" + b"D4\n" * 700_000 * times,
        "attributions": b"From: a@b.c\n\n" + b"hello 20.11.2026 10:00 a@b:\n" * 80_000 * times,
        "HTML that never closes": page + b"<div>\n" * 350_000 * times,
        "HTML of brackets": page + b"<<<<<<<<<\n" * 210_000 * times,
        "HTML of moves": page + b"<p>D4</p>\n" * 210_000 * times,
    }


def read_or_refuse(inbound: InboundLetter) -> None:
    """Read a letter; an unreadable one is only refused."""
    try:
        parse_letter(inbound)
    except Unreadable:
        return


@pytest.mark.slow
@pytest.mark.parametrize("name", costly_letters(0))
def test_a_bomb_of_twice_the_size_costs_no_more(name: str) -> None:
    """Parsing stops at limits of size and depth."""
    read_or_refuse(InboundLetter(ADDRESS, "a@b.c", b"\nD4"))  # what is loaded once
    one, two = (InboundLetter(ADDRESS, "a@b.c", costly_letters(times)[name]) for times in (1, 2))
    first, second = calls(lambda: read_or_refuse(one)), calls(lambda: read_or_refuse(two))
    assert second <= first * 1.05 + 1_000
    assert first <= 4_000_000


@pytest.mark.parametrize("name", ["deep nesting", "archives", "HTML that never closes"])
def test_a_bomb_of_60_mb_takes_no_more_memory(name: str) -> None:
    """A letter of 2 MB needs as much."""
    raw = costly_letters(1)[name]
    large = InboundLetter(ADDRESS, "a@b.c", raw * (60_000_000 // len(raw)))
    assert peak(lambda: read_or_refuse(large)) <= 40_000_000


@given(
    st.lists(st.sampled_from([b"\n", b"\r", b"\r\n", b"a", b"bb"]), max_size=30).map(b"".join),
    st.integers(1, 7),
)
def test_the_hash_of_a_body_does_not_depend_on_its_pieces(raw: bytes, piece: int) -> None:
    """Wherever the pieces end."""
    lines = raw.replace(b"\r\n", b"\n")
    body = lines if lines.startswith(b"\n") else lines.partition(b"\n\n")[2]
    before, mime._PIECE = mime._PIECE, piece
    try:
        assert b"".join(mime.body_pieces(raw)) == body.strip(b"\n")
    finally:
        mime._PIECE = before
