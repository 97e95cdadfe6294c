"""Openings: the positions from records that games begin from.

An opening is a record of stones, the colour that moves first (None: as the stones suggest), and
moves. They become moves of the game, with ko, prisoners and move numbers; set-up stones are on the
board from the beginning. Raises `Unreadable` and `IllegalMove`.
"""

from dataclasses import replace

from godaemon.diagrams.description import chains
from godaemon.errors import IllegalMove, Unreadable
from godaemon.records.record import Record
from godaemon.records.replay import after_last_edit, execute, replay
from godaemon.rules.points import Color, Size, parse_point
from godaemon.rules.position import Move
from godaemon.rules.ruleset import Ruleset
from godaemon.rules.scoring import board_rows
from godaemon.texts.catalogue import sentence

MAX_MOVES = 1500


def opening_to_words(opening: Record) -> tuple[tuple[str, ...], ...]:
    """The opening as plain values for an event; `opening_from_words` reads them."""
    moves = tuple(f"{color.word[0]}{point or ''}" for color, point in opening.moves)
    turn = (opening.to_move.word,) if opening.to_move else ()
    black, white = (tuple(map(str, each)) for each in (opening.setup_black, opening.setup_white))
    return black, white, turn, moves


def opening_from_words(size: Size, words: tuple[tuple[str, ...], ...]) -> Record | None:
    if not words:
        return None
    black, white, turn, moves = words
    return Record(
        size,
        setup_black=tuple(map(parse_point, black)),
        setup_white=tuple(map(parse_point, white)),
        to_move=Color.named(turn[0]) if turn else None,
        moves=tuple(map(_parse_move, moves)),
    )


def _parse_move(word: str) -> Move:
    color = Color.BLACK if word[0] == "b" else Color.WHITE
    return Move(color, parse_point(word[1:]) if word[1:] else None)


def opening_of_record(record: Record) -> Record | None:
    """The end of a record as an opening; None for an empty board with Black to move.

    Two or more passes at the end are left out. If the record edits the board, the opening begins
    after the last edit.
    """
    end = after_last_edit(record)
    moves = _drop_last_passes(end.moves)
    if len(moves) > MAX_MOVES:
        raise Unreadable(sentence("record-too-large"))
    black, white = end.setup_black, end.setup_white
    start = execute(Record(end.size, setup_black=black, setup_white=white), 0)
    if any(not chain.liberties for chain in chains(board_rows(start, None))):
        raise Unreadable(sentence("opening-no-liberty"))
    turn = moves[0].color if moves else end.to_move
    if not (black or white or moves or turn is Color.WHITE):
        return None
    return Record(end.size, setup_black=black, setup_white=white, to_move=turn, moves=moves)


def check_opening(opening: Record, size: Size, ruleset: Ruleset) -> None:
    """Raise `Unreadable` if an opening does not fit a board or a ruleset."""
    try:
        replay(replace(opening, size=size), ruleset)
    except IllegalMove as fault:
        raise Unreadable(sentence("opening-illegal", why=fault.public)) from fault


def _drop_last_passes(moves: tuple[Move, ...]) -> tuple[Move, ...]:
    kept = list(moves)
    while kept and kept[-1].point is None:
        kept.pop()
    return moves if len(moves) - len(kept) < 2 else tuple(kept)
