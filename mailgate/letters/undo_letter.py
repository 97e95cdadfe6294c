"""The letter of a move that is to be taken back: the question, the answer, and the board. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from godaemon.games import events as ev
from godaemon.games.undo import taken_back
from mailgate.letters.blocks import LetterBlocks, Words
from mailgate.letters.letter_view import LetterView
from mailgate.letters.phrases import listed
from mailgate.letters.shared_blocks import in_play


def undo(view: LetterView) -> LetterBlocks:
    """Both players: one asks, the other has answered, or it is done."""
    return in_play(view, _news(view))


def lapsed(view: LetterView, move: str) -> Words:
    """To who had asked for a move back: the other has moved instead of answering."""
    stands = "they stand" if move.startswith("the ") else "it stands"
    return Words(
        f"You had asked to take back {move}. {view.other} has moved instead of answering, perhaps"
        f" before reading that, so {stands}."
    )


def _news(view: LetterView) -> str:
    back = next(view.happened(ev.Undone), None)
    if back is not None:
        return _undone(view, back)
    last, number = listed(taken_back(view.game, 1) or ("the stones",)), view.game.move_number
    move = f"{last} (move {number})" if number else "the handicap stones"
    refused = next(view.happened(ev.UndoRefused), None)
    if refused is not None:
        who = "You have" if view.mine(refused.color) else f"{view.other} has"
        return f"{who} said no: {move} stands."
    asker = view.game.undo_asked
    if asker is not None and not view.mine(asker.word):
        return f"{view.other} asks to take back {move}."
    return (
        f"I have asked {view.other} whether you may take back {move}. You hear from me when they"
        " answer; if they move instead, it stands."
    )


def _undone(view: LetterView, back: ev.Undone) -> str:
    what = _numbered(back.moves, view.game.move_number)
    is_back = "are" if len(back.moves) != 1 else "is"
    if view.teaching or view.facing_engine:
        return f"{what} {is_back} taken back."
    who = f"{view.other} has" if view.mine(back.color) else "You have"
    return f"{who} agreed: {what} {is_back} taken back."


def _numbered(moves: Sequence[str], before: int) -> str:
    """The moves by their numbers: `D4 (move 5) and E5 (move 6)`."""
    if not moves:
        return "the handicap stones"
    return listed([f"{move} (move {number})" for number, move in enumerate(moves, before + 1)])
