"""`godaemon send`: one letter to the daemon, for trying it out without a mail program."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from godaemon.cli.common import Config, Json, hold_running, settings, tell, whole


def send(
    sender: Annotated[str, typer.Argument(metavar="ADDRESS", help="Whose email it is.")],
    text: Annotated[list[str], typer.Argument(metavar="LINE...", help="Its lines.")],
    reply: Annotated[
        bool, typer.Option("--reply", help="Answer the newest email in their Maildir.")
    ] = False,
    attach: Annotated[
        Path | None,
        typer.Option(
            "--attach",
            metavar="FILE",
            help="A record (SGF) to go with it.",
            exists=True,
            dir_okay=False,
            readable=True,
        ),
    ] = None,
    json: Json = False,
    config: Config = None,
) -> None:
    """Send the running daemon an email as ADDRESS, and say what comes back.

    For example: godaemon send alice@localhost 'new 9x9 vs bob@localhost'
    """
    from godaemon.cli.maildir_client import MaildirClient, answer
    from mailgate.address import parse_address

    found, address = settings(config), parse_address(sender).address
    hold_running(found)
    client, lines = MaildirClient(found), "\n".join(text)
    record = whole(attach) if attach else b""
    if found.mail.outgoing.maildir is None and not reply:
        done: dict[str, Any] = {"to": client.send(sender, lines, record=record), "answers": None}
    else:
        answered = client.newest(address) if reply else None
        before = len(client.letters(address))
        to = client.send(sender, lines, answer=answered, record=record)
        done = {"to": to, "answers": [*map(answer, client.settled(address)[before:])]}
    tell(done, as_json=json, lines=partial(_lines, address))


def _lines(address: str, done: dict[str, Any]) -> Iterator[str]:
    if done["answers"] is None:
        yield f"Sent to {done['to']}; the answer goes to {address}."
        return
    yield f"Sent to {done['to']}."
    for each in done["answers"]:
        yield f"{address} reads: {each['text']}"
    if not done["answers"]:
        yield f"No answer has come to {address}."
