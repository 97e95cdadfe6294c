"""Files in the manner of twenty programs and servers, each in ten encodings; all written by us."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import pytest

from godaemon.records.record import Record
from godaemon.records.sgf import read, write

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


class Manner(NamedTuple):
    """How a program writes, with places for names, words and encoding; and what is in it."""

    text: str
    komi: float = 6.5
    result: str | None = "B+R"
    moves: str = "ee cc gg -"
    rules: str = ""


MANNERS = {
    "GoGui": Manner(
        "(;FF[4]CA[{ca}]AP[GoGui:1.6.0]\nSZ[9]KM[6.5]PB[{b}]PW[{w}]RE[B+R]DT[2026-11-22]\n"
        ";B[ee]BL[300]\n;W[cc]\n;B[gg]C[{c}]\n;W[])\n"
    ),
    "Sabaki": Manner(
        "(;GM[1]FF[4]CA[{ca}]AP[Sabaki:0.52.2]KM[6.5]SZ[9]DT[2026-11-22]PB[{b}]PW[{w}]RE[B+R]"
        ";B[ee];W[cc](;B[gg]C[{c}]HO[1];W[])(;B[gc]LB[gc:1][gg:2]))"
    ),
    "KGS": Manner(
        "(;GM[1]FF[4]CA[{ca}]AP[CGoban:3]ST[2]\nRU[Japanese]SZ[9]KM[6.50]TM[1800]"
        "OT[5x30 byo-yomi]\nPW[{w}]PB[{b}]WR[2k]BR[3k]DT[2026-11-22]PC[The KGS Go Server at "
        "http://www.gokgs.com/]C[{b} [3k\\]: hi\n{w} [2k\\]: {c}\n]RE[B+Resign]\n"
        ";B[ee]BL[1788.1]\n;W[cc]WL[1790.5]\n;B[gg]BL[30]OB[5]\n;W[]WL[12.3]OW[4])",
        rules="Japanese",
    ),
    "IGS by glGo": Manner(
        "(;\nGM[1]FF[4]AP[glGo:1.4]ST[1]\n\nSZ[9]HA[0]KM[6.5]\nPW[{w}]WR[4d ]\nPB[{b}]BR[3d*]\n"
        "RE[B+Resign]\nTM[60]PC[IGS-PandaNet]\n\n;B[ee]BL[60];W[cc]WL[58]C[{c}]\n"
        ";B[gg]BL[580]OB[24]\n;W[tt])"
    ),
    "Fox": Manner(
        "(;GM[1]FF[4]\nSZ[9]\nGN[{b}VS{w}]\nDT[2026-11-22]\nPB[{b}]\nPW[{w}]\nBR[6级]\nWR[P9段]\n"
        "KM[375]HA[0]RU[Chinese]AP[GNU Go:3.8]RN[3]RE[B+R]TM[300]TC[3]TT[30]AP[foxwq]RL[0]\n"
        ";B[ee];W[cc];B[gg]C[{c}];W[])",
        komi=7.5,
        rules="Chinese",
    ),
    "Tygem": Manner(
        "(;GM[1]FF[3]\nSZ[9]\nRU[Japanese]\nDT[2026.11.22]\nPC[Tygem]\nEV[]\nPB[{b}]\nBR[9D]\n"
        "PW[{w}]\nWR[8D]\nKM[6.5]\nRE[B+R]\n;B[ee]C[{c}];W[cc];B[gg];W[tt])",
        rules="Japanese",
    ),
    "Nihon Kiin": Manner(
        "(\nTE[{c}]\nRD[2026-11-22]\nTM[1時間]\nLT[30秒]\nLC[5回]\nKO[黒6目半]\n"
        "RE[257手完, 黒中押し勝ち]\nPB[{b}]\nBR[九段]\nPW[{w}]\nWR[九段]\nGK[1]\n"
        ";B[ee];W[cc];B[gg];W[tt])\n"
    ),
    "Sina": Manner(
        "(\nTE[{c}]\nRD[2026-11-22]\nTM[70]\nLT[15]\nLC[3]\nKO[7.5]\nRE[黑胜2又3/4子]\nPB[{b}]\n"
        "PW[{w}]\n;B[ee];W[cc];B[gg];W[])",
        komi=7.5,
        result="B+5.5",
    ),
    "GoGoD": Manner(
        "(;\nSZ[9]\nFF[3]\nPW[{w}]\nWR[9d]\nPB[{b}]\nBR[5d]\nEV[{c}]\nDT[1846-09-11,14,15]\n"
        "KM[6.5]\nRE[B+R]\nUS[GoGoD95]\n\n;B[ee];W[cc];B[gg]\n;W[tt]\n)\n"
    ),
    "MultiGo": Manner(
        "(;CA[{ca}]AP[MultiGo:4.4.4]SZ[9]MULTIGOGM[1]\nPB[{b}]PW[{w}]KM[6.5]RE[B+R]C[{c}]\n"
        "(;B[ee]N[{b}];W[cc]\n(;B[gg];W[])\n(;B[gc]MULTIGOBM[1]))\n(;B[dd]))"
    ),
    "SmartGo": Manner(
        "(;GM[1]FF[4]SZ[9]AP[SmartGo Kifu:4.7]CA[{ca}]\nGN[{c}]\nPW[{w}]\nPB[{b}]BR[12kyu]\n"
        "KM[6.5]\nRE[B+R]\nRU[Japanese Rules]\nPL[B]CH[1];B[ee];W[cc]\n(;B[gg]TE[1];W[])"
        "\n(;B[gc]BM[1]CR[gc]))",
        rules="Japanese Rules",
    ),
    "Drago": Manner(
        "(;FF[4]GM[1]CA[{ca}]AP[Drago:4.23]SZ[9]ST[2]PB[{b}]PW[{w}]KM[6.5]RE[B+R]\n"
        ";B[ee];W[cc];B[gg]C[{c}];W[]TB[aa:bb]TW[hh:ii])"
    ),
    "CrazyStone": Manner(
        "(;GM[1]FF[4]CA[{ca}]\nRU[Japanese]SZ[9]KM[6.5]\nGN[Crazy Stone]PW[{w}]PB[{b}]RE[B+R]\n"
        ";B[ee]V[0.52]\n;W[cc]V[0.49]\n;B[gg]C[{c}]\n;W[])",
        rules="Japanese",
    ),
    "Lizzie": Manner(
        "(;KM[6.5]PW[{w}]PB[{b}]DT[2026-11-22]AP[Lizzie: 0.7.4]SZ[9]CA[{ca}]RE[B+R]"
        ";B[ee]LZ[Leela Zero 0.17 48.2 1.6k\nmove C7 visits 801 winrate 5180 pv C7 G3]C[{c}]"
        ";W[cc]LZ[]SQ[cc];B[gg];W[])"
    ),
    "OGS": Manner(
        "(;FF[4]\nCA[{ca}]\nGM[1]\nDT[2026-11-22]\nPC[OGS: https://online-go.com/game/1]\n"
        "GN[Friendly Match]\nPB[{b}]\nPW[{w}]\nBR[23k]\nWR[?]\nTM[60]OT[5x30 byo-yomi]\nRE[B+R]\n"
        "SZ[9]\nKM[6.5]\nRU[Japanese]\nC[{c}\n]\n;B[ee]\n(;W[cc]\n(;B[gg]\n(;W[]\n))))",
        rules="Japanese",
    ),
    "DGS": Manner(
        "(;FF[4]GM[1]\nPC[Dragon Go Server: http://www.dragongoserver.net]\nDT[2026-11-22]\n"
        "GN[{b}-{w}]\nSO[http://www.dragongoserver.net/game.php?gid=1]\nPB[{b}]\nPW[{w}]\nBR[3 kyu]"
        "\nOT[15d/10 Canadian]\nRU[Japanese]\nSZ[9]\nKM[6.5]\nRE[B+Resign]\n;B[ee]\n;W[cc]C[{c}]\n"
        ";B[gg]\n;W[]N[RESULT: B+Resign]\n)",
        rules="Japanese",
    ),
    "Little Golem": Manner(
        "(;FF[4]EV[{c}]PB[{b}]PW[{w}]SZ[9]KM[6.5]RE[B+R]SO[http://www.littlegolem.com]"
        ";B[ee];W[cc];B[gg];W[])"
    ),
    "EidoGo": Manner(
        "(;GM[1]FF[4]CA[{ca}]AP[EidoGo:1.2]\nSZ[9]KM[6.5]PB[{b}]PW[{w}]RE[B+R]\n"
        ";B[ee]\n;W[cc]C[{c}]\n(;B[gg]\n;W[])\n(;B[gc]))"
    ),
    "WGo": Manner(
        "(;AP[WGo.js:2]FF[4]GM[1]CA[{ca}]SZ[9]PB[{b}]PW[{w}]KM[6.5]RE[B+R]C[{c}]"
        "(;B[ee];W[cc];B[gg]MA[ee];W[tt]))"
    ),
    "Many Faces": Manner(
        "(;GM[1]FF[4]VW[]AP[Many Faces of Go:12.022]\nSZ[9]\nHA[0]\nST[1]\nPB[{b}]\nPW[{w}]\n"
        "DT[2026-11-22]\nKM[6.5]\nRU[Japanese]\nRE[B+Resign]\n;B[ee]C[{c}];W[cc];B[gg];W[tt])",
        rules="Japanese",
    ),
    "q5Go": Manner(
        "(;GM[1]FF[4]CA[{ca}]AP[q5Go:2.1.3]ST[1]\nSZ[9]HA[0]KM[6.5]PW[{w}]PB[{b}]RE[B+R]\n"
        "RU[日本]\n;B[ee]\n;W[cc]QLZV[0:0.5:1]C[{c}]\n;B[gg]\n;W[tt])",
        rules="Japanese",
    ),
    "KoGo's dictionary by Jago": Manner(
        "(;FF[4]GM[1]SZ[9]CA[{ca}]AP[Jago:Version 5.0]PB[{b}]PW[{w}]KM[6.5]RE[B+R]"
        ";B[ee]C[{c}](;W[cc](;B[gg];W[])(;B[gc]))(;W[gg])(;W[gc](;B[cc])))"
    ),
}


def as_written(manner: Manner, encoding: str) -> bytes | None:
    """The file in an encoding; None where the program's own words cannot be in it."""
    black, white, words = WORDS[encoding]
    text = manner.text
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
@pytest.mark.parametrize("program", MANNERS)
def test_a_program_in_ten_encodings(program: str, named: bool) -> None:
    """All that we hold of a game is read, and is there after another writing, as UTF-8 with CA."""
    manner = MANNERS[program]
    if not named:
        manner = manner._replace(text=manner.text.replace("CA[{ca}]", ""))
    done = 0
    for encoding, (black, white, words) in WORDS.items():
        data = as_written(manner, encoding)
        if data is None:
            continue
        record, done = read(data), done + 1
        assert (record.black, record.white) == (black, white), encoding
        told = [record.event, record.name, *record.info.values(), *record.comments.values()]
        assert any(words in (text or "") for text in told), encoding
        assert line_of(record) == manner.moves
        assert (record.komi, record.result, record.rules) == (
            manner.komi,
            manner.result,
            manner.rules,
        )
        anew = write(record)
        assert "CA[UTF-8]" in anew
        assert read(anew.encode()) == record
    assert done >= 2


def test_what_the_files_have_beside_the_game() -> None:
    """Times in words, several values of one property, marks of their own: nothing is lost."""
    kiin = read(as_written(MANNERS["Nihon Kiin"], "shift_jis") or b"")
    assert (kiin.main_time, kiin.overtime, kiin.date) == (3600, "5x30 byo-yomi", "2026-11-22")
    assert "GK[1]" in write(kiin)
    fox = read(as_written(MANNERS["Fox"], "gbk") or b"")
    assert (fox.main_time, fox.overtime) == (300, "3x30 byo-yomi")
    assert "RL[0]" in write(fox)
    lizzie = write(read(as_written(MANNERS["Lizzie"], "utf-8") or b""))
    assert "winrate 5180 pv C7 G3" in lizzie
    dictionary = read(as_written(MANNERS["KoGo's dictionary by Jago"], "utf-8") or b"")
    assert replace(dictionary, tree=()) != dictionary
    assert write(dictionary).count(";W[g") == 2
