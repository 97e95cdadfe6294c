"""`godaemon client`: the one file by which Go programs on other computers reach this godaemon."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from godaemon.cli.common import write_out

Out = Annotated[
    Path | None, typer.Option("--out", metavar="FILE", help="Where to (else standard output).")
]


def client(out: Out = None) -> None:
    """Write the one file that lets Go programs on other computers play here."""
    from gtp.client_file import client_file

    if out is None:
        typer.echo(client_file(), nl=False)
        return
    write_out(out, client_file())
