"""`godaemon adjudicate` and `unrate`: a game's result, and whether it counts, by the operator."""

from __future__ import annotations

from typing import Annotated

import typer

from godaemon.cli.common import Config, Json, Number, ask_daemon, tell


def _result(said: str) -> str:
    """The result in SGF's form; to say it wrongly is wrong usage."""
    from godaemon.errors import Unreadable
    from godaemon.games.clock_events import adjudged

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
    json: Json = False,
    config: Config = None,
) -> None:
    """End a game, or change its result; both players are told (the daemon must be running)."""
    done = ask_daemon(config, "adjudicate", number=number, result=result)
    said = f"Game {number} is over: {done['result']}."
    tell(done, as_json=json, lines=lambda _: iter([said]))


def unrate(number: Number, json: Json = False, config: Config = None) -> None:
    """Let a game count for no rating; both players are told (the daemon must be running)."""
    done = ask_daemon(config, "unrate", number=number)
    tell(done, as_json=json, lines=lambda _: iter([f"Game {number} counts for no rating."]))
