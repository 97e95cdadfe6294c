"""The operator's configuration: one TOML file, read into frozen models.

`load` gives the `Settings`, every default filled in and every path absolute, or raises ConfigError
with a line for each fault. Nothing here imports the database or the mail stack, so that every
subcommand may load it.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from godaemon.config.loading import find, gtp_socket, load

if TYPE_CHECKING:
    from godaemon.config.settings import (
        Control,
        Engine,
        Engines,
        Gtp,
        Log,
        Mail,
        MailLimits,
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
    "Log",
    "Mail",
    "MailLimits",
    "Outgoing",
    "Secret",
    "Settings",
    "Smtp",
    "find",
    "gtp_socket",
    "load",
]

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """The models, with which pydantic is loaded (PEP 562): some subcommands need none."""
        if name not in __all__:
            raise AttributeError(name)
        return getattr(importlib.import_module("godaemon.config.settings"), name)
