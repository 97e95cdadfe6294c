"""Files in the style of twenty programs and servers, each in ten encodings."""

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import pytest

from godaemon.records.record import Record
from godaemon.records.sgf import format_sgf, parse_sgf
from tests.support import places
from tests.support.blocks import read_blocks

WORDS = {
    "utf-8": ("柯洁", "Böb", "Grüße, 妙手！"),
    "utf-16": ("古力", "이창호", "良い手"),
    "gbk": ("芈昱廷", "时越", "白棋这一手是好点，黑棋不能脱先。"),
    "big5": ("周俊勳", "陳詩淵", "白棋這手棋下得很好。"),
    "shift_jis": ("井山裕太", "表示能登", "ここで黒が手を抜いた。"),
    "euc_jp": ("一力遼", "芝野虎丸", "白は２と受けるしかない。"),
    "euc_kr": ("박정환", "신진서", "이 수가 좋았다."),
    "windows-1251": ("Александр", "Наталья", "Хороший ход!"),
    "koi8-r": ("Тимур Санкин", "Илья", "Белым трудно."),
    "windows-1252": ("José", "Jürgen Groß", "Très bon coup !"),
}


class Dialect(NamedTuple):
    """A program's format with placeholders for names, words and encoding; the expected content."""

    text: str
    komi: str = "6.5"
    result: str = "B+R"
    rules: str = ""


def read_dialects() -> Iterator[tuple[str, Dialect]]:
    """The programs of the file, by their names."""
    for head, text in read_blocks(places.DATA / "dialects" / "programs.txt").items():
        name, *facts = head.split("; ")
        yield name, Dialect(text, **dict(fact.split("=", 1) for fact in facts))


DIALECTS = dict(read_dialects())


def as_written(dialect: Dialect, encoding: str) -> bytes | None:
    """The file in an encoding; None where the program's own words cannot be in it."""
    black, white, words = WORDS[encoding]
    text = dialect.text
    for name, put in (("{ca}", encoding), ("{b}", black), ("{w}", white), ("{c}", words)):
        text = text.replace(name, put)
    try:
        return text.encode(encoding)
    except UnicodeEncodeError:
        return None


def line_of(record: Record) -> str:
    """The moves in SGF's letters, whatever the board."""
    top = record.size.height
    points = [point for _, point in record.moves]
    return " ".join(
        "-" if point is None else f"{chr(97 + point.column)}{chr(96 + top - point.row)}"
        for point in points
    )


@pytest.mark.parametrize("named", [True, False], ids=["named", "unnamed"])
@pytest.mark.parametrize("program", DIALECTS)
def test_programs_are_read_in_ten_encodings(program: str, named: bool) -> None:
    """The game is complete, also after it is rewritten as UTF-8 with CA."""
    dialect = DIALECTS[program]
    if not named:
        dialect = dialect._replace(text=dialect.text.replace("CA[{ca}]", ""))
    done = 0
    for encoding, (black, white, words) in WORDS.items():
        data = as_written(dialect, encoding)
        if data is None:
            continue
        record, done = parse_sgf(data), done + 1
        assert (record.black, record.white) == (black, white), encoding
        texts = [record.event, record.name, *record.info.values(), *record.comments.values()]
        assert any(words in (text or "") for text in texts), encoding
        assert line_of(record) == "ee cc gg -"
        assert (f"{record.komi:g}", record.result, record.rules) == dialect[1:]
        anew = format_sgf(record)
        assert "CA[UTF-8]" in anew
        assert parse_sgf(anew.encode()) == record
    assert done >= 2


def test_other_properties_are_kept() -> None:
    """Times in words, several values of a property, private marks."""
    kiin = parse_sgf(as_written(DIALECTS["Nihon Kiin"], "shift_jis") or b"")
    assert (kiin.main_time, kiin.overtime, kiin.date) == (3600, "5x30 byo-yomi", "2026-11-22")
    assert "GK[1]" in format_sgf(kiin)
    fox = parse_sgf(as_written(DIALECTS["Fox"], "gbk") or b"")
    assert (fox.main_time, fox.overtime) == (300, "3x30 byo-yomi")
    assert "RL[0]" in format_sgf(fox)
    lizzie = format_sgf(parse_sgf(as_written(DIALECTS["Lizzie"], "utf-8") or b""))
    assert "winrate 5180 pv C7 G3" in lizzie
    dictionary = parse_sgf(as_written(DIALECTS["KoGo's dictionary by Jago"], "utf-8") or b"")
    assert replace(dictionary, tree=()) != dictionary
    assert format_sgf(dictionary).count(";W[g") == 2
