"""The configuration file: the one that counts, its text, and the GTP socket that it names.

Imports the standard library and `godaemon.errors`, and no `pathlib`: the program that a board
starts for each game asks here, and must be there at once. A file that cannot be read raises
`ConfigError`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from godaemon.config.defaults import filled
from godaemon.errors import ConfigError

SYSTEM_FILE = "/etc/godaemon/godaemon.toml"

File = str | os.PathLike[str]


def find(path: File | None, environ: Mapping[str, str]) -> str | None:
    """The file that counts: `path`, else $GODAEMON_CONFIG, else the system's, else none."""
    if path is not None:
        return os.fspath(path)
    if named := environ.get("GODAEMON_CONFIG"):
        return named
    return os.fspath(SYSTEM_FILE) if os.path.exists(SYSTEM_FILE) else None


def gtp_socket(path: File | None, environ: Mapping[str, str]) -> str | None:
    """The path of the GTP socket, by a file that nobody has checked; None where it is unclear."""
    source = find(path, environ)
    try:
        data = {} if source is None else _parsed(source)
    except ValueError:
        return None
    section = filled(data, environ)["gtp"]
    socket = section.get("socket") if isinstance(section, dict) else None
    return socket if isinstance(socket, str) else None


def _parsed(source: str) -> dict[str, Any]:
    """What a file says; raises `ValueError` where it cannot be read."""
    import tomllib  # noqa: PLC0415 - who has no file needs none

    try:
        return tomllib.loads(read_text(source))
    except ConfigError as fault:
        raise ValueError from fault


def read_text(source: File) -> str:
    """The text of a file; raises `ConfigError`."""
    try:
        with open(source, encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError as error:
        message = f"{source}: there is no such file"
        raise ConfigError(message) from error
    except OSError as error:
        message = f"{source}: it cannot be read: {error.strerror}"
        raise ConfigError(message) from error
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        message = f"{source}:{line}: this is not UTF-8 text"
        raise ConfigError(message) from error
