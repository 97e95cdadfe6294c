"""`godaemon pause` and `godaemon resume`: stop the clocks of all games, and let them go on."""

from __future__ import annotations

from typing import Annotated

import typer

from godaemon.cli.common import Config, ask_daemon
from godaemon.cli.moments import local


def pause(
    reason: Annotated[
        str, typer.Argument(metavar="[REASON]", help="What players read of it, in a few words.")
    ] = "",
    config: Config = None,
) -> None:
    """Let the clocks of all games stand; moves are still taken (the daemon must be running)."""
    until = local(ask_daemon(config, "pause", reason=reason)["until"])
    typer.echo(
        "The clocks of all games stand; emails say so, and nobody is reminded or loses on time."
        f" They go on by {until} at the latest, or by `godaemon resume`."
    )


def resume(config: Config = None) -> None:
    """Let the clocks of all games go on after a pause (the daemon must be running)."""
    since = local(ask_daemon(config, "resume")["since"])
    typer.echo(f"The clocks of all games go on. The time since {since} counts for nobody.")
