"""`godaemon send`: one letter to the daemon, for trying it out without a mail program."""

from __future__ import annotations

from typing import Annotated

import typer

from godaemon.cli.common import Config, hold_running, settings


def send(
    sender: Annotated[str, typer.Argument(metavar="ADDRESS", help="Whose email it is.")],
    text: Annotated[list[str], typer.Argument(metavar="LINE...", help="Its lines.")],
    reply: Annotated[
        bool, typer.Option("--reply", help="Answer the newest email in their Maildir.")
    ] = False,
    config: Config = None,
) -> None:
    """Send the running daemon an email as ADDRESS, and say what comes back.

    For example: godaemon send alice@localhost 'new 9x9 vs bob@localhost'
    """
    from godaemon.cli.maildir_client import MaildirClient, first_sentences
    from mailgate.address import parse_address

    found, address = settings(config), parse_address(sender).address
    hold_running(found)
    client, lines = MaildirClient(found), "\n".join(text)
    if found.mail.outgoing.maildir is None and not reply:
        typer.echo(f"Sent to {client.send(sender, lines)}; the answer goes to {address}.")
        return
    answered = client.newest(address) if reply else None
    before = len(client.letters(address))
    typer.echo(f"Sent to {client.send(sender, lines, answer=answered)}.")
    answers = [first_sentences(letter) for letter in client.settled(address)[before:]]
    for said in answers:
        typer.echo(f"{address} reads: {said}")
    if not answers:
        typer.echo(f"No answer has come to {address}.")
