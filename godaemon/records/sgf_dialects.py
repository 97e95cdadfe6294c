"""Dialects of SGF: how other programs deviate from FF[4], and how we read them.

Komi, rules and results of our own files (AP[godaemon:...]) are not converted. Raises nothing.

- Fox, Tygem and other Chinese servers: KM[375], KM[650] are hundredths of a point; KM[3.75] is
  counted in stones, two points each; TC is the number of byo-yomi periods, TT their seconds.
- Nihon Kiin, Sina: TE is the event, RD the date, KO the komi, LC and LT are byo-yomi, all in words.
- KGS and IGS: results in full words, `B+Resign`, `W+Time`, `B+Forfeit`.
- FF[1] to FF[3] programs, such as IGS: `Draw`; passes as `tt`, also in files with FF[4], or as the
  point one past or before both edges (`ss` on 18x18, two backticks).
- Chinese, Japanese and Korean records: `黑中盘胜`, `白胜1.5目`, `257手完, 黒中押し勝ち`,
  `백 불계승`; rules by their country's name.
- Moves as people name them: `B[R16]`, `W[pass]`.
- OGS: every move is a variation inside the last one, which we read as one line; chat in comments.
"""

import re

from godaemon.records.record import Node
from godaemon.rules.points import Size, parse_point, to_sgf

_RESULT = re.compile(r"([bw])\s*\+\s*([0-9]+(?:\.[0-9]*)?|\.[0-9]+|[a-z]*)")
_ENDS = {"r", "resign", "resignation", "t", "time", "timeout", "f", "forfeit"}
"""The ends of a game without a count; SGF writes their first letter."""
_DRAWN = {"0", "draw", "jigo", "tie", "drawn", "和棋", "持碁", "ジゴ", "무승부"}
_HALF_COUNTS = {2.75, 3.25, 3.75}
_EASTERN = re.compile(
    r"(?:[0-9]+手完?[,、，]?)?([黑黒白흑백BW])\+?(?:"
    r"(?P<resign>中盘胜|中盤勝|中押し?勝?ち?|불계승)"
    r"|(?P<time>超时胜|超時勝|時間切れ勝ち|時間勝|시간승)"
    r"|[胜勝]?(?P<points>[^胜勝승]+)(?:勝ち?|승)?)"
)
_POINTS = re.compile(
    r"(?P<whole>[0-9]+(?:[.,][0-9]+)?)?(?:又?(?P<part>[13])/(?P<of>[24]))?"
    r"(?P<half>半)?(?P<unit>[目子點点집])?(?P<over>半|반)?"
)
_DIGITS = str.maketrans("〇一二三四五六七八九０１２３４５６７８９", "01234567890123456789")
_COUNTRIES = {
    "Chinese": r"中国|中國|중국",
    "Japanese": r"日本|일본",
    "Korean": r"韩国|韓国|韓國|한국",
    "GOE": r"应氏|應氏|応氏|응씨",
    "AGA": r"美国|美國",
}
_OLD_NAMES = {"TE": "EV", "RD": "DT", "KO": "KM"}
_TIMES = (
    (3600, r"([0-9]{1,4})(?:時間|小时|小時|시간)"),
    (60, r"([0-9]{1,4})[分분]"),
    (1, r"([0-9]{1,6})[秒초]"),
)
_COUNT = re.compile(r"0*[1-9][0-9]{0,5}")
_VERTEX = re.compile(r"[A-HJ-Za-hj-z][0-9]{1,2}")


def modernise(root: Node) -> None:
    """Give the facts of Nihon Kiin and Sina files their FF[4] names, in place."""
    if "RD" in root and "B" not in root and "W" not in root:
        for old, new in _OLD_NAMES.items():
            if old in root:
                root.setdefault(new, root.pop(old))


def move(value: str, board: Size) -> str:
    """A move in SGF's two letters, from two letters or a vertex (`R16`, `pass`); "" for a pass."""
    name = value.strip()
    if _VERTEX.fullmatch(name) and board.has(point := parse_point(name)):
        return to_sgf(point, board.height)
    outside = "".join(chr(ord("a") + side) for side in board)
    if name.casefold() in ("pass", "``", outside) or (name == "tt" and max(board) <= 19):
        return ""
    return name.lower() if max(board) <= 26 else name


def komi(points: float) -> float:
    """Komi in points, from hundredths (375, 650) or from stones (3.75)."""
    if abs(points) >= 100:
        points /= 100
    return points * 2 if points in _HALF_COUNTS else points


def points(words: str) -> float | None:
    """A number of points: `6.5`, `6,5`, `6目半`, `三目半`, or `3又3/4子`, which is 7.5."""
    match = _POINTS.fullmatch(re.sub(r"[\s黑黒贴貼]", "", words.translate(_DIGITS)))
    if match is None or not any(match[name] for name in ("whole", "part", "half", "over")):
        return None
    number = float((match["whole"] or "0").replace(",", "."))
    number += int(match["part"] or 0) / int(match["of"] or 1)
    number += 0.5 * bool(match["half"] or match["over"])
    return number * 2 if match["unit"] == "子" else number


def rules(words: str) -> str:
    """SGF's name for rules that are named by their country in its script; other names unchanged."""
    for name, pattern in _COUNTRIES.items():
        if re.search(pattern, words):
            return name
    return words


def result(text: str) -> str:
    """A result in FF[4]'s form if it is understood, else as it is."""
    words = " ".join(text.split())
    folded = words.casefold()
    if folded in _DRAWN:
        return "0"
    if folded in {"void", "no result", "noresult"}:
        return "Void"
    match = _RESULT.fullmatch(folded)
    if match is None:
        return _eastern(words)
    winner, margin = match[1].upper(), match[2]
    if margin[:1].isdigit() or margin[:1] == ".":
        return f"{winner}+{float(margin):g}" if len(margin) < 8 else words
    if margin in {"", "points"}:
        return f"{winner}+"
    return f"{winner}+{margin[0].upper()}" if margin in _ENDS else words


def _eastern(text: str) -> str:
    match = _EASTERN.fullmatch(re.sub(r"[\s。]", "", text))
    if match is None:
        return text
    winner = "W" if match[1] in "白백W" else "B"
    if match["resign"]:
        return f"{winner}+R"
    if match["time"]:
        return f"{winner}+T"
    margin = points(match["points"]) if len(match["points"]) < 12 else None
    return text if margin is None else f"{winner}+{margin:g}"


def seconds(words: str) -> float | None:
    """The seconds of a time in words (`1時間`, `90分`), or None."""
    matches = [(unit, re.search(form, words)) for unit, form in _TIMES]
    return sum(unit * float(match[1]) for unit, match in matches if match) or None


def overtime(node: Node) -> str:
    """The overtime of Fox (TC, TT) or the Nihon Kiin (LC, LT) as `5x60 byo-yomi`, or ""."""
    for names in (("TC", "TT"), ("LC", "LT")):
        periods, length = (node.get(name, [""])[0].strip("回秒次 ") for name in names)
        if _COUNT.fullmatch(periods) and _COUNT.fullmatch(length):
            return f"{int(periods)}x{int(length)} byo-yomi"
    return ""
