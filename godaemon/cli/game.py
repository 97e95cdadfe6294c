"""`godaemon game`: the whole log of a game."""

from __future__ import annotations

import json as js
from typing import Any

from godaemon.cli.common import Config, Json, Number, Row, ask, tell_rows


def game(number: Number, json: Json = False, config: Config = None) -> None:
    """Show the whole log of a game: each event, when it happened, and what caused it."""
    tell_rows(ask(config, "log", number=number), as_json=json, shown=_shown)


def _shown(row: Row) -> str:
    values = "(the player's own)" if row["values"] is None else _values(row["values"])
    what = f"{row['number']:>4}  {row['at']}  {row['event']}  {values}".rstrip()
    return f"{what}\n      by {row['cause']}"


def _values(values: dict[str, Any]) -> str:
    return " ".join(f"{name}={js.dumps(one, ensure_ascii=False)}" for name, one in values.items())
