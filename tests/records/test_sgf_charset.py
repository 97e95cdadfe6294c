"""The charset of an SGF file, declared or detected."""

import codecs
from functools import partial

import pytest

from godaemon.records.sgf import format_sgf, parse_sgf
from godaemon.records.sgf_charset import decode, guess_charset
from tests.support import places
from tests.support.blocks import read_blocks, read_lines
from tests.support.cost import calls

LINES = read_lines(places.DATA / "meanings.txt")

Game = tuple[str, ...]
"""Black, White, and perhaps event, place or result, and a comment."""
ENCODINGS = {
    "simplified": ["gbk"],
    "traditional": ["big5"],
    "japanese": ["cp932", "euc_jp"],
    "korean": ["cp949"],
    "cyrillic": ["cp1251", "koi8-r"],
    "latin": ["cp1252"],
}


def names(file: str) -> dict[str, list[Game]]:
    blocks = read_blocks(places.DATA / "go_names" / file)
    return {
        script: [tuple(map(str.strip, line.split("|"))) for line in games.splitlines()]
        for script, games in blocks.items()
    }


FIRST, SECOND = names("first.txt"), names("second.txt")


def file(game: Game, named: str = "") -> str:
    """A record with no more than those words in it."""
    fields = "".join(
        f"{name}[{words}]" for name, words in zip(("EV", "PC"), game[2:], strict=False)
    )
    return f"(;GM[1]{named}SZ[19]PB[{game[0]}]PW[{game[1]}]{fields};B[pd]C[{game[-1]}];W[dp])"


def read_right(games: dict[str, list[Game]]) -> tuple[list[str], int]:
    """The files whose encoding was seen wrongly, and how many there were."""
    wrong, count = [], 0
    for script, written in games.items():
        for game in written:
            for encoding in ENCODINGS[script]:
                text = file(game)
                count += 1
                if (
                    text.encode(encoding).decode(guess_charset(text.encode(encoding)), "replace")
                    != text
                ):
                    wrong.append(f"{encoding}: {game[0]}, {game[1]}")
    return wrong, count


@pytest.mark.parametrize(("games", "most"), [(FIRST, 2), (SECOND, 4)], ids=["first", "second"])
def test_encodings_are_recognised(games: dict[str, list[Game]], most: int) -> None:
    """Two names are nearly always enough; the second set was collected after the rule."""
    wrong, count = read_right(games)
    assert count > 75
    assert len(wrong) <= most, wrong


LATIN = ("ISO-8859-1", "windows-1252", "ISO-8859-2")
EASTERN = ("GBK", "Big5", "Shift_JIS", "EUC-KR")
OWN = {
    "gbk": ("GB2312", "GBK"),
    "big5": ("Big5",),
    "cp932": ("Shift_JIS",),
    "euc_jp": ("EUC-JP",),
    "cp949": ("EUC-KR",),
    "cp1251": ("windows-1251",),
    "koi8-r": ("KOI8-R",),
    "cp1252": ("ISO-8859-1", "windows-1252"),
}


def under(script: str, encoding: str, kind: str) -> tuple[str, ...]:
    """The names of a kind that a file in that encoding may carry."""
    if kind == "another":
        pairs = encoding in {"gbk", "big5", "cp932", "cp949"}
        return tuple({*EASTERN} - {*OWN[encoding]}) if pairs else ()
    return {"its own": OWN[encoding], "Latin": LATIN if script != "latin" else EASTERN}[kind]


@pytest.mark.parametrize(("kind", "most"), [("its own", 0), ("Latin", 3), ("another", 12)])
@pytest.mark.parametrize("games", [FIRST, SECOND], ids=["first", "second"])
def test_a_named_encoding_is_a_hint(games: dict[str, list[Game]], kind: str, most: int) -> None:
    """A true one is believed; a Latin one of an Eastern file hardly ever, or the reverse."""
    wrong = [
        f"{encoding} as {named}: {game[:2]}"
        for script, written in games.items()
        for game in written
        for encoding in ENCODINGS[script]
        for named in under(script, encoding, kind)
        if decode(file(game, f"CA[{named}]").encode(encoding)) != file(game, f"CA[{named}]")
    ]
    assert len(wrong) <= most, wrong


