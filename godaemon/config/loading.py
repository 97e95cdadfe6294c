"""Which file counts, and what it says.

Imports the standard library and `godaemon.errors`, and pydantic once a file is checked. Whatever is
wrong with the file raises ConfigError with a line "FILE:LINE: option: why" for each fault; nothing
is guessed.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from godaemon.config.defaults import filled
from godaemon.errors import ConfigError

if TYPE_CHECKING:
    from godaemon.config.settings import Settings

__all__ = ["SYSTEM_FILE", "find", "gtp_socket", "load", "parse"]

SYSTEM_FILE = Path("/etc/godaemon/godaemon.toml")


def find(path: Path | None, environ: Mapping[str, str]) -> Path | None:
    """The file that counts: `path`, else $GODAEMON_CONFIG, else the system's, else none."""
    if path is not None:
        return path
    if named := environ.get("GODAEMON_CONFIG"):
        return Path(named)
    return SYSTEM_FILE if SYSTEM_FILE.exists() else None


def load(path: Path | None, environ: Mapping[str, str]) -> Settings:
    """The settings of the file that `find` finds; ConfigError says all that is wrong with it."""
    source = find(path, environ)
    if source is None:
        return parse("", "godaemon's defaults", environ)
    return parse(_read(source), str(source), environ)


def parse(text: str, shown: str, environ: Mapping[str, str]) -> Settings:
    """The settings that a TOML text means; `shown` is what the text is called in a ConfigError."""
    # A program that only asks `gtp_socket` starts in half the time without these.
    from pydantic import ValidationError  # noqa: PLC0415

    from godaemon.config.report import complaints  # noqa: PLC0415
    from godaemon.config.settings import Settings  # noqa: PLC0415

    try:
        return Settings.model_validate(tomllib.loads(text), context=environ)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(_syntax(shown, str(error))) from error
    except ValidationError as error:
        raise ConfigError("\n".join(complaints(error.errors(), Settings, shown, text))) from error


def gtp_socket(path: Path | None, environ: Mapping[str, str]) -> Path | None:
    """Where the GTP socket is, by a file that nobody has checked; None where that is unclear.

    For the program that a board starts for each game, and that must be there at once.
    """
    source = find(path, environ)
    try:
        data = tomllib.loads("" if source is None else _read(source))
    except (ConfigError, tomllib.TOMLDecodeError):
        return None
    section = filled(data, environ)["gtp"]
    socket = section.get("socket") if isinstance(section, dict) else None
    return Path(socket) if isinstance(socket, str) else None


def _read(source: Path) -> str:
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


def _syntax(shown: str, fault: str) -> str:
    """One line for a text that is not TOML; tomllib names the place at the end of its message."""
    match = re.fullmatch(
        r"(.*?) \(at (?:line (\d+), column \d+|end of document)\)", fault, re.DOTALL
    )
    if match is None:
        return f"{shown}: {fault}"
    where = f"{shown}:{match[2]}" if match[2] else shown
    return f"{where}: {match[1]}; see https://toml.io for how such a file is written"
