"""`godaemon games`: the list of games."""

from __future__ import annotations

from godaemon.cli.common import Config, Json, Row, pages, tell_rows


def games(json: Json = False, config: Config = None) -> None:
    """List the games, the newest first."""
    rows = pages(config, "games", "before", "id")
    tell_rows(rows, as_json=json, shown=_shown, none="There are no games yet.")


def _shown(row: Row) -> str:
    from godaemon.games.model import FORMER_NAME

    turn = f"{row['to_move']} to move" if row["to_move"] else row["result"] or ""
    black, white = row["black"] or FORMER_NAME, row["white"] or FORMER_NAME
    return (
        f"{row['id']:>5}  {row['phase']:<9}  {row['size']:<6} {black} - {white}"
        f"  move {row['move_number']}  {turn}"
    ).rstrip()
