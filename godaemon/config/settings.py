"""The whole configuration, as frozen models section by section.

Imports pydantic, the standard library and `godaemon.errors`. A model that is built is right in
itself; one that cannot be raises pydantic's ValidationError, which `godaemon.config.loading` turns
into a ConfigError. Times are in seconds unless an option says days.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

from pydantic import (
    AfterValidator,
    ValidationInfo,
    model_validator,
)

from godaemon.config.checks import (
    AbsolutePath,
    GroupName,
    SocketPath,
    database,
    listener_here,
)
from godaemon.config.defaults import filled
from godaemon.config.engine_options import Engines
from godaemon.config.gtp_options import Gtp
from godaemon.config.mail_options import Mail
from godaemon.config.section import Listening, Section


class Control(Section):
    """[control]: where the command line speaks to the daemon."""

    socket: SocketPath
    group: GroupName | None = None


class Log(Section):
    """[log]: how much is written to standard error, and in which form."""

    level: Literal["debug", "info", "warning", "error"] = "info"
    format: Literal["auto", "console", "json", "journal"] = "auto"


class Metrics(Listening):
    """[metrics]: where the daemon's numbers, and its health, are told; nowhere without `listen`."""

    listen: Annotated[str, AfterValidator(listener_here)] | None = None


class Settings(Section):
    """The whole configuration; every path in it is absolute and every default is filled in."""

    state_directory: AbsolutePath
    database_url: Annotated[str, AfterValidator(database)]
    mail: Mail
    gtp: Gtp
    engines: Engines
    control: Control
    log: Log
    metrics: Metrics

    @property
    def listeners(self) -> dict[str, Path | tuple[str, int]]:
        """Where the daemon listens, by the names that systemd's units have for it."""
        sections: dict[str, Listening] = {
            "smtp": self.mail.smtp,
            "lmtp": self.mail.lmtp,
            "gtp-tcp": self.gtp,
            "metrics": self.metrics,
        }
        places = {
            name: section.path or section.address
            for name, section in sections.items()
            if section.listen is not None
        }
        return {"gtp": self.gtp.socket, "control": self.control.socket, **places}

    @model_validator(mode="after")
    def _apart(self) -> Settings:
        """No two doors are in one place."""
        names = dict[Path | tuple[str, int], str]()
        for name, place in self.listeners.items():
            if isinstance(place, tuple) and not place[1]:
                continue  # any free port
            if (other := names.setdefault(place, name)) != name:
                where = place if isinstance(place, Path) else ":".join(map(str, place))
                raise ValueError(f"{other} and {name} cannot both listen at {where}")
        return self

    @model_validator(mode="before")
    @classmethod
    def _fill(cls, data: object, info: ValidationInfo) -> object:
        """Fill in the defaults that depend on the environment or on the state folder."""
        return filled(dict(data), info.context or {}) if isinstance(data, Mapping) else data
