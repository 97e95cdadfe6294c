"""Sentences by key, in the language of the email that is being written.

The file of a language is read at its first use. A message without a translation is in English; the
tests want all messages in each language.
Babel formats numbers, lists and dates.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import cache, lru_cache, reduce
from typing import TYPE_CHECKING, Literal, NamedTuple, Self

if TYPE_CHECKING:  # loaded with the first sentence, because few programs use one
    from datetime import datetime
    from importlib.resources.abc import Traversable

    from babel import Locale

ENGLISH = "en"
_LOCALES = {"en": "en_GB", "zh": "zh_Hans_CN"}
"""The locales of languages, if they differ from the language's code."""
_NUMBERS = ("number", "game", "count")
"""The variables that are whole numbers."""
_ENDS = r"^(?:\{(?!color)\w+\} ?)+|(?: ?\{(?!color)\w+\})+$"
_STOP = r"(?<=[.!?]) |(?<=[。\uff01\uff1f])"
_spoken = ContextVar("spoken", default=ENGLISH)


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Use this language for all sentences; English if it has no catalogue."""
    token = _spoken.set(language if language in languages() else ENGLISH)
    try:
        yield
    finally:
        _spoken.reset(token)


@cache
def languages() -> tuple[str, ...]:
    """The codes of the languages with a catalogue."""
    names = (file.name for file in _folder().iterdir())
    return tuple(sorted(name.removesuffix(".po") for name in names if name.endswith(".po")))


def _folder() -> Traversable:
    from importlib.resources import files  # noqa: PLC0415

    return files(__package__)


def own_name(language: str) -> str:
    """The name of a language in that language: `Deutsch`."""
    return _locale(language).get_language_name() or language


def find_language(name: str) -> str | None:
    """The code of a language with a catalogue, by its code or its name in any such language."""
    folded = name.casefold()
    return folded if folded in languages() else _language_names().get(folded)


def mentioned_language(text: str) -> str | None:
    """The code of the first language with a catalogue that a text names, with any ending.

    >>> mentioned_language("Пишите на русском, английский я не знаю")
    'ru'
    """
    folded, names = text.casefold(), _language_names().items()
    stems = ((name[:-2] if len(name) >= _MIN_INFLECTED else name, code) for name, code in names)
    # A name in Latin or Cyrillic letters begins a word: not the `chine` of `machine`.
    found = (
        (re.search(rf"(?<![a-z\u0430-\u044f]){re.escape(stem)}", folded), code)
        for stem, code in stems
    )
    return min(((one.start(), code) for one, code in found if one), default=(0, None))[1]


_MIN_INFLECTED = 7  # minimum characters of a name that is looked for without its ending
_READ_ONLY = ("it", "nl", "pl", "pt", "sv")  # languages that we read, but do not write


@cache
def _language_names() -> Mapping[str, str]:
    pairs = [(code, language) for code in languages() for language in (*languages(), *_READ_ONLY)]
    names = [(_locale(code).get_language_name(language), code) for code, language in pairs]
    return {name.casefold(): code for name, code in names if name}


def current_language() -> str:
    """The code of the language of the current email."""
    return _spoken.get()


def say(key: str, /, **values: object) -> str:
    """The sentence of a key, with its variables filled in; `count` selects the plural form."""
    return _format_sentence(_spoken.get(), key, values)


def _format_sentence(language: str, key: str, values: Mapping[str, object]) -> str:
    sentence = _sentence(language, key, values.get("count"))
    return sentence.format_map({name: _format_value(one, language) for name, one in values.items()})


class Sentence(str):
    """An English sentence with its key and variables, so that it can be translated later."""

    __slots__ = ("key", "values")
    key: str
    values: Mapping[str, object]

    def __new__(cls, key: str, values: Mapping[str, object]) -> Self:
        result = super().__new__(cls, _format_sentence(ENGLISH, key, values))
        result.key, result.values = key, values
        return result


def sentence(key: str, /, **values: object) -> Sentence:
    """A sentence that can be translated later, such as that of a `Refusal`."""
    return Sentence(key, values)


def join_sentences(first: str, *others: str) -> str:
    """Some whole sentences as one."""
    return reduce(
        lambda joined, other: sentence("two-sentences", first=joined, second=other), others, first
    )


def drop_quotes(sentence: str) -> str:
    """A sentence without its quotations, which may be anybody's words."""
    if not isinstance(sentence, Sentence):
        return re.sub("“(.*(?=”)|.*)”?", "“…”", sentence)
    pattern = _sentence(ENGLISH, sentence.key, sentence.values.get("count"))
    quotes = "".join(re.findall("“[^”]*”", pattern))
    values = dict[str, object]()
    for name, value in sentence.values.items():
        values[name] = drop_quotes(value) if isinstance(value, str) else value
        if f"{{{name}}}" in quotes:
            values[name] = "…"
    return Sentence(sentence.key, values)


def sentence_to_json(value: object) -> object:
    """A value as JSON; a `Sentence` becomes its key and variables."""
    if isinstance(value, Sentence):
        return {
            "say": value.key,
            "with": {name: sentence_to_json(item) for name, item in value.values.items()},
        }
    if type(value) is tuple:  # not a point, which is a named tuple
        return [*map(sentence_to_json, value)]
    return value if isinstance(value, str | int | float) else str(value)


