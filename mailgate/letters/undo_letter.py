"""The letter of a move that is to be taken back: the question, the answer, and the board. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from godaemon.games import events as ev
from godaemon.games.special_moves import taken_back
from godaemon.games.state import color as color_named
from godaemon.texts.catalogue import listed, say
from mailgate.letters.blocks import LetterBlocks, Words
from mailgate.letters.letter_view import LetterView
from mailgate.letters.phrases import move
from mailgate.letters.shared_blocks import in_play


def undo(view: LetterView) -> LetterBlocks:
    """Both players: one asks, the other has answered, or it is done."""
    return in_play(view, _news(view))


def lapsed(view: LetterView, back: str) -> Words:
    """To who had asked for a move back: the other has moved instead of answering."""
    named = {"": say("the-handicap-stones"), "pass": say("passing")}
    return Words(say("undo-lapsed", who=view.other, moves=named.get(back, back)))


def _news(view: LetterView) -> str:
    game = view.game
    if (back := next(view.happened(ev.Undone), None)) is not None:
        moves = _numbered(back.moves, game.move_number)
        if view.teaching or view.facing_engine:
            return say("taken-back", moves=moves)
        return view.tell(color_named(back.color).opponent.word, "let-take-back", moves=moves)
    moves = _numbered(taken_back(game, 1), game.move_number - 1)
    if (refused := next(view.happened(ev.UndoRefused), None)) is not None:
        return view.tell(refused.color, "refuse-undo", moves=moves)
    asker = game.undo_asked
    theirs = asker is not None and not view.mine(asker.word)
    return say("undo-asks" if theirs else "undo-asked", who=view.other, moves=moves)


def _numbered(moves: Sequence[str], before: int) -> str:
    """The moves by their numbers: `D4 (move 5) and E5 (move 6)`."""
    if not moves:
        return say("the-handicap-stones")
    told = enumerate(map(move, moves), before + 1)
    return listed([say("move-numbered", move=one, number=number) for number, one in told])
