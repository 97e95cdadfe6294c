"""The configuration file: the one that counts, its text, and the GTP socket that it names.

Imports the standard library and `godaemon.errors`: the program that a board starts for each game
asks here, and must be there at once. A file that cannot be read raises `ConfigError`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path

from godaemon.config.defaults import filled
from godaemon.errors import ConfigError

SYSTEM_FILE = Path("/etc/godaemon/godaemon.toml")


def find(path: Path | None, environ: Mapping[str, str]) -> Path | None:
    """The file that counts: `path`, else $GODAEMON_CONFIG, else the system's, else none."""
    if path is not None:
        return path
    if named := environ.get("GODAEMON_CONFIG"):
        return Path(named)
    return SYSTEM_FILE if SYSTEM_FILE.exists() else None


def gtp_socket(path: Path | None, environ: Mapping[str, str]) -> Path | None:
    """The path of the GTP socket, by a file that nobody has checked; None where it is unclear."""
    source = find(path, environ)
    try:
        data = tomllib.loads("" if source is None else read_text(source))
    except (ConfigError, tomllib.TOMLDecodeError):
        return None
    section = filled(data, environ)["gtp"]
    socket = section.get("socket") if isinstance(section, dict) else None
    return Path(socket) if isinstance(socket, str) else None


def read_text(source: Path) -> str:
    """The text of a file; raises `ConfigError`."""
    try:
        return source.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        message = f"{source}: there is no such file"
        raise ConfigError(message) from error
    except OSError as error:
        message = f"{source}: it cannot be read: {error.strerror}"
        raise ConfigError(message) from error
    except UnicodeDecodeError as error:
        line = source.read_bytes()[: error.start].count(b"\n") + 1
        message = f"{source}:{line}: this is not UTF-8 text"
        raise ConfigError(message) from error
