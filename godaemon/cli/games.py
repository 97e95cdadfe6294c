"""`godaemon games`: the list of games."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from godaemon.cli.common import Config, Json, ask, tell


def games(json: Json = False, config: Config = None) -> None:
    """List the games, the newest first."""
    rows = _pages(config)
    tell(list(rows) if json else rows, as_json=json, lines=_lines)


def _pages(config: Config) -> Iterator[dict[str, Any]]:
    """A page after the other, so that a daemon with very many games has time for its players.

    Where no daemon runs the first page has all.
    """
    before: int | None = None
    while rows := ask(config, "games", before=before):
        yield from rows
        before = rows[-1]["id"]


def _lines(rows: Iterator[dict[str, Any]]) -> Iterator[str]:
    from godaemon.games.model import FORMER_NAME

    row: dict[str, Any] | None = None
    for row in rows:
        turn = f"{row['to_move']} to move" if row["to_move"] else row["result"] or ""
        black, white = row["black"] or FORMER_NAME, row["white"] or FORMER_NAME
        yield (
            f"{row['id']:>5}  {row['phase']:<9}  {row['size']:<6} {black} - {white}"
            f"  move {row['move_number']}  {turn}"
        ).rstrip()
    if row is None:
        yield "There are no games yet."
