"""`godaemon games`: the list of games."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from godaemon.cli.common import Config, Json, ask, tell


def games(json: Json = False, config: Config = None) -> None:
    """List the games, the newest first."""

    def work(open_games: Any) -> Any:  # noqa: ANN401
        from godaemon import office

        return office.games(open_games)

    tell(ask(config, "games", work), as_json=json, lines=_lines)


def _lines(rows: list[dict[str, Any]]) -> Iterator[str]:
    if not rows:
        yield "There are no games yet."
    for row in rows:
        turn = f"{row['to_move']} to move" if row["to_move"] else row["result"] or ""
        yield (
            f"{row['id']:>5}  {row['phase']:<9}  {row['size']:<6} {row['black']} - {row['white']}"
            f"  move {row['move_number']}  {turn}"
        ).rstrip()
