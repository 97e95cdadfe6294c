"""The commands that show games, boards and players."""

import json as js
import os
import sys
from collections.abc import Iterator
from datetime import datetime
from functools import partial
from typing import Any

from godaemon.cli import UsageError
from godaemon.cli.command_table import read_game
from godaemon.cli.common import (
    Row,
    ask,
    format_count,
    pages,
    print_rows,
    print_value,
    read_whole,
    write_out,
)
from godaemon.config.config_file import File
from godaemon.errors import IllegalMove, Unreadable

_UNITS = {"day": 86400, "hour": 3600, "minute": 60}


def local_time(moment: str) -> str:
    """A moment (ISO 8601) in the time zone of this machine: `2026-11-22 20:15 CET`."""
    return f"{datetime.fromisoformat(moment).astimezone():%Y-%m-%d %H:%M %Z}"


def relative_time(moment: str) -> str:
    """The time since a moment or until it (ISO 8601): `3 hours ago`, `in 5 minutes`, `now`."""
    from godaemon.system.clock import Clock

    seconds = (datetime.fromisoformat(moment) - Clock().now()).total_seconds()
    for unit, length in _UNITS.items():
        if count := int(abs(seconds) // length):
            text = f"{count} {unit}{'' if count == 1 else 's'}"
            return f"in {text}" if seconds > 0 else f"{text} ago"
    return "now" if seconds > 0 else "just now"


def next_time(moment: str) -> str:
    """The time until a moment (ISO 8601): `in 5 minutes`, or `now` if it has come."""
    text = relative_time(moment)
    return text if text.startswith("in ") else "now"


def games(json: bool, config: File | None) -> None:
    rows = pages(config, "games", "before", "id")
    print_rows(rows, list_line, json=json, none="There are no games yet.")


def list_line(row: Row) -> str:
    """A game on one line, as `godaemon games` lists it."""
    from godaemon.games.model import FORMER_NAME

    state = f"{row['to_move']} to move" if row["to_move"] else row["result"] or ""
    black, white = row["black"] or FORMER_NAME, row["white"] or FORMER_NAME
    return (
        f"{row['id']:>5}  {row['phase']:<9}  {row['size']:<6} {black} - {white}"
        f"  move {row['move_number']}  {state}"
    ).rstrip()


def game(number: int, json: bool, config: File | None) -> None:
    print_rows(ask(config, "log", number=number), _event_line, json=json)


def _event_line(row: Row) -> str:
    values = row["values"]
    pairs = ["(the player's own)"]
    if values is not None:
        pairs = [f"{name}={js.dumps(one, ensure_ascii=False)}" for name, one in values.items()]
    line = f"{row['number']:>4}  {row['at']}  {row['event']}  {' '.join(pairs)}".rstrip()
    return f"{line}\n      by {row['cause']}"


def players(json: bool, config: File | None) -> None:
    rows = pages(config, "players", "after", "address")
    print_rows(rows, _player_line, json=json, none="There are no players yet.")


def _player_line(row: Row) -> str:
    name = f" ({row['name']})" if row["name"] else ""
    suspended = "  suspended" if row["suspended"] else ""
    last_day = (row["last"] or "")[:10]
    counts = f"{format_count(row['games'], 'game')}, {row['going']} in progress"
    return f"{row['address']}{name}  {counts}  {last_day}{suspended}"


def show(number: int, move: int | None, unicode: bool, json: bool, config: File | None) -> None:
    values = ask(config, "show", number=number, move=move)
    print_value(values, partial(game_lines, fancy=unicode), json=json)


def game_lines(game: dict[str, Any], *, fancy: bool) -> Iterator[str]:
    """A game as lines of text, its board first."""
    from godaemon.diagrams.text import legend, text_board
    from godaemon.games.model import FORMER_NAME
    from godaemon.rules.points import parse_point

    *_, point = (game["last"] or "pass").split()
    last_point = None if point == "pass" else parse_point(point)
    yield text_board(game["board"], last=last_point, fancy=fancy)
    yield legend(game["board"], fancy=fancy)
    yield ""
    mover = f"{game['to_move'].capitalize()} to move" if game["to_move"] else ""
    yield f"Game {game['id']}, {game['phase']}: {game['result'] or mover}".rstrip(": ")
    sides = ("proposer", "invited") if game["black"] is None else ("black", "white")
    first, second = (game[side] or FORMER_NAME for side in sides)
    yield f"{first}, {second}" if game["black"] is None else f"{first} (black), {second} (white)"
    terms = f"{game['rules']} rules, komi {game['komi']:g}, handicap {game['handicap']}"
    yield f"{terms}, rated" if game["rated"] else terms
    taken = game["prisoners"]
    yield f"move {game['move_number']}; prisoners: black {taken['black']}, white {taken['white']}"
    if game["score"]:
        yield f"count: black {game['score']['black']:g}, white {game['score']['white']:g}"
    for message in game["chat"]:
        yield f"{message['color']} at move {message['move']}: {' '.join(message['text'].split())}"


def boards(number: int | None, json: bool, config: File | None) -> None:
    if number is not None:
        print(ask(config, "board", number=number))
        return
    none = "No program has played on a free board yet."
    print_rows(ask(config, "boards"), _board_line, json=json, none=none)


def _board_line(row: Row) -> str:
    played = relative_time(row["updated"])
    return f"{row['id']:>5}  {row['size']:<6} move {row['move_number']:<4} {played}"


# -- records ---------------------------------------------------------------------------------------
def sgf(source: str, sgn: bool, json: bool, config: File | None) -> None:
    from godaemon.records.sgn import find_game

    if source == "-" or (not find_game(source)[0] and os.path.isfile(source)):
        text = _rewrite_record(read_whole(source), sgn=sgn)
    elif not find_game(source)[0] and not source.isdecimal():
        raise UsageError(
            f"“{source}” is neither a file nor the number of a game; see: godaemon games"
        )
    else:
        text = record_of(config, read_game(source))
        text = _rewrite_record(text.encode(), sgn=sgn) if sgn else text
    print_value({"record": text}, lambda _: [text], json=json)


def record_of(config: File | None, game: int | str) -> str:
    """The SGF of a game by its number or its SGN; raises `Unknown`, `Unreadable`."""
    if isinstance(game, int):
        return str(ask(config, "sgf", number=game))
    from godaemon.records import sgf, sgn

    return sgf.format_sgf(sgn.parse_sgn(game))


def _rewrite_record(data: bytes, *, sgn: bool) -> str:
    """The game in a file, rewritten; prints sentences about parts that are left out."""
    from godaemon.records import sgf
    from godaemon.records.replay import replay
    from godaemon.records.sgn import format_sgn
    from gtp.board.free_board import DEFAULT_RULES

    record = sgf.parse_sgf(data)
    remarks = [*record.left_out]
    try:
        replay(record, record.ruleset or DEFAULT_RULES)
    except IllegalMove as refusal:
        remarks.append(refusal.public)
    except Unreadable:
        pass  # the board was changed by hand, as SGF allows
    for sentence in remarks:
        print(f"godaemon sgf: {sentence}", file=sys.stderr)
    return format_sgn(record) if sgn else sgf.format_sgf(record)


def picture(
    game: int | str, move: int | None, kifu: bool, moves: str, out: str | None, config: File | None
) -> None:
    kind = os.path.splitext(out)[1].casefold() if out else ".svg"
    if kind not in {".svg", ".png"}:
        raise UsageError(f"{out}: write a name that ends in .svg or .png.")
    if (moves and not kifu) or (kifu and move is not None):
        raise UsageError("use either --move M or --kifu [--moves A-B].")
    write_out(out, _draw(record_of(config, game), kind, moves if kifu else None, move))


def _draw(record: str, kind: str, moves: str | None, move: int | None) -> bytes:
    """The board after a move; or a kifu of `moves` ("" for all)."""
    from godaemon.diagrams import fonts
    from godaemon.diagrams.drawing import svg
    from godaemon.diagrams.raster import png
    from godaemon.games.record_pictures import board_picture, kifu_picture
    from godaemon.records.sgf import parse_sgf

    game = parse_sgf(record.encode())
    shows = fonts.can_write if kind == ".png" else lambda _: True
    drawing = board_picture(game, move) if moves is None else kifu_picture(game, moves, shows=shows)
    return png(drawing) if kind == ".png" else svg(drawing).encode()
