"""The game's letter as an answer to one that came without a token: nothing was done yet. Pure."""

from __future__ import annotations

from dataclasses import replace

from mailgate.letters.blocks import Choices, LetterBlocks, Words
from mailgate.letters.letter_view import LetterView
from mailgate.letters.phrases import NOT_A_REPLY, listed


def asked(view: LetterView, letter: LetterBlocks) -> LetterBlocks:
    """A letter of the game with what its reader may have meant before it, one click each."""
    said = view.about["meant"]
    if not said:
        return replace(letter, blocks=(Words(NOT_A_REPLY), *letter.blocks))
    rows = tuple((line, "do that now") for line in said)
    first = f"Did you mean: {listed([f'`{line}`' for line in said])}? I have done nothing yet."
    why = Words(NOT_A_REPLY, small=True)
    blocks = (Choices(rows), Words(letter.first), *letter.blocks, why)
    return replace(letter, first=first, blocks=blocks)
