"""The whole configuration, as frozen models section by section; [mail] is in `mail_options`.

Imports pydantic, the standard library and `godaemon.errors`. Every model that exists is valid;
building an invalid one raises pydantic's ValidationError, which `godaemon.config.loading` turns
into a ConfigError. Times are in seconds unless an option says days.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationInfo, model_validator

from godaemon.config.checks import (
    AbsolutePath,
    GroupName,
    SocketPath,
    check_absolute_paths,
    check_database_url,
    check_engine_name,
    check_host_port,
    check_local_listener,
    check_one_line,
    check_program_command,
    is_loopback,
    split_host_port,
)
from godaemon.config.config_file import fill_defaults
from godaemon.config.credentials import FileOption, Secret
from godaemon.config.mail_options import Mail
from godaemon.config.section import ListenerSection, Section


class Control(Section):
    """[control]: the socket on which the command line talks to the daemon."""

    socket: SocketPath
    group: GroupName | None = None


class Log(Section):
    """[log]: how much is written to standard error, and in which form."""

    level: Literal["debug", "info", "warning", "error"] = "info"
    format: Literal["auto", "console", "json", "journal"] = "auto"


class Metrics(ListenerSection):
    """[metrics]: where to serve the daemon's metrics and health; off without `listen`."""

    listen: Annotated[str, AfterValidator(check_local_listener)] | None = None


class Gtp(ListenerSection):
    """[gtp]: where Go Text Protocol sessions come in."""

    socket: SocketPath
    group: GroupName | None = None
    quiet_seconds: Annotated[float, Field(ge=0, le=3600)] = 5
    engine: Annotated[str, AfterValidator(check_engine_name)] | None = None
    listen: Annotated[str, AfterValidator(check_host_port)] | None = None
    public: Annotated[str, AfterValidator(check_host_port)] | None = None
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
            raise ValueError("write listen: without it nobody comes in by TCP")
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
        """HOST:PORT as players use it, and whether by TLS; "" without TCP.

        If we listen on all addresses and no `public` name is configured, the host is `domain`. If
        we listen only locally, but `public` is another host, a proxy in front of us does TLS.
        """
        if self.listen is None:
            return "", False
        host, port = split_host_port(self.listen)
        shown = self.public or (f"{domain}:{port}" if host in {"0.0.0.0", "::"} else self.listen)  # noqa: S104
        ahead = self._is_local and not is_loopback(split_host_port(shown)[0])
        return shown, self.tls_key is not None or ahead


class Engine(Section):
    """[engines.NAME]: a program that speaks GTP, as an opponent. Times are in seconds."""

    command: Annotated[list[str], AfterValidator(check_program_command)]
    seconds: Annotated[float, Field(gt=0, le=3600)] = 30
    start_seconds: Annotated[float, Field(gt=0, le=3600)] = 60
    memory_mib: Annotated[int, Field(ge=0, le=1_048_576)] = 1024
    processes: Annotated[int, Field(ge=1, le=64)] = 2
    idle_seconds: Annotated[float, Field(ge=0, le=86_400)] = 300
    strikes: Annotated[int, Field(ge=1, le=20)] = 3
    largest: Annotated[int, Field(ge=2, le=25)] = 19
    rectangular: bool = False
    contained: bool = True
    disk_mib: Annotated[int, Field(ge=0, le=1_048_576)] = 64
    tasks: Annotated[int, Field(ge=1, le=4096)] = 64
    network: bool = False
    gpu: bool = False
    read: Annotated[list[str], AfterValidator(check_absolute_paths)] = Field(default_factory=list)
    write: Annotated[list[str], AfterValidator(check_absolute_paths)] = Field(default_factory=list)
    note: Annotated[str, Field(max_length=80), AfterValidator(check_one_line)] = ""


class Engines(Section):
    """[engines]: the programs that people can play against, each in its own section."""

    model_config = ConfigDict(extra="allow", frozen=True, strict=True)
    __pydantic_extra__: dict[str, Engine]

    each: ClassVar[type[BaseModel]] = Engine
    """The type of the sections that the operator names."""

    network: AbsolutePath | None = None
    opinion: Annotated[str, AfterValidator(check_engine_name)] | None = None
    games_per_player: Annotated[int, Field(ge=1, le=10_000)] = 20

    @model_validator(mode="after")
    def _check_names(self) -> Self:
        for name in self.named:
            check_engine_name(name)
        return self

    @property
    def named(self) -> dict[str, Engine]:
        """The engines by name."""
        return self.__pydantic_extra__

    @property
    def untrusted(self) -> list[str]:
        """The engines to be contained."""
        return [name for name, engine in self.named.items() if engine.contained]


class Settings(Section):
    """The whole configuration; every path in it is absolute and every default is filled in."""

    state_directory: AbsolutePath
    database_url: Annotated[str, AfterValidator(check_database_url)]
    mail: Mail
    gtp: Gtp
    engines: Engines
    control: Control
    log: Log
    metrics: Metrics

    @property
    def listeners(self) -> dict[str, Path | tuple[str, int]]:
        """Where the daemon listens, by the name of the systemd socket unit."""
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
    def _check_places(self) -> Settings:
        """Refuse two listeners at one place."""
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
        return fill_defaults(dict(data), info.context or {}) if isinstance(data, Mapping) else data


def flatten(values: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """The values by dotted names."""
    found: dict[str, Any] = {}
    for key, value in values.items():
        if isinstance(value, dict):
            found.update(flatten(value, f"{prefix}{key}."))
        else:
            found[prefix + key] = value
    return found
