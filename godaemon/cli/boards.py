"""`godaemon boards`: the free boards that programs have played on, and what was played there."""

from __future__ import annotations

from typing import Annotated

import typer

from godaemon.cli.common import Config, Json, Row, ask, number_of, tell_rows
from godaemon.cli.moments import relative

Number = Annotated[
    int | None,
    typer.Argument(
        metavar="[N]",
        help="Write this board as SGF instead.",
        parser=number_of("board", "boards"),
    ),
]


def boards(number: Number = None, json: Json = False, config: Config = None) -> None:
    """List the boards that programs have played on, the last one first, or write one as SGF."""
    if number is None:
        none = "No program has played on a board of its own yet."
        tell_rows(ask(config, "boards"), as_json=json, shown=_shown, none=none)
    else:
        typer.echo(ask(config, "board", number=number))


def _shown(row: Row) -> str:
    played = relative(row["updated"])
    return f"{row['id']:>5}  {row['size']:<6} move {row['move_number']:<4} {played}"
