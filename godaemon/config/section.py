"""The base of all sections of a configuration, and of options that name a secret.

Raises `ConfigError` for a file that cannot be read, or that others can read.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, field_validator

from godaemon.config.checks import check_listener, split_host_port


class Section(BaseModel):
    """A section of options: no unknown options, no change once read, no silent conversion."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class ListenerSection(Section):
    """The section of a listener; it does not listen if `listen` is missing or ""."""

    listen: Annotated[str, AfterValidator(check_listener)] | None = None

    @field_validator("listen", mode="before")
    @classmethod
    def _read_empty_as_off(cls, listen: object) -> object:
        return None if listen == "" else listen

    @property
    def path(self) -> Path | None:
        """The path of the Unix socket; None if it listens at HOST:PORT, or nowhere."""
        path = (self.listen or "").removeprefix("unix:")
        return Path(path) if path.startswith("/") else None

    @property
    def address(self) -> tuple[str, int]:
        """The host and the port; raises ValueError for a Unix socket, or if it does not listen."""
        return split_host_port(self.listen or "")
