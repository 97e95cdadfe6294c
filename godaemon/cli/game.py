"""`godaemon game`: the whole log of a game."""

from __future__ import annotations

import json as js
from collections.abc import Iterator
from typing import Any

from godaemon.cli.common import Config, Json, Number, ask, tell


def game(number: Number, json: Json = False, config: Config = None) -> None:
    """Show the whole log of a game: each event, when it happened, and what caused it."""
    tell(ask(config, "log", number=number), as_json=json, lines=_lines)


def _lines(rows: list[dict[str, Any]]) -> Iterator[str]:
    for row in rows:
        values = "(the player's own)" if row["values"] is None else _values(row["values"])
        yield f"{row['number']:>4}  {row['at']}  {row['event']}  {values}".rstrip()
        yield f"      by {row['cause']}"


def _values(values: dict[str, Any]) -> str:
    return " ".join(f"{name}={js.dumps(one, ensure_ascii=False)}" for name, one in values.items())
