"""`godaemon sgf N`: one game's record."""

from __future__ import annotations

from typing import Annotated

import typer

from godaemon.cli.common import Config, Number, ask

Sgn = Annotated[
    bool, typer.Option("--sgn", help="On one line instead: 19x19 Q16b D4w (Simple Go Notation).")
]


def sgf(number: Number, sgn: Sgn = False, config: Config = None) -> None:
    """Write a game's record as SGF to standard output."""
    record = ask(config, "sgf", number=number)
    typer.echo(_on_one_line(record) if sgn else record)


def _on_one_line(record: str) -> str:
    from godaemon.records.sgf import read
    from godaemon.records.sgn import write

    return write(read(record.encode()))
