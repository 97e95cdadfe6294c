"""The fonts of a picture: ours, and the machine's for scripts that ours lacks.

Ours (DejaVu Sans Condensed) has Latin, Greek, Cyrillic, Armenian, Georgian, Hebrew and Arabic. Each
word is written in one font; a word without a font is left out (see `can_write`). Pillow finds the
machine's fonts in its data folders (XDG_DATA_DIRS). Raises `OSError` for a missing file.
"""

import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files
from itertools import groupby

from PIL import ImageFont, features

CAPITAL = 0.729
"""The height of a capital of our font, as a share of its size."""

DIRECTION = "ltr" if features.check("raqm") else None
"""The direction of a line; None if Pillow cannot lay out words from right to left."""

OURS = str(files("godaemon.diagrams") / "DejaVuSansCondensed.ttf")

_MACHINE_FONTS = (
    *("NotoSansCJK-Regular.ttc", "NotoSansCJK-VF.ttf.ttc", "NotoSansCJK-VF.otf.ttc"),
    *("NotoSansCJKsc-Regular.otf", "NotoSansCJKjp-Regular.otf", "NotoSansCJKkr-Regular.otf"),
    *("SourceHanSans.ttc", "wqy-microhei.ttc", "wqy-zenhei.ttc", "uming.ttc", "ipag.ttf"),
    *("NanumGothic.ttf", "DroidSansFallbackFull.ttf", "DroidSansFallback.ttf"),
    *("Loma.otf", "FreeSans.otf", "FreeSans.ttf", "unifont.otf", "unifont.ttf"),
)
"""The files of fonts with many scripts in common distributions; the best-looking first."""

_JOINERS = "\u200c\u200d"  # they shape the letters beside them


def can_write(words: str) -> bool:
    """True if each word can be written; symbols may be left out."""
    fonts = [_find_font(word) for word in words.split()]
    return None not in fonts and any(font[1] for font in fonts if font)


def font_runs(words: str) -> Iterator[tuple[str, str]]:
    """The words that can be written, each with the file of its font."""
    pairs = [pair for word in words.split() if (pair := _find_font(word)) and pair[1]]
    for number, (name, group) in enumerate(groupby(pairs, key=lambda pair: pair[0])):
        yield name, (" " if number else "") + " ".join(word for _, word in group)


@lru_cache(maxsize=256)
def load_font(name: str, size: float) -> ImageFont.FreeTypeFont:
    """The font of a file; raises `OSError` if the machine does not have it."""
    return ImageFont.truetype(name, round(max(size, 1.0), 1))


def text_width(name: str, size: float, words: str) -> float:
    return load_font(name, size).getlength(words, direction=DIRECTION)


@lru_cache(maxsize=1024)
def _find_font(word: str) -> tuple[str, str] | None:
    """The font of a word, and the word in the form that the font can write; or None."""
    # NFKC turns stylised letters (bold, full width) into plain ones.
    for form in ("NFC", "NFKC"):
        plain = _writable_word(unicodedata.normalize(form, word))
        for name in _candidates(plain):
            if _exists(name) and all(_has(name, sign) for sign in plain if sign not in _JOINERS):
                return name, plain
    return None


def _writable_word(word: str) -> str:
    """The word without controls, and symbols that our font lacks."""
    return "".join(
        sign
        for sign in word
        if (sign.isprintable() or sign in _JOINERS)
        and not "\ufe00" <= sign <= "\ufe0f"  # variation selectors
        and (unicodedata.category(sign)[0] != "S" or _has(OURS, sign))
    ).strip(_JOINERS)


def _candidates(word: str) -> Iterator[str]:
    """The fonts that may have a word: ours, Noto's for its script, those with many scripts."""
    shaped = any(
        unicodedata.bidirectional(sign) in {"R", "AL"} or unicodedata.category(sign) == "Mc"
        for sign in word
    )
    if shaped and DIRECTION is None:
        return  # from left to right it would be a different word
    yield OURS
    scripts = {unicodedata.name(sign, "").partition(" ")[0] for sign in word if sign.isalpha()}
    yield from (f"NotoSans{script.capitalize()}-Regular.ttf" for script in sorted(scripts))
    yield from _MACHINE_FONTS


@lru_cache(maxsize=256)
def _exists(name: str) -> bool:
    try:
        return bool(load_font(name, 32))
    except OSError:
        return False


@lru_cache(maxsize=8192)
def _has(name: str, sign: str) -> bool:
    """True if a font has a character, so that it looks different from a missing one."""
    face = load_font(name, 32)
    return bytes(face.getmask(sign)) != bytes(face.getmask("\uffff"))
