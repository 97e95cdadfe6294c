"""`godaemon players`: the players, and how many games they have."""

from __future__ import annotations

from godaemon.cli.common import Config, Json, Row, pages, tell_rows


def players(json: Json = False, config: Config = None) -> None:
    """List the players by address: their games, those that go on, and when the last one changed."""
    rows = pages(config, "players", "after", "address")
    tell_rows(rows, as_json=json, shown=_shown, none="There are no players yet.")


def _shown(row: Row) -> str:
    name = f" ({row['name']})" if row["name"] else ""
    stopped = "  suspended" if row["suspended"] else ""
    since = (row["last"] or "")[:10]
    games = f"games {row['games']}, going on {row['going']}"
    return f"{row['address']}{name}  {games}  {since}{stopped}"
