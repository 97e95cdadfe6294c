"""`godaemon sgf N`: one game's record; `godaemon sgf FILE`: that of a file, written anew."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from godaemon.cli.common import Config, Json, game_or_line, record_of, tell, whole

_WHICH = "The game's number, 19x19,Q16b,D4w ..., or an SGF file of any program (-: standard input)."

Which = Annotated[str, typer.Argument(metavar="N|FILE", help=_WHICH)]
Sgn = Annotated[
    bool, typer.Option("--sgn", help="On one line instead: 19x19 Q16b D4w (Simple Go Notation).")
]


def sgf(which: Which, sgn: Sgn = False, json: Json = False, config: Config = None) -> None:
    """Write the record of a game, or of a file of any program, as SGF to standard output."""
    from godaemon.records.sgn import cut

    if which == "-":
        written = _anew(whole(sys.stdin.buffer), sgn=sgn)
    elif not cut(which)[0] and Path(which).is_file():
        written = _anew(whole(Path(which)), sgn=sgn)
    elif not cut(which)[0] and not which.isdecimal():
        wrong = f"“{which}” is neither a file nor the number of a game; see: godaemon games"
        raise typer.BadParameter(wrong)
    else:
        written = record_of(config, game_or_line(which))
        written = _anew(written.encode(), sgn=sgn) if sgn else written
    tell({"record": written}, as_json=json, lines=lambda _: iter([written]))


def _anew(data: bytes, *, sgn: bool) -> str:
    """The game in a file, as we write it; says what of the file is not in it."""
    from godaemon.records import sgf
    from godaemon.records.sgn import write

    record = sgf.read(data)
    for sentence in record.left_out:
        typer.echo(f"godaemon sgf: {sentence}", err=True)
    return write(record) if sgn else sgf.write(record)
