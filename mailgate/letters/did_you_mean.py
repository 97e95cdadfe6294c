"""The game's letter as an answer to one that came without a token: nothing was done yet. Pure."""

from __future__ import annotations

from dataclasses import replace

from mailgate.letters.blocks import Choices, LetterBlocks, Words
from mailgate.letters.letter_view import LetterView

_WHY = (
    "Your email was not a reply to one of mine, so I could not be sure that it came from you, and"
    " have done nothing."
)


def asked(view: LetterView, letter: LetterBlocks) -> LetterBlocks:
    """A letter of the game with what its reader may have meant before it, one click each."""
    said = [str(line) for line in view.about["meant"]]
    if not said:
        return replace(letter, first=f"{_WHY} {letter.first}")
    rows = tuple((line, "do that now") for line in said)
    first = f"Did you mean: {' and '.join(f'`{line}`' for line in said)}? {_WHY}"
    return replace(letter, first=first, blocks=(Choices(rows), Words(letter.first), *letter.blocks))
