"""The base classes of all sections of a configuration, and options that name a file or a secret."""

import contextlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, field_validator, model_validator

from godaemon.config.checks import AbsolutePath, check_listener, split_host_port
from godaemon.errors import ConfigError

CREDENTIALS = Path("/etc/credstore")
"""The folder of systemd's credentials (systemd.exec(5), LoadCredential=)."""


UNIT_CREDENTIALS = {
    ("mail", "imap", "password"): "imap",
    ("mail", "outgoing", "smarthost_password"): "smarthost",
    ("mail", "outgoing", "dkim_key"): "dkim",
    ("mail", "token_key"): "token.key",
}
"""The credentials that the service's unit loads (config/systemd/godaemon.service)."""


def unit_edit(name: str) -> str:
    """The step that makes the service's unit load a credential; "" if it does already."""
    load = f"run `systemctl edit godaemon`, write LoadCredential={name}:godaemon.{name} there below"
    return "" if name in UNIT_CREDENTIALS.values() else f"{load} [Service]"


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


class FileOption(Section):
    """A systemd credential by name, or a file."""

    credential: Annotated[str, Field(pattern=r"^[A-Za-z0-9_.-]{1,255}$")] | None = None
    file: AbsolutePath | None = None

    @model_validator(mode="after")
    def _check_one_place(self) -> Self:
        if (self.credential is None) == (self.file is None):
            raise ValueError('write either { credential = "NAME" } or { file = "PATH" }')
        return self

    def path(self, environ: Mapping[str, str]) -> Path:
        """The file to read; raises `ConfigError` if we cannot find or read it."""
        path = self.file or self._credential_path(environ)
        try:
            path.stat()
            is_hidden = not os.access(path, os.R_OK)
        except OSError as fault:  # reading the file reports all others
            is_hidden = isinstance(fault, PermissionError)
        if is_hidden and "CREDENTIALS_DIRECTORY" in environ:
            raise ConfigError(
                f"The service's user cannot read {path}; for the remedy, run `godaemon"
                " check-config` as root."
            )
        return path

    def _credential_path(self, environ: Mapping[str, str]) -> Path:
        folder = environ.get("CREDENTIALS_DIRECTORY")
        if not folder and os.access(source := CREDENTIALS / f"godaemon.{self.credential}", os.R_OK):
            return source  # we are root, outside the service
        if not folder:
            raise ConfigError(
                f"The credential {self.credential} exists only inside the service: add "
                f"LoadCredential={self.credential}:/path/to/file to its unit, and start it with "
                "systemctl."
            )
        path = Path(folder) / str(self.credential)
        if not path.exists():
            place = f"put it into {CREDENTIALS}/godaemon.{self.credential}"
            steps = [place, unit_edit(str(self.credential)), "and start it again."]
            remedy = ", ".join(filter(None, steps))
            raise ConfigError(f"The service has no credential {self.credential}: {remedy}")
        return path


class Secret(FileOption):
    """The file or credential of a secret, which no other user may be able to read."""

    @model_validator(mode="before")
    @classmethod
    def _check_not_inline(cls, value: object) -> object:
        if isinstance(value, str):
            forms = '{ credential = "NAME" } or { file = "PATH" }'
            raise ValueError(f"never write a secret here; write {forms}")  # noqa: TRY004 - pydantic's
        return value

    def path(self, environ: Mapping[str, str]) -> Path:
        """The file to read; raises `ConfigError` if other users can read it.

        Its group may read it if we are root, or not its owner.
        """
        path = super().path(environ)
        with contextlib.suppress(OSError):  # reading the file reports it
            if path.is_dir():
                raise ConfigError(f"{path} is a folder: write the file with the password.")
            status = path.stat()
            is_ours = status.st_uid == os.geteuid() != 0
            if self.file is not None and status.st_mode & (0o077 if is_ours else 0o007):
                text = path.read_bytes()
                if b"CERTIFICATE" in text and b"PRIVATE KEY" not in text:
                    raise ConfigError(f"{path} has a certificate: write the file of the key here.")
                raise ConfigError(
                    f"Other users of this machine can read {path}; if it has the secret, run:"
                    f" chmod 600 {path}"
                )
        return path

    def read(self, environ: Mapping[str, str]) -> str:
        """The password, without the line end; raises `ConfigError` if it cannot be read safely."""
        path = self.path(environ)
        try:
            password = path.read_text(encoding="utf-8").rstrip("\r\n")
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
            message = f"The password in {path} cannot be read: {reason}."
            raise ConfigError(message, detail=str(error)) from error
        if not password:
            raise ConfigError(f"There is no password in {path}: it is empty.")
        return password
