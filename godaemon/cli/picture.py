"""`godaemon picture N`: a game's board, or the whole game, as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from godaemon.cli import EXIT_USAGE
from godaemon.cli.common import Config, GameOrLine, record_of, write_out

Move = Annotated[
    int | None, typer.Option("--move", metavar="M", help="The board after move M.", min=0)
]
Kifu = Annotated[bool, typer.Option("--kifu", help="The moves, numbered, in figures.")]
Moves = Annotated[
    str, typer.Option("--moves", metavar="A-B", help="With --kifu: from move A to move B.")
]
Out = Annotated[
    Path | None,
    typer.Option(
        "--out",
        metavar="FILE",
        help="Where to: FILE.svg or FILE.png (else standard output, as SVG).",
    ),
]


def picture(
    game: GameOrLine,
    move: Move = None,
    kifu: Kifu = False,
    moves: Moves = "",
    out: Out = None,
    config: Config = None,
) -> None:
    """Draw a game's board, as it is or after a move, or the whole game, as SVG or PNG."""
    kind = out.suffix.casefold() if out else ".svg"
    if kind not in {".svg", ".png"}:
        typer.echo(f"godaemon picture: {out}: a picture is a .svg or a .png.", err=True)
        raise typer.Exit(EXIT_USAGE)

    if (moves and not kifu) or (kifu and move is not None):
        typer.echo("godaemon picture: --move M, or --kifu with or without --moves A-B.", err=True)
        raise typer.Exit(EXIT_USAGE)

    drawn = _drawn(record_of(config, game), kind, moves if kifu else None, move)
    if out is None:
        typer.echo(drawn, nl=False)
    else:
        write_out(out, drawn)


def _drawn(record: str, kind: str, moves: str | None, move: int | None) -> bytes:
    """The board after a move; or a kifu, where `moves` says of which ("" for all)."""
    from godaemon.diagrams import fonts, png, svg
    from godaemon.games.record_pictures import board_picture, kifu_picture
    from godaemon.records.sgf import read

    game = read(record.encode())
    shows = fonts.shows if kind == ".png" else bool
    drawing = board_picture(game, move) if moves is None else kifu_picture(game, moves, shows=shows)
    return png.png(drawing) if kind == ".png" else svg.svg(drawing).encode()
