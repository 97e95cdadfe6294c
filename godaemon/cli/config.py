"""`godaemon config`: the configuration as it holds, and where each value comes from."""

from __future__ import annotations

import json as js
import os
from collections.abc import Iterator
from typing import Annotated, Any

import typer

from godaemon.cli.common import Config, Json, settings, tell

Effective = Annotated[
    bool, typer.Option("--effective", help="With every default, too, not only what was written.")
]


def config(effective: Effective = False, json: Json = False, config: Config = None) -> None:
    """Show the configuration that holds, as TOML, with the line that each value is from."""
    from godaemon.config.config_file import find, read_text
    from godaemon.config.reloadable import flat
    from godaemon.config.report import key_lines

    values, file = flat(settings(config).model_dump(mode="json")), find(config, os.environ)
    lines = key_lines(read_text(file)) if file else {}
    rows = [
        {"option": option, "value": _masked(option, value), "line": _line(option, lines)}
        for option, value in values.items()
    ]
    shown = [row for row in rows if row["value"] is not None and (effective or row["line"])]
    tell(shown, as_json=json, lines=lambda rows: _told(rows, file))


def _line(option: str, lines: dict[tuple[str, ...], int]) -> int | None:
    """The line of an option, or of the table that was written inline in its place."""
    key = tuple(option.split("."))
    inline = key[-1] in {"file", "credential"}
    return lines.get(key) or (lines.get(key[:-1]) if inline else None)


def _masked(option: str, value: object) -> object:
    """A value without the password that the URL of a database may have."""
    if option != "database_url":
        return value
    from godaemon.storage.connections import read_url

    return read_url(str(value)).render_as_string()


def _toml(value: object) -> str:
    """A value as TOML has it, tables inline; what is not set is left out of them."""
    if isinstance(value, dict):
        pairs = (f"{js.dumps(key)} = {_toml(one)}" for key, one in value.items() if one is not None)
        return f"{{{', '.join(pairs)}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    return js.dumps(value, ensure_ascii=False)


def _told(rows: list[dict[str, Any]], file: str | None) -> Iterator[str]:
    for row in rows:
        value = _toml(row["value"])
        where = f"{file}:{row['line']}" if row["line"] else "default"
        yield f"{row['option']} = {value}  # {where}"
