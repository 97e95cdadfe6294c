"""The text of an SGF file in any encoding. Cannot fail.

Some encodings are certain (a byte order mark, zeros, UTF-8). Otherwise the encoding with the best
score wins, with a bonus for the one that the file names (CA). The name alone is unreliable: many
programs write the system's encoding under a fixed name. Names of players are two letters long, and
all East Asian encodings allow most pairs of bytes, so the score counts how common each letter is in
names and in words about Go, and whether brackets still match. Libraries for this expect running
text, and get a third of such names wrong. Games joined into one file keep their own encodings.
"""

import codecs
import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice, pairwise

import webencodings

_CHARSET = re.compile(rb"(?<![A-Za-z])CA\s*\[\s*([A-Za-z0-9_:.+-]{1,40})\s*\]")
_HIGH = re.compile(rb"[\x80-\xff]")
_THREE_BYTES = re.compile(rb"[\xe0-\xef]")
"""The first byte of East Asian letters in UTF-8; text without them can be valid UTF-8 by chance."""
_NAMED_BONUS = 1.0
"""The bonus of the encoding that a file names."""

_NOT_CHARSETS = re.compile(
    r"idna|punycode|(?:raw.)?unicode.escape|undefined|utf.7|replacement|x-user-defined"
)
_SUPERSETS = {
    "ascii": "utf-8",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "euc_kr": "cp949",
    "shift_jis": "cp932",
    "big5": "cp950",
    "iso2022_jp": "iso2022_jp_ext",
}
"""The supersets that programs write under the name of a subset."""
_ALIASES = {"iso-2022-jp-ms": "iso-2022-jp", "cp50220": "iso-2022-jp", "cp50221": "iso-2022-jp"}
_CODE_PAGE = re.compile(r"^(?:cp|win(?:dows)?)[-_ ]?(?=\d)")
"""Names that neither Python nor browsers know, such as `cp-1250`."""

_CONTROLS = dict.fromkeys([*range(9), *range(14, 32), 127], "") | {11: " ", 12: " "}
_MAX_GAMES, _ROOT = 100, 4096
"""The limit on named encodings, and on their distance in bytes from the start of their game."""
_SAMPLE, _SHORT_SAMPLE = 65_536, 2048
"""Bytes of the sample, from the first non-ASCII value: of a file, and of one of several games."""

_COMMON = {
    "gb18030": (
        "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶余潘杜戴夏钟"
        "汪田任姜范方石姚谭廖邹金陆孔白崔康毛江史顾侯邵孟龙万段钱汤尹黎易常武乔贺文古柯聂芮俞牛连时党童辜伟芳娜敏静丽强磊军"
        "洋勇艳杰娟涛明超秀霞平刚桂英华玉兰红建国志海永春晓斌飞宇浩天鸣子轩涵睿辰星云凤山清光亮成立新民东南西北中正大小力昊"
        "洁廷越诚毅佳嘉欣瑞黑白胜负盘目半级围棋赛杯届第决战年月日局手定式布的是不了在有这一二三四五六七八九十名人元网络对野"
        "狐弈城本京上可以个好下就风雨雪花梦长空剑鱼狼虎鹤竹梅秋夜水木火土心情爱无我你他来去"
    ),
    "cp950": (
        "王李張劉陳楊趙黃周吳徐孫胡朱高林何郭馬羅梁宋鄭謝韓唐馮于董程曹袁鄧許傅沈曾彭呂蘇盧蔣蔡賈丁魏薛葉余潘杜戴夏鍾"
        "汪田任姜范方石姚譚廖鄒金陸孔白崔康毛江史顧侯邵孟龍萬段錢湯尹黎易常武喬賀文簡賴蕭游詹莊柯紀偉芳敏靜麗強軍勇傑娟"
        "明超秀霞平剛桂英華玉蘭紅建國志海永春曉飛宇浩天子軒涵辰星雲鳳山清光亮成立新民東南西北中正大小力俊家宏祥君儒元均哲"
        "銘瑋婷怡雅淑美惠黑白勝負盤目半級圍棋賽盃屆第決戰年月日局手定式布的是不了在有這一二三四五六七八九十名人網對弈台本"
        "上可以個好下就"
    ),
    "cp932": (
        "田中山本藤佐木村高鈴小林加石井川口野原谷島橋上下大西東北南河内松竹梅森岡崎池坂沢澤宮武清水吉富福永安岩今柳秋春"
        "夏冬平光正秀一二三四五六七八九十郎男夫雄美子之太介人樹也彦和弘博明義信治昭紀敏裕則直哉真由智恵里香菜奈優翔輔健司"
        "浩伊関根羽依王銘琬張栩趙勲結城聡遼虎丸元家紳路敬吾寿良理仁黒白勝負目半級囲碁戦段第期名棋聖因坊天座杯局手年月日院"
        "京国押先番譜定布"
    ),
    "cp949": (
        "김이박최정강조윤장임한오서신권황안송류전홍고문양손배백허유남심노하곽성차주우구민진지나엄원천방공현함변염추도석선설"
        "마길연위표명기반라왕금옥육인맹제모탁국여봉준호영수훈재철환태승동상용종경희은미혜아예린채빈솔규창세돌혁찬건목섭식일"
        "가다바사의을를는로와과들있없어것그대흑불계집단급둑결점좋받"
    ),
}
_COMMON["euc_jp"] = _COMMON["cp932"]
_EVERYDAY = {
    "gb18030": ("gb2312", 0xB0, 0xD8),
    "cp950": ("big5", 0xA4, 0xC9),
    "cp932": ("euc_jp", 0xB0, 0xD0),
    "cp949": ("euc_kr", 0xB0, 0xC9),
    "euc_jp": ("euc_jp", 0xB0, 0xD0),
}
"""The character set, and the range of its first bytes, that hold an encoding's common letters."""

