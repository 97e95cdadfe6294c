"""The game's letter as an answer to one that came without a token: nothing was done yet. Pure."""

from __future__ import annotations

from dataclasses import replace

from godaemon.texts.catalogue import listed, say
from mailgate.letters.blocks import Choices, LetterBlocks, Words
from mailgate.letters.letter_view import LetterView
from mailgate.letters.phrases import not_a_reply


def asked(view: LetterView, letter: LetterBlocks) -> LetterBlocks:
    """A letter of the game with what its reader may have meant before it, one click each."""
    said = view.about["meant"]
    if not said:
        return replace(letter, blocks=(Words(not_a_reply()), *letter.blocks))
    choices = Choices(tuple((line, say("do-now")) for line in said))
    first = say("did-you-mean", lines=listed([f"`{line}`" for line in said]))
    why = Words(not_a_reply(), small=True)
    return replace(letter, first=first, blocks=(choices, Words(letter.first), *letter.blocks, why))
