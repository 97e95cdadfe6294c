"""`godaemon check-config`: whether the configuration is right."""

from __future__ import annotations

import typer

from godaemon.cli.common import Config, settings


def check_config(config: Config = None) -> None:
    """Read the configuration and say what is wrong with it, line by line (exit 78)."""
    import os

    from godaemon.config import find

    settings(config)
    found = find(config, os.environ)
    typer.echo(f"{found} is right." if found else "There is no configuration: the defaults hold.")
