"""Pictures of a record: its board after a move, or all its moves on one diagram. Pure."""

from __future__ import annotations

from collections.abc import Callable

from godaemon.diagrams.drawing import Drawing
from godaemon.diagrams.kifu import kifu
from godaemon.diagrams.picture import BoardPicture, picture
from godaemon.records.record import Record
from godaemon.records.replay import at_move, executed
from godaemon.rules.scoring import board_rows


def board_picture(record: Record, move: int | None = None) -> Drawing:
    """The board after a move, or at the end, as it was counted there; raises `Unknown`."""
    number = at_move(record, move)
    board = executed(record, number)
    rows = board_rows(board, None)
    if record.rows is not None and number == len(record.moves):
        rows = record.rows
    last = record.moves[number - 1].point if number else None
    if last is not None and board.color(last) is None:
        last = None
    return picture(BoardPicture(rows, last=last))


def kifu_picture(
    record: Record, move: int | None = None, *, shows: Callable[[str], bool] = bool
) -> Drawing:
    """The moves up to one, or all, numbered on one diagram; raises `Unknown`.

    A name of which `shows` says that it cannot be written is left out. Stones that were put on the
    board or taken off it by hand between moves are told, not drawn.
    """
    number = at_move(record, move)
    edits = [f"Board changed by hand after move {at}" for at in record.edits if at < number]
    return kifu(
        record.size,
        record.moves[:number],
        black=record.setup_black,
        white=record.setup_white,
        caption=[*_caption(record, shows, whole=number == len(record.moves)), *edits],
    )


def _caption(record: Record, shows: Callable[[str], bool], *, whole: bool) -> list[str]:
    """Who played, and on what terms; how it ended where all of it is shown."""
    black, white = (
        " ".join(words for words in (name, record.info.get(rank)) if words and shows(words))
        for name, rank in ((record.black, "BR"), (record.white, "WR"))
    )
    # Blanks at which no line is broken.
    stones = f"{record.handicap}\xa0handicap\xa0stones" if record.handicap else ""
    rules = f"{record.rules}\xa0rules" if record.rules else ""
    facts = (record.name, record.date, rules, f"komi\xa0{record.komi:g}", stones)
    ended = f": {record.result}" if whole and record.result else ""
    players = f"{black or 'Black'} (black), {white or 'White'} (white)"
    return [players, ", ".join(fact for fact in facts if fact) + ended]
