"""SGF dialects of servers and programs, in small files and in ten encodings."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest

from godaemon.records.record import ClockReading, Record
from godaemon.records.sgf import format_sgf, parse_sgf
from godaemon.records.sgf_dialects import overtime, result
from godaemon.rules.named_rulesets import RULESETS
from godaemon.rules.points import Color, Point, Size
from tests.support import places
from tests.support.blocks import read_blocks, read_lines
from tests.support.rows import each_row

FOLDER = places.DATA / "dialects"


def record(name: str) -> Record:
    return parse_sgf((FOLDER / f"{name}.sgf").read_bytes())


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.sgf")), ids=lambda path: path.stem)
def test_files_of_servers_are_rewritten_without_loss(path: Path) -> None:
    """Nothing of what we understood of them is lost in our own file."""
    found = parse_sgf(path.read_bytes())
    assert parse_sgf(format_sgf(found).encode()) == found


FACTS: dict[str, dict[str, object]] = {
    # A variation for each move, chat in the comments, place and ranks, byo-yomi.
    "ogs": {
        "info": {"BR": "5k", "WR": "4k", "PC": "OGS: https://online-go.com/game/1"},
        "main_time": 600,
        "overtime": "5x30 byo-yomi",
        "result": "B+R",
        "ruleset": RULESETS["chinese"],
    },
    # Clocks by move with the stones left in overtime, dead stones at the end, whole words.
    "kgs": {
        "result": "W+F",
        "handicap": 2,
        "komi": 0.5,
        "to_move": None,
        "clocks": {1: ClockReading(298.25), 2: ClockReading(0.412, 25), 3: ClockReading(590, 24)},
    },
    # Komi in hundredths of stones is 7.5 points, and byo-yomi stands in TC and TT.
    "fox": {
        "black": "晓风",
        "white": "残月",
        "komi": 7.5,
        "main_time": 7200,
        "overtime": "5x60 byo-yomi",
    },
    # FF[1] with its long names, a pass as tt, and a result in full.
    "igs": {
        "size": Size(13, 13),
        "black": "emil",
        "white": "fritz",
        "result": "B+R",
        "komi": 5.5,
        "setup_black": (Point(3, 3), Point(9, 9), Point(9, 3)),
    },
    # The encoding that the file names is its own.
    "tom": {"black": "棋手甲", "result": "B+R"},
    "nihon": {"black": "表示", "result": "W+R"},
}


@pytest.mark.parametrize("name", FACTS)
def test_files_are_read_as_their_servers_mean_them(name: str) -> None:
    """Each has the values that its server means."""
    found = record(name)
    assert {fact: getattr(found, fact) for fact in FACTS[name]} == FACTS[name]


def test_moves_have_comments_counts_and_clocks() -> None:
    """As points and passes."""
    ogs, kgs, fox, igs = map(record, ("ogs", "kgs", "fox", "igs"))
    assert [str(point) for _, point in ogs.moves] == ["E5", "C5", "E7", "None", "G3"]
    assert ogs.comments[0] == "anna: hello\nbert: have fun [and luck]\n"
    assert ogs.comments[3] == "bert: oh\n"
    assert kgs.comments[5].startswith("carla [2d]: thanks")
    assert kgs.rows is not None
    assert (kgs.rows[0], kgs.rows[2][:7], kgs.rows[6]) == ("W.......W", "W...b.b", "..b...w..")
    assert fox.moves[-1].point is None
    assert (igs.clocks[3], igs.moves[2]) == (ClockReading(31, 9), (Color.WHITE, None))


@pytest.mark.parametrize("line", read_lines(places.DATA / "record_lines.txt")["results"])
def test_results_become_ff4_forms(line: str) -> None:
    """Unknown ones stay; a second conversion changes nothing."""
    text, expected = line.split(" => ")
    assert result(text) == expected
    assert result(expected) == expected


def test_overtime_needs_numbers() -> None:
    """An incomplete byo-yomi is none."""
    assert overtime({"TC": ["5"], "TT": ["60"]}) == "5x60 byo-yomi"
    assert overtime({"TC": ["5"], "LT": ["60"]}) == overtime({"TC": ["0"], "TT": ["60"]}) == ""
    assert overtime({"TC": ["x"], "TT": ["9" * 5000]}) == ""


def test_our_own_files_are_not_converted() -> None:
    """A komi of 150 points is odd, but ours."""
    odd = Record(Size(19, 19), komi=150.25, result="Draw")
    assert parse_sgf(format_sgf(odd).encode()) == odd


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
@each_row("program", DIALECTS)
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
