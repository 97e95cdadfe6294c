"""Openings: the positions from records that games begin from.

The moves of the record become moves of the game, with ko, prisoners and move numbers; set-up stones
are on the board from the beginning. Pure; raises `Unreadable` and `IllegalMove`.
"""

from dataclasses import dataclass

from godaemon.diagrams.description import chains
from godaemon.errors import IllegalMove, Unreadable
from godaemon.records.record import Record
from godaemon.records.replay import execute
from godaemon.records.replay import replay as replay_record
from godaemon.rules.board import points_of
from godaemon.rules.points import Color, Point, Size, parse_point
from godaemon.rules.position import Move, Position
from godaemon.rules.ruleset import Ruleset
from godaemon.rules.scoring import board_rows
from godaemon.texts.catalogue import sentence

MAX_MOVES = 1500


@dataclass(frozen=True, slots=True)
class Opening:
    """Set-up stones, the colour that moves first (None: as the stones suggest), and moves."""

    black: tuple[Point, ...] = ()
    white: tuple[Point, ...] = ()
    turn: Color | None = None
    moves: tuple[Move, ...] = ()

    def position(self, size: Size, ruleset: Ruleset) -> Position:
        """The position; raises `IllegalMove` if the ruleset forbids it."""
        record = Record(
            size,
            setup_black=self.black,
            setup_white=self.white,
            to_move=self.turn,
            moves=self.moves,
        )
        return replay_record(record, ruleset)

    def to_words(self) -> tuple[tuple[str, ...], ...]:
        """The opening as plain values for an event; `opening_from_words` reads them."""
        moves = tuple(f"{color.word[0]}{point or ''}" for color, point in self.moves)
        turn = (self.turn.word,) if self.turn else ()
        return (tuple(map(str, self.black)), tuple(map(str, self.white)), turn, moves)


def opening_from_words(words: tuple[tuple[str, ...], ...]) -> Opening | None:
    if not words:
        return None
    black, white, turn, moves = words
    return Opening(
        tuple(map(parse_point, black)),
        tuple(map(parse_point, white)),
        Color.named(turn[0]) if turn else None,
        tuple(map(_parse_move, moves)),
    )


def _parse_move(word: str) -> Move:
    color = Color.BLACK if word[0] == "b" else Color.WHITE
    return Move(color, parse_point(word[1:]) if word[1:] else None)


def opening_of_record(record: Record) -> Opening | None:
    """The end of a record as an opening; None for an empty board with Black to move.

    Two or more passes at the end are left out. If the record edits the board, the opening begins
    after the last edit.
    """
    last_edit = max(record.edits, default=0)
    moves = _drop_last_passes(record.moves[last_edit:])
    if len(moves) > MAX_MOVES:
        raise Unreadable(sentence("record-too-large"))
    black, white, turn = record.setup_black, record.setup_white, record.to_move
    if last_edit:
        board = execute(record, last_edit)
        black, white = (
            tuple(point for point in points_of(record.size) if board.color(point) is color)
            for color in Color
        )
        turn = record.edits[last_edit].to_move or (record.moves[last_edit - 1].color.opponent)
    start = execute(Record(record.size, setup_black=black, setup_white=white), 0)
    if any(not chain.liberties for chain in chains(board_rows(start, None))):
        raise Unreadable(sentence("opening-no-liberty"))
    turn = moves[0].color if moves else turn
    opening = Opening(black, white, turn, moves)
    return None if opening in (Opening(), Opening(turn=Color.BLACK)) else opening


def check_opening(opening: Opening, size: Size, ruleset: Ruleset) -> None:
    try:
        opening.position(size, ruleset)
    except IllegalMove as fault:
        raise Unreadable(sentence("opening-illegal", why=fault.public)) from fault


def _drop_last_passes(moves: tuple[Move, ...]) -> tuple[Move, ...]:
    kept = list(moves)
    while kept and kept[-1].point is None:
        kept.pop()
    return moves if len(moves) - len(kept) < 2 else tuple(kept)
