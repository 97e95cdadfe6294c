"""`godaemon adjudicate`: end a game by the operator's word."""

from __future__ import annotations

from typing import Annotated

import typer

from godaemon.cli.common import Config, Number, ask_daemon


def _result(said: str) -> str:
    """The result in SGF's form; to say it wrongly is wrong usage."""
    from godaemon.errors import Unreadable
    from godaemon.games.alarms import adjudged

    try:
        return adjudged(said)
    except Unreadable as fault:
        raise typer.BadParameter(fault.public) from fault


def adjudicate(
    number: Number,
    result: Annotated[
        str,
        typer.Argument(
            metavar="RESULT",
            help="Such as B+3.5, W+R, B+T; 0 or draw (a tie); void.",
            parser=_result,
        ),
    ],
    config: Config = None,
) -> None:
    """End a game with a result; both players are told (the daemon must be running)."""
    done = ask_daemon(config, "adjudicate", number=number, result=result)
    typer.echo(f"Game {number} is over: {done['result']}.")
