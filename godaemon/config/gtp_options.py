"""The options of [gtp]: where Go programs come in."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import (
    AfterValidator,
    Field,
    model_validator,
)

from godaemon.config.checks import (
    GroupName,
    SocketPath,
    engine_name,
    host_port,
    loopback,
    split_host_port,
)
from godaemon.config.section import Kept, Listening, Secret


class Gtp(Listening):
    """[gtp]: where Go Text Protocol sessions come in."""

    socket: SocketPath
    group: GroupName | None = None
    quiet_seconds: Annotated[float, Field(ge=0, le=3600)] = 5
    engine: Annotated[str, AfterValidator(engine_name)] | None = None
    listen: Annotated[str, AfterValidator(host_port)] | None = None
    public: Annotated[str, AfterValidator(host_port)] | None = None
    tls_certificate: Kept | None = None
    tls_key: Secret | None = None
    without_tls: bool = False
    ssh: Annotated[str, Field(pattern=r"^[A-Za-z0-9_.@:\[\]-]{1,255}$")] | None = None
    connections_per_source: Annotated[int, Field(ge=1, le=100_000)] = 20

    @model_validator(mode="after")
    def _agrees(self) -> Self:
        if (self.tls_certificate is None) != (self.tls_key is None):
            raise ValueError("tls_certificate and tls_key go together")
        if self.listen is None and (self.public or self.tls_key or self.without_tls):
            raise ValueError("write listen: without it nobody comes in by TCP")
        if self.listen is not None and not (self.tls_key or self.without_tls or self._is_local):
            raise ValueError(
                f"on {self.listen} everybody on the way could read the keys to seats; write"
                " tls_certificate and tls_key, or without_tls = true if something else protects it"
            )
        return self

    @property
    def _is_local(self) -> bool:
        return self.listen is not None and loopback(split_host_port(self.listen)[0])

    def reached_at(self, domain: str) -> tuple[str, bool]:
        """HOST:PORT as players know it, and whether by TLS; empty where there is no TCP.

        Where we listen on all addresses and no `public` name is written, `domain` is ours. What
        comes from elsewhere to an address of this machine's own has been encrypted on the way.
        """
        if self.listen is None:
            return "", False
        host, port = split_host_port(self.listen)
        shown = self.public or (f"{domain}:{port}" if host in {"0.0.0.0", "::"} else self.listen)  # noqa: S104
        ahead = self._is_local and not loopback(split_host_port(shown)[0])
        return shown, self.tls_key is not None or ahead
