"""Pictures of a record: the board after a move, or numbered moves in figures."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from godaemon.diagrams.drawing import Drawing
from godaemon.diagrams.kifu import figure_ranges, kifu_drawing
from godaemon.diagrams.picture import BoardPicture, board_drawing, stack_drawings
from godaemon.errors import Unknown, Unreadable
from godaemon.records.record import Record
from godaemon.records.replay import board_steps, execute, move_index
from godaemon.rules.board import Board
from godaemon.rules.named_rulesets import parse_ruleset, rules_text
from godaemon.rules.scoring import board_rows
from godaemon.texts.catalogue import say, sentence


def board_picture(record: Record, move: int | None = None) -> Drawing:
    """The board after a move (None: the last), counted if the game was; raises `Unknown`."""
    number = move_index(record, move)
    board = execute(record, number)
    picture = _picture_after(record, number, board)
    if record.rows is not None and number == len(record.moves):
        picture = replace(picture, rows=record.rows)
    return board_drawing(picture)


def film_pictures(record: Record) -> list[BoardPicture]:
    """The boards before the first move and after each move, and the counted board, if any."""
    pictures = [
        _picture_after(record, number, board)
        for number, (board, _) in enumerate(board_steps(record))
    ]
    return [*pictures, *([] if record.rows is None else [replace(pictures[-1], rows=record.rows)])]


def _picture_after(record: Record, number: int, board: Board) -> BoardPicture:
    """The board after a move; its stone is marked if it is still on the board."""
    last = record.moves[number - 1].point if number else None
    stands = last is not None and board.color(last) is not None
    return BoardPicture(board_rows(board, None), last if stands else None)


def kifu_picture(
    record: Record, moves: str = "", *, shows: Callable[[str], bool] = lambda _: True
) -> Drawing:
    """The moves `moves` (`51-100`), or all, numbered, in figures; raises a `Refusal`.

    Names are left out unless `shows` returns True for them. The caption of a figure names the
    moves within it after which stones were set up or removed.
    """
    first, last = move_range(moves, len(record.moves))
    parts = figure_ranges(record.size, first, last)
    players = _caption(record, shows, whole=last == len(record.moves))
    partial = len(parts) > 1 or (first, last) != (1, len(record.moves))
    captions = [[*players, *([_range_caption(*parts[0])] if partial else [])]]
    captions += [[_range_caption(*part)] for part in parts[1:]]
    return stack_drawings(
        [_figure(record, *part, caption) for part, caption in zip(parts, captions, strict=True)]
    )


def move_range(moves: str, count: int) -> tuple[int, int]:
    """The first and the last move of a span (`1-100`, `51-`, "" for all) in `count` moves.

    Raises `Unreadable` for text that is no span, `Unknown` if no move is in it.

    >>> move_range("1-100", 60), move_range("51-", 60), move_range("", 60)
    ((1, 60), (51, 60), (1, 60))
    """
    found = re.fullmatch(r"(\d{1,6})-(\d{0,6})", moves or "1-")
    if found is None:
        raise Unreadable(sentence("no-move-span", moves=moves), hints=("kifu 1-100",))
    one, other = int(found[1]), int(found[2] or count)
    first, last = max(1, min(one, other)), min(count, max(one, other))
    if first > max(count, 1):
        raise Unknown(sentence("no-such-move", count=count, number=first), hints=("kifu",))
    return first, last


def _figure(record: Record, first: int, last: int, caption: list[str]) -> Drawing:
    board, moves = execute(record, first - 1), record.moves[first - 1 : last]
    edits = [say("picture-by-hand", number=at) for at in record.edits if first <= at < last]
    return kifu_drawing(board, moves, caption=[*caption, *edits], first=first)


def _range_caption(first: int, last: int) -> str:
    return say("picture-moves" if first < last else "picture-move", first=first, last=last)


def _caption(record: Record, shows: Callable[[str], bool], *, whole: bool) -> list[str]:
    """The players and the terms, and the result if the `whole` game is shown."""
    black, white = (
        " ".join(words for words in (name, record.info.get(rank)) if words and shows(words))
        for name, rank in ((record.black, "BR"), (record.white, "WR"))
    )
    unbroken = (term.replace(" ", "\xa0") for term in _terms(record))
    facts = [record.name, record.date, *unbroken]
    ended = f": {record.result}" if whole and record.result else ""
    players = say("picture-players", black=black or say("black"), white=white or say("white"))
    return [players, say("comma").join(fact for fact in facts if fact) + ended]


def _terms(record: Record) -> Iterator[str]:
    try:
        yield rules_text(parse_ruleset(record.rules))
    except Unknown:
        yield record.rules
    yield say("with-komi", komi=record.komi)
    if record.handicap:
        yield say("handicap-stones", count=record.handicap)
