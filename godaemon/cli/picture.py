"""`godaemon picture N`: a game's board, or the whole game, as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from godaemon.cli import EXIT_USAGE
from godaemon.cli.common import Config, Number, ask

Move = Annotated[
    int | None, typer.Option("--move", metavar="M", help="The board after move M.", min=0)
]
Kifu = Annotated[bool, typer.Option("--kifu", help="All moves, numbered on one diagram.")]
Out = Annotated[
    Path | None,
    typer.Option(
        "--out",
        metavar="FILE",
        help="Where to: FILE.svg or FILE.png (else standard output, as SVG).",
    ),
]


def picture(
    number: Number, move: Move = None, kifu: Kifu = False, out: Out = None, config: Config = None
) -> None:
    """Draw a game's board, as it is or after a move, or the whole game, as SVG or PNG."""
    kind = out.suffix.casefold() if out else ".svg"
    if kind not in {".svg", ".png"}:
        typer.echo(f"godaemon picture: {out}: a picture is a .svg or a .png.", err=True)
        raise typer.Exit(EXIT_USAGE)

    drawn = _drawn(ask(config, "sgf", number=number), move, kind, kifu=kifu)
    if out is None:
        typer.echo(drawn, nl=False)
    else:
        out.write_bytes(drawn)


def _drawn(record: str, move: int | None, kind: str, *, kifu: bool) -> bytes:
    from godaemon.diagrams.svg import svg
    from godaemon.games.record_pictures import board_picture, kifu_picture
    from godaemon.records.sgf import read

    game = read(record.encode())
    if kind == ".svg":
        return svg(kifu_picture(game, move) if kifu else board_picture(game, move)).encode()
    from godaemon.diagrams import fonts, png

    return png.png(
        kifu_picture(game, move, shows=fonts.shows) if kifu else board_picture(game, move)
    )
