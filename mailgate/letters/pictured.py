"""The picture of the board that goes along with some letters: the last moves, numbered. Pure.

It is for those whose mail program shows no tables, and shows the others what a table cannot: how
the game came to stand as it does. So only letters bring it that are read after days: those by which
one moves, counts, or sees the end.
"""

from __future__ import annotations

from godaemon.rules.position import Move
from mailgate.letters.blocks import Picture
from mailgate.letters.phrases import title
from mailgate.letters.pieces import last_point
from mailgate.letters.view import View

__all__ = ["last_moves"]

NUMBERED = 6
"""How many moves are numbered."""


def last_moves(view: View) -> tuple[Picture, ...]:
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
    told = ", ".join(f"{number} {_told(move)}" for number, move in enumerate(moves, start=1))
    return (Picture(game.rows(), f"How it came about: {told}.", last_point(game), words),)


def _told(move: Move) -> str:
    return f"{title(move.color)} {move.point or 'passed'}"