def sentence_from_json(stored: object) -> str:
    """A stored sentence in the current language; a general one if its message has changed."""
    match stored:
        case {"say": str(key), "with": dict(values)}:
            with suppress(KeyError):
                if key in _catalogue(ENGLISH).forms:
                    return say(key, **{name: _value_from_json(one) for name, one in values.items()})
            return say("refused")
        case _:
            return str(stored)


def _value_from_json(stored: object) -> object:
    if isinstance(stored, list):
        return tuple(map(_value_from_json, stored))
    return stored if isinstance(stored, int | float) else sentence_from_json(stored)


def first_sentences(key: str) -> Iterator[str]:
    """The first sentence of a message in each language, in NFKC; raises `LookupError`."""
    from unicodedata import normalize  # noqa: PLC0415

    english = _catalogue(ENGLISH).forms[key]
    for language in languages():
        for form in _catalogue(language).forms.get(key, english):
            yield normalize("NFKC", re.split(_STOP, form)[0])


def sentence_pattern(key: str) -> str:
    """A regular expression for the first sentence of a message in any language."""
    forms = (re.escape(re.sub(_ENDS, "", form)) for form in first_sentences(key))
    return "|".join(dict.fromkeys(re.sub(r"\\\{(\w+)\\\}", _wildcard, form) for form in forms))


def _wildcard(match: re.Match[str]) -> str:
    if match[1] == "color":
        return f"(?:{sentence_pattern('black')}|{sentence_pattern('white')})"
    return r"\d{1,9}" if match[1] in _NUMBERS else ".{1,80}"


def join_and(items: Sequence[str]) -> str:
    """`A`, `A and B`, `A, B and C`."""
    return _format_list(tuple(items), "standard", _spoken.get())


def join_or(items: Sequence[str]) -> str:
    """`A`, `A or B`, `A, B or C`."""
    return _format_list(tuple(items), "or", _spoken.get())


def format_number(value: float) -> str:
    """A number as the language writes it: `6.5`, or `6,5`."""
    return _format_number(value, _spoken.get())


def format_moment(moment: datetime, pattern: str) -> str:
    """A moment in its own time zone, by a CLDR pattern such as `EEE d MMM, HH:mm`."""
    from babel.dates import format_datetime  # noqa: PLC0415

    return format_datetime(moment, pattern, tzinfo=moment.tzinfo, locale=_locale(_spoken.get()))


def _sentence(language: str, key: str, count: object) -> str:
    """The sentence of a key, else the English one, else the key itself."""
    for catalogue in map(_catalogue, (language, ENGLISH)):
        if forms := catalogue.forms.get(key):
            index = catalogue.plural(count) if isinstance(count, int) and len(forms) > 1 else 0
            return forms[index]
    return key


def _format_value(value: object, language: str) -> str:
    """A variable as the language writes it: a number, a list, or another sentence."""
    if type(value) is tuple:  # not a point, which is a named tuple
        return _sentence(language, "comma", None).join(
            _format_value(item, language) for item in value
        )
    if isinstance(value, Sentence):
        return _format_sentence(language, value.key, value.values)
    return _format_number(value, language) if isinstance(value, float) else str(value)


@lru_cache(maxsize=1024)
def _format_number(value: float, language: str) -> str:
    from babel.numbers import format_decimal  # noqa: PLC0415

    return format_decimal(value, locale=_locale(language))


@lru_cache(maxsize=1024)
def _format_list(items: tuple[str, ...], style: Literal["standard", "or"], language: str) -> str:
    from babel.lists import format_list  # noqa: PLC0415

    return format_list(items, style, _locale(language))


@cache
def _locale(language: str) -> Locale:
    from babel import Locale  # noqa: PLC0415

    return Locale.parse(_LOCALES.get(language, language))


class _Catalogue(NamedTuple):
    """The forms of each message by its key, and the index of the plural form for a number."""

    forms: Mapping[str, Sequence[str]]
    plural: Callable[[int], int]


@cache
def _catalogue(language: str) -> _Catalogue:
    """The catalogue in a language's file; Babel's own reader takes twenty times as long."""
    from gettext import c2py  # noqa: PLC0415

    file = _folder().joinpath(f"{language}.po").read_text("utf-8")
    header, *messages = filter(None, map(_read_message, file.split("\n\n")))
    rule = re.search(r"plural=([^;\n]+)", header["msgstr"])
    forms = {
        message["msgid"]: [text for name, text in message.items() if name.startswith("msgstr")]
        for message in messages
    }
    return _Catalogue(forms, c2py(rule[1] if rule else "0"))


def _read_message(entry: str) -> dict[str, str]:
    """The strings of an entry by their keywords (`msgid`, `msgstr`); none if it is fuzzy."""
    import json  # noqa: PLC0415

    strings, keyword = dict[str, str](), ""
    for line in entry.splitlines():
        if line.startswith("#, fuzzy"):
            return {}
        if line and not line.startswith("#"):
            start, _, text = line.partition('"')
            keyword = start.strip() or keyword
            strings[keyword] = strings.get(keyword, "") + json.loads(f'"{text}')
    return strings
