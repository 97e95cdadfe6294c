"""`godaemon reload`: let the running daemon read its configuration again."""

from __future__ import annotations

import typer

from godaemon.cli import EXIT_UNAVAILABLE
from godaemon.cli.common import Config, settings


def reload(config: Config = None) -> None:
    """Let the daemon read its configuration again; a wrong one changes nothing (exit 78)."""
    from godaemon.control import control_client as control

    found = settings(config)
    if not control.running(found.control.socket):
        typer.echo(f"No godaemon runs for {found.state_directory}.", err=True)
        raise typer.Exit(EXIT_UNAVAILABLE)
    later = control.ask(found.control.socket, "reload")["later"]
    typer.echo("The configuration has been read again.")
    if later:
        typer.echo("These wait for a restart: " + ", ".join(later))
