"""`godaemon backup DEST` and `godaemon restore SOURCE`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from godaemon.cli.common import Config, settings


def backup(
    dest: Annotated[Path, typer.Argument(metavar="DEST", help="A folder that is not there yet.")],
    config: Config = None,
) -> None:
    """Write a verified backup of all games and the key to a new folder, also while it runs."""
    from godaemon.storage.backup import backup as make

    found = settings(config)
    made = make(found.database_url, found.state_directory, dest)
    typer.echo(f"{dest} holds {made.games} games, {made.events} events, verified.")
    if not made.key:
        typer.echo("There was no key to copy: no letter has been written yet.")


def restore(
    source: Annotated[Path, typer.Argument(metavar="SOURCE", help="A folder that backup made.")],
    move_aside: Annotated[
        bool, typer.Option("--move-aside", help="Keep the present store beside the restored one.")
    ] = False,
    config: Config = None,
) -> None:
    """Bring a backup back; refused while the daemon runs."""
    from godaemon.storage.backup import restore as bring_back
    from godaemon.system.clock import SystemClock

    found = settings(config)
    done = bring_back(source, found.state_directory, SystemClock().now(), move_aside=move_aside)
    typer.echo(f"{done.backup.games} games are back in {found.state_directory}.")
    if done.replaced:
        typer.echo(f"What was there before is in {done.replaced}.")