_STOPS = frozenset("，。、！？：；（）《》「」『』“”‘’…—－·．・ー　〜～々０１２３４５６７８９")
_CYRILLIC_WORD = re.compile(r"\b(?:[А-ЯЁ]?[а-яё]{2,}|[А-ЯЁ]{3,}|[а-яА-Я])\b")
_WITHIN = re.compile(r"[a-z](?=[^\W\x00-\x7f])|[^\W\x00-\x7f](?=[a-z])")
_WORD = re.compile(r"[^\W\d_]+")


def decode(data: bytes) -> str:
    """The text of a file without control characters, with U+FFFD for undecodable bytes."""
    games = _games(data)
    size = _SAMPLE if len(games) == 1 else _SHORT_SAMPLE
    text = "".join(game.decode(guess_charset(game, size), "replace") for game in games)
    return text.removeprefix("\ufeff").translate(_CONTROLS)


def _games(data: bytes) -> list[bytes]:
    """The games of a file, if they name different encodings; else the whole file."""
    names = list(islice(_CHARSET.finditer(data), _MAX_GAMES))
    if len({name[1].lower() for name in names}) < 2 or _wide_charset(data) or fits(data, "utf-8"):
        return [data]
    roots = {data.rfind(b"(;", max(name.start() - _ROOT, 0), name.start()) for name in names}
    cuts = [0, *sorted(root for root in roots if root > 0), len(data)]
    return [data[start:end] for start, end in pairwise(cuts)]


def guess_charset(data: bytes, size: int = _SAMPLE) -> str:
    """The encoding of a file, as Python names it, from a sample of its words."""
    charset = _wide_charset(data)
    if charset:
        return charset
    if b"\x1b$" in data[:_SAMPLE] and data.isascii():
        return "iso2022_jp"
    name = _charset_named(data)
    is_eastern = name in _EVERYDAY and not data.isascii()
    if fits(data, "utf-8") and (not is_eastern or _THREE_BYTES.search(data)):
        return "utf-8"
    return _best_charset(data, name if fits(data, name or "utf-8") else "", size)


