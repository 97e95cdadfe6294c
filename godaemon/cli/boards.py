"""`godaemon boards`: the free boards that programs have played on, and what was played there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import typer

from godaemon.cli.common import Config, Json, ask, number_of, tell
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
        tell(ask(config, "boards"), as_json=json, lines=_lines)
    else:
        typer.echo(ask(config, "board", number=number))


def _lines(rows: list[dict[str, Any]]) -> Iterator[str]:
    if not rows:
        yield "No program has played on a board of its own yet."
    for row in rows:
        played = relative(row["updated"])
        yield f"{row['id']:>5}  {row['size']:<6} move {row['move_number']:<4} {played}"
