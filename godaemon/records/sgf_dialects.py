"""The dialects of SGF: what other programs write where FF[4] says something else.

Our own files (AP[godaemon:...]) are taken at their word. Pure; cannot fail.

- Fox, Tygem and other Chinese servers: KM[375], KM[650] are hundredths of a point, and quarters
  (KM[3.75], KM[375]) are counted in stones, of which each is two points; TC and TT are the number
  and the seconds of byo-yomi periods.
- KGS and IGS: results in full words, `B+Resign`, `W+Time`, `B+Forfeit`.
- FF[1] to FF[3] programs, IGS among them: `Draw`; names such as `Black` and `SiZe` (which
  sgfmill shortens); passes as `tt`, also in files that say FF[4].
- Chinese and Japanese records: `黑中盘胜`, `白胜1.5目`, `W+中押し勝ち`.
- OGS: a variation inside a variation for every move, which is one line to us; chat in comments.
"""

from __future__ import annotations

import re

_RESULT = re.compile(r"([bw])\s*\+\s*([0-9]+(?:\.[0-9]*)?|\.[0-9]+|[a-z]*)")
_WORDS = {
    "": "",
    "r": "R",
    "resign": "R",
    "resignation": "R",
    "t": "T",
    "time": "T",
    "timeout": "T",
    "f": "F",
    "forfeit": "F",
    "points": "",
}
_DRAWN = {"0", "draw", "jigo", "tie", "drawn", "和棋", "持碁", "ジゴ"}
_EASTERN = re.compile(
    r"([黑黒白BW])\+?(?:"
    r"(?P<resign>中盘胜|中盤勝|中押し?勝?ち?)"
    r"|(?P<time>超时胜|超時勝|時間切れ勝ち|時間勝)"
    r"|[胜勝](?P<points>[0-9]{1,3}(?:\.[0-9])?)目)"
)


def komi(points: float) -> float:
    """Komi in points, from hundredths (375, 650) or from stones (3.75)."""
    if abs(points) >= 100:
        points /= 100
    return points * 2 if points * 2 % 1 else points


def result(text: str) -> str:
    """A result in FF[4]'s form where it can be understood, else as it stands."""
    plain = " ".join(text.split())
    small = plain.casefold()
    if small in _DRAWN:
        return "0"
    if small in {"void", "no result", "noresult"}:
        return "Void"
    found = _RESULT.fullmatch(small)
    if found is None:
        return _eastern(plain)
    winner, how = found[1].upper(), found[2]
    if how[:1].isdigit() or how[:1] == ".":
        return f"{winner}+{float(how):g}" if len(how) < 8 else plain
    return f"{winner}+{_WORDS[how]}" if how in _WORDS else plain


def _eastern(text: str) -> str:
    found = _EASTERN.fullmatch(text.replace(" ", ""))
    if found is None:
        return text
    winner = "W" if found[1] in "白W" else "B"
    if found["resign"]:
        return f"{winner}+R"
    if found["time"]:
        return f"{winner}+T"
    return f"{winner}+{float(found['points']):g}"


def overtime(periods: str, seconds: str) -> str:
    """Fox's TC and TT as the others write byo-yomi: `5x60 byo-yomi`."""
    if periods.isdecimal() and seconds.isdecimal() and int(periods) and int(seconds):
        return f"{int(periods)}x{int(seconds)} byo-yomi"
    return ""
