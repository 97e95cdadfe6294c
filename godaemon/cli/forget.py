"""`godaemon forget`: forget a player, as they can ask for themselves by email."""

from __future__ import annotations

from typing import Annotated

import typer

from godaemon.cli.common import Config, ask_daemon


def forget(
    address: Annotated[str, typer.Argument(metavar="ADDRESS", help="The player's address.")],
    config: Config = None,
) -> None:
    """Forget a player: end their games, and delete what names them (the daemon must be running)."""
    from mailgate.address import parse_address

    address = parse_address(address).address
    done = ask_daemon(config, "forget", address=address)
    if not done["played"]:
        typer.echo(f"No game here is {address}'s. Whatever else is known of it is deleted soon.")
        return
    typer.echo(
        f"{address} is being forgotten; open games that have ended: {done['ended']}. It is done"
        " once the letters that tell of it have gone out, within a day. Backups still hold them."
    )
