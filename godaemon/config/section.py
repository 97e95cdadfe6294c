"""The base classes of all sections of a configuration."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, field_validator

from godaemon.config.checks import check_listener, split_host_port


class Section(BaseModel):
    """A section of options: immutable, without unknown options and silent conversions."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class ListenerSection(Section):
    """The section of a listener, which is off if `listen` is missing or ""."""

    listen: Annotated[str, AfterValidator(check_listener)] | None = None

    @field_validator("listen", mode="before")
    @classmethod
    def _read_empty_as_off(cls, listen: object) -> object:
        return None if listen == "" else listen

    @property
    def path(self) -> Path | None:
        """The path of the Unix socket; None for HOST:PORT, or if the listener is off."""
        path = (self.listen or "").removeprefix("unix:")
        return Path(path) if path.startswith("/") else None

    @property
    def address(self) -> tuple[str, int]:
        """The host and the port; raises ValueError for a Unix socket, or if the listener is off."""
        return split_host_port(self.listen or "")
