"""The operator's configuration: one TOML file, read into frozen models.

`load` gives the `Settings`, every default filled in and every path absolute, or raises ConfigError
with a line for each fault. Nothing here imports the database or the mail stack, so that every
subcommand may load it.
"""

from __future__ import annotations

from godaemon.config.loading import find, load
from godaemon.config.settings import (
    Control,
    Engine,
    Engines,
    Gtp,
    Limits,
    Log,
    Mail,
    Outgoing,
    Secret,
    Settings,
    Smtp,
)

__all__ = [
    "Control",
    "Engine",
    "Engines",
    "Gtp",
    "Limits",
    "Log",
    "Mail",
    "Outgoing",
    "Secret",
    "Settings",
    "Smtp",
    "find",
    "load",
]
