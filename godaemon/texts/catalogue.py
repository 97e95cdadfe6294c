"""Sentences by key, in the language of the email that is being written.

The file of a language is read the first time that it is spoken. What a translation does not have is
said in English. Numbers, lists and dates are written by Babel.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import cache, lru_cache, reduce
from typing import TYPE_CHECKING, Literal, NamedTuple, Self

if TYPE_CHECKING:  # few programs say a sentence: what that takes is loaded with the first one
    from datetime import datetime
    from importlib.resources.abc import Traversable

    from babel import Locale

ENGLISH = "en"
_LOCALES = {"en": "en_GB", "zh": "zh_Hans_CN"}
"""The locale of a language whose name alone would mean another."""
_NUMBERS = ("number", "game", "count")
"""The variables that are whole numbers."""
_ENDS = r"^(?:\{(?!color)\w+\} ?)+|(?: ?\{(?!color)\w+\})+$"
_STOP = r"(?<=[.!?]) |(?<=[。\uff01\uff1f])"
_spoken = ContextVar("spoken", default=ENGLISH)


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Say all sentences in this language; English for one that has no catalogue."""
    token = _spoken.set(language if language in languages() else ENGLISH)
    try:
        yield
    finally:
        _spoken.reset(token)


@cache
def languages() -> tuple[str, ...]:
    found = (one.name for one in _folder().iterdir())
    return tuple(sorted(one.removesuffix(".po") for one in found if one.endswith(".po")))


def _folder() -> Traversable:
    from importlib.resources import files  # noqa: PLC0415

    return files(__package__)


def own_name(language: str) -> str:
    """What a language calls itself: `Deutsch`."""
    return _locale(language).get_language_name() or language


def find_language(name: str) -> str | None:
    """The code of a language that has a catalogue: by its code, or its name in any of these."""
    named = name.casefold()
    return named if named in languages() else _language_names().get(named)


def mentioned_language(text: str) -> str | None:
    """The code of the language with a catalogue that a text names first."""
    folded = text.casefold()
    found = [
        (folded.index(name), code) for name, code in _language_names().items() if name in folded
    ]
    return min(found)[1] if found else None


@cache
def _language_names() -> Mapping[str, str]:
    every = [(code, spoken) for code in languages() for spoken in languages()]
    names = [(_locale(code).get_language_name(spoken), code) for code, spoken in every]
    return {name.casefold(): code for name, code in names if name}


def current_language() -> str:
    return _spoken.get()


def say(key: str, /, **values: object) -> str:
    """The sentence of a key, with its variables filled in; `count` chooses between plural forms."""
    return _format_sentence(_spoken.get(), key, values)


def _format_sentence(language: str, key: str, values: Mapping[str, object]) -> str:
    sentence = _sentence(language, key, values.get("count"))
    return sentence.format_map({name: _format_value(one, language) for name, one in values.items()})


class Sentence(str):
    """A sentence in English that can be said in another language later: its key and variables."""

    __slots__ = ("key", "values")
    key: str
    values: Mapping[str, object]

    def __new__(cls, key: str, values: Mapping[str, object]) -> Self:
        """The English sentence of a key."""
        made = super().__new__(cls, _format_sentence(ENGLISH, key, values))
        made.key, made.values = key, values
        return made


def sentence(key: str, /, **values: object) -> Sentence:
    """A sentence that is read later, perhaps in another language: of a `Refusal`, of a result."""
    return Sentence(key, values)


def join_sentences(first: str, *others: str) -> str:
    """Several whole sentences, one after the other."""
    return reduce(
        lambda one, other: sentence("two-sentences", first=one, second=other), others, first
    )


def drop_quotes(sentence: str) -> str:
    """A sentence without quoted words, which may be anybody's."""
    if not isinstance(sentence, Sentence):
        return re.sub("“(.*(?=”)|.*)”?", "“…”", sentence)
    form = _sentence(ENGLISH, sentence.key, sentence.values.get("count"))
    quoted = "".join(re.findall("“[^”]*”", form))
    plain = {
        name: "…" if f"{{{name}}}" in quoted else drop_quotes(one) if isinstance(one, str) else one
        for name, one in sentence.values.items()
    }
    return Sentence(sentence.key, plain)


def sentence_to_json(value: object) -> object:
    """A sentence as JSON: its key and variables, if it has them."""
    if isinstance(value, Sentence):
        return {
            "say": value.key,
            "with": {name: sentence_to_json(one) for name, one in value.values.items()},
        }
    if type(value) is tuple:  # a point is no row
        return [*map(sentence_to_json, value)]
    return value if isinstance(value, str | int | float) else str(value)


def sentence_from_json(kept: object) -> str:
    """The sentence that `sentence_to_json` stored, in the current language.

    A general one if its key is gone, or its message has other variables now.
    """
    match kept:
        case {"say": str(key), "with": dict(values)}:
            with suppress(KeyError):
                if key in _catalogue(ENGLISH).forms:
                    return say(key, **{name: _value_from_json(one) for name, one in values.items()})
            return say("refused")
        case _:
            return str(kept)