@pytest.mark.parametrize("games", [FIRST, SECOND], ids=["first", "second"])
def test_utf_8_is_recognised_under_any_name(games: dict[str, list[Game]]) -> None:
    """With letters of two bytes or three."""
    for text in (
        file(game, f"CA[{named}]")
        for written in games.values()
        for game in written
        for named in (*LATIN, *EASTERN, "KOI8-R")
    ):
        assert decode(text.encode()) == text


@pytest.mark.parametrize("line", LINES["files in small encodings"])
def test_small_encodings_are_believed(line: str) -> None:
    """If no other reads as well."""
    named, encoding, names = line.split(" => ")
    text = file(tuple(names.split(" | ")), f"CA[{named}]")
    assert decode(text.encode(encoding)) == text


@pytest.mark.parametrize(
    "games",
    [
        [("GB2312", "gbk", ("古力", "常昊")), ("Shift_JIS", "cp932", ("井山裕太", "一力遼"))],
        [("UTF-8", "utf-8", ("이세돌", "박정환")), ("GBK", "gbk", ("柯洁", "芈昱廷"))],
        [
            ("ISO-8859-1", "cp1252", ("Jörg", "Zoë")),
            ("Big5", "big5", ("林海峰", "吳清源")),
            ("KOI8-R", "koi8-r", ("Илья", "Шикшин")),
            ("ISO-8859-1", "gbk", ("陈耀烨", "时越")),
        ],
    ],
)
def test_each_game_of_a_file_has_its_encoding(games: list[tuple[str, str, Game]]) -> None:
    """The result is one tree of UTF-8."""
    data = b"\n".join(file(names, f"CA[{ca}]").encode(code) for ca, code, names in games)
    record = parse_sgf(data)
    assert (record.black, record.white) == games[0][2]
    assert all(name in format_sgf(record) for _, _, names in games for name in names)


@pytest.mark.parametrize(
    "encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-8-sig", "iso2022_jp"]
)
def test_marks_zeros_and_escapes_prove_an_encoding(encoding: str) -> None:
    """With a named encoding and without."""
    for named in ("", "CA[UTF-16]", "CA[GB2312]"):
        text = file(("井山裕太", "一力遼", "名人戦"), named)
        record = parse_sgf(text.encode(encoding))
        assert (record.black, record.white, record.event) == ("井山裕太", "一力遼", "名人戦")
        assert b"CA[UTF-8]" in format_sgf(record).encode()


@pytest.mark.parametrize("line", LINES["encodings under another name"])
def test_a_named_encoding_is_the_widest_of_its_name(line: str) -> None:
    """Programs write characters that it lacks; whether it is UTF-8 is proved by the bytes alone."""
    named, encoding, name = line.split(" => ")
    assert guess_charset(f"(;CA[{named}]PB[{name}])".encode(encoding)) == encoding


def test_a_truncated_letter_does_not_change_the_encoding() -> None:
    """Servers cut texts."""
    cut = "(;PB[李昌鎬]PW[".encode() + "李世乭".encode()[:-1] + "];C[좋은 수입니다])".encode()
    assert parse_sgf(cut).black == "李昌鎬"
    assert guess_charset("(;PB[柯洁".encode()[:-1]) == "utf-8"
    assert guess_charset(codecs.BOM_UTF8 + b"(;PB[\xff])") == "utf-8"


def test_ca_in_a_text_names_no_encoding() -> None:
    """In a comment, or at the end of another name."""
    record = parse_sgf("(;CA[UTF-8]SZ[9]C[КCA[gbk]PB[Илья];B[ee]BRCA[gbk])".encode())
    assert record.black == "Илья"
    assert parse_sgf(format_sgf(record).encode()) == record


def test_many_named_encodings_cost_little() -> None:
    """A file may name another in each of ten thousand games; a hundred are heeded."""
    names = (b"GBK", b"Big5")
    games = [b"(;CA[%s]C[" % names[at % 2] + b"\xb9\xc5\x81@" * 100 for at in range(9_000)]
    few, many = (calls(partial(decode, b"".join(games[:count]))) for count in (200, 9_000))
    assert many < 1.1 * few
