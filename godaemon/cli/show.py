"""`godaemon show N`: one game, its board first."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Annotated, Any

import typer

from godaemon.cli.common import Config, Json, Number, ask, tell

Unicode = Annotated[
    bool, typer.Option("--unicode", help="Draw stones and lines, where the terminal has them.")
]


Move = Annotated[
    int | None, typer.Option("--move", metavar="M", help="As it stood after move M.", min=0)
]


def show(
    number: Number,
    move: Move = None,
    json: Json = False,
    unicode: Unicode = False,
    config: Config = None,
) -> None:
    """Show a game: its board, its players and how it stands, or stood after a move."""
    game = ask(config, "show", number=number, move=move)
    tell(game, as_json=json, lines=partial(_lines, fancy=unicode))


def _lines(game: dict[str, Any], *, fancy: bool) -> Iterator[str]:
    from godaemon.diagrams.text import legend, text_board
    from godaemon.games.model import FORMER_NAME
    from godaemon.rules.points import parse_point

    *_, point = (game["last"] or "pass").split()
    last = None if point == "pass" else parse_point(point)
    yield text_board(game["board"], last=last, fancy=fancy)
    yield legend(game["board"], fancy=fancy)
    yield ""
    standing = f"Game {game['id']}, {game['phase']}: {game['result'] or game['to_move'] or ''}"
    yield standing.rstrip(": ")
    sides = ("proposer", "invited") if game["black"] is None else ("black", "white")
    first, second = (game[side] or FORMER_NAME for side in sides)
    yield f"{first}, {second}" if game["black"] is None else f"{first} (black), {second} (white)"
    terms = f"{game['rules']} rules, komi {game['komi']:g}, handicap {game['handicap']}"
    yield f"{terms}, rated" if game["rated"] else terms
    taken = game["prisoners"]
    yield f"move {game['move_number']}; prisoners: black {taken['black']}, white {taken['white']}"
    if game["score"]:
        yield f"count: black {game['score']['black']:g}, white {game['score']['white']:g}"
    for said in game["chat"]:
        yield f"{said['color']} at move {said['move']}: {' '.join(said['text'].split())}"
