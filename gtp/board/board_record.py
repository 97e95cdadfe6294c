"""The game on a free board as a record, and as SGF. Loaded by those who ask for it; cannot fail."""

from __future__ import annotations

from godaemon.records.record import Record
from godaemon.records.sgf import write
from godaemon.rules.points import Color
from godaemon.rules.rulesets import sgf_ruleset
from gtp.board.free_board import FreeBoard


def record_of(board: FreeBoard) -> Record:
    """All that is known of the game: stones set up, moves, komi, rules."""
    position = board.position
    first = position.moves[0].color if position.moves else position.to_move
    usual = Color.WHITE if board.handicap else Color.BLACK
    set_up = not board.handicap and (position.handicap or position.set_up_white)
    return Record(
        size=board.size,
        komi=board.komi,
        handicap=board.handicap,
        rules=sgf_ruleset(board.ruleset),
        setup_black=position.handicap,
        setup_white=position.set_up_white,
        to_move=None if first is usual and not set_up else first,
        moves=position.moves,
    )


def sgf_of(board: FreeBoard) -> str:
    """The record as an SGF file, which `loadsgf` reads back."""
    return write(record_of(board))
