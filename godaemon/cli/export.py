"""`godaemon export FILE` and `godaemon import FILE`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from godaemon.cli.common import Config, contents, hold_begun, settings

_File = Annotated[Path, typer.Argument(metavar="FILE", help="A whole site, as a tar archive.")]
_There = Annotated[
    Path,
    typer.Argument(
        metavar="FILE", help="What export has written.", exists=True, dir_okay=False, readable=True
    ),
]


def export(file: _File, config: Config = None) -> None:
    """Write all games, letters and keys to one file, to move them to another database.

    Refused while the daemon runs.
    """
    from godaemon.storage.restore import export as write

    found = settings(config)
    hold_begun(found)
    held = write(found.database_url, found.state_directory, file)
    typer.echo(f"{file} holds {contents(held.games, held.events)}.")
    for game, why in held.aside:
        typer.echo(f"Game {game} is damaged, and put aside: {why}.", err=True)


def import_(file: _There, config: Config = None) -> None:
    """Make a new store of a file that export wrote, on SQLite or PostgreSQL."""
    from godaemon.storage.restore import import_ as take_in
    from godaemon.system.clock import SystemClock

    found = settings(config)
    now, state = SystemClock().now(), found.state_directory
    held = take_in(file, found.database_url, state, now)
    typer.echo(f"{state} holds {contents(held.games, held.events)}, verified.")
