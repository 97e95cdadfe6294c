"""The whole configuration, a frozen model for each section; [mail] is in `mail_options`.

Imports pydantic and the standard library. Models are always valid: wrong values raise pydantic's
ValidationError, which `godaemon.config.loading` turns into a `ConfigError`. Times are in seconds
unless the name of an option says days.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    ValidationInfo,
    field_validator,
    model_validator,
)

from godaemon.config import checks
from godaemon.config.checks import AbsolutePath, GroupName, SocketPath, is_loopback, split_host_port
from godaemon.config.config_file import fill_defaults
from godaemon.config.mail_options import Mail
from godaemon.config.section import FileOption, ListenerSection, Secret, Section


class Control(Section):
    """[control]: the socket between the command line and the daemon."""

    socket: SocketPath
    group: GroupName | None = None


class Log(Section):
    """[log]: the lowest level, and the format, of lines on standard error."""

    level: Literal["debug", "info", "warning", "error"] = "info"
    format: Literal["auto", "console", "json", "journal"] = "auto"


class Metrics(ListenerSection):
    """[metrics]: the listener for the daemon's metrics and health; off without `listen`."""

    listen: Annotated[str, AfterValidator(checks.check_local_listener)] | None = None


class Gtp(ListenerSection):
    """[gtp]: the listeners for sessions of the Go Text Protocol."""

    socket: SocketPath
    group: GroupName | None = None
    quiet_seconds: Annotated[float, Field(ge=0, le=3600)] = 5  # to take a move back
    engine: Annotated[str, AfterValidator(checks.check_engine_name)] | None = None
    listen: Annotated[str, AfterValidator(checks.check_host_port)] | None = None
    public: Annotated[str, AfterValidator(checks.check_host_port)] | None = None
    tls_certificate: FileOption | None = None
    tls_key: Secret | None = None
    without_tls: bool = False
    ssh: Annotated[str, Field(pattern=r"^[A-Za-z0-9_.@:\[\]-]{1,255}$")] | None = None
    connections_per_source: Annotated[int, Field(ge=1, le=100_000)] = 20

    @model_validator(mode="after")
    def _check_tls(self) -> Self:
        if (self.tls_certificate is None) != (self.tls_key is None):
            raise ValueError("tls_certificate and tls_key go together")
        if self.listen is None and (self.public or self.tls_key or self.without_tls):
            raise ValueError("write listen: without it there are no TCP connections")
        if self.listen is not None and not (self.tls_key or self.without_tls or self._is_local):
            raise ValueError(
                f"on {self.listen} the keys to seats would cross the network unencrypted; write"
                " tls_certificate and tls_key, or without_tls = true if something else protects it"
            )
        return self

    @property
    def _is_local(self) -> bool:
        return self.listen is not None and is_loopback(split_host_port(self.listen)[0])

    def public_address(self, domain: str) -> tuple[str, bool]:
        """HOST:PORT for players ("" without TCP), and whether it uses TLS.

        If we listen on all addresses, and `public` is not configured, the host is `domain`. If we
        listen only locally, and `public` is another host, a proxy in front of us does TLS.
        """
        if self.listen is None:
            return "", False
        host, port = split_host_port(self.listen)
        address = self.public or (f"{domain}:{port}" if host in {"0.0.0.0", "::"} else self.listen)  # noqa: S104
        has_proxy = self._is_local and not is_loopback(split_host_port(address)[0])
        return address, self.tls_key is not None or has_proxy


class Engine(Section):
    """[engines.NAME]: a GTP program as an opponent. Times are in seconds."""

    command: Annotated[list[str], AfterValidator(checks.check_program_command)]
    seconds: Annotated[float, Field(gt=0, le=3600)] = 30
    start_seconds: Annotated[float, Field(gt=0, le=3600)] = 60
    memory_mib: Annotated[int, Field(ge=0, le=1_048_576)] = 1024
    processes: Annotated[int, Field(ge=1, le=64)] = 2
    idle_seconds: Annotated[float, Field(ge=0, le=86_400)] = 300
    strikes: Annotated[int, Field(ge=1, le=20)] = 3  # failures at one move until it resigns
    largest: Annotated[int, Field(ge=2, le=25)] = 19  # the longest side of a board
    rectangular: bool = False
    contained: bool = True
    disk_mib: Annotated[int, Field(ge=0, le=1_048_576)] = 64
    tasks: Annotated[int, Field(ge=1, le=4096)] = 64
    network: bool = False
    gpu: bool = False
    read: Annotated[list[str], AfterValidator(checks.check_absolute_paths)] = Field(
        default_factory=list
    )
    write: Annotated[list[str], AfterValidator(checks.check_absolute_paths)] = Field(
        default_factory=list
    )
    note: Annotated[str, Field(max_length=80), AfterValidator(checks.check_one_line)] = ""


class Engines(Section):
    """[engines]: the programs that people can play against, each with its own section."""

    model_config = ConfigDict(extra="allow", frozen=True, strict=True)
    __pydantic_extra__: dict[str, Engine]

    each: ClassVar[type[BaseModel]] = Engine
    """The type of the sections [engines.NAME]."""

    network: AbsolutePath | None = None
    opinion: Annotated[str, AfterValidator(checks.check_engine_name)] | None = None
    games_per_player: Annotated[int, Field(ge=1, le=10_000)] = 20

    @model_validator(mode="after")
    def _check_names(self) -> Self:
        for name in self.named:
            checks.check_engine_name(name)
        return self

    @property
    def named(self) -> dict[str, Engine]:
        return self.__pydantic_extra__


class Settings(Section):
    """The whole configuration; all paths are absolute, and all defaults are filled in."""

    state_directory: AbsolutePath
    database_url: Annotated[str, AfterValidator(checks.check_database_url)]
    mail: Mail
    gtp: Gtp
    engines: Engines
    control: Control
    log: Log
    metrics: Metrics

    @property
    def listeners(self) -> dict[str, Path | tuple[str, int]]:
        """The listeners by the names of their systemd socket units."""
        sections: dict[str, ListenerSection] = {
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
    def _check_places(self) -> Self:
        """Refuse two listeners at one place."""
        names = dict[Path | tuple[str, int], str]()
        for name, place in self.listeners.items():
            if isinstance(place, tuple) and not place[1]:
                continue  # any free port
            if (other_name := names.setdefault(place, name)) != name:
                place_text = place if isinstance(place, Path) else ":".join(map(str, place))
                raise ValueError(f"{other_name} and {name} cannot both listen at {place_text}")
        return self

    @field_validator("database_url")
    @classmethod
    def _check_place(cls, url: str, info: ValidationInfo) -> str:
        """Refuse a SQLite file outside the state folder, whose lock and backups are for its own."""
        dialect, _, file = url.partition(":///")
        state = info.data.get("state_directory")  # None if it is wrong itself
        own = state and state / "godaemon.db"
        if own and dialect.startswith("sqlite") and os.path.realpath(file) != os.path.realpath(own):
            raise ValueError(
                f"a SQLite store is the file {own}: stop godaemon, move {file} there (with its"
                " -wal), and remove this option"
            )
        return url

    @model_validator(mode="before")
    @classmethod
    def _fill(cls, data: object, info: ValidationInfo) -> object:
        return fill_defaults(dict(data), info.context or {}) if isinstance(data, Mapping) else data


def flatten(values: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Nested values by their dotted names."""
    result: dict[str, Any] = {}
    for key, value in values.items():
        is_section = isinstance(value, dict)
        result |= flatten(value, f"{prefix}{key}.") if is_section else {prefix + key: value}
    return result
