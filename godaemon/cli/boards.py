"""`godaemon boards`: the free boards that programs have played on, and what was played there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import typer

from godaemon.cli.common import Config, Json, ask_store, tell

Number = Annotated[
    int | None, typer.Argument(metavar="[N]", help="Write this board as SGF instead.", min=1)
]


def boards(number: Number = None, json: Json = False, config: Config = None) -> None:
    """List the boards that programs have played on, the last one first, or write one as SGF."""

    def work(unit: Any) -> Any:  # noqa: ANN401
        from godaemon.daemon import operations

        return operations.boards(unit) if number is None else unit.boards.sgf(number)

    if number is None:
        tell(ask_store(config, "boards", work), as_json=json, lines=_lines)
    else:
        typer.echo(ask_store(config, "board", work, number=number))


def _lines(rows: list[dict[str, Any]]) -> Iterator[str]:
    if not rows:
        yield "No program has played on a board of its own yet."
    for row in rows:
        yield f"{row['id']:>5}  {row['size']:<6} move {row['move_number']:<4} {row['updated']}"
