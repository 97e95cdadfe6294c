"""The encoding of an SGF file, from what it names and from how its words read."""

from __future__ import annotations

import codecs

import pytest

from godaemon.records.sgf import read, write
from godaemon.records.sgf_charset import charset
from tests.records.go_names import ENCODINGS, FIRST, SECOND, Game


def file(game: Game, named: str = "") -> str:
    """A record with no more than those words in it."""
    told = "".join(f"{name}[{words}]" for name, words in zip(("EV", "PC"), game[2:], strict=False))
    return f"(;GM[1]{named}SZ[19]PB[{game[0]}]PW[{game[1]}]{told};B[pd]C[{game[-1]}];W[dp])"


def read_right(games: dict[str, list[Game]]) -> tuple[list[str], int]:
    """The files whose encoding was seen wrongly, and how many there were."""
    wrong, count = [], 0
    for script, written in games.items():
        for game in written:
            for encoding in ENCODINGS[script]:
                text = file(game)
                count += 1
                if text.encode(encoding).decode(charset(text.encode(encoding)), "replace") != text:
                    wrong.append(f"{encoding}: {game[0]}, {game[1]}")
    return wrong, count


@pytest.mark.parametrize(("games", "most"), [(FIRST, 2), (SECOND, 4)], ids=["first", "second"])
def test_names_are_read_as_they_were_written(games: dict[str, list[Game]], most: int) -> None:
    """Two names are nearly always enough; the second set was written after the rule."""
    wrong, count = read_right(games)
    assert count > 75
    assert len(wrong) <= most, wrong


@pytest.mark.parametrize(
    "encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-8-sig", "iso2022_jp"]
)
def test_what_the_bytes_prove(encoding: str) -> None:
    """A byte order mark, zeros and escapes tell, with a name for the encoding and without."""
    for named in ("", "CA[UTF-16]", "CA[GB2312]"):
        text = file(("井山裕太", "一力遼", "名人戦"), named)
        record = read(text.encode(encoding))
        assert (record.black, record.white, record.event) == ("井山裕太", "一力遼", "名人戦")
        assert b"CA[UTF-8]" in write(record).encode()


@pytest.mark.parametrize(
    ("named", "encoding"),
    [
        ("GB2312", "gb18030"),
        ("gbk", "gbk"),
        ("BIG5", "cp950"),
        ("SJIS", "cp932"),
        ("EUC-KR", "cp949"),
        ("ks_c_5601-1987", "cp949"),
        ("KOI8-R", "koi8-r"),
        ("windows-1252", "cp1252"),
    ],
)
def test_the_encoding_that_a_file_names(named: str, encoding: str) -> None:
    """It is taken for the widest set of that name: programs write more than it has."""
    assert charset(f"(;CA[{named}]PB[".encode() + b"\xb9\xc5\xc1\xa6])") in {
        encoding,
        "gb18030" if encoding == "gbk" else encoding,
    }


@pytest.mark.parametrize(
    ("text", "named", "encoding"),
    [("柯洁", "GBK", "utf-8"), ("柯洁", "ISO-8859-1", "utf-8"), ("古力", "UTF-8", "gbk")],
)
def test_a_file_that_names_another_encoding_than_its_own(
    text: str, named: str, encoding: str
) -> None:
    """Bytes prove more than names do: UTF-8 is no accident, and what is not UTF-8 cannot be."""
    data = f"(;CA[{named}]SZ[19]PB[{text}])".encode(encoding)
    assert read(data).black == text


def test_a_letter_cut_in_two() -> None:
    """One letter cut by a server does not make a file of another encoding."""
    cut = "(;PB[李昌鎬]PW[".encode() + "李世乭".encode()[:-1] + "];C[좋은 수입니다])".encode()
    assert read(cut).black == "李昌鎬"
    assert charset("(;PB[柯洁".encode()[:-1]) == "utf-8"
    assert charset(codecs.BOM_UTF8 + b"(;PB[\xff])") == "utf-8"


def test_an_encoding_that_is_only_spoken_of() -> None:
    """Words that look like CA, in a comment or at the end of another name, name no encoding."""
    record = read("(;CA[UTF-8]SZ[9]C[КCA[gbk]PB[Илья];B[ee]BRCA[gbk])".encode())
    assert record.black == "Илья"
    assert read(write(record).encode()) == record
