"""`godaemon reload`: let the running daemon read its configuration again."""

from __future__ import annotations

import typer

from godaemon.cli.common import Config, ask_daemon


def reload(config: Config = None) -> None:
    """Let the daemon read its configuration again; a wrong one changes nothing (exit 78)."""
    later = ask_daemon(config, "reload")["later"]
    typer.echo("The configuration has been read again.")
    if later:
        typer.echo("These wait for a restart: " + ", ".join(later))
