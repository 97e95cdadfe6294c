"""`godaemon adjudicate`: end a game by the operator's word."""

from __future__ import annotations

from typing import Annotated

import typer

from godaemon.cli.common import Config, ask_daemon, number_of


def adjudicate(
    number: Annotated[
        int,
        typer.Argument(metavar="N", help="The game's number.", parser=number_of("game", "games")),
    ],
    result: Annotated[
        str, typer.Argument(metavar="RESULT", help="Such as B+3.5, W+R, B+T, 0 (a tie) or void.")
    ],
    config: Config = None,
) -> None:
    """End a game with a result; both players are told (the daemon must be running)."""
    done = ask_daemon(config, "adjudicate", number=number, result=result)
    typer.echo(f"Game {number} is over: {done['result']}.")
