"""`godaemon gtp`: what a GUI starts as its engine."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import Annotated

import typer

from godaemon.cli import EXIT_UNAVAILABLE, EXIT_USAGE
from godaemon.cli.common import Config, settings


class Colour(StrEnum):
    """A seat, in words."""

    BLACK = "black"
    WHITE = "white"


def gtp(
    game: Annotated[
        int | None, typer.Option("--game", metavar="N", min=1, help="Sit down at this game.")
    ] = None,
    color: Annotated[Colour | None, typer.Option("--as", help="The seat to take in it.")] = None,
    config: Config = None,
) -> None:
    """Speak GTP on standard input and output: an engine on a free board, or a seat in a game."""
    if (game is None) != (color is None):
        typer.echo("godaemon gtp: --game N and --as black|white go together.", err=True)
        raise typer.Exit(EXIT_USAGE)
    from godaemon.control import client as control

    found = settings(config)
    if control.running(found.gtp.socket):
        from godaemon.rules.points import Color
        from gtp import client

        seat = (game, Color[color.name]) if game is not None and color is not None else None
        raise typer.Exit(
            client.run(found.gtp.socket, sys.stdin.buffer, sys.stdout.buffer, seat=seat)
        )
    if game is not None:
        typer.echo(
            "godaemon gtp: no daemon runs here, so there is no game to sit down at;"
            " start one with `godaemon serve`.",
            err=True,
        )
        raise typer.Exit(EXIT_UNAVAILABLE)
    from gtp import stdio

    raise typer.Exit(stdio.run(sys.stdin.buffer, sys.stdout.buffer))
