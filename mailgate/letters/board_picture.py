"""The picture of the board that goes along with some letters. Pure.

It is for those whose mail program shows no tables, and has something for the others too: in a turn
letter, which is read after days, the last moves are numbered; at the end it is there to be kept.
Other letters do without: a second board would only be in the way.
"""

from __future__ import annotations

from godaemon.rules.position import Move
from mailgate.letters.blocks import Picture
from mailgate.letters.letter_view import LetterView
from mailgate.letters.phrases import title
from mailgate.letters.shared_blocks import last_point

NUMBERED = 6
"""How many moves are numbered."""


def last_moves(view: LetterView) -> tuple[Picture, ...]:
    """The board with its last moves numbered; none before there are two of them."""
    game = view.game
    moves = game.position.moves[-NUMBERED:]
    if len(moves) < 2:
        return ()
    board = game.position.board
    words = {
        move.point: str(number)
        for number, move in enumerate(moves, start=1)
        if move.point is not None and board.color(move.point) is move.color
    }
    moves_in_words = ", ".join(
        f"{number} {_in_words(move)}" for number, move in enumerate(moves, start=1)
    )
    return (Picture(game.rows(), f"How it came about: {moves_in_words}.", last_point(game), words),)


def the_end(view: LetterView) -> tuple[Picture, ...]:
    """The board as the game left it; none where nothing was played."""
    game = view.game
    if not game.move_number:
        return ()
    return (Picture(game.rows(), "The board at the end.", last_point(game)),)


def _in_words(move: Move) -> str:
    return f"{title(move.color)} {move.point or 'passed'}"
