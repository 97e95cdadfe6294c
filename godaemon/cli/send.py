"""`godaemon send`: one letter to the daemon, for trying it out without a mail program."""

from __future__ import annotations

from typing import Annotated

import typer

from godaemon.cli.common import Config, settings


def send(
    sender: Annotated[str, typer.Argument(metavar="ADDRESS", help="Whose letter it is.")],
    text: Annotated[list[str], typer.Argument(metavar="LINE...", help="Its lines.")],
    reply: Annotated[
        bool, typer.Option("--reply", help="Answer the newest letter in their Maildir.")
    ] = False,
    config: Config = None,
) -> None:
    """Send a letter to the running daemon by SMTP, as a mail program would.

    For example: godaemon send alice@localhost 'new 9x9 vs bob@localhost'
    """
    from godaemon.cli import maildir_client

    found = settings(config)
    client = maildir_client.MaildirClient(found)
    sent = client.send(sender, "\n".join(text), answer=client.newest(sender) if reply else None)
    typer.echo(f"Sent to {sent}.")