def _wide_charset(data: bytes) -> str:
    """UTF-16 or UTF-8 by their marks, UTF-16 also by the zeros beside the first brackets; or ""."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    if data.startswith(codecs.BOM_UTF8):
        return "utf-8"
    even_zeros, odd_zeros = data[:400:2].count(0), data[1:400:2].count(0)
    if max(even_zeros, odd_zeros) * 4 < len(data[:400]):
        return ""
    return "utf-16-be" if even_zeros > odd_zeros else "utf-16-le"


def _charset_named(data: bytes) -> str:
    match = _CHARSET.search(data)
    name = codec_of(match[1].decode("ascii")) if match else ""
    return "" if name.startswith(("utf-16", "utf-32")) else name


@lru_cache
def codec_of(label: str) -> str:
    """Python's name for a charset, or for its superset; "" for an unknown one.

    >>> codec_of("windows-31j"), codec_of("ISO-8859-1"), codec_of("rot13")
    ('cp932', 'cp1252', '')
    """
    label = label.strip("\"' ").lower()
    label = _ALIASES.get(label, label)
    labels = (label, label.removeprefix("x-"), _CODE_PAGE.sub("cp", label))
    info = next(filter(None, map(_find_codec, labels)), None)
    if info is None or not getattr(info, "_is_text_encoding", True):
        return ""
    name = _SUPERSETS.get(info.name, info.name)
    return "" if _NOT_CHARSETS.fullmatch(name) else name


def _find_codec(label: str) -> codecs.CodecInfo | None:
    try:
        return codecs.lookup(label)
    except (LookupError, ValueError):
        encoding = webencodings.lookup(label) if label.isascii() else None
        return encoding.codec_info if encoding else None


def fits(data: bytes, name: str) -> bool:
    """True if the bytes are valid in an encoding; the last character may be cut off."""
    try:
        codecs.getincrementaldecoder(name)().decode(data)
    except UnicodeError:
        return False
    return True


def _best_charset(data: bytes, label: str, size: int) -> str:
    """The encoding in which the words read best, with a bonus for the named one."""
    match = _HIGH.search(data)
    start = max(data.rfind(b"[", 0, match.start()), 0) if match else 0
    sample = data[start : start + size]
    scores = {
        **{name: _eastern_score(sample, name) for name in _EVERYDAY},
        **{name: _cyrillic_score(sample, name) for name in ("cp1251", "koi8-r")},
        "cp1252": _latin_score(sample),
        "utf-8": _utf8_score(sample),
    }
    if label:
        plain = max(scores["cp1252"], _alphabet_score(sample, label))
        scores[label] = _NAMED_BONUS + scores.get(label, plain)
    return max(scores, key=scores.__getitem__)


def _eastern_score(data: bytes, name: str) -> float:
    """How common the letters are, per byte; unmatched brackets count against it."""
    text = data.decode(name, "replace")
    signs = Counter(sign for sign in text if sign > "\x7f")
    score = sum(_letter_score(sign, name) * count for sign, count in signs.items())
    unmatched = abs(text.count("[") - text.count("]"))
    return (score - 8 * unmatched - 3 * _count_mixed(text)) / _count_high_bytes(data)


@lru_cache(maxsize=4096)
def _letter_score(sign: str, name: str) -> float:
    """The score of a letter in an encoding, for all of its bytes."""
    if sign == "\ufffd":
        return -12
    length = len(sign.encode(name))
    if sign in _COMMON[name]:
        return 3.0 * length
    if sign in _STOPS:
        return length
    if "ぁ" <= sign <= "ヺ":
        return 2.5 * length if _COMMON[name] is _COMMON["cp932"] else 0
    charset, low, high = _EVERYDAY[name]
    try:
        is_common = low <= sign.encode(charset)[0] < high
    except UnicodeEncodeError:
        return (0.3 if "｡" <= sign <= "ﾟ" and name == "cp932" else -1.5) * length
    return (1 if is_common else -0.5) * length


def _count_mixed(text: str) -> int:
    """The number of letters beside an ASCII letter, which accented letters often are."""
    return len(_WITHIN.findall(text))


def _cyrillic_score(data: bytes, name: str) -> float:
    """The score of words of one case with common Russian letters."""
    text, size = data.decode(name, "replace"), _count_high_bytes(data)
    good = sum(len(word) for word in _CYRILLIC_WORD.findall(text))
    common = sum(map(text.lower().count, "оаеинтсрвлкмдпу"))
    return (1.8 * good + 2.1 * common - 3 * (size - good) - 3 * _count_mixed(text)) / size


def _latin_score(data: bytes) -> float:
    """The score of words of ASCII letters with few accents."""
    text, count = data.decode("cp1252", "replace"), _count_high_bytes(data)
    plausible = 0.7 * sum(map(text.count, "’“”«»–—¡¿°"))
    for word in _plausible_words(text):
        accents = sum(letter > "\x7f" for letter in word)
        plausible += accents if accents * 2 <= len(word) else 0
    return (2.2 * plausible - 2 * (count - plausible)) / count


def _alphabet_score(data: bytes, name: str) -> float:
    """The score of words in an alphabet other than Latin."""
    text, count = data.decode(name, "replace"), _count_high_bytes(data)
    plausible = sum(len(word) for word in _plausible_words(text) if min(word) > "\u024f")
    return (2.5 * plausible - 3 * (count - plausible)) / count


def _plausible_words(text: str) -> Iterator[str]:
    """The words that are all lower case, all upper case, or capitalised."""
    for word in _WORD.findall(text):
        is_plausible = word in {word.lower(), word.upper(), word.title()}
        if is_plausible and (len(word) > 1 or word < "\u0250"):
            yield word


def _utf8_score(data: bytes) -> float:
    """The score of UTF-8 with some letters cut in two."""
    text = data.decode("utf-8", "replace")
    signs = [sign for sign in text if sign > "\x7f"]
    valid = len(signs) - signs.count("\ufffd")
    if not _THREE_BYTES.search(data):  # the pairs of bytes may be East Asian letters
        valid = sum(sign > "\x7f" for word in _plausible_words(text) for sign in word)
    return 2.9 if valid * 5 > 4 * len(signs) else -9


def _count_high_bytes(data: bytes) -> int:
    return len(data) - len(data.translate(None, bytes(range(0x80, 0x100))))
