"""A pseudo-language: every sentence of the catalogue, accented, lengthened and in brackets.

Unaccented letters in an email show text from outside the catalogue; an unpaired bracket shows cut
text. Placeholders, lines to send, addresses and file names are not changed.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from html import unescape
from unittest import mock

from godaemon.texts import catalogue
from mailgate.letters.blocks import Choices, LetterBlocks, MailtoReply, Paste, Quote
from mailgate.letters.html_page import html_of
from mailgate.letters.plain_text import text_of

NAME = "xx"
_KEPT = re.compile(r"(\{\w+\}|`+[^`]*`+|\S*[@/.]\w\S*)")
_ACCENTED = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "ȧƀƈḓḗƒɠħīĵķŀḿƞǿƥɋřşŧŭṽẇẋẏẑȦƁƇḒḖƑƓĦĪĴĶĿḾȠǾƤɊŘŞŦŬṼẆẊẎẐ",
)


@contextmanager
def pseudo_translated() -> Iterator[None]:
    """Use it for all texts. Numbers and lists follow Japanese, which has no Latin letters."""
    read, english = catalogue._catalogue, catalogue._catalogue(catalogue.ENGLISH)
    forms = {key: [_pseudo(key, one) for one in many] for key, many in english.forms.items()}
    pseudo, codes = english._replace(forms=forms), (*catalogue.languages(), NAME)

    def found(language: str) -> catalogue._Catalogue:
        return pseudo if language == NAME else read(language)

    with (
        mock.patch.dict(catalogue._LOCALES, {NAME: "ja"}),
        mock.patch.object(catalogue, "languages", return_value=codes),
        mock.patch.object(catalogue, "_catalogue", found),
        catalogue.speaking(NAME),
    ):
        yield


def _pseudo(key: str, form: str) -> str:
    if key.startswith("pattern-") or key in ("comma", "semicolon"):  # no sentences
        return form
    accented = "".join(
        one if _KEPT.fullmatch(one) else one.translate(_ACCENTED) for one in _KEPT.split(form)
    )
    return f"⟦{accented}{' ǿǿǿǿǿ' * (len(form) // 18)}⟧"


def pages(letter: LetterBlocks) -> tuple[str, str]:
    """A letter's text, and its HTML with texts for screen readers; both without lines to send."""
    html = re.sub(
        r"<style.*?</style>", "", html_of(letter, "", MailtoReply("go@x", "", "")), flags=re.DOTALL
    )
    spoken = re.findall(r'\b(?:alt|title|aria-label)="([^"]*)"', html)
    html = unescape(" ".join([re.sub(r"<[^>]*>", " ", html), *spoken]))
    quoted = re.sub(r"^ *> ?", "", text_of(letter), flags=re.MULTILINE)
    return _less(quoted, letter), _less(html, letter)


def _less(page: str, letter: LetterBlocks) -> str:
    """A page without a letter's lines to send and people's words."""
    page = " ".join(page.split())
    untranslated = {" ".join(one.split()) for one in _as_written(letter)} - {""}
    if untranslated:
        longest = "|".join(map(re.escape, sorted(untranslated, key=len, reverse=True)))
        page = re.sub(rf"(?<![A-Za-z0-9.])(?:{longest})(?![A-Za-z@])", "·", page)
    return page


def _as_written(part: object) -> Iterator[str]:
    """The untranslated strings of a block: people's words, and lines to send."""
    match part:
        case str():
            yield from re.findall(r"`+([^`]*)`+", part)
            yield from re.findall(r"“([^”]*)”", part)
        case Quote(_, lines):
            yield from (line.partition("   (")[0] for line in lines)
        case Paste(line):
            yield line
        case Choices(rows):
            yield from (line for lines, _ in rows for line in lines.splitlines())
        case _:
            pass
    if isinstance(part, Choices):
        yield from (line for _, line in part.buttons)
    for one in _inside(part):
        yield from _as_written(one)


def _inside(part: object) -> Iterator[object]:
    if is_dataclass(part):
        yield from (getattr(part, one.name) for one in fields(part))
    elif isinstance(part, tuple | list):
        yield from part
