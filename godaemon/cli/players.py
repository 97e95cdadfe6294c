"""`godaemon players`: the players, and how many games they have."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from godaemon.cli.common import Config, Json, ask, tell


def players(json: Json = False, config: Config = None) -> None:
    """List the players by address: their games, those that go on, and when the last one changed."""
    rows = _pages(config)
    tell(list(rows) if json else rows, as_json=json, lines=_lines)


def _pages(config: Config) -> Iterator[dict[str, Any]]:
    after = ""
    while rows := ask(config, "players", after=after):
        yield from rows
        after = rows[-1]["address"]


def _lines(rows: Iterator[dict[str, Any]]) -> Iterator[str]:
    row: dict[str, Any] | None = None
    for row in rows:
        name = f" ({row['name']})" if row["name"] else ""
        stopped = "  suspended" if row["suspended"] else ""
        since = (row["last"] or "")[:10]
        games = f"games {row['games']}, going on {row['going']}"
        yield f"{row['address']}{name}  {games}  {since}{stopped}"
    if row is None:
        yield "There are no players yet."