def _value_from_json(kept: object) -> object:
    if isinstance(kept, list):
        return tuple(map(_value_from_json, kept))
    return kept if isinstance(kept, int | float) else sentence_from_json(kept)


def first_sentences(key: str) -> Iterator[str]:
    """The first sentence of a message in each language, in NFKC; raises `LookupError`."""
    from unicodedata import normalize  # noqa: PLC0415

    english = _catalogue(ENGLISH).forms[key]
    for language in languages():
        for form in _catalogue(language).forms.get(key, english):
            yield normalize("NFKC", re.split(_STOP, form)[0])


def sentence_pattern(key: str) -> str:
    """A regular expression for the first sentence of a message in any language."""
    forms = (re.escape(re.sub(_ENDS, "", one)) for one in first_sentences(key))
    return "|".join(dict.fromkeys(re.sub(r"\\\{(\w+)\\\}", _wildcard, one) for one in forms))


def _wildcard(found: re.Match[str]) -> str:
    if found[1] == "color":
        return f"(?:{sentence_pattern('black')}|{sentence_pattern('white')})"
    return r"\d{1,9}" if found[1] in _NUMBERS else ".{1,80}"


def join_and(things: Sequence[str]) -> str:
    """`A`, `A and B`, `A, B and C`."""
    return _format_list(tuple(things), "standard", _spoken.get())


def join_or(things: Sequence[str]) -> str:
    """`A`, `A or B`, `A, B or C`."""
    return _format_list(tuple(things), "or", _spoken.get())


def format_number(value: float) -> str:
    """A number as the language writes it: `6.5`, or `6,5`."""
    return _format_number(value, _spoken.get())


def format_moment(moment: datetime, pattern: str) -> str:
    """A moment by a CLDR pattern, such as `EEE d MMM, HH:mm`, in its own zone."""
    from babel.dates import format_datetime  # noqa: PLC0415

    return format_datetime(moment, pattern, tzinfo=moment.tzinfo, locale=_locale(_spoken.get()))


def _sentence(language: str, key: str, count: object) -> str:
    """The sentence of a key; in English if the language has none, else the key itself."""
    for one in (language, ENGLISH):
        try:
            return _catalogue(one).sentence(key, count)
        except LookupError:
            pass
    return key


def _format_value(value: object, language: str) -> str:
    """A variable as the language writes it: a number, a row of things, or a sentence within."""
    if type(value) is tuple:  # a point is no row
        return _sentence(language, "comma", None).join(
            _format_value(one, language) for one in value
        )
    if isinstance(value, Sentence):
        return _format_sentence(language, value.key, value.values)
    return _format_number(value, language) if isinstance(value, float) else str(value)


@lru_cache(maxsize=1024)
def _format_number(value: float, language: str) -> str:
    from babel.numbers import format_decimal  # noqa: PLC0415

    return format_decimal(value, locale=_locale(language))


@lru_cache(maxsize=1024)
def _format_list(things: tuple[str, ...], style: Literal["standard", "or"], language: str) -> str:
    from babel.lists import format_list  # noqa: PLC0415

    return format_list(things, style, _locale(language))


@cache
def _locale(language: str) -> Locale:
    from babel import Locale  # noqa: PLC0415

    return Locale.parse(_LOCALES.get(language, language))


class _Catalogue(NamedTuple):
    """The forms of each message by its key, and which of them is for a number of things."""

    forms: Mapping[str, Sequence[str]]
    plural: Callable[[int], int]

    def sentence(self, key: str, count: object) -> str:
        """The sentence of a key; raises `LookupError`."""
        forms = self.forms[key]
        return forms[self.plural(count) if isinstance(count, int) and len(forms) > 1 else 0]


@cache
def _catalogue(language: str) -> _Catalogue:
    """A catalogue as it stands in its file; Babel reads one too, and takes twenty times as long."""
    from gettext import c2py  # noqa: PLC0415

    file = _folder().joinpath(f"{language}.po").read_text("utf-8")
    head, *messages = filter(None, map(_read_message, file.split("\n\n")))
    rule = re.search(r"plural=([^;\n]+)", head["msgstr"])
    forms = {
        one["msgid"]: [text for name, text in one.items() if name.startswith("msgstr")]
        for one in messages
    }
    return _Catalogue(forms, c2py(rule[1] if rule else "0"))


def _read_message(entry: str) -> dict[str, str]:
    """The strings of an entry by what stands before them; none if it is fuzzy."""
    import json  # noqa: PLC0415

    found, name = dict[str, str](), ""
    for line in entry.splitlines():
        if line.startswith("#, fuzzy"):
            return {}
        if line and not line.startswith("#"):
            begins, _, text = line.partition('"')
            name = begins.strip() or name
            found[name] = found.get(name, "") + json.loads(f'"{text}')
    return found
