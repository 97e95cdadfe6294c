"""`godaemon sgf N`: one game's record."""

from __future__ import annotations

from typing import Any

import typer

from godaemon.cli.common import Config, Number, ask


def sgf(number: Number, config: Config = None) -> None:
    """Write a game's record as SGF to standard output."""

    def work(open_games: Any) -> Any:  # noqa: ANN401
        from godaemon import office

        return office.sgf(open_games, number)

    typer.echo(ask(config, "sgf", work, number=number))
