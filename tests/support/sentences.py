"""All that people read in our emails, in one file for an editor's eye.

The paragraphs as they are read, from a tour through all kinds of emails, each once: the module, the
kind of email, and the words. The sentences themselves stand by key in godaemon/texts/en.po.

REGENERATE_LETTERS=1 pytest tests/mailgate/letters/test_sentences.py      writes the file anew
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from itertools import chain

from mailgate.letters.blocks import Block, Choices, Diagram, Items, Offer, Quote
from mailgate.letters.compose import WRITERS
from tests.support import places
from tests.support.letter_tour import TourLetter, tour

FILE = places.DATA / "sentences.txt"
_ALIKE = tuple(
    (re.compile(pattern), same)
    for pattern, same in (
        (r"`+[^`]*`+(?: \| [^`|]*`+[^`]*`+)*", "``"),
        (r"“[^”]*”", "“”"),
        (r"\b[\w.]+@[\w.]+", "bob@players.example"),
        (r"\b[A-HJ-Z]\d{1,2}\b", "D4"),
        (r"\d+(?:\.\d+)?", "1"),
        (r"(?:1 Black (?:D4|passed)(?:, )?)+", "1 Black D4"),
        (r"D4(?: D4)+", "D4"),
        (r"\b(?:Alice|Bob|alice|bob|house)\b", "Alice"),
    )
)
"""Patterns that make sentences equal: suggestions, quotations, addresses, points, numbers."""


def page() -> str:
    lines = (__doc__ or "").splitlines()
    for (module, kind), paragraphs in _emails():
        lines += ["", f"{module} - {kind}", *(f"    {one}" for one in paragraphs)]
    return "\n".join(lines) + "\n"


def _emails() -> list[tuple[tuple[str, str], list[str]]]:
    """The paragraphs of each kind of email, without those of earlier kinds."""
    found: dict[tuple[str, str], list[str]] = defaultdict(list)
    seen: set[str] = set()
    for toured in sorted(tour(), key=_place):
        for words in (toured.subject, *paragraphs(toured)):
            if (form := _form(words)) not in seen:
                seen.add(form)
                found[_place(toured)].append(words)
    return list(found.items())


def distinct() -> list[TourLetter]:
    """The letters with a paragraph that no earlier letter has."""
    seen, found = set[str](), []
    for toured in tour():
        forms = {_form(words) for words in (toured.subject, *paragraphs(toured))}
        found += [toured] if forms - seen else []
        seen |= forms
    return found


def _place(toured: TourLetter) -> tuple[str, str]:
    kind = toured.data.notice.kind
    return WRITERS[kind].__module__.rpartition(".")[2], kind.value


def _form(words: str) -> str:
    """A paragraph with everything normalised that differs between games."""
    alike = words.replace("White", "Black")
    for pattern, same in _ALIKE:
        alike = pattern.sub(same, alike)
    return alike


def paragraphs(toured: TourLetter) -> Iterator[str]:
    """The paragraphs of a letter, without its boards."""
    yield toured.blocks.first
    for block in toured.blocks.blocks:
        yield from _block_texts(block)


def _block_texts(block: Block) -> Iterator[str]:
    match block:
        case Choices(rows, label, buttons, words, clicks):
            yield from (f"{label} {line} - {effect}" for line, effect in rows)
            yield from filter(None, [words, clicks])
            yield from () if rows else map(" | ".join, buttons)
        case Items(items):
            yield from items
        case Quote(title, lines):
            yield title
            yield from (hint for line in lines for hint in re.findall(r"   (\(.*\))$", line))
        case Offer(title, words, blocks):
            yield from filter(None, (title, words))
            yield from chain.from_iterable(map(_block_texts, blocks))
        case Diagram(reply=reply):
            yield from _block_texts(reply) if reply is not None else ()
        case _:
            yield from _texts(block)


def _texts(value: object) -> Iterator[str]:
    """All strings in a block that people read; a table row is one string."""
    match value:
        case str():
            yield from filter(str.strip, [" ".join(value.split())])
        case tuple() if value and all(isinstance(cell, str) for cell in value):
            yield " | ".join(value)
        case tuple():
            for one in value:
                yield from _texts(one)
        case _ if is_dataclass(value):
            for field in fields(value):
                yield from _texts(getattr(value, field.name))
        case _:
            pass
