"""Charsets, declared correctly or wrongly."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from webencodings.labels import LABELS

from mailgate.reading.mime import decode_text, header_words

SAMPLES = {
    "utf-8": "C3\nçok güzel 好",
    "utf-16le": "C3\n好",
    "utf-16be": "C3\n好",
    "ibm866": "хорошо",
    "iso-8859-2": "świetnie",
    "iso-8859-3": "ĝis",
    "iso-8859-4": "lāgi",
    "iso-8859-5": "хорошо",
    "iso-8859-6": "شكرا",
    "iso-8859-7": "ωραία",
    "iso-8859-8": "שלום",
    "iso-8859-8-i": "שלום",
    "iso-8859-10": "þakkir",
    "iso-8859-13": "ačiū",
    "iso-8859-14": "ŵyneb",
    "iso-8859-15": "5 €",
    "iso-8859-16": "bună ț",
    "koi8-r": "хорошо",
    "koi8-u": "дякую їй",
    "macintosh": "schön ∞",
    "windows-874": "ขอบคุณ €",
    "windows-1250": "świetnie “tak”",
    "windows-1251": "хорошо №",
    "windows-1252": "schön “ja”",
    "windows-1253": "ωραία “ναι”",
    "windows-1254": "çok güzel “evet”",
    "windows-1255": "שלום ₪",
    "windows-1256": "شكرا چ",
    "windows-1257": "ačiū “taip”",
    "windows-1258": "ơn “vâng”",
    "x-mac-cyrillic": "хорошо ∞",
    "gbk": "好棋",
    "gb18030": "好棋 €",
    "big5": "好棋",
    "euc-jp": "良い手",
    "iso-2022-jp": "良い手",
    "shift_jis": "良い手 ①",
    "euc-kr": "똠방각하",
}
"""What each encoding of the WHATWG has been asked for."""
PYTHON = {
    "iso-8859-8-i": "iso8859-8",
    "macintosh": "mac-roman",
    "x-mac-cyrillic": "mac-cyrillic",
    "windows-874": "cp874",
    "shift_jis": "cp932",
    "euc-kr": "cp949",
}


def test_every_whatwg_label_is_decoded() -> None:
    """Read as windows-1252, Korean or Turkish text would be illegible."""
    for label, encoding in LABELS.items():
        if encoding in ("replacement", "x-user-defined"):
            assert decode_text(b"C3", label) == "C3"
            continue
        text = SAMPLES[encoding]
        raw = text.encode(PYTHON.get(encoding, encoding))
        assert decode_text(raw, label) == text, label
        assert decode_text(raw, f' "{label.upper()}" ') == text, label


@pytest.mark.parametrize(
    ("label", "codec"),
    [
        *(("x-windows-949", "cp949"), ("x-big5", "big5"), ("x-windows-31j", "cp932")),
        *(("cp50221", "iso2022_jp"), ("iso-2022-kr", "iso2022_kr"), ("hz-gb-2312", "hz")),
        *(("cp437", "cp437"), ("johab", "johab")),
        *(("iso-2022-jp-ms", "iso2022_jp"), ("cp50220", "iso2022_jp")),
        *(("cp-1250", "cp1250"), ("windows1250", "cp1250"), ("win_1250", "cp1250")),
    ],
)
def test_other_charset_names_are_decoded(label: str, codec: str) -> None:
    """Those of Python, Java and Windows, and with a stray hyphen."""
    others = {"cp437": "schön", "cp1250": "őszintén", "big5": "好", "hz": "好"}
    text = others.get(codec, "手")
    assert decode_text(text.encode(codec), label) == text


WINDOWS = {
    b"\x1b$B-!\x1b(B": "①",
    b"\x1b$B-j\x1b(B": "㈱",
    b"\x1b$B|b\x1b(B": "髙",
    b"\x1b$@NI$$<j\x1b(J -> \x1b$By!\x1b(B\nD4": "良い手 -> 纊\nD4",
    b"\x1b$B-!HV\n\x1b$BNI$$": "①番\n良い",
    b"\x1b$B-!\x1b(I1X6^D3\x1b(B!": "①ｱﾘｶﾞﾄｳ!",
    b"\x1b$B-": "",
}


@pytest.mark.parametrize("content", WINDOWS)
def test_windows_characters_in_iso_2022_jp(content: bytes) -> None:
    """They are in rows that the standard leaves empty."""
    assert decode_text(content, "ISO-2022-JP") == WINDOWS[content]


def test_windows_characters_in_a_header() -> None:
    """In an encoded word as in a text."""
    assert header_words("=?ISO-2022-JP?Q?=1B$B-!=1B(B?= D4") == "① D4"


@pytest.mark.parametrize("label", ["UTF-7", "unicode-1-1-utf-7"])
def test_utf_7_is_not_decoded(label: str) -> None:
    """No program sends it any more, and it could hide text."""
    for text in ("Sch+APY-n, 1 +- 1", "hello +AAo-resign", "+AEQANA-"):
        assert decode_text(text.encode(), label) == text


def test_broken_utf_8_is_read_as_utf_8() -> None:
    """Only text of single bytes is read as windows-1252."""
    content = "Größe schön ".encode() + b"\xc3=B schl\xe4gt"
    assert decode_text(content, "utf-8") == "Größe schön \ufffd=B schl\ufffdgt"
    assert decode_text("Größe".encode("cp1252"), "utf-8") == "Größe"


@pytest.mark.parametrize("label", ["unicode", "utf-16", "ucs-2"])
def test_utf_16_is_decoded_only_if_it_is(label: str) -> None:
    """Some programs declare Unicode and send UTF-8."""
    assert decode_text(b"C3", label) == "C3"
    assert decode_text("C3\n手".encode(), label) == "C3\n手"


def test_both_variants_of_big5_are_decoded() -> None:
    """Of Hong Kong and of Taiwan, under one name."""
    assert decode_text("嘅 手".encode("big5hkscs"), "big5") == "嘅 手"
    assert decode_text("5 €".encode("cp950"), "big5-hkscs") == "5 €"


@given(st.binary(max_size=80), st.sampled_from([*LABELS, "iso-2022-jp-ms"]))
def test_any_bytes_are_decoded(content: bytes, label: str) -> None:
    """With any charset name."""
    assert isinstance(decode_text(content, label), str)
    assert isinstance(decode_text(b"\x1b$B" + content, label), str)
