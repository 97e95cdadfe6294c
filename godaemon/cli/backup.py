"""`godaemon backup DEST` and `godaemon restore SOURCE`."""

from __future__ import annotations

import os
import shlex
from base64 import b64decode
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from godaemon.cli import EXIT_DAMAGED
from godaemon.cli.common import Config, contents, settings

if TYPE_CHECKING:  # --help loads no database
    from godaemon.config.settings import Settings
    from godaemon.storage.backup import Backup

_NICE = 10
"""What plays games comes first; the timer's unit says so, too."""


def backup(
    dest: Annotated[Path, typer.Argument(metavar="DEST", help="A folder that is not there yet.")],
    config: Config = None,
) -> None:
    """Write a verified backup of all games and the key to a new folder, also while it runs.

    Exit 65 where something in it is damaged or missing.
    """
    from godaemon.storage.backup import backup as make

    found = settings(config)
    with suppress(PermissionError):  # by the unit's filter, which has been nice itself
        os.nice(_NICE)
    made = make(found.database_url, found.state_directory, dest, _rescued(found))
    typer.echo(f"{dest} holds {contents(made.games, made.events)}, verified.")
    if not made.key and made.signed is None:
        typer.echo("There was no key to copy: no letter has been written yet.")
    _tell_faults(made, dest)


def restore(
    source: Annotated[Path, typer.Argument(metavar="SOURCE", help="A folder that backup made.")],
    move_aside: Annotated[
        bool, typer.Option("--move-aside", help="Keep the present store beside the restored one.")
    ] = False,
    config: Config = None,
) -> None:
    """Bring a backup back; refused while the daemon runs."""
    from godaemon.storage.restore import restore as bring_back
    from godaemon.system.clock import SystemClock

    found = settings(config)
    state, now, url = found.state_directory, SystemClock().now(), found.database_url
    done = bring_back(source, state, now, move_aside=move_aside, url=url)
    games = done.backup.games
    typer.echo(f"{games} {'game is' if games == 1 else 'games are'} back in {state}.")
    if done.replaced:
        typer.echo(f"What was there before is in {done.replaced}.")
    _tell_faults(done.backup, source)


def _rescued(found: Settings) -> dict[str, bytes]:
    """What a daemon that runs still has open, where its store was removed."""
    from godaemon.control import control_client as control
    from godaemon.control.daemon_here import running
    from godaemon.errors import Corrupt

    with suppress(Corrupt):  # its file is there, and what can be read of it is salvaged
        if running(found.control.socket):
            files = control.ask(found.control.socket, "rescue", patience=300)
            return {name: b64decode(content) for name, content in files.items()}
    return {}


def _tell_faults(made: Backup, folder: Path) -> None:
    """Say what is damaged or missing in a backup, and what to do; exit 65 then."""
    folder = folder.resolve()  # the lines told here are typed anywhere
    if made.salvaged:
        rows = ", ".join(f"{count} of {table}" for table, count in made.lost.items())
        typer.echo(
            "The database itself is damaged. What can be read of it is in that backup"
            + (f"; rows that cannot: {rows}" if rows else "")
            + ". To go on from there, stop the daemon, and run: godaemon restore"
            f" {shlex.quote(str(folder))} --move-aside",
            err=True,
        )
    for game, why in made.aside:
        typer.echo(f"Game {game} is damaged, and put aside: {why}.", err=True)
    if made.aside:
        typer.echo(
            "All other games go on. To go back to when all were whole, stop the daemon, and run:"
            " godaemon restore BACKUP --move-aside, with a backup made before.",
            err=True,
        )
    if made.signed is not None and not made.key:
        typer.echo(
            f"There is no key in {folder}: keep one beside it. Without the key, no email that"
            " players have can be answered.",
            err=True,
        )
    if made.salvaged or made.aside or (made.signed is not None and not made.key):
        raise typer.Exit(EXIT_DAMAGED)
